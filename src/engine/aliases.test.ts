import { describe, expect, test } from "vitest";
import { defaultEngine } from "../../scripts/verdicts/measure.ts";
import { applyPatch } from "../fixes/patch.ts";
import { parseDocument } from "../policy/document.ts";
import { validatePolicy } from "./run.ts";

const engine = defaultEngine();

async function findingsOf(text: string) {
  const document = await parseDocument(text);
  const { findings } = await validatePolicy(
    { document, name: null, declaredType: "IDENTITY_POLICY", label: "policy" },
    engine,
  );
  return { findings: findings.filter((one) => one.issue_type === "invalid_action"), document };
}

const aliased = `Version: "2012-10-17"
Statement:
  - Effect: Allow
    Action: &actions
      - s3:GetObjct
    Resource: arn:aws:s3:::reports/*
  - Effect: Allow
    Action: *actions
    Resource: arn:aws:s3:::logs/*
`;

describe("a fault in what a YAML alias repeats", () => {
  test("is one finding, at its first path", async () => {
    const { findings } = await findingsOf(aliased);
    expect(findings.map(({ path }) => path)).toEqual(["/Statement/0/Action/0"]);
  });

  test("has a fix for every copy", async () => {
    const { findings, document } = await findingsOf(aliased);
    const fix = findings[0]?.fix;
    expect(fix?.effect).toBe("repairs");
    expect(applyPatch(document.raw, fix?.patch ?? [])).toMatchObject({
      Statement: [{ Action: ["s3:GetObject"] }, { Action: ["s3:GetObject"] }],
    });
  });

  test("counts once for each place where it is written out", async () => {
    const written = aliased.replace("&actions", "").replace("*actions", "[s3:GetObjct]");
    const { findings } = await findingsOf(written);
    expect(findings).toHaveLength(2);
  });
});
