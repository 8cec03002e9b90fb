import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionResourceMatching } from "../action-resource-matching.ts";

const allow = (Action: unknown, Resource: unknown) => ({ Effect: "Allow", Action, Resource });
const never = { issue_type: "statement_never_applies" };
const balancer = "arn:aws:elasticloadbalancing:eu-west-1:111122223333";

checkCases(
  actionResourceMatching,
  [
    ...[
      allow(
        "cloudformation:CreateChangeSet",
        "arn:aws:cloudformation:eu-west-1:aws:transform/Serverless-2016-10-31",
      ),
      allow("ec2:CopySnapshot", "arn:aws:ec2:eu-west-1:111122223333:snapshot/*"),
      allow("elasticloadbalancing:AddTags", `${balancer}:loadbalancer/app/web/1234567890123456`),
      allow("elasticloadbalancing:RemoveTags", `${balancer}:targetgroup/web/1234567890123456`),
      allow("sqs:SendMessage", ["arn:aws:*:eu-west-1:111122223333:orders"]),
      allow(
        "sqs:SendMessage",
        ["a", "b", "c", "d", "e"].map((name) => `arn:aws:sqs:eu-west-1:111122223333:${name}`),
      ),
      allow(["sqs:SendMessage", "sqs:ReceiveMessage"], ["arn:aws:sqs:*:*:a", "arn:aws:sqs:*:*:a"]),
    ].map((statement) => ({
      name: `accepts ${statement.Action} on ${statement.Resource}`,
      type: "IDENTITY_POLICY" as const,
      statement,
      findings: [],
    })),
    ...[
      allow(
        "cloudformation:CreateChangeSet",
        "arn:aws:cloudformation:eu-west-1:111122223333:transform/x",
      ),
      allow("cloudformation:CreateChangeSet", "arn:aws:sns:eu-west-1:aws:transform/x"),
      allow("ec2:CopySnapshot", "arn:aws:ec2:eu-west-1:111122223333:volume/*"),
      allow("ec2:DeleteSnapshot", "arn:aws:ec2:eu-west-1:111122223333:volume/*"),
      allow("elasticloadbalancing:AddTags", `${balancer}:nothing/web`),
      allow(
        "sqs:SendMessage",
        ["a", "b", "c", "d", "e"].map((name) => `arn:aws:sns:eu-west-1:111122223333:${name}`),
      ),
      allow("s3:GetObject", "execute-api:/prod/*"),
    ].map((statement) => ({
      name: `no resource of ${statement.Resource} is one for ${statement.Action}`,
      type: "IDENTITY_POLICY" as const,
      statement,
      findings: statement.Resource === "execute-api:/prod/*" ? [] : [never],
    })),
    {
      name: "the short form of API Gateway is for its own actions, and in resource policies only",
      type: "RESOURCE_POLICY",
      statement: [
        { ...allow("execute-api:Invoke", "execute-api:/prod/*"), Principal: "*" },
        { ...allow("sqs:SendMessage", "execute-api:/prod/*"), Principal: "*" },
      ],
      findings: [{ at: 1 }],
    },
    {
      name: "an ARN longer than any is left to resource_validation",
      type: "IDENTITY_POLICY",
      statement: allow("sqs:SendMessage", `arn:aws:sns:eu-west-1:111122223333:${"a".repeat(5000)}`),
      findings: [],
    },
    {
      name: "more ARNs of an unknown service than are worth comparing may be any",
      type: "IDENTITY_POLICY",
      statement: allow(
        "sqs:SendMessage",
        Array.from({ length: 101 }, (_, at) => `arn:aws:s*:::bucket-${at}`),
      ),
      findings: [],
    },
  ],
  embeddedServices(),
);
