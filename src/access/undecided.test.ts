import { expect, test } from "vitest";
import { undecidedText } from "./undecided.ts";

const region = "aws:RequestedRegion";

test.each([
  ["budget", "", null, "The question takes more steps than max_steps allows."],
  [
    "invalid_statement",
    "",
    null,
    "A statement cannot be read: an element is missing, repeated in two forms, or of a wrong type.",
  ],
  ["unknown_operator", "StringFuzzy", region, "The condition operator `StringFuzzy` is not known."],
  [
    "invalid_value",
    "IpAddress",
    "aws:SourceIp",
    "A value of the condition on `aws:SourceIp` cannot be read by the operator `IpAddress`.",
  ],
  ["invalid_value", "IpAddress", null, "A value cannot be read by the operator `IpAddress`."],
  [
    "mixed_operators",
    "NumericEquals",
    region,
    "The operator `NumericEquals` does not fit the type of the key `aws:RequestedRegion`.",
  ],
  [
    "arn_pattern",
    "ArnLike",
    "aws:SourceArn",
    "A value of the condition on `aws:SourceArn` is not an ARN of six fields, which the operator `ArnLike` compares.",
  ],
  [
    "set_operator_missing",
    "",
    "aws:TagKeys",
    "A key that may have several values is tested without a set operator, and AWS does not say what that means.",
  ],
  [
    "not_principal",
    "",
    null,
    "A `NotPrincipal` lists some identities of a caller and not all; AWS may decide either way.",
  ],
  [
    "canonical_user",
    "",
    null,
    "Whether a canonical user belongs to an account that the document names is not known.",
  ],
  [
    "policy_variable",
    "",
    null,
    "The answer depends on the value of a policy variable, and no value was found that settles it.",
  ],
  ["placeholder", "", null, "The answer depends on the text of a template's placeholder."],
  [
    "too_many_leaves",
    "",
    null,
    "Many kinds of requests may show a difference, and none of those tried does.",
  ],
  [
    "tokens.cloud.shisho.dev",
    "tokens.cloud.shisho.dev",
    null,
    "How the provider `tokens.cloud.shisho.dev` writes its customers into the subject is not known.",
  ],
  [
    "unconfirmed",
    "",
    null,
    "A request was found that may show a difference, and it could not be confirmed.",
  ],
] as const)("%s of %j, key %j", (construct, text, key, expected) => {
  expect(undecidedText({ construct, path: "", side: "policy", text, key })).toBe(expected);
});
