import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const change = (Condition: object) => ({
  Effect: "Allow",
  Action: "iam:ChangePassword",
  Resource: "arn:aws:iam::111122223333:user/alice",
  Condition,
});
const age = (operator: string, value: unknown) =>
  change({ [operator]: { "aws:MultiFactorAuthAge": value } });
const never = { issue_type: "condition_never_true", severity: "error" } as const;

checkCases(conditionEffect, [
  {
    name: "reports numbers that the key never has",
    statement: [age("NumericLessThan", "0"), age("NumericEquals", ["-1", "-2"])],
    findings: [
      {
        ...never,
        at: 0,
        message: /^No value of `aws:MultiFactorAuthAge` meets `NumericLessThan` `0`/,
      },
      { ...never, at: 1 },
    ],
  },
  {
    name: "passes where one of several numbers can be met, or is not a number",
    statement: [
      age("NumericLessThan", ["0", "3600"]),
      age("NumericLessThanEquals", "0"),
      age("NumericLessThan", "${aws:PrincipalTag/age}"),
    ],
    findings: [],
  },
  {
    name: "reads more numbers than a call takes arguments",
    statement: age("NumericLessThan", new Array(200_000).fill("0")),
    findings: [never],
  },
]);
