import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { findingsOf, validated } from "../support/validate.ts";

let target: InProcess;
beforeAll(async () => {
  target = await startInProcess();
});
afterAll(async () => {
  await target.stop();
  await target.runtime.pool.close();
});

const sub = (text: string) => ({ "Fn::Sub": text });
const ref = { Ref: "Param" };

/** Issue types of a policy in a CloudFormation template that does not give the value of `Param`. */
async function issuesOf(type: keyof typeof homes, ...statements: object[]): Promise<string[]> {
  const [resource, member, others] = homes[type];
  const Statement = statements.map((statement) => ({ Effect: "Allow", ...statement }));
  const document = { Version: "2012-10-17", Statement };
  const policy = {
    Parameters: { Param: { Type: "String" } },
    Resources: { Own: { Type: resource, Properties: { ...others, [member]: document } } },
  };
  const { output } = await validated(target, { policies: [{ policy }] });
  expect(output.results.map(({ unwrapped }) => unwrapped?.state)).not.toContain("not_read");
  return output.results.flatMap((result) =>
    findingsOf(result)
      .filter(({ severity }) => !["info", "low", "warning", "medium"].includes(severity))
      .map(({ issue_type }) => issue_type),
  );
}

const homes = {
  identity: ["AWS::IAM::ManagedPolicy", "PolicyDocument", {}],
  trust: ["AWS::IAM::Role", "AssumeRolePolicyDocument", {}],
  bucket: ["AWS::S3::BucketPolicy", "PolicyDocument", { Bucket: "reports" }],
  topic: ["AWS::SNS::TopicPolicy", "PolicyDocument", { Topics: ["alarms"] }],
} as const;

describe("nothing is said of what the unknown part may be", () => {
  test.each([
    ["cloudtrail", "arn:aws:cloudtrail:eu-west-1:111122223333:${Param}"],
    ["events", "arn:aws:events:eu-west-1:111122223333:${Param}"],
    ["cloudwatch", "arn:aws:cloudwatch:eu-west-1:111122223333:${Param}"],
  ])("a source of %s", async (service, source) => {
    const statement = {
      Principal: { Service: `${service}.amazonaws.com` },
      Action: "sns:Publish",
      Resource: "arn:aws:sns:eu-west-1:111122223333:alarms",
      Condition: { ArnEquals: { "aws:SourceArn": sub(source) } },
    };
    expect(await issuesOf("topic", statement)).toEqual([]);
  });

  test.each([
    ref,
    sub("arn:aws:ssm:eu-west-1:111122223333:${Param}"),
    sub("arn:aws:ssm:eu-west-1:111122223333:document/${Param}"),
  ])("whether commands are limited to a document, %j", async (document) => {
    const statement = {
      Action: "ssm:SendCommand",
      Resource: [document, "arn:aws:ec2:eu-west-1:111122223333:instance/*"],
    };
    expect(await issuesOf("identity", statement)).toEqual([]);
  });

  test.each([
    "arn:aws:iam::111122223333:${Param}",
    "arn:aws:iam::111122223333:oidc-provider/${Param}",
    "arn:aws:iam::111122223333:oidc-provider/${Param}/id/EXAMPLED539D4633E53DE1B71EXAMPLE",
  ])("an identity provider, %s", async (provider) => {
    const issuer = "oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE";
    const statement = {
      Principal: { Federated: sub(provider) },
      Action: "sts:AssumeRoleWithWebIdentity",
      Condition: {
        StringEquals: {
          [`${issuer}:aud`]: "sts.amazonaws.com",
          [`${issuer}:sub`]: "system:serviceaccount:shop:orders",
        },
      },
    };
    expect(await issuesOf("trust", statement)).toEqual([]);
  });

  test.each(["arn:aws:iam::cloudfront:${Param}", "arn:aws:iam::cloudfront:user/${Param}"])(
    "an origin access identity, %s",
    async (principal) => {
      const statement = {
        Principal: { AWS: sub(principal) },
        Action: "s3:GetObject",
        Resource: "arn:aws:s3:::reports/*",
      };
      expect(await issuesOf("bucket", statement)).toEqual([]);
    },
  );

  test("an access point", async () => {
    const statement = {
      Action: "s3:GetObject",
      Resource: sub("arn:aws:s3:eu-west-1:111122223333:${Param}"),
    };
    expect(await issuesOf("identity", statement)).toEqual([]);
  });
});

describe("an unknown resource may be the one of another statement", () => {
  const everyone = { Principal: "*", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" };
  const otherOrganizations = {
    Effect: "Deny",
    Principal: "*",
    Action: "s3:*",
    Condition: { StringNotEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
  };

  test.each([
    ref,
    sub("arn:aws:s3:::${Param}"),
    sub("arn:aws:s3:::${Param}/*"),
    sub("arn:aws:s3:::reports/${Param}"),
  ])("a Deny for other organizations on %j", async (Resource) => {
    expect(await issuesOf("bucket", everyone, { ...otherOrganizations, Resource })).toEqual([]);
  });

  test("a Deny that exempts it", async () => {
    const read = { Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/team/*" };
    const deny = { Effect: "Deny", Action: "s3:GetObject", NotResource: ref };
    expect(await issuesOf("identity", read, deny)).toEqual([]);
  });

  test("but not the folder that a Deny is about", async () => {
    const deny = { ...otherOrganizations, Resource: "arn:aws:s3:::reports/private/*" };
    for (const Resource of [sub("arn:aws:s3:::reports/${Param}"), sub("arn:aws:s3:::${Param}/*")]) {
      expect(await issuesOf("bucket", { ...everyone, Resource }, deny)).toContain("public_access");
    }
  });

  test("a Deny that names the bucket as well", async () => {
    const deny = { ...otherOrganizations, Resource: [ref, "arn:aws:s3:::reports"] };
    expect(await issuesOf("bucket", everyone, deny)).toEqual([]);
  });
});

describe("an unknown service may be any", () => {
  const byService = { Principal: { Service: ref }, Action: "sts:AssumeRole" };

  test.each([
    { StringEquals: { "aws:PrincipalTag/x509Subject/CN": "builder" } },
    { StringEquals: { "sts:ExternalId": "111122223333" } },
    { StringEquals: { "aws:SourceAccount": "111122223333" } },
  ])("with a key that only some services send, %j", async (Condition) => {
    expect(await issuesOf("trust", { ...byService, Condition })).toEqual([]);
  });

  test("with an action that a service needs in another statement", async () => {
    const pods = { Principal: { Service: "pods.eks.amazonaws.com" }, Action: "sts:AssumeRole" };
    const tags = { ...byService, Action: "sts:TagSession" };
    expect(await issuesOf("trust", pods, tags)).toEqual([]);
  });
});

describe("what is wrong with the key or the operator is said whatever the value is", () => {
  const publish = {
    Principal: { Service: "s3.amazonaws.com" },
    Action: "sns:Publish",
    Resource: "arn:aws:sns:eu-west-1:111122223333:alarms",
  };

  test.each([
    [{ StringEquals: { "aws:SourceAcount": ref } }, "invalid_condition_key"],
    [{ StringNotEquals: { "aws:SourceAccount": ref } }, "condition_inverted"],
    [{ StringEquls: { "aws:SourceAccount": ref } }, "invalid_operator"],
  ])("%j", async (Condition, issue) => {
    expect(await issuesOf("topic", { ...publish, Condition })).toContain(issue);
  });

  test("nothing is said of a key that is unknown as well", async () => {
    const policy = `
resource "aws_sns_topic_policy" "alarms" {
  arn    = "arn:aws:sns:eu-west-1:111122223333:alarms"
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "s3.amazonaws.com" }
      Action    = "sns:Publish"
      Resource  = "arn:aws:sns:eu-west-1:111122223333:alarms"
      Condition = {
        StringEquals = { "\${var.key}" = var.value, "aws:SourceAccount" = "111122223333" }
      }
    }]
  })
}
`;
    const { output } = await validated(target, { policies: [{ policy, name: "main.tf" }] });
    expect(output.results.flatMap((result) => findingsOf(result))).toEqual([]);
  });
});
