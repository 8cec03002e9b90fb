import { describe, expect, test } from "vitest";
import { embeddedServices } from "../services/embedded.ts";
import { isAllowed, isForbidden, isNewlyAllowed, isOnlyDeniedBy } from "./confirm.ts";
import { readBlock } from "./document.ts";
import type { Evaluation, StatementOutcome } from "./evaluate.ts";
import { QuestionKeys } from "./keys.ts";

type Word = Evaluation["outcome"] | "open";

function statement(
  effect: StatementOutcome["effect"],
  outcome: StatementOutcome["outcome"],
  construct: string | null = null,
): StatementOutcome {
  return { index: 0, sid: null, effect, outcome, element: null, construct };
}

/** What the evaluator says of a document; `open` is an outcome that an unknown operator leaves unknown. */
function evaluation(word: Word, construct = "unknown_operator"): Evaluation {
  const statements = [statement("allow", "yes"), statement("deny", "no")];
  if (word !== "open") return { outcome: word, statements, absentKeys: [] };
  const open = [statement("deny", "maybe", construct), statement("deny", "maybe", "arn_pattern")];
  return { outcome: "unknown", statements: [...statements, ...open], absentKeys: [] };
}

test.each([
  ["allowed", "yes"],
  ["denied", "no"],
  ["not_allowed", "no"],
  ["open", "unknown_operator"],
] as const)("a request that is %s is allowed: %s", (word, wanted) => {
  expect(isAllowed(evaluation(word))).toBe(wanted);
});

describe("what leaves open whether a request is allowed", () => {
  const allow = (outcome: StatementOutcome["outcome"], construct?: string) =>
    statement("allow", outcome, construct);
  const deny = (construct: string) => statement("deny", "maybe", construct);
  const unreadable = statement(null, "maybe", "invalid_statement");
  const mayAllow = allow("maybe", "unknown_operator");
  const mayDeny = deny("not_principal");

  test.each([
    ["a Deny, beside an Allow that matches", [allow("yes"), mayAllow, mayDeny], "not_principal"],
    ["... in another order", [mayDeny, mayAllow, allow("yes")], "not_principal"],
    ["a statement without a form", [allow("yes"), mayAllow, unreadable], "invalid_statement"],
    ["an Allow, where none matches", [allow("no"), mayAllow], "unknown_operator"],
    ["... beside a Deny", [mayDeny, allow("no"), mayAllow], "unknown_operator"],
    ["... beside a statement without a form", [mayDeny, unreadable], "invalid_statement"],
  ] as const)("%s", (_, statements, wanted) => {
    const open: Evaluation = { outcome: "unknown", statements, absentKeys: [] };
    expect(isAllowed(open)).toBe(wanted);
    expect(isNewlyAllowed(evaluation("allowed"), open)).toBe(wanted);
  });
});

test.each([
  ["allowed", "allowed", "no"],
  ["allowed", "denied", "yes"],
  ["allowed", "not_allowed", "yes"],
  ["allowed", "open", "placeholder"],
  ["denied", "allowed", "no"],
  ["denied", "denied", "no"],
  ["denied", "not_allowed", "no"],
  ["denied", "open", "no"],
  ["not_allowed", "not_allowed", "no"],
  ["not_allowed", "open", "no"],
  ["open", "allowed", "no"],
  ["open", "denied", "unknown_operator"],
  ["open", "not_allowed", "unknown_operator"],
  ["open", "open", "unknown_operator"],
] as const)("a request that is %s now and was %s is new: %s", (policy, baseline, wanted) => {
  const before = evaluation(baseline, "placeholder");
  expect(isNewlyAllowed(evaluation(policy), before)).toBe(wanted);
});

describe("a forbidden request", () => {
  const object = "arn:aws:s3:::secrets/a";
  const tag = (value: string) => ({ StringEquals: { "aws:PrincipalTag/team": value } });
  const noSetOperator = { StringEquals: { "aws:CalledVia": "a" } };
  const context = { "aws:PrincipalTag/team": ["a"], "aws:CalledVia": ["a", "b"] };

  test.each([
    ["an allowed action", {}, "allowed", "yes"],
    ["a denied action", {}, "denied", "no"],
    ["an action that may be allowed", {}, "open", "unknown_operator"],
    ["any action", { actions: [] }, "allowed", "yes"],
    ["another action", { actions: ["s3:PutObject"] }, "allowed", "no"],
    ["another action that may be allowed", { actions: ["s3:PutObject"] }, "open", "no"],
    ["one action of two", { actions: ["s3:PutObject", "s3:Get*"] }, "allowed", "yes"],
    ["a resource", { resources: ["arn:aws:s3:::secrets/*"] }, "allowed", "yes"],
    ["another resource", { resources: ["arn:aws:s3:::public/*"] }, "allowed", "no"],
    ["a resource without an action", { actions: [], resources: [object] }, "allowed", "yes"],
    ["... another one", { actions: [], resources: ["arn:aws:s3:::secrets"] }, "allowed", "no"],
    ["an exception", { unless: [tag("a")] }, "allowed", "no"],
    ["an exception of what may be allowed", { unless: [tag("a")] }, "open", "no"],
    ["an exception that is not met", { unless: [tag("b")] }, "allowed", "yes"],
    ["one exception of two", { unless: [tag("b"), tag("a")] }, "allowed", "no"],
    [
      "an exception of a key with several values",
      { unless: [tag("b"), noSetOperator] },
      "allowed",
      "set_operator_missing",
    ],
    ["... of what is denied", { unless: [noSetOperator] }, "denied", "no"],
    ["... of what may be allowed", { unless: [noSetOperator] }, "open", "unknown_operator"],
    ["... beside one that is met", { unless: [noSetOperator, tag("a")] }, "allowed", "no"],
  ] as const)("%s", (_, asked, word, wanted) => {
    const { unless = [], ...rest } = { actions: ["s3:*"], resources: [], ...asked } as {
      readonly actions: readonly string[];
      readonly resources: readonly string[];
      readonly unless?: readonly object[];
    };
    const blocks = unless.map((block) => readBlock(block) ?? []);
    const keys = new QuestionKeys(blocks.flat(), embeddedServices());
    const principal = { type: "AWS", arn: "arn:aws:iam::111122223333:role/app" } as const;
    const request = { principal, action: "s3:GetObject", resource: object, context };
    const forbidden = { ...rest, unless: blocks };
    expect(isForbidden(evaluation(word), request, forbidden, keys)).toBe(wanted);
  });
});

describe("a request that only one document denies", () => {
  const deny = (outcome: StatementOutcome["outcome"], construct?: string) =>
    statement("deny", outcome, construct);
  const yes = [deny("no"), deny("yes")];
  const no = [statement("allow", "yes"), statement("allow", "maybe", "placeholder"), deny("no")];
  const open = [deny("no"), deny("maybe", "unknown_operator"), deny("maybe", "arn_pattern")];
  const also = [deny("maybe", "not_principal")];
  const unreadable = [statement(null, "maybe", "invalid_statement")];

  test.each([
    ["a Deny, beside none that matches", yes, no, "yes"],
    ["a Deny, beside no statement", yes, [], "yes"],
    ["a Deny in both", yes, yes, "no"],
    ["a Deny beside one that may match", yes, also, "not_principal"],
    ["a Deny beside what cannot be read", yes, unreadable, "invalid_statement"],
    ["a Deny beside one that matches and one that may", yes, [...open, ...yes], "no"],
    ["no Deny", no, no, "no"],
    ["no Deny, beside one", no, yes, "no"],
    ["no Deny, beside one that may match", no, also, "no"],
    ["a Deny that may match", open, no, "unknown_operator"],
    ["... beside one that matches", open, yes, "no"],
    ["... beside one that may match", open, also, "unknown_operator"],
    ["one that matches and one that may", [...open, ...yes], no, "yes"],
    ["what cannot be read", unreadable, no, "invalid_statement"],
  ] as const)("%s", (_, inner, outer, wanted) => {
    const [left, right] = [inner, outer].map((statements) => ({
      ...evaluation("allowed"),
      statements,
    }));
    if (!left || !right) throw new Error("Two evaluations are needed.");
    expect(isOnlyDeniedBy(left, right)).toBe(wanted);
  });
});
