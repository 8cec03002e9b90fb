import { checkCases } from "../../../test/support/check-cases.ts";
import { actionConditionEnforcement } from "../action-condition-enforcement.ts";

const allow = (Action: unknown, more: object = {}) => ({
  Effect: "Allow",
  Action,
  Resource: "*",
  ...more,
});
const allBut = (NotAction: unknown) => ({ Effect: "Allow", NotAction, Resource: "*" });
const rules = (...requirements: object[]) => ({ requirements });
const detected = { issue_type: "action_detected" } as const;
const ifExists = (service: unknown) => ({
  Condition: { StringEqualsIfExists: { "iam:PassedToService": service } },
});

checkCases(actionConditionEnforcement, [
  {
    name: "`NotAction` counts where it leaves all the actions that are wanted together",
    statement: [allBut("x:B"), allBut("y:*")],
    options: rules({ actions: { all_of: ["x:A", "x:B"] } }),
    findings: [{ ...detected, at: 1, action: "x:A, x:B", path: "/Statement/1/NotAction" }],
  },
  {
    name: "statements come in their order, whichever element grants",
    statement: [allBut("y:*"), allow("x:A"), allBut("x:*"), allBut("z:*")],
    options: rules({ actions: { none_of: ["x:A"] } }),
    findings: [
      { issue_type: "forbidden_action", at: 0 },
      { issue_type: "forbidden_action", at: 1 },
      { issue_type: "forbidden_action", at: 3 },
    ],
  },
  {
    name: "a requirement may leave the service open",
    statement: [allow("ec2:CreateTags"), allow(["sqs:SendMessage", "iam:TagRole"])],
    options: rules({ actions: ["*:CreateTags"] }, { actions: ["?am:Tag*"] }),
    findings: [
      { ...detected, at: 0, action: "ec2:CreateTags" },
      { ...detected, at: 1, action: "iam:TagRole" },
    ],
  },
  {
    name: "a forbidden condition is looked for in every statement",
    statement: [
      allow("x:A"),
      allow("x:A", { Condition: { StringEquals: { "Z:z": "1" } } }),
      allow("x:B", { Condition: { StringEquals: { "z:z": "1" } } }),
    ],
    options: rules({
      actions: "x:A",
      required_conditions: { none_of: [{ condition_key: "z:Z" }] },
    }),
    findings: [{ issue_type: "forbidden_condition_present", at: 1, condition_key: "z:Z" }],
  },
  {
    name: "carries AWS's code for one of several entries and resources, and where AWS takes no limit",
    statement: [
      allow(["iam:Pass*", "iam:PassRole"], { Resource: ["arn:aws:iam::111122223333:role/a", "*"] }),
      allow(["iam:Get*", "iam:Pass*"]),
      allow("iam:PassRole", ifExists("ec2.amazonaws.com")),
      allow("iam:PassRole", ifExists(["ec2.amazonaws.com", "lambda.amazonaws.com"])),
      allow("iam:PassRole", { Resource: "arn:aws:iam::111122223333:role/*" }),
      allow("iam:PassRole", { Resource: "arn:aws:iam::111122223333:role/app*" }),
    ],
    findings: [
      { at: 0, aws_issue_code: "PASS_ROLE_WITH_STAR_IN_RESOURCE" },
      { at: 1, aws_issue_code: "PASS_ROLE_WITH_STAR_IN_ACTION_AND_RESOURCE" },
      { at: 2, aws_issue_code: "PASS_ROLE_WITH_STAR_IN_RESOURCE" },
      { at: 3, aws_issue_code: null },
      { at: 4, aws_issue_code: "PASS_ROLE_WITH_STAR_IN_RESOURCE" },
      { at: 5, aws_issue_code: null },
    ],
  },
]);
