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

/** Issue types of the findings of one file. */
async function issuesIn(policy: string, name: string): Promise<string[]> {
  const { output } = await validated(target, { policies: [{ policy, name }] });
  expect(output.results.map(({ unwrapped }) => unwrapped?.state)).not.toContain("not_read");
  return output.results.flatMap((result) => findingsOf(result).map(({ issue_type }) => issue_type));
}

const bucketPolicy = (statement: string) => `
resource "aws_s3_bucket" "jobs" {
  bucket = var.name
}
data "aws_iam_policy_document" "jobs" {
  ${statement}
}
resource "aws_s3_bucket_policy" "jobs" {
  bucket = aws_s3_bucket.jobs.id
  policy = data.aws_iam_policy_document.jobs.json
}
`;

test("an example asks for the account that the file does not give", async () => {
  const policy = `
resource "aws_sns_topic" "logins" {}
data "aws_iam_policy_document" "logins" {
  statement {
    actions   = ["sns:Publish"]
    resources = [aws_sns_topic.logins.arn]
    principals {
      type        = "Service"
      identifiers = ["events.amazonaws.com"]
    }
  }
}
resource "aws_sns_topic_policy" "logins" {
  arn    = aws_sns_topic.logins.arn
  policy = data.aws_iam_policy_document.logins.json
}
`;
  const { output } = await validated(target, {
    policies: [{ policy, name: "main.tf" }],
    detail: "full",
  });
  const examples = output.results.flatMap((result) =>
    findingsOf(result).flatMap((issue) => ("example" in issue && issue.example) || []),
  );
  expect(examples).toEqual([expect.stringContaining('"aws:SourceAccount": "<account-id>"')]);
});

test.each([
  ["aws_ses_domain_identity", "ses:SendEmail"],
  ["aws_ses_email_identity", "ses:SendEmail"],
  ["aws_sesv2_email_identity", "ses:SendEmail"],
  ["aws_ecrpublic_repository", "ecr-public:PutImage"],
  ["aws_glacier_vault", "glacier:UploadArchive"],
  ["aws_codeartifact_domain", "codeartifact:GetAuthorizationToken"],
])("everyone is let in by a policy on the ARN of %s", async (type, action) => {
  const policy = `
resource "${type}" "own" {}
resource "aws_ses_identity_policy" "own" {
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = "*", Action = "${action}", Resource = ${type}.own.arn }]
  })
}
`;
  const { output } = await validated(target, { policies: [{ policy, name: "main.tf" }] });
  const found = output.results.flatMap((result) => findingsOf(result));
  expect(found).toContainEqual(
    expect.objectContaining({ issue_type: "public_access", severity: "critical" }),
  );
});

test.each([
  ["aws_s3_bucket_policy", '"s3:GetObject"', '"${var.arn}/*"'],
  ["aws_s3_bucket_policy", '["s3:GetObject", "s3:ListBucket"]', '[var.arn, "${var.arn}/*"]'],
  ["aws_s3_bucket_policy", '"s3:GetObject"', "var.arn"],
  ["aws_sqs_queue_policy", '"sqs:SendMessage"', "var.arn"],
  ["aws_sns_topic_policy", '"sns:Publish"', "module.topic.arn"],
  ["aws_kms_key", '"kms:Decrypt"', "var.arn"],
  ["aws_secretsmanager_secret_policy", '"secretsmanager:GetSecretValue"', "var.arn"],
  ["aws_backup_vault_policy", '"backup:CopyIntoBackupVault"', "var.arn"],
  ["aws_api_gateway_rest_api_policy", '"execute-api:Invoke"', '"${var.arn}/*"'],
])("everyone is let in by %s with %s on %s, which is not known", async (type, action, resource) => {
  const policy = `
resource "${type}" "own" {
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = "*", Action = ${action}, Resource = ${resource} }]
  })
}
`;
  const { output } = await validated(target, { policies: [{ policy, name: "main.tf" }] });
  const found = output.results.flatMap((result) => findingsOf(result));
  expect(found).toContainEqual(
    expect.objectContaining({
      issue_type: "public_access",
      severity: "critical",
      message: expect.stringMatching(/ on `\$\{(?:var|module\.topic)\.arn\}/),
    }),
  );
});

describe("nothing is said that only holds for a sample of an unknown value", () => {
  const principals = 'principals {\n type = "AWS"\n identifiers = [var.caller]\n }';

  test("of the resources of unknown actions", async () => {
    const unknown = `statement {
      actions = var.actions
      resources = [aws_s3_bucket.jobs.arn, "\${aws_s3_bucket.jobs.arn}/*"]
      ${principals}
    }`;
    expect(await issuesIn(bucketPolicy(unknown), "main.tf")).toEqual([]);
  });

  test("of the bucket of a policy, where its id and its ARN are both unknown", async () => {
    const known = `statement {
      actions = ["s3:GetObject"]
      resources = ["\${aws_s3_bucket.jobs.arn}/*"]
      ${principals}
    }`;
    expect(await issuesIn(bucketPolicy(known), "main.tf")).not.toContain("resource_mismatch");
    const other = bucketPolicy(known.replace("${aws_s3_bucket.jobs.arn}", "arn:aws:s3:::logs"));
    const named = other.replace("var.name", '"jobs"').replace("aws_s3_bucket.jobs.id", '"jobs"');
    expect(await issuesIn(named, "main.tf")).toEqual(["resource_mismatch"]);
  });

  test("of the Sid of a statement that may not be there", async () => {
    const of = (sid: string, isDynamic: boolean) => {
      const statement = `sid = "${sid}"
      actions   = ["s3:GetObject"]
      resources = ["\${aws_s3_bucket.jobs.arn}/*"]
      ${principals}`;
      return isDynamic
        ? `dynamic "statement" {\n for_each = var.${sid}\n content {\n ${statement}\n }\n }\n`
        : `statement {\n ${statement}\n }\n`;
    };
    const issues = (...statements: string[]) =>
      issuesIn(bucketPolicy(statements.join("")), "main.tf");
    expect(await issues(of("Read", true), of("Read", true))).not.toContain("duplicate_sid");
    expect(await issues(of("Read", false), of("Read", true))).not.toContain("duplicate_sid");
    expect(await issues(of("Read", true), of("Read", false))).not.toContain("duplicate_sid");
    expect(await issues(of("Read", false), of("Read", false))).toContain("duplicate_sid");
  });

  test("of an identity provider whose name is unknown", async () => {
    const trust = (provider: string) => `
resource "aws_iam_role" "deploy" {
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRoleWithWebIdentity"
      Principal = { Federated = "arn:aws:iam::111122223333:oidc-provider/${provider}" }
      Condition = { StringEquals = {
        "token.actions.githubusercontent.com:aud" = "sts.amazonaws.com"
        "token.actions.githubusercontent.com:sub" = "repo:octo/jobs:ref:refs/heads/main"
      } }
    }]
  })
}
`;
    // The remark on the audience is about the test, whatever the provider.
    const onAudience = ["confirm_audience_claim_type"];
    const unknown = trust('${replace(var.url, "https://", "")}');
    expect(await issuesIn(unknown, "main.tf")).toEqual(onAudience);
    expect(await issuesIn(trust("gitlab.com"), "main.tf")).not.toEqual(onAudience);
  });

  test("of the repository that GitHub's subject names", async () => {
    const trust = (subject: string) => `
resource "aws_iam_role" "deploy" {
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRoleWithWebIdentity"
      Principal = { Federated = "arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com" }
      Condition = {
        StringEquals = { "token.actions.githubusercontent.com:aud" = "sts.amazonaws.com" }
        StringLike = { "token.actions.githubusercontent.com:sub" = ${subject} }
      }
    }]
  })
}
`;
    const issues = (subject: string) => issuesIn(trust(subject), "main.tf");
    expect(await issues('"repo:${var.repository}:*"')).not.toContain("public_access");
    expect(await issues("var.subject")).not.toContain("public_access");
    expect(await issues('"${var.repository}:ref:refs/heads/main"')).not.toContain("public_access");
    expect(await issues('"${var.owner}/api:ref:refs/heads/main"')).not.toContain("public_access");
    expect(await issues('"repo:*/${var.name}:*"')).toContain("public_access");
  });

  test.each(["${var.secret}", "prod/${var.secret}", "${var.name}-${var.characters}"])(
    "of the end of a secret's ARN: %s",
    async (secret) => {
      const policy = (name: string) => `
resource "aws_iam_policy" "read" {
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = "secretsmanager:GetSecretValue"
      Resource = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:${name}"
    }]
  })
}
`;
      expect(await issuesIn(policy(secret), "main.tf")).not.toContain("invalid_resource");
      expect(await issuesIn(policy(`${secret}/password`), "main.tf")).toContain("invalid_resource");
    },
  );

  test("of the account whose logs a load balancer delivers", async () => {
    const delivery = (key: string) =>
      bucketPolicy(`statement {
        actions   = ["s3:PutObject"]
        resources = ["\${aws_s3_bucket.jobs.arn}/${key}/*"]
        principals {
          type        = "Service"
          identifiers = ["logdelivery.elasticloadbalancing.amazonaws.com"]
        }
      }`);
    const issues = (key: string) => issuesIn(delivery(key), "main.tf");
    expect(await issues("alb/AWSLogs/${var.account}")).not.toContain("confused_deputy_risk");
    expect(await issues("alb/${var.account}")).toContain("confused_deputy_risk");
  });

  describe("of the claims in a subject", () => {
    const subjectOf = (issuer: string, subject: string) =>
      issuesIn(
        `
resource "aws_iam_role" "deploy" {
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRoleWithWebIdentity"
      Principal = { Federated = "arn:aws:iam::111122223333:oidc-provider/${issuer}" }
      Condition = { StringEquals = {
        "${issuer}:aud" = "aws.workload.identity"
        "${issuer}:sub" = "${subject}"
      } }
    }]
  })
}
`,
        "main.tf",
      );
    const gitHub = "token.actions.githubusercontent.com";
    const cluster = "oidc.eks.us-east-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B716D3041E";

    test.each([
      [gitHub, "repo:acme/api:${var.claim}"],
      [gitHub, "repo:acme/api:ref:${var.ref}"],
      [gitHub, "repo:acme/api:${var.kind}:production"],
      ["app.terraform.io", "organization:acme:${var.rest}"],
      ["app.terraform.io", "organization:acme:project:${var.project}:workspace:api:${var.phase}"],
      ["oidc.circleci.com/org/acme", "org/${var.project}"],
      [cluster, "system:serviceaccount:${var.account}"],
    ])("%s %s", async (issuer, subject) => {
      expect(await subjectOf(issuer, subject)).not.toContain("condition_never_true");
    });

    test.each([
      [gitHub, "repo:acme/api:refs/heads/${var.branch}"],
      ["app.terraform.io", "organization:acme:${var.rest}:phase:apply"],
      [cluster, "serviceaccount:${var.account}"],
    ])("but of what is written: %s %s", async (issuer, subject) => {
      expect(await subjectOf(issuer, subject)).toContain("condition_never_true");
    });
  });

  test("of a word that the module replaces, and of no word of another module", async () => {
    const words = bucketPolicy(`statement {
      actions = ["s3:GetObject"]
      resources = ["_BUCKET_ARN_/*"]
      ${principals}
    }`);
    const replaced = `locals {
  policy = replace(var.policy, "_BUCKET_ARN_", aws_s3_bucket.jobs.arn)
}
`;
    const own = { name: "bucket/main.tf", policy: words };
    const found = async (name: string) => {
      const policies = [own, { name, policy: replaced }];
      const { output } = await validated(target, { policies });
      return output.results.flatMap((one) => findingsOf(one).map(({ issue_type }) => issue_type));
    };
    expect(await found("bucket/locals.tf")).not.toContain("invalid_resource");
    expect(await found("other/locals.tf")).toContain("invalid_resource");
  });

  test.each([
    ["a part that is not known", "sns.${var.suffix}"],
    ["a domain behind `try`", 'sns.${try(data.aws_partition.p[0].dns_suffix, "")}'],
    ["a region", "logs.${var.region}.amazonaws.com"],
  ])("of the name of a service with %s", async (_title, service) => {
    const policy = `
resource "aws_kms_key" "zone" {
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "kms:Sign"
      Resource  = "*"
      Principal = { Service = "${service}" }
    }]
  })
}
`;
    const issues = await issuesIn(policy, "main.tf");
    expect(issues).not.toContain("invalid_principal_value");
    expect(issues).not.toContain("unknown_service_principal");
  });
});

describe("an unknown value may have what its place in an ARN or a name asks for", () => {
  const policy = (action: string, resource: string, via = "") => `
data "aws_iam_policy_document" "jobs" {
  statement {
    actions   = ["${action}"]
    resources = ["${resource}"]
    ${via && `condition {\n test = "StringEquals"\n variable = "kms:ViaService"\n values = ["${via}"]\n }`}
  }
}
resource "aws_iam_policy" "jobs" {
  policy = data.aws_iam_policy_document.jobs.json
}
`;

  test.each([
    [
      "a path that begins with /",
      "ssm:GetParameter",
      "arn:aws:ssm:eu-west-1:${var.a}:parameter${var.path}",
    ],
    ["the path of a role", "iam:GetRole", "arn:aws:iam::${var.a}:role${var.path}jobs"],
    [
      "a suffix that begins with :",
      "states:StartExecution",
      "arn:aws:states:eu-west-1:${var.a}:stateMachine${var.name}",
    ],
    [
      "the id of an organization",
      "organizations:DescribeAccount",
      "arn:aws:organizations::${var.a}:account/${var.organization}/*",
    ],
    [
      "the id of a unit",
      "organizations:DescribeOrganizationalUnit",
      "arn:aws:organizations::${var.a}:ou/${var.organization}/${var.unit}",
    ],
  ])("%s", async (_title, action, resource) => {
    expect(await issuesIn(policy(action, resource), "main.tf")).not.toContain(
      "statement_never_applies",
    );
    const known = resource.replace(/[^:]*$/, "other/jobs");
    expect(await issuesIn(policy(action, known), "main.tf")).toContain("statement_never_applies");
  });

  test("any type of resource, where only the account is known", async () => {
    const resource = "arn:aws:iam::111122223333:${var.resource}";
    expect(await issuesIn(policy("iam:GetRole", resource), "main.tf")).not.toContain(
      "statement_never_applies",
    );
  });

  test.each([
    ["service", "arn:aws:${var.a}:eu-west-1:111122223333:role/jobs"],
    ["service and all behind it", "arn:aws:${var.a}"],
    ["partition and all behind it", "arn:${var.a}"],
    ["account and all behind it", "arn:aws:iam::${var.a}"],
  ])("an unknown %s", async (_title, resource) => {
    const found = await issuesIn(policy("iam:GetRole", resource), "main.tf");
    expect(found).not.toContain("statement_never_applies");
    expect(found).not.toContain("invalid_resource");
    const known = resource.replace("${var.a}", "ec2");
    expect(await issuesIn(policy("iam:GetRole", known), "main.tf")).toEqual(
      expect.arrayContaining([expect.stringMatching(/invalid_resource|statement_never_applies/)]),
    );
  });

  test.each(["arn:aws:iam::111122223333:${var.who}", "arn:aws:iam::${var.who}"])(
    "the type of a principal in %s",
    async (principal) => {
      const trust = (who: string) => `
resource "aws_iam_role" "jobs" {
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect = "Allow"
      Action = "sts:AssumeRole"
      Principal = { AWS = "${who}" }
      Condition = { ArnLike = { "aws:PrincipalArn" = "${who}" } }
    }]
  })
}`;
      const found = await issuesIn(trust(principal), "main.tf");
      expect(found).not.toContain("invalid_principal_value");
      expect(found).not.toContain("condition_never_true");
      const known = principal.replace("${var.who}", "policy/jobs");
      expect(await issuesIn(trust(known), "main.tf")).toContain("invalid_principal_value");
    },
  );

  test("the path of a role that is a principal", async () => {
    const trust = (role: string, key: string) => `
resource "aws_iam_role" "jobs" {
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { AWS = "arn:aws:iam::\${var.account}:${role}" }
      Condition = { ArnLike = { "aws:PrincipalArn" = "arn:aws:iam::\${var.account}:${key}" } }
    }]
  })
}
`;
    const path = "role${var.path}${var.name}";
    expect(await issuesIn(trust(path, path), "main.tf")).toEqual([]);
    expect(await issuesIn(trust("group/jobs", path), "main.tf")).toContain(
      "invalid_principal_value",
    );
    expect(await issuesIn(trust(path, "queue/${var.name}"), "main.tf")).toContain(
      "condition_never_true",
    );
  });

  test("limits that do not exclude each other", async () => {
    const limits = (tests: readonly (readonly [string, string, string])[]) => `
data "aws_iam_policy_document" "jobs" {
  statement {
    actions   = ["sqs:SendMessage"]
    resources = ["arn:aws:sqs:eu-west-1:111122223333:jobs"]
    ${tests.map(([test, key, value]) => `condition {\n test = "${test}"\n variable = "${key}"\n values = [${value}]\n }`).join("\n    ")}
  }
}
resource "aws_iam_policy" "jobs" {
  policy = data.aws_iam_policy_document.jobs.json
}
`;
    const time = (from: string, until: string) =>
      limits([
        ["DateGreaterThan", "aws:CurrentTime", from],
        ["DateLessThan", "aws:CurrentTime", until],
      ]);
    const age = (from: string, until: string) =>
      limits([
        ["NumericGreaterThan", "aws:MultiFactorAuthAge", from],
        ["NumericLessThan", "aws:MultiFactorAuthAge", until],
      ]);
    const address = (inside: string, outside: string) =>
      limits([
        ["IpAddress", "aws:SourceIp", inside],
        ["NotIpAddress", "aws:SourceIp", outside],
      ]);
    for (const open of [
      time("var.from", "var.until"),
      time('"2040-01-01T00:00:00Z"', "var.until"),
      time("var.from", '"2028-01-01T00:00:00Z"'),
      age("var.from", "var.until"),
      age('"3600"', "var.until"),
      age("var.from", '"2"'),
      address("var.inside", "var.outside"),
    ]) {
      expect(await issuesIn(open, "main.tf")).not.toContain("condition_never_true");
    }
    for (const closed of [
      time('"2040-01-01T00:00:00Z"', '"2039-01-01T00:00:00Z"'),
      age('"3600"', '"60"'),
      address('"203.0.113.0/24"', '"203.0.113.0/24"'),
    ]) {
      expect(await issuesIn(closed, "main.tf")).toContain("condition_never_true");
    }
  });

  test.each([
    ["!Sub", '!Sub "{{resolve:ssm:/${Stage}/bus:1}}"'],
    ["!Join", '!Join ["", ["{{resolve:ssm:/", !Ref Stage, "/bus:1}}"]]'],
    ["!If", '!If [Own, "{{resolve:ssm:/own/bus}}", !Sub "{{resolve:ssm:/${Stage}/bus}}"]'],
  ])("a dynamic reference in %s", async (_title, resource) => {
    const template = (written: string) => `
Parameters: {Stage: {Type: String}}
Conditions: {Own: !Equals [!Ref Stage, own]}
Resources:
  P:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument:
        Version: "2012-10-17"
        Statement:
          - Effect: Allow
            Action: events:PutEvents
            Resource: ${written}
`;
    expect(await issuesIn(template(resource), "template.yaml")).toEqual([]);
    expect(await issuesIn(template("jobs"), "template.yaml")).toContain("invalid_resource");
  });

  test("a dynamic reference in serverless.yml", async () => {
    const file = (resource: string) => `service: jobs
provider:
  name: aws
  iam:
    role:
      statements:
        - Effect: Allow
          Action: events:PutEvents
          Resource: "${resource}"
`;
    const reference = "{{resolve:ssm:/${sls:stage}/bus:1}}";
    expect(await issuesIn(file(reference), "serverless.yml")).toEqual([]);
    expect(await issuesIn(file("bus"), "serverless.yml")).toContain("invalid_resource");
  });

  test("the Region of a service", async () => {
    const key = "arn:aws:kms:eu-west-1:111122223333:key/${var.key}";
    const of = (via: string) => issuesIn(policy("kms:Decrypt", key, via), "main.tf");
    expect(await of("dynamodb.${var.region}.amazonaws.com")).not.toContain("condition_never_true");
    expect(await of("s3.${var.region}.${var.suffix}")).not.toContain("condition_never_true");
    expect(await of("s3.${var.region}.example.com")).toContain("condition_never_true");
  });
});

test("a branch of a condition has the values with which the condition is so", async () => {
  const others = ["ALL", "A", "B", "C", "D", "E"];
  const template = `
Parameters:
  Service:
    Type: String
    AllowedValues: [${[...others, "s3"].join(", ")}]
Conditions:
  HasService: !Not [!Or [${others.map((one) => `!Equals [!Ref Service, ${one}]`).join(", ")}]]
Resources:
  Key:
    Type: AWS::KMS::Key
    Properties:
      KeyPolicy:
        Version: "2012-10-17"
        Statement:
          - Effect: Allow
            Principal: { AWS: !Sub "arn:aws:iam::\${AWS::AccountId}:root" }
            Action: kms:*
            Resource: "*"
          - !If
            - HasService
            - Effect: Allow
              Principal: { AWS: "arn:aws:iam::111122223333:role/jobs" }
              Action: kms:Decrypt
              Resource: "*"
              Condition:
                StringEquals: { "kms:ViaService": !Sub "\${Service}.eu-west-1.amazonaws.com" }
            - !Ref AWS::NoValue
`;
  expect(await issuesIn(template, "key.yaml")).not.toContain("condition_never_true");
  const wrong = template.replaceAll("${Service}.eu-west-1.", "${Service}.");
  expect(await issuesIn(wrong, "key.yaml")).toContain("condition_never_true");
});

describe("a policy that was cut out of a template keeps its functions", () => {
  const statement = {
    Effect: "Allow",
    Action: ["sns:Publish", { Ref: "Action" }],
    Resource: [{ Ref: "Topic" }, { "Fn::Sub": "arn:${AWS::Partition}:sns:*:*:${Name}" }],
    Condition: { ArnLike: { "aws:PrincipalArn": { "Fn::GetAtt": ["Publisher", "Arn"] } } },
  };
  const policy = { Version: "2012-10-17", Statement: [statement] };
  const misspelt = { ...policy, Statement: [{ ...statement, Action: ["sns:Publishh"] }] };
  const yaml = `Version: "2012-10-17"
Statement:
  - Effect: !If [IsOpen, Allow, Deny]
    Action: sns:Publish
    Resource: !Sub "arn:\${AWS::Partition}:sns:*:*:\${Name}"
`;
  const errorsIn = async (given: unknown, name = "policy") => {
    const { output } = await validated(target, { policies: [{ policy: given, name }] });
    const [result] = output.results;
    expect(result?.unwrapped?.kind).toBe("cloudformation");
    expect(result?.unwrapped?.unresolved).toBeGreaterThan(0);
    return output.results.flatMap((one) =>
      findingsOf(one).flatMap(({ severity, issue_type }) =>
        severity === "error" ? issue_type : [],
      ),
    );
  };

  test.each([
    ["an object", policy, []],
    ["JSON text", JSON.stringify(policy), []],
    ["YAML with tags", yaml, []],
    ["a wrapped document", { PolicyName: "publish", PolicyDocument: policy }, []],
    ["an object with a known fault", misspelt, ["invalid_action"]],
    ["a wrapped document with a known fault", { PolicyDocument: misspelt }, ["invalid_action"]],
  ])("as %s", async (_title, given, issues) => {
    expect(await errorsIn(given)).toEqual(issues);
    expect(await errorsIn(given, "policy.json")).toEqual(issues);
  });
});

describe("the resource of a policy is compared with the one it is attached to", () => {
  const attached = (resource: string, policy: string, written: string) => `
Parameters: {Name: {Type: String}}
Resources:
  Own: {Type: "${resource}"}
  P:
    Type: "${policy.split(" ")[0]}"
    Properties:
      ${policy.split(" ")[1]}: ${resource === "AWS::S3::Bucket" ? "!Ref Own" : "[!Ref Own]"}
      PolicyDocument:
        Version: "2012-10-17"
        Statement:
          - Effect: Allow
            Principal: {AWS: "arn:aws:iam::111122223333:root"}
            Action: ${policy.split(" ")[2]}
            Resource: ${written}
`;
  const bucket = ["AWS::S3::Bucket", "AWS::S3::BucketPolicy Bucket s3:GetObject"] as const;
  const queue = ["AWS::SQS::Queue", "AWS::SQS::QueuePolicy Queues sqs:SendMessage"] as const;
  const topic = ["AWS::SNS::Topic", "AWS::SNS::TopicPolicy Topics sns:Publish"] as const;

  test.each([
    [...bucket, '!Sub "${Own.Arn}/*"', []],
    [...bucket, "arn:aws:s3:::logs/*", ["resource_mismatch"]],
    // A parameter may have the name of any bucket.
    [...bucket, '!Sub "arn:aws:s3:::${Name}/*"', []],
    [...queue, "!GetAtt Own.Arn", []],
    [...queue, "arn:aws:sqs:eu-west-1:111122223333:other", ["resource_mismatch"]],
    [...queue, '!Sub "arn:aws:sqs:eu-west-1:111122223333:${Name}"', []],
    [...topic, "!Ref Own", []],
    [...topic, "arn:aws:sns:eu-west-1:111122223333:other", ["resource_mismatch"]],
  ])("in a template: %s with %s and %s", async (resource, policy, written, issues) => {
    expect(await issuesIn(attached(resource, policy, written), "template.yaml")).toEqual(issues);
  });

  const statement = (action: string, resource: string) =>
    `{Effect: Allow, Principal: {AWS: "arn:aws:iam::111122223333:root"}, Action: "${action}", Resource: ${resource}}`;
  /** Policies that are a property of the resource, or name it by another property. */
  const others: Readonly<Record<string, (statement: string) => string>> = {
    bus: (written) => `
  Bus: {Type: "AWS::Events::EventBus", Properties: {Name: orders}}
  P: {Type: "AWS::Events::EventBusPolicy", Properties: {EventBusName: !Ref Bus, StatementId: s, Statement: ${written}}}`,
    stream: (written) => `
  Stream: {Type: "AWS::Kinesis::Stream", Properties: {Name: clicks}}
  P:
    Type: AWS::Kinesis::ResourcePolicy
    Properties: {ResourceArn: !GetAtt Stream.Arn, ResourcePolicy: {Version: "2012-10-17", Statement: [${written}]}}`,
    domain: (written) => `
  Domain:
    Type: AWS::OpenSearchService::Domain
    Properties: {DomainName: search, AccessPolicies: {Version: "2012-10-17", Statement: [${written}]}}`,
    table: (written) => `
  Table:
    Type: AWS::DynamoDB::Table
    Properties: {TableName: jobs, ResourcePolicy: {PolicyDocument: {Version: "2012-10-17", Statement: [${written}]}}}`,
  };

  test.each([
    ["bus", "events:PutEvents", "!GetAtt Bus.Arn", []],
    ["bus", "events:PutEvents", '"arn:aws:events:eu-west-1:111122223333:event-bus/orders"', []],
    [
      "bus",
      "events:PutEvents",
      '!Sub "arn:aws:events:eu-west-1:111122223333:event-bus/${Name}"',
      [],
    ],
    [
      "bus",
      "events:PutEvents",
      '"arn:aws:events:eu-west-1:111122223333:event-bus/default"',
      ["resource_mismatch"],
    ],
    ["stream", "kinesis:PutRecord", "!GetAtt Stream.Arn", []],
    [
      "stream",
      "kinesis:PutRecord",
      '"arn:aws:kinesis:eu-west-1:111122223333:stream/other"',
      ["resource_mismatch"],
    ],
    ["domain", "es:ESHttpGet", '"arn:aws:es:eu-west-1:111122223333:domain/search/*"', []],
    [
      "domain",
      "es:ESHttpGet",
      '"arn:aws:es:eu-west-1:111122223333:domain/other/*"',
      ["resource_mismatch"],
    ],
    ["table", "dynamodb:GetItem", '"arn:aws:dynamodb:eu-west-1:111122223333:table/jobs"', []],
    [
      "table",
      "dynamodb:GetItem",
      '"arn:aws:dynamodb:eu-west-1:111122223333:table/other"',
      ["resource_mismatch"],
    ],
  ])("in a template: a %s with %s on %s", async (kind, action, written, issues) => {
    const resources = others[kind]?.(statement(action, written)) ?? "";
    const text = `Parameters: {Name: {Type: String}}\nResources:${resources}\n`;
    expect(await issuesIn(text, "template.yaml")).toEqual(issues);
  });

  const repository = (name: string, written: string) => `
resource "aws_opensearch_domain" "own" {
  domain_name = ${name}
}
resource "aws_opensearch_domain_policy" "p" {
  domain_name = aws_opensearch_domain.own.domain_name
  access_policies = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { AWS = "arn:aws:iam::111122223333:root" }
      Action    = "es:ESHttpGet"
      Resource  = ${written}
    }]
  })
}
`;

  test.each([
    ['"search"', '"${aws_opensearch_domain.own.arn}/*"', []],
    ['"search"', '"arn:aws:es:eu-west-1:111122223333:domain/search/*"', []],
    ["var.name", '"arn:aws:es:eu-west-1:111122223333:domain/search/*"', []],
    ['"search"', '"arn:aws:es:eu-west-1:111122223333:domain/other/*"', ["resource_mismatch"]],
  ])("in Terraform: a domain named %s and %s", async (name, written, issues) => {
    expect(await issuesIn(repository(name, written), "main.tf")).toEqual(issues);
  });

  const planned = (written: string) =>
    JSON.stringify({
      format_version: "1.2",
      resource_changes: [
        {
          address: "aws_backup_vault_policy.p",
          mode: "managed",
          type: "aws_backup_vault_policy",
          name: "p",
          change: {
            actions: ["create"],
            after: {
              backup_vault_name: "nightly",
              policy: JSON.stringify({
                Version: "2012-10-17",
                Statement: {
                  Effect: "Allow",
                  Principal: { AWS: "arn:aws:iam::111122223333:root" },
                  Action: "backup:CopyIntoBackupVault",
                  Resource: written,
                },
              }),
            },
            after_unknown: {},
          },
        },
      ],
    });

  test.each([
    ["*", []],
    ["arn:aws:backup:eu-west-1:111122223333:backup-vault:nightly", []],
    ["arn:aws:backup:eu-west-1:111122223333:backup-vault:weekly", ["resource_mismatch"]],
  ])("in a plan: a backup vault and %s", async (written, issues) => {
    expect(await issuesIn(planned(written), "plan.json")).toEqual(issues);
  });

  const queues = (name: string, written: string) => `
resource "aws_sqs_queue" "own" {
  name = ${name}
}
resource "aws_sqs_queue" "several" {
  for_each = var.names
}
resource "aws_sqs_queue_policy" "p" {
  queue_url = aws_sqs_queue.own.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { AWS = "arn:aws:iam::111122223333:root" }
      Action    = "sqs:SendMessage"
      Resource  = ${written}
    }]
  })
}
`;

  test.each([
    ['"jobs"', "aws_sqs_queue.own.arn", []],
    ['"jobs"', '"arn:aws:sqs:eu-west-1:111122223333:other"', ["resource_mismatch"]],
    ['"jobs-${var.stage}"', '"arn:aws:sqs:eu-west-1:111122223333:jobs-test"', []],
    ['"jobs"', '"arn:aws:sqs:eu-west-1:111122223333:${var.name}"', []],
    ['"jobs"', "aws_sqs_queue.several[each.key].arn", []],
    ['"jobs"', "aws_sqs_queue.elsewhere.arn", []],
  ])("in Terraform: a queue named %s and %s", async (name, written, issues) => {
    expect(await issuesIn(queues(name, written), "main.tf")).toEqual(issues);
  });
});

describe("the size of a policy with unknown values", () => {
  // Each has 130 characters and the name of a bucket.
  const path = "j".repeat(110);
  const list = (count: number) =>
    Array.from({ length: count }, (_, index) => `!Sub "arn:aws:s3:::\${Bucket}/${index}-${path}"`);
  const role = (kind: string, count: number) => `Resources:
  R:
    Type: ${kind}
    Properties:
      Policies:
        - PolicyName: jobs
          PolicyDocument:
            Version: "2012-10-17"
            Statement:
              - Effect: Allow
                Action: s3:GetObject
                Resource: [${list(count).join(", ")}]
`;

  test("is that with each value as short as it can be", async () => {
    expect(await issuesIn(role("AWS::IAM::User", 14), "t.yaml")).not.toContain(
      "policy_size_exceeded",
    );
    expect(await issuesIn(role("AWS::IAM::User", 17), "t.yaml")).toContain("policy_size_exceeded");
  });

  test("is compared with the quota of what the policy is written into", async () => {
    expect(await issuesIn(role("AWS::IAM::Role", 70), "t.yaml")).not.toContain(
      "policy_size_exceeded",
    );
    expect(await issuesIn(role("AWS::IAM::Role", 85), "t.yaml")).toContain("policy_size_exceeded");
  });
});

test("a description of an API that another file completes is not a policy that was not read", async () => {
  const api = `Transform: AWS::Serverless-2016-10-31
Resources:
  Api:
    Type: AWS::Serverless::Api
    Properties:
      DefinitionBody:
        Fn::Transform: {Name: AWS::Include, Parameters: {Location: s3://b/api.yaml}}
`;
  const { output } = await validated(target, { policies: [api] });
  expect(output.results).toMatchObject([{ unwrapped: { reason: "It holds no policy." } }]);
});

test("a template may close a flow collection at the indentation of its member", async () => {
  const template = `Resources:
  Role:
    Type: AWS::IAM::Role
    Properties:
      Tags: !If [Tagged, [{
        Key: a, Value: b
      }], !Ref AWS::NoValue]
      AssumeRolePolicyDocument: {
      Statement: {Effect: Allow, Principal: {Service: lambda.amazonaws.com},
  Action: sts:AssumeRole}
      }
`;
  const { output } = await validated(target, { policies: [template] });
  expect(output.results).toMatchObject([
    { policy_type: "TRUST_POLICY", unwrapped: { first_line: 8, last_line: 11 } },
  ]);
});

test("the Terraform files of a call that are in one folder are one module", async () => {
  const document = `data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}
`;
  const role = `resource "aws_iam_role" "r" {
  assume_role_policy = data.aws_iam_policy_document.trust.json
}
`;
  const sent = (folder: string) => [
    { policy: document, name: "app/trust.tf" },
    { policy: role, name: `${folder}/role.tf` },
  ];
  const together = await validated(target, { policies: sent("app") });
  expect(together.output.results).toMatchObject([
    { name: "app/trust.tf", policy_type: "TRUST_POLICY", policy_type_source: "container" },
    { name: "app/role.tf", unwrapped: { reason: "It holds no policy." } },
  ]);
  const apart = await validated(target, { policies: sent("other") });
  expect(apart.output.results[1]).toMatchObject({ unwrapped: { state: "not_read" } });
});

const keyDocument = (name: string, ...parts: string[]) => `
data "aws_iam_policy_document" "${name}" {
  ${parts.join("\n  ")}
}`;
const keyStatement = (actions: string, block = "statement {") => `${block}
    actions   = ${actions}
    resources = ["*"]
    principals {
      type        = "AWS"
      identifiers = ["arn:aws:iam::111122223333:role/App"]
    }
  }`;
const useOfKey = keyStatement('["kms:Decrypt", "kms:DescribeKey"]');
const keyWith = (document: string) => `
resource "aws_kms_key" "jobs" {
  policy = ${document}
}`;
const writtenKey = keyWith("data.aws_iam_policy_document.jobs.json");

test.each<[string, string]>([
  ["a statement is a variable", keyWith(`jsonencode({ Statement = concat([var.more], []) })`)],
  [
    "another document is merged into it",
    keyDocument(
      "jobs",
      "source_policy_documents = [data.aws_iam_policy_document.base.json]",
      useOfKey,
    ) +
      keyDocument("base", keyStatement('["kms:*"]')) +
      writtenKey,
  ],
  [
    "it is merged into another document",
    keyDocument(
      "jobs",
      "source_policy_documents = [data.aws_iam_policy_document.base.json]",
      keyStatement('["kms:*"]'),
    ) +
      keyDocument("base", useOfKey) +
      writtenKey,
  ],
  ["its actions are a variable", keyDocument("jobs", keyStatement("var.actions")) + writtenKey],
  [
    "a block gives none or several statements",
    keyDocument(
      "jobs",
      useOfKey,
      `dynamic "statement" {
    for_each = var.admins
    content {
      actions   = ["kms:Describe*"]
      resources = ["*"]
    }
  }`,
    ) + writtenKey,
  ],
])(
  "a key policy is not said to lock out where the file does not show all of it: %s",
  async (_, text) => {
    expect(await issuesIn(text, "main.tf")).not.toContain("policy_lock_out");
  },
);

test("a key policy that a file shows as a whole is said to lock out", async () => {
  const text = keyDocument("jobs", useOfKey) + writtenKey;
  expect(await issuesIn(text, "main.tf")).toContain("policy_lock_out");
});
