import { describe, expect, test } from "vitest";
import { z } from "zod";
import { engineFor } from "../../test/support/run-check.ts";
import { removeMember, replaceValue } from "../fixes/edits.ts";
import type { FixProposal } from "../fixes/proposal.ts";
import { childNode, rootNode } from "../json/node.ts";
import { objectDocument } from "../policy/document.ts";
import { defineCheck } from "./check.ts";
import { validatePolicy, validatePolicyLean } from "./run.ts";

const policy = {
  Version: "2012-10-17",
  Statement: [{ Sid: "Read", Effect: "Allow", Action: "s3:GetObject", Resource: "*" }],
};
const sid = childNode(childNode(childNode(rootNode, "Statement"), 0), "Sid");
const proposal: FixProposal = {
  title: "Remove the Sid",
  effect: "repairs",
  edits: [removeMember(sid)],
};
const expected = {
  title: "Remove the Sid",
  effect: "repairs",
  needs_input: [],
  patch: [
    { op: "test", path: "/Statement/0/Sid", value: "Read" },
    { op: "remove", path: "/Statement/0/Sid" },
  ],
};

function checkWith(
  fix: () => FixProposal | null,
  check_id = "with_fix",
  supersedes: string[] = [],
) {
  return defineCheck({
    check_id,
    default_severity: "low",
    description: "For tests.",
    docstring: "",
    risk_explanation: "",
    risk_category: "",
    documentation_url: "",
    remediation_steps: [],
    options: z.strictObject({}),
    issue_types: {},
    examples: { bad: [], good: [] },
    supersedes,
    *runStatement() {
      yield { issue_type: "seen", message: "A Sid.", node: sid, fix };
    },
  });
}

const input = {
  document: objectDocument(policy),
  name: null,
  declaredType: null,
  label: "policy",
} as const;

describe("the fix of a finding", () => {
  test.each([validatePolicy, validatePolicyLean])(
    "is what its check proposes (%o)",
    async (run) => {
      const { findings } = await run(input, engineFor([checkWith(() => proposal)]));
      expect(findings.map(({ fix }) => fix)).toEqual([expected]);
    },
  );

  test("is that of each finding where several share a proposal, with the test of its place", async () => {
    const one = checkWith(() => proposal);
    const several = {
      ...one,
      *runStatement() {
        const about = { issue_type: "seen", fix: () => proposal };
        yield { ...about, message: "First.", node: sid };
        yield { ...about, message: "Second.", node: sid };
        yield { ...about, message: "Third.", node: childNode(rootNode, "Version") };
      },
    };
    const { findings } = await validatePolicy(input, engineFor([several]));
    const [, ...edits] = expected.patch;
    const ofVersion = { op: "test", path: "/Version", value: "2012-10-17" };
    const fixes = new Map(findings.map(({ message, fix }) => [message, fix]));
    expect(fixes.get("First.")).toEqual(expected);
    expect(fixes.get("Second.")).toEqual(expected);
    expect(fixes.get("Second.")).not.toBe(fixes.get("First."));
    expect(fixes.get("Third.")).toEqual({ ...expected, patch: [ofVersion, ...edits] });
  });

  test.each([
    [1_000, 500],
    [8_000, 500],
    [20_000, 200],
    [100_000, 40],
    [400_000, 10],
  ])("is worked out in a policy of %i bytes for the first %i findings", async (bytes, most) => {
    const Id = "x".repeat(bytes - JSON.stringify({ ...policy, Id: "" }).length);
    const one = checkWith(() => proposal);
    const many = {
      ...one,
      *runStatement() {
        for (let number = 0; number < 600; number++) {
          yield { issue_type: "seen", message: `Fault ${number}.`, node: sid, fix: () => proposal };
        }
      },
    };
    const document = objectDocument({ ...policy, Id });
    const { findings } = await validatePolicy({ ...input, document }, engineFor([many]));
    expect(findings.map(({ fix }) => fix !== null)).toEqual([
      ...Array(most).fill(true),
      ...Array(600 - most).fill(false),
    ]);
  });

  test("is there until the fixes of a policy have four million characters", async () => {
    const action = childNode(childNode(childNode(rootNode, "Statement"), 0), "Action");
    const one = checkWith(() => proposal);
    const long = {
      ...one,
      *runStatement() {
        for (let number = 1; number <= 500; number++) {
          // The longest fix that there is, but for some characters.
          const fix = () => ({ ...proposal, edits: [replaceValue(action, "x".repeat(8_000))] });
          yield { issue_type: "seen", message: `Fault ${number}.`, node: sid, fix };
        }
      },
    };
    const { findings } = await validatePolicy(input, engineFor([long]));
    const given = findings.map(({ fix }) => fix !== null);
    const count = given.lastIndexOf(true) + 1;
    const [first] = findings;
    expect(count).toBe(Math.floor(4_000_000 / JSON.stringify(first?.fix).length));
    expect(given.slice(0, count)).not.toContain(false);
  });

  test("is null where the check proposes none", async () => {
    const { findings } = await validatePolicy(input, engineFor([checkWith(() => null)]));
    expect(findings.map(({ fix }) => fix)).toEqual([null]);
  });

  test("is not made for a finding that is dropped, or where none is shown", async () => {
    let calls = 0;
    const counting = checkWith(() => {
      calls++;
      return proposal;
    });
    await validatePolicy({ ...input, fixes: false }, engineFor([counting]));
    await validatePolicy(input, engineFor([counting], { with_fix: { severity: "none" } }));
    const other = checkWith(() => proposal, "superseding", ["with_fix"]);
    const { findings } = await validatePolicy(input, engineFor([counting, other]));
    expect(calls).toBe(0);
    expect(findings.map(({ fix }) => fix)).toEqual([expected]);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["does not apply", () => ({ ...proposal, edits: [removeMember(childNode(sid, "no"))] })],
    // A custom check in JavaScript may return anything.
    ["has no edits", () => ({}) as FixProposal],
  ])("is null if the proposal %s, and the log names the check", async (_, propose) => {
    const failures: string[] = [];
    const broken = checkWith(propose);
    const engine = {
      ...engineFor([broken]),
      onCheckError: (checkId: string) => failures.push(checkId),
    };
    const { findings, was_checked } = await validatePolicy(input, engine);
    expect(findings.map(({ fix }) => fix)).toEqual([null]);
    expect(failures).toEqual(["with_fix"]);
    expect(was_checked).toBe(true);
  });

  const effect = childNode(childNode(childNode(rootNode, "Statement"), 0), "Effect");
  const action = childNode(childNode(childNode(rootNode, "Statement"), 0), "Action");
  test.each([
    ["narrows", replaceValue(action, "s3:GetObjectTagging"), undefined, "changes"],
    ["equivalent", replaceValue(action, ["s3:GetObject"]), undefined, "equivalent"],
    ["equivalent", replaceValue(effect, "allow "), undefined, "equivalent"],
    ["equivalent", replaceValue(effect, "Maybe"), undefined, "changes"],
    ["equivalent", replaceValue(effect, "Maybe"), "The rule says why.", "equivalent"],
    ["narrows", replaceValue(action, "*"), "The rule says why.", "changes"],
    ["repairs", replaceValue(action, "*"), undefined, "repairs"],
  ] as const)("claims %s with %o and argument %s, and gets %s", async (claim, edit, why, given) => {
    const claiming = checkWith(() => ({
      title: "Edit",
      effect: claim,
      edits: [edit],
      ...(why === undefined ? {} : { argument: why }),
    }));
    const { findings } = await validatePolicy(input, engineFor([claiming]));
    expect(findings.map(({ fix }) => fix?.effect)).toEqual([given]);
  });
});
