import { checkCases } from "../../../test/support/check-cases.ts";
import { mfaConditionAntipattern } from "../mfa-condition-antipattern.ts";

const present = "aws:MultiFactorAuthPresent";
const age = "aws:MultiFactorAuthAge";
const deny = (Condition: object, elements: object = {}) => ({
  Effect: "Deny",
  Action: "s3:DeleteObject",
  Resource: "arn:aws:s3:::reports/*",
  Condition,
  ...elements,
});
const session = { Bool: { [present]: "false" } };
const lacking = { Null: { [present]: "true" } };
const reported = { at: 0, issue_type: "mfa_antipattern_bool_false" } as const;
const team = { StringEquals: { "aws:PrincipalTag/team": ["data", "web"] } };
const role = (name: string) => ({ Principal: { AWS: `arn:aws:iam::111122223333:role/${name}` } });

checkCases(mfaConditionAntipattern, [
  ...[
    ["has the key for true", lacking],
    ["has the age for true", { Null: { [age]: "true" } }],
    ["has IfExists", { BoolIfExists: { [present]: "false" } }],
  ].map(([name, condition]) => ({
    name: `is silent beside a Deny of the same requests that ${name}`,
    statement: [deny(session), deny(condition as object)],
    findings: [],
  })),
  ...[
    ["tests that the key is there", { Null: { [present]: "false" } }],
    ["asks for either", { Null: { [present]: ["true", "false"] } }],
    ["has Bool without IfExists", { Bool: { [present]: "false" } }],
    ["denies callers with MFA", { BoolIfExists: { [present]: "true" } }],
    ["asks for another key", { Null: { "aws:PrincipalTag/team": "true" } }],
    ["compares the key as text", { StringEqualsIfExists: { [present]: "false" } }],
    ["has an operator that does not exist", { BoolIfMissing: { [present]: "false" } }],
  ].map(([name, condition]) => ({
    name: `reports a Deny beside one that ${name}`,
    statement: [deny(session), { ...deny(condition as object), Action: "s3:DeleteObject" }],
    peers: [],
    findings: (name as string).includes("Bool without")
      ? [reported, { ...reported, at: 1 }]
      : (name as string).includes("that the key is there") || (name as string).includes("either")
        ? [reported, { at: 1, issue_type: "mfa_antipattern_null_false" }]
        : [reported],
  })),
  {
    name: "reports a Deny that itself asks for requests without the key, which no request can be",
    statement: deny({ ...session, ...lacking }),
    findings: [reported],
  },
  {
    name: "reports a Deny beside an Allow with the test",
    statement: [deny(session), { ...deny(lacking), Effect: "Allow" }],
    findings: [reported, { at: 1, issue_type: "mfa_antipattern_null_true" }],
  },
  {
    name: "reports an Allow beside a Deny with the test",
    statement: [{ ...deny(session), Effect: "Allow" }, deny(lacking)],
    findings: [reported],
  },
  {
    name: "reports a Deny beside one that has a further test",
    statement: [deny(session), deny({ ...lacking, ...team })],
    findings: [reported],
  },
  {
    name: "is silent where both have the further test, values in any order",
    statement: [
      deny({ ...session, ...team }),
      deny({ ...lacking, stringequals: { "aws:principaltag/team": ["web", "data"] } }),
    ],
    findings: [],
  },
  ...[
    ["other values", { StringEquals: { "aws:PrincipalTag/team": "data" } }],
    ["another operator", { StringLike: team.StringEquals }],
    ["another key", { StringEquals: { "aws:ResourceTag/team": ["data", "web"] } }],
  ].map(([name, condition]) => ({
    name: `reports a Deny beside one whose further test has ${name}`,
    statement: [deny({ ...session, ...team }), deny({ ...lacking, ...(condition as object) })],
    findings: [reported],
  })),
  {
    name: "reports a Deny beside one of other principals",
    type: "RESOURCE_POLICY",
    statement: [deny(session, role("app")), deny(lacking, role("other"))],
    findings: [reported],
  },
  {
    name: "is silent beside a Deny of the same principals",
    type: "RESOURCE_POLICY",
    statement: [deny(session, role("app")), deny(lacking, role("app"))],
    findings: [],
  },
  ...[
    ["Action", ["s3:DeleteObject", "s3:PutObject"], ["S3:putobject", "s3:deleteobject"]],
    ["NotAction", ["s3:DeleteObject", "s3:PutObject"], ["S3:putobject", "s3:deleteobject"]],
    [
      "Resource",
      ["arn:aws:s3:::a/*", "arn:aws:s3:::b/*"],
      ["arn:aws:s3:::b/*", "arn:aws:s3:::a/*"],
    ],
  ].map(([element, one, other]) => {
    const without = element === "NotAction" ? { Action: undefined } : {};
    return {
      name: `reads a list of ${element} in any order`,
      statement: [
        deny(session, { ...without, [String(element)]: one }),
        deny(lacking, { ...without, [String(element)]: other }),
      ],
      findings: [],
    };
  }),
  {
    name: "does not take two actions for one whose name is both",
    statement: [
      deny(session, { Action: ["s3:DeleteObject", "s3:PutObject"] }),
      deny(lacking, { Action: "s3:DeleteObjects3:PutObject" }),
    ],
    findings: [reported],
  },
  {
    name: "reports beside a Deny of actions whose letter case alone is that of its NotAction",
    statement: [deny(session), deny(lacking, { Action: undefined, NotAction: "s3:DeleteObject" })],
    findings: [reported],
  },
]);
