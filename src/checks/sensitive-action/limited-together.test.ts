import { type CheckCase, checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { sensitiveAction } from "../sensitive-action.ts";

const allow = (Action: unknown, Resource: unknown, Condition?: object) => ({
  Effect: "Allow",
  Action,
  Resource,
  ...(Condition ? { Condition } : {}),
});
const missing = { issue_type: "missing_condition" } as const;
const instances = "arn:aws:ec2:eu-west-1:111122223333:instance/*";
const documents = "arn:aws:ssm:eu-west-1::document";
const tagged = { StringLike: { "ssm:resourceTag/Finance": "WebServers" } };

const cases: readonly CheckCase[] = [
  {
    name: "statements for the instances and for the documents of a call limit it together",
    statement: [
      allow("ssm:SendCommand", instances, tagged),
      allow("ssm:SendCommand", `${documents}/*`),
      allow("ssm:CreateAssociation", `${instances.slice(0, -1)}i-0123456789abcdef0`),
      allow("ssm:CreateAssociation", `${documents}/*`),
      allow("ssm:CreateAssociationBatch", instances, tagged),
      allow("ssm:CreateAssociationBatch", instances),
      allow("ssm:CreateAssociationBatch", `${documents}/*`),
      allow("ssm:UpdateAssociation", `${documents}/*`),
    ],
    findings: [
      { ...missing, at: 2, severity: "medium" },
      { ...missing, at: 3, severity: "medium" },
      { ...missing, at: 5, severity: "critical" },
      { ...missing, at: 6, severity: "critical" },
      { ...missing, at: 7, severity: "critical" },
    ],
  },
  {
    name: "the example limits the instances of a call by a tag, and names the document in a second statement",
    statement: allow("ssm:SendCommand", "*"),
    findings: [
      {
        ...missing,
        suggestion:
          /on instances with a condition on `aws:ResourceTag\/…` and, in a second statement/,
        example: JSON.stringify(
          [
            {
              ...allow("ssm:SendCommand", [
                "arn:aws:ssm:*:*:managed-instance/*",
                "arn:aws:ec2:*:*:instance/*",
              ]),
              Condition: { StringEquals: { "aws:ResourceTag/team": "${aws:PrincipalTag/team}" } },
            },
            allow("ssm:SendCommand", [
              "arn:aws:ssm:us-east-1:111122223333:document/example-document-name",
            ]),
          ],
          null,
          2,
        ),
      },
    ],
  },
  {
    name: "statements of a policy with more than a hundred are read one by one",
    statement: [
      allow("ssm:SendCommand", instances, tagged),
      allow("ssm:SendCommand", `${documents}/*`),
      ...Array.from({ length: 99 }, () => allow("sts:GetCallerIdentity", "*")),
    ],
    findings: [{ ...missing, at: 1, severity: "critical" }],
  },
  {
    name: "a pattern is not split by what one of its actions works on",
    statement: allow("ssm:SendC*", "*"),
    findings: [{ ...missing, example: null }],
  },
  {
    name: "among other actions, a tag of the caller limits a call that needs a document",
    statement: allow(["ssm:SendCommand", "ssm:StartSession"], "*"),
    findings: [
      {
        ...missing,
        suggestion: /condition on `aws:PrincipalTag\/…`\.$/,
        example: /"aws:PrincipalTag\/team"/,
      },
    ],
  },
];

checkCases(sensitiveAction, cases, embeddedServices());
