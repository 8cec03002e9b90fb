import { expect, test } from "vitest";
import { undecidedSuggestion } from "./reports.ts";

test.each([
  ["budget", "Split the policy, or raise max_steps of this check."],
  ["too_many_leaves", "Split the policy, or raise max_steps of this check."],
  ["set_operator_missing", "Write ForAnyValue: or ForAllValues: before the operator."],
  ["arn_pattern", "Write the ARN with all six fields, with * for those that are open."],
  ["unknown_operator", "Use a condition operator of the IAM grammar."],
  ["invalid_value", "Use a value and an operator of the key's type."],
  ["mixed_operators", "Use a value and an operator of the key's type."],
  ["invalid_statement", "Correct the statement so that it can be read."],
  ["not_principal", /^Use Principal, or a condition on aws:PrincipalArn/],
  ["canonical_user", "Name the account instead of its canonical user."],
  ["policy_variable", /^Write the value out/],
  ["placeholder", /^Write the value out/],
  // A provider whose subjects have an unknown form.
  ["vstoken.actions.githubusercontent.com", "Give the subject exactly, without wildcards."],
  ["unconfirmed", /^Ask somebody/],
])("what to do where %s stopped the proof", (construct, suggestion) => {
  const place = { construct, path: "", side: "policy", text: "", key: null } as const;
  const answer = {
    verdict: "undecided",
    violations: [],
    steps: 0,
    decided: new Set<number>(),
    undecided_by: [place],
  } as const;
  expect(undecidedSuggestion(answer)).toEqual(
    typeof suggestion === "string" ? suggestion : expect.stringMatching(suggestion),
  );
});
