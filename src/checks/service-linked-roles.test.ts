import { describe } from "vitest";
import { fixCases } from "../../test/support/fix-cases.ts";

const of = "service_linked_roles/unrestricted_creation";
const create = "iam:CreateServiceLinkedRole";
const allow = (Action: unknown, elements: object = {}) => ({
  Effect: "Allow",
  Action,
  Resource: "*",
  ...elements,
});
const named = {
  Resource: "arn:aws:iam::*:role/aws-service-role/<service-principal>/*",
  Condition: { StringEquals: { "iam:AWSServiceName": "<service-principal>" } },
};
const asks = ["<service-principal>"];

describe("an Allow to create service-linked roles of every service", () => {
  fixCases([
    {
      name: "asks for the service",
      of,
      before: allow(create),
      after: allow(create, named),
      effect: "narrows",
      asks,
    },
    {
      name: "keeps the other tests",
      of,
      before: allow("iam:createservicelinkedrole", {
        Condition: { StringEquals: { "aws:PrincipalTag/team": "data" } },
      }),
      after: allow("iam:createservicelinkedrole", {
        Resource: named.Resource,
        Condition: {
          StringEquals: {
            "aws:PrincipalTag/team": "data",
            "iam:AWSServiceName": "<service-principal>",
          },
        },
      }),
      asks,
    },
    {
      name: "keeps the resources of other actions",
      of,
      before: allow(["iam:ListRoles", create]),
      after: [allow(["iam:ListRoles"]), allow(create, named)],
      asks,
    },
    {
      name: "does not name a second service beside a pattern",
      of,
      before: allow(create, { Condition: { StringLike: { "iam:AWSServiceName": "*" } } }),
    },
    { name: "leaves a pattern of actions to the author", of, before: allow("iam:Create*") },
  ]);
});
