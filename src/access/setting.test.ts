import { describe, expect, test } from "vitest";
import { embeddedServices } from "../services/embedded.ts";
import { readBlock, readDocument } from "./document.ts";
import { settingOf } from "./setting.ts";

const options = { services: embeddedServices(), maxSteps: 1_000, maxStatements: 1 };
const tag = (name: string) => `aws:PrincipalTag/${name}`;

function setting(elements: readonly object[], unless: object = {}, Version = "2012-10-17") {
  const Statement = elements.map((element) => ({ Effect: "Allow", Action: "*", ...element }));
  const document = readDocument({ Version, Statement }, "identity");
  return settingOf([document], "identity", options, readBlock(unless) ?? []);
}

const equals = (key: string, value: string) => ({ Condition: { StringEquals: { [key]: value } } });

describe("the keys that a question uses", () => {
  test.each([
    ["none", [{}], {}, []],
    ["of a condition", [equals(tag("a"), "x")], {}, [tag("a")]],
    ["of an exception", [{}], { StringEquals: { [tag("a")]: "x" } }, [tag("a")]],
    ["of a variable in a resource", [{ Resource: `\${${tag("a")}}` }], {}, [tag("a")]],
    ["of a variable in a NotResource", [{ NotResource: `\${ ${tag("a")} }` }], {}, [tag("a")]],
    [
      "of a variable in a condition",
      [equals(tag("a"), `\${${tag("b")}}`)],
      {},
      [tag("a"), tag("b")],
    ],
    [
      "of a variable in an exception",
      [{}],
      { StringEquals: { [tag("a")]: `\${${tag("b")}}` } },
      [tag("a"), tag("b")],
    ],
    [
      "of two variables in one text",
      [{ Resource: `\${${tag("a")}}/\${${tag("b")}}` }],
      {},
      [tag("a"), tag("b")],
    ],
    ["of a variable with a default", [{ Resource: `\${${tag("a")}, 'x'}` }], {}, [tag("a")]],
    [
      "each once",
      [equals(tag("a"), `\${${tag("A")}}`), { Resource: `\${${tag("a")}}` }],
      {},
      [tag("a")],
    ],
    ["not of a placeholder", [{ Resource: "${Name}/${AWS::AccountId}" }], {}, []],
    ["not of what has no closing brace", [{ Resource: `\${${tag("a")}` }], {}, []],
  ] as const)("%s", (_, elements, unless, expected) => {
    expect(setting(elements, unless).usedKeys).toEqual(expected.map((key) => key.toLowerCase()));
  });

  test("are not those of variables where the version does not know them", () => {
    const elements = [{ Resource: `\${${tag("a")}}`, ...equals(tag("b"), `\${${tag("c")}}`) }];
    expect(setting(elements, {}, "2008-10-17").usedKeys).toEqual([tag("b").toLowerCase()]);
  });

  test("are spelt as the first variable writes them", () => {
    const { keys } = setting([{ Resource: [`\${${tag("Team")}}`, `\${${tag("TEAM")}}`] }]);
    expect(keys.get(tag("team").toLowerCase()).spelling).toBe(tag("Team"));
  });
});

describe("callers where variables have a default", () => {
  const withDefaults = (...names: readonly string[]) =>
    setting(names.map((name) => ({ Resource: `\${${name}, 'x'}` })));
  const shown = (...names: readonly string[]) =>
    withDefaults(...names).callers.map(
      ({ kind, present, absent }) => `${kind} +${[...present]} -${[...absent]}`,
    );

  test("have the key, and lack it", () => {
    expect(shown("s3:prefix")).toEqual(["role +s3:prefix -", "role + -s3:prefix"]);
    expect(shown("s3:prefix", "s3:delimiter")).toEqual([
      "role +s3:prefix,s3:delimiter -",
      "role +s3:delimiter -s3:prefix",
      "role +s3:prefix -s3:delimiter",
      "role + -s3:prefix,s3:delimiter",
    ]);
  });

  test("are as they are where they always or never have the key", () => {
    expect(shown("aws:username")).toEqual(["role + -", "user + -"]);
    expect(shown("aws:RequestedRegion")).toEqual(["role + -"]);
    expect(setting([{ Resource: "${s3:prefix}" }]).callers).toHaveLength(1);
  });

  test("are told apart for three keys", () => {
    const three = withDefaults("s3:a", "s3:b", "s3:c");
    expect(three.callers).toHaveLength(8);
    expect(three.tooManyDefaults).toBe(false);
    const four = withDefaults("s3:a", "s3:b", "s3:c", "s3:d");
    expect(four.callers).toHaveLength(8);
    expect(four.tooManyDefaults).toBe(true);
  });
});
