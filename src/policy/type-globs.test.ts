import { describe, expect, test } from "vitest";
import { typeByLabel } from "./type-globs.ts";

const noTrustForm = () => false;
const fits = (pattern: string, label: string) =>
  typeByLabel([{ pattern, type: "SERVICE_CONTROL_POLICY" }])(label, noTrustForm) !== undefined;

describe("a pattern for labels", () => {
  test.each([
    ["scp.json", "org/scps/scp.json", "is tried on the last segment"],
    ["org/*.json", "org/a/b.json", "lets a star cross slashes"],
    ["**/scps/*.json", "scps/a.json", "is tried without a leading **/"],
    ["**/scps/*.json", "x/scps/a.json", "is tried as it stands"],
    ["**/a.json", "a.json", "is tried without a leading **/ on the last segment"],
    ["scp-?.json", "scp-😀.json", "takes any one character for ?"],
    ["scp-[0-9a].json", "scp-a.json", "takes one of a set"],
    ["scp-[!0-9].json", "scp-x.json", "takes one outside a set"],
    ["[]a].json", "].json", "may hold ] first in a set"],
    ["[a-].json", "-.json", "may hold - last in a set"],
    ["[scp", "[scp", "takes an unclosed [ as text"],
    ["a.(json)+", "a.(json)+", "takes all else as text"],
    ["*", "", "may take the empty label"],
    ["a**b", "axb", "takes a run of stars as one"],
    ["[!]].json", "a.json", "may hold ] first in a negated set"],
    ["x[ab]", "xa", "may have a set behind text"],
    ["[a-c]x[d-f]", "bxe", "may have several sets"],
  ])("%s fits %s: it %s", (pattern, label) => {
    expect(fits(pattern, label)).toBe(true);
  });

  test.each([
    ["scp.json", "xscp.json"],
    ["scp-?.json", "scp-.json"],
    ["scp-[0-9].json", "scp-x.json"],
    ["scp-[!0-9].json", "scp-5.json"],
    ["scp-[!0-9].json", "scp-.json"],
    ["a.json", "aXjson"],
    ["SCP*", "scp.json"],
    ["x/**/a.json", "a.json"],
    ["[]", "]"],
    ["[!]].json", "].json"],
    ["x[ab]", "x["],
    ["[a-c]", "d"],
    ["[ac-e]", "b"],
    ["a**b", "ab/c"],
  ])("%s does not fit %s", (pattern, label) => {
    expect(fits(pattern, label)).toBe(false);
  });

  test("answers at once for a label that would hang a backtracking expression", () => {
    expect(fits(`${"*a".repeat(60)}b`, "a".repeat(2000))).toBe(false);
  });
});

test("the first entry that fits decides", () => {
  const typeOf = typeByLabel([
    { pattern: "*.scp.json", type: "SERVICE_CONTROL_POLICY" },
    { pattern: "trust/*", type: "TRUST_POLICY" },
    { pattern: "*.json", type: "RESOURCE_POLICY" },
  ]);
  expect(
    ["trust/a.scp.json", "trust/a.json", "b.json", "b.yaml"].map((label) =>
      typeOf(label, noTrustForm),
    ),
  ).toEqual(["SERVICE_CONTROL_POLICY", "TRUST_POLICY", "RESOURCE_POLICY", undefined]);
});
