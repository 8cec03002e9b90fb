import { checkCases } from "../../test/support/check-cases.ts";
import { redundancy } from "./redundancy.ts";

const objects = "arn:aws:s3:::reports/*";
const allow = { Effect: "Allow", Action: ["s3:GetObject", "s3:PutObject"], Resource: objects };
const deny = (elements: object) => ({ Effect: "Deny", Action: "s3:*", Resource: "*", ...elements });
const denied = { at: 0, issue_type: "denied_grant", severity: "high" } as const;
const role = { AWS: "arn:aws:iam::111122223333:role/app" };

checkCases(redundancy, [
  {
    name: "reports an Allow that one Deny covers, and names the Deny",
    statement: [allow, deny({})],
    findings: [
      {
        ...denied,
        path: "/Statement/0",
        message:
          "The Deny of statement 2 covers everything that this statement allows, so it grants nothing.",
      },
    ],
  },
  {
    name: "reports an Allow that several Denies cover together, by Sid or number",
    statement: [
      allow,
      deny({ Sid: "Reads", Action: "S3:Get*" }),
      deny({ NotAction: "s3:Get*", Action: undefined }),
    ],
    findings: [{ ...denied, message: /^The Denies of statements `Reads` and 3 cover everything/ }],
  },
  {
    name: "reads NotAction as every action, and NotResource as every other resource",
    statement: [
      { Effect: "Allow", NotAction: "iam:*", Resource: objects },
      deny({ Action: "*", Resource: undefined, NotResource: "arn:aws:s3:::other/*" }),
    ],
    findings: [denied],
  },
  ...[
    { name: "an action", statement: deny({ Action: "s3:Get*" }) },
    { name: "a resource", statement: deny({ Resource: "arn:aws:s3:::reports/a*" }) },
    {
      name: "an exempted resource",
      statement: deny({ Resource: undefined, NotResource: "arn:aws:s3:::reports/open" }),
    },
    {
      name: "what does not meet the condition of the Deny",
      statement: deny({ Condition: { Bool: { "aws:SecureTransport": "false" } } }),
    },
    {
      name: "what another statement allows",
      statement: { ...allow, Sid: "Again", Resource: "arn:aws:s3:::reports/b*" },
    },
  ].map(({ name, statement }) => ({
    name: `reports nothing where ${name} is left`,
    statement: [{ ...allow, Sid: "First" }, statement],
    findings: [],
  })),
  {
    name: "reports a grant to a principal that is denied, and none to another one",
    type: "RESOURCE_POLICY",
    statement: [
      { ...allow, Principal: role },
      deny({ Principal: role, Action: ["s3:GetObject", "s3:PutObject"], Resource: objects }),
      { ...allow, Principal: { AWS: "arn:aws:iam::111122223333:role/other" } },
    ],
    findings: [denied],
  },
  {
    name: "leaves a Deny that also locks the policy to the finding about that",
    type: "RESOURCE_POLICY",
    statement: [{ ...allow, Principal: role }, deny({ Principal: "*" })],
    findings: [],
  },
]);
