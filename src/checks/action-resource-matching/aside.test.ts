import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionResourceMatching } from "../action-resource-matching.ts";

const deny = (Action: readonly string[], Resource: string | readonly string[]) => ({
  Effect: "Deny",
  Action,
  Resource,
});
const functions = "arn:aws:lambda:*:*:function:aws-controltower-*";
const links = [
  "arn:aws:apigateway:eu-west-1::/vpclinks",
  "arn:aws:apigateway:eu-west-1::/vpclinks/*",
];

checkCases(
  actionResourceMatching,
  [
    {
      name: "one action without resources among those that protect a function is medium",
      statement: deny(
        [
          "lambda:AddPermission",
          "lambda:CreateEventSourceMapping",
          "lambda:CreateFunction",
          "lambda:DeleteFunction",
          "lambda:UpdateFunctionCode",
        ],
        functions,
      ),
      findings: [{ action: "lambda:CreateEventSourceMapping", severity: "medium" }],
    },
    {
      name: "a method that the path of an API lacks is medium, beside others that it has",
      statement: deny(["apigateway:POST", "apigateway:PUT", "apigateway:PATCH"], links),
      findings: [{ action: "apigateway:PUT", severity: "medium" }],
    },
    {
      name: "an action of another service, one that works on another type, and one of two stay high",
      statement: [
        deny(
          [
            "iam:AttachRolePolicy",
            "iam:DeleteRole",
            "iam:DetachRolePolicy",
            "organizations:LeaveOrganization",
          ],
          "arn:aws:iam::*:role/Audit",
        ),
        deny(
          ["iam:AttachRolePolicy", "iam:DeleteRole", "iam:DetachRolePolicy", "iam:CreateUser"],
          "arn:aws:iam::*:role/Audit",
        ),
        deny(["lambda:DeleteFunction", "lambda:CreateEventSourceMapping"], functions),
      ],
      findings: [
        { at: 0, action: "organizations:LeaveOrganization", severity: "high" },
        { at: 1, action: "iam:CreateUser", severity: "high" },
        { at: 2, action: "lambda:CreateEventSourceMapping", severity: "high" },
      ],
    },
    {
      name: "methods alone that the path of an API lacks stay high",
      statement: deny(["apigateway:PUT"], links),
      findings: [{ action: "apigateway:PUT", severity: "high" }],
    },
  ],
  embeddedServices(),
);
