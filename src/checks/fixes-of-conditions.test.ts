import { describe } from "vitest";
import { type FixCase, fixCases } from "../../test/support/fix-cases.ts";

const read = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" };

function operator(from: string, to: string | null, test: object): FixCase {
  return {
    name: to === null ? `leaves ${from}` : `writes ${to} for ${from}`,
    of: "condition_type_mismatch/invalid_operator",
    before: { ...read, Condition: { [from]: test } },
    ...(to === null
      ? {}
      : { after: { ...read, Condition: { [to]: test } }, effect: "repairs" as const }),
  };
}

const vpc = { "aws:SourceVpc": "vpc-12345678" };
const tags = { "aws:TagKeys": "team" };

const items = { "ForAllValues:StringEquals": { "dynamodb:Attributes": ["id", "name"] } };
const table = (Action: string, Condition: object) => ({
  Effect: "Allow",
  Action,
  Resource: "arn:aws:dynamodb:eu-west-1:111122223333:table/games",
  Condition,
});

describe("operators", () => {
  fixCases([
    {
      name: "keeps one of two spellings with the same value",
      of: "condition_type_mismatch/duplicate_keys_with_different_case",
      before: {
        Condition: {
          StringEquals: { "aws:PrincipalTag/Team": "red", "AWS:PrincipalTag/team": "red" },
        },
      },
      after: { Condition: { StringEquals: { "aws:PrincipalTag/Team": "red" } } },
      effect: "repairs",
    },
    {
      name: "leaves two spellings with different values to their author",
      of: "condition_type_mismatch/duplicate_keys_with_different_case",
      before: {
        Condition: {
          StringEquals: { "aws:PrincipalTag/Team": "red", "AWS:PrincipalTag/team": "blue" },
        },
      },
    },
    {
      name: "asks for named attributes where the action sends the key",
      of: "condition_key_validation/dynamodb_attributes_without_select",
      before: table("dynamodb:Query", items),
      after: table("dynamodb:Query", {
        ...items,
        StringEqualsIfExists: { "dynamodb:Select": "SPECIFIC_ATTRIBUTES" },
      }),
    },
    {
      name: "and not for an action that writes",
      of: "condition_key_validation/dynamodb_attributes_without_select",
      before: table("dynamodb:UpdateItem", items),
    },
    {
      name: "compares dates with the operator for dates",
      of: "condition_type_mismatch/invalid_value_format",
      before: { Condition: { NumericLessThan: { "aws:CurrentTime": "2030-01-01T00:00:00Z" } } },
      after: { Condition: { DateLessThan: { "aws:CurrentTime": "2030-01-01T00:00:00Z" } } },
      effect: "repairs",
    },
    {
      name: "removes an empty value beside others",
      of: "condition_effect/value_never_matches",
      before: { Condition: { StringEquals: { "aws:PrincipalOrgID": ["", "o-a1b2c3d4e5"] } } },
      after: { Condition: { StringEquals: { "aws:PrincipalOrgID": ["o-a1b2c3d4e5"] } } },
      effect: "repairs",
    },
    {
      name: "names the Region of the key after the service",
      of: "condition_effect/condition_never_true",
      before: {
        Effect: "Allow",
        Action: "kms:Decrypt",
        Resource: "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
        Condition: { StringEquals: { "kms:ViaService": "s3.amazonaws.com" } },
      },
      after: {
        Effect: "Allow",
        Action: "kms:Decrypt",
        Resource: "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
        Condition: { StringEquals: { "kms:ViaService": "s3.eu-west-1.amazonaws.com" } },
      },
      effect: "repairs",
    },
    {
      name: "asks for the Region where the resources name none",
      of: "condition_effect/value_never_matches",
      before: {
        Effect: "Allow",
        Action: "kms:Decrypt",
        Resource: "*",
        Condition: {
          StringEquals: { "kms:ViaService": ["ec2.eu-west-1.amazonaws.com", "s3.amazonaws.com"] },
        },
      },
      after: {
        Effect: "Allow",
        Action: "kms:Decrypt",
        Resource: "*",
        Condition: {
          StringEquals: {
            "kms:ViaService": ["ec2.eu-west-1.amazonaws.com", "s3.<region>.amazonaws.com"],
          },
        },
      },
      asks: ["<region>"],
      effect: "repairs",
    },
    operator("Boolean", "Bool", { "aws:SecureTransport": "true" }),
    operator("Equals", "StringEquals", vpc),
    operator("Equals", "ArnEquals", {
      "aws:PrincipalArn": "arn:aws:iam::111122223333:role/Reader",
    }),
    // Text and a date have no operator in common.
    operator("Equals", null, { ...vpc, "aws:CurrentTime": "2030-01-01T00:00:00Z" }),
    operator("ForAnyValue.StringEquals", "ForAnyValue:StringEquals", tags),
    operator("StringEquals:ForAnyValue", "ForAnyValue:StringEquals", tags),
    operator("IfExistsStringEquals", "StringEqualsIfExists", vpc),
    operator("StringEquals_IfExists", "StringEqualsIfExists", vpc),
    operator("StringLessThan", null, vpc),
  ]);
});

function value(key: string, under: string, from: string, to: string | null): FixCase {
  const statement = (text: string) => ({ ...read, Condition: { [under]: { [key]: text } } });
  return {
    name: to === null ? `leaves ${from}` : `writes ${to} for ${from}`,
    of: "condition_type_mismatch/invalid_value_format",
    before: statement(from),
    ...(to === null ? {} : { after: statement(to), effect: "repairs" as const }),
  };
}

const time = (from: string, to: string | null) =>
  value("aws:CurrentTime", "DateGreaterThan", from, to);
const address = (from: string, to: string | null) => value("aws:SourceIp", "IpAddress", from, to);
const bool = (from: string, to: string | null) => value("aws:SecureTransport", "Bool", from, to);

describe("values", () => {
  fixCases([
    time("2026/1/31", "2026-01-31"),
    time("31.12.2026", "2026-12-31"),
    time("12/31/2026", "2026-12-31"),
    // The third of April or the fourth of March.
    time("03/04/2026", null),
    time("Dec 31, 2026", "2026-12-31"),
    time("2026-12-31 23:59:59", "2026-12-31T23:59:59Z"),
    time("2026-12-31T23:59", "2026-12-31T23:59:00Z"),
    time("2026-13-01T00:00:00Z", null),
    time("tomorrow", null),
    address("203.0.113.0 /24", "203.0.113.0/24"),
    address("203.0.113.*", "203.0.113.0/24"),
    address("203.0.113/24", "203.0.113.0/24"),
    address("203.0.113.0-203.0.113.127", "203.0.113.0/25"),
    address("203.0.113.1-203.0.113.9", null),
    address("203.0.113.0/255.255.255.0", "203.0.113.0/24"),
    address("203.0.113.0/255.0.255.0", null),
    address("203.0.113.0/33", null),
    address("203.0.113", null),
    // Three digits may be octal.
    address("203.000.113.01", null),
    bool("fasle", "false"),
    bool("ture", "true"),
    bool("the", null),
    bool("else", null),
  ]);
});

function region(from: string, to: string | null): FixCase {
  const statement = (text: string) => ({
    ...read,
    Condition: {
      [/[*]/.test(from) ? "StringLike" : "StringEquals"]: { "aws:RequestedRegion": text },
    },
  });
  return {
    name: to === null ? `leaves ${from}` : `writes ${to} for ${from}`,
    of: "condition_type_mismatch/invalid_region",
    before: statement(from),
    ...(to === null ? {} : { after: statement(to), effect: "repairs" as const }),
  };
}

describe("Regions", () => {
  fixCases([
    region("EU-WEST-1", "eu-west-1"),
    region("eu_west_*", "eu-west-*"),
    region("eu-wets-*", "eu-west-*"),
    region("eu-central", null),
  ]);
});

describe("keys", () => {
  const key = (name: string) => ({ ...read, Condition: { StringEquals: { [name]: "x" } } });
  fixCases(
    [
      ["aws:ResourceTag:Team", "aws:ResourceTag/Team"],
      ["aws:PrincipalTag.Team", "aws:PrincipalTag/Team"],
      ["aws:PrincipalTags/Team", "aws:PrincipalTag/Team"],
    ].map(([from = "", to = ""]) => ({
      name: `writes ${to} for ${from}`,
      of: "condition_key_validation/invalid_condition_key",
      before: key(from),
      after: key(to),
      effect: "repairs" as const,
    })),
  );
});

describe("a tag of the request that an action never sends", () => {
  const ended = (key: string, Action: string, Resource: string) => ({
    Effect: "Allow",
    Action,
    Resource,
    Condition: { StringEquals: { [key]: "web" } },
  });
  const instances = "arn:aws:ec2:eu-west-1:111122223333:instance/*";
  const end = "ec2:TerminateInstances";
  fixCases([
    {
      name: "becomes the tag of the resource",
      of: "condition_key_validation/invalid_condition_key",
      before: ended("aws:RequestTag/team", end, instances),
      after: ended("aws:ResourceTag/team", end, instances),
      effect: "changes",
    },
  ]);
});

describe("values that a key never has", () => {
  const issuer = "oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE";
  const under = (key: string, text: string) => ({
    ...read,
    Condition: { StringEquals: { [key]: text } },
  });
  const trusted = (text: string) => ({
    Effect: "Allow",
    Action: "sts:AssumeRoleWithWebIdentity",
    Principal: { Federated: `arn:aws:iam::111122223333:oidc-provider/${issuer}` },
    Condition: {
      StringEquals: { [`${issuer}:aud`]: "sts.amazonaws.com", [`${issuer}:sub`]: text },
    },
  });
  const of = "condition_effect/condition_never_true";
  const repairs = "repairs" as const;
  fixCases([
    {
      name: "an account id with hyphens",
      of,
      before: under("aws:ResourceAccount", "1111-2222-3333"),
      after: under("aws:ResourceAccount", "111122223333"),
      effect: repairs,
    },
    ...(
      [
        ["aws:PrincipalOrgID", "a1b2c3d4e5", "o-a1b2c3d4e5"],
        [
          "aws:ResourceOrgPaths",
          "o-a1b2c3d4e5/r-ab12/ou-ab12-11111111",
          "o-a1b2c3d4e5/r-ab12/ou-ab12-11111111/",
        ],
      ] as const
    ).map(([key, from, to]) => ({
      name: `${from} of ${key}`,
      of,
      before: under(key, from),
      after: under(key, to),
      effect: repairs,
    })),
    ...(
      [
        [
          "arn:aws:cloudfront:us-east-1:111122223333:distribution/EDFDVBD6EXAMPLE",
          "arn:aws:cloudfront::111122223333:distribution/EDFDVBD6EXAMPLE",
        ],
        ["arn:aws:s3:::reports/daily/*", "arn:aws:s3:::reports"],
      ] as const
    ).map(([from, to]) => {
      const publish = (source: string) => ({
        Effect: "Allow",
        Principal: { Service: `${source.split(":")[2]}.amazonaws.com` },
        Action: "sns:Publish",
        Resource: "arn:aws:sns:eu-west-1:111122223333:topic",
        Condition: { ArnLike: { "aws:SourceArn": source } },
      });
      return {
        name: `the source ${from}`,
        of,
        type: "RESOURCE_POLICY" as const,
        before: publish(from),
        after: publish(to),
        effect: repairs,
      };
    }),
    ...(
      [
        ["SAML:aud", "https://signin.aws.amazon.com", "https://signin.aws.amazon.com/saml"],
        ["SAML:aud", "signin.aws.amazon.com/saml/", "https://signin.aws.amazon.com/saml"],
        ["SAML:aud", "https://login.example.com", null],
        [
          "token.actions.githubusercontent.com:sub",
          "acme/app:ref:refs/heads/main",
          "repo:acme/app:ref:refs/heads/main",
        ],
        [
          "token.actions.githubusercontent.com:sub",
          "acme/app:refs/heads/main",
          "repo:acme/app:ref:refs/heads/main",
        ],
      ] as const
    ).map(([key, from, to]) => {
      const isSaml = key.startsWith("SAML");
      const provider = isSaml
        ? "saml-provider/Staff"
        : "oidc-provider/token.actions.githubusercontent.com";
      const assume = (text: string) => ({
        Effect: "Allow",
        Action: `sts:AssumeRoleWith${isSaml ? "SAML" : "WebIdentity"}`,
        Principal: { Federated: `arn:aws:iam::111122223333:${provider}` },
        Condition: { StringEquals: { [key]: text } },
      });
      return {
        name: to === null ? `leaves ${from} of ${key}` : `${from} of ${key}`,
        of,
        type: "TRUST_POLICY" as const,
        before: assume(from),
        ...(to === null ? {} : { after: assume(to), effect: repairs }),
      };
    }),
    {
      name: "an account id of eleven digits",
      of,
      before: under("aws:ResourceAccount", "11112222333"),
    },
    {
      name: "the id of a VPC under the key of an endpoint",
      of,
      before: under("aws:SourceVpce", "vpc-0a1b2c3d"),
      after: under("aws:SourceVpc", "vpc-0a1b2c3d"),
      effect: repairs,
    },
    ...["system:serviceaccounts:apps:api", "apps:api", "system:serviceaccount:apps/api"].map(
      (text) => ({
        name: `the service account ${text}`,
        of,
        type: "TRUST_POLICY" as const,
        before: trusted(text),
        after: trusted("system:serviceaccount:apps:api"),
        effect: repairs,
      }),
    ),
    {
      name: "a subject that begins with another word",
      of,
      type: "TRUST_POLICY",
      before: trusted("system:node:ip-10-0-0-1"),
    },
  ]);
});

describe("the form of a condition", () => {
  const start = {
    Effect: "Allow",
    Action: "ec2:StartInstances",
    Resource: "arn:aws:ec2:eu-west-1:111122223333:instance/*",
  };
  const launch = (Resource: string) => ({
    Effect: "Deny",
    Action: "ec2:RunInstances",
    Resource,
    Condition: { StringNotEquals: { "ec2:InstanceType": "t3.micro" } },
  });
  const vpcTest = { ...read, Condition: { StringEquals: vpc } };
  const repairs = "repairs" as const;
  fixCases([
    {
      name: "an operator beside Condition",
      of: "policy_structure/unknown_field",
      before: { ...read, StringEquals: vpc },
      after: vpcTest,
      effect: repairs,
    },
    {
      name: "an operator beside a misspelt element",
      of: "policy_structure/unknown_field",
      before: { Effect: "Allow", Actions: read.Action, Resource: read.Resource, StringEquals: vpc },
      after: vpcTest,
      effect: repairs,
    },
    {
      name: "a global key without its operator",
      of: "policy_structure/invalid_element_type",
      before: { ...read, Condition: { ...vpc, "aws:SecureTransport": "true" } },
      after: { ...read, Condition: { StringEquals: vpc, Bool: { "aws:SecureTransport": "true" } } },
      effect: repairs,
    },
    {
      name: "a key without operator whose type leaves a choice",
      of: "policy_structure/invalid_element_type",
      before: { ...read, Condition: { "aws:CurrentTime": "2030-01-01" } },
    },
    {
      name: "a tag without its operator",
      of: "policy_structure/invalid_element_type",
      before: { ...start, Condition: { "aws:ResourceTag/team": "a*" } },
      after: { ...start, Condition: { StringLike: { "aws:ResourceTag/team": "a*" } } },
      effect: repairs,
    },
    {
      name: "a tag around its operator",
      of: "condition_type_mismatch/invalid_operator",
      before: { ...start, Condition: { "aws:ResourceTag/team": { StringEquals: "a" } } },
      after: { ...start, Condition: { StringEquals: { "aws:ResourceTag/team": "a" } } },
      effect: repairs,
    },
    {
      name: "keys in a list",
      of: "policy_structure/invalid_element_type",
      before: {
        ...start,
        Condition: { StringEquals: [{ "aws:ResourceTag/a": "1" }, { "aws:ResourceTag/b": "2" }] },
      },
      after: {
        ...start,
        Condition: { StringEquals: { "aws:ResourceTag/a": "1", "aws:ResourceTag/b": "2" } },
      },
      effect: repairs,
    },
    {
      name: "a key that is in the list twice",
      of: "policy_structure/invalid_element_type",
      before: {
        ...start,
        Condition: { StringEquals: [{ "aws:ResourceTag/a": "1" }, { "aws:resourcetag/a": "2" }] },
      },
    },
    {
      name: "a role without its account",
      of: "condition_type_mismatch/invalid_value_format",
      before: { ...start, Condition: { ArnLike: { "aws:PrincipalArn": "role/Admin*" } } },
      after: {
        ...start,
        Condition: { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::<account-id>:role/Admin*" } },
      },
      effect: repairs,
      asks: ["<account-id>"],
    },
    ...(
      [
        ["${aws:PrincipalTag:team}", "${aws:PrincipalTag/team}"],
        ["${aws:PrincipalTags.team}", "${aws:PrincipalTag/team}"],
        ["${aws:username", "${aws:username}"],
        ["home/${aws:username/*", "home/${aws:username}/*"],
        ["${aws:PrincipalTag/team", "${aws:PrincipalTag/team}"],
        ["${aws:nosuchkey", null],
      ] as const
    ).map(([from, to]) => {
      const tagged = (value: string) => ({
        ...start,
        Condition: { StringLike: { "aws:ResourceTag/team": value } },
      });
      return {
        name: to === null ? `leaves ${from}` : `writes ${to} for ${from}`,
        of: "policy_variables/invalid_policy_variable",
        before: tagged(from),
        ...(to === null ? {} : { after: tagged(to), effect: repairs }),
      };
    }),
    {
      name: "a Deny of launches by a key that only instances have",
      of: "condition_key_validation/invalid_condition_key",
      type: "SERVICE_CONTROL_POLICY",
      before: launch("*"),
      after: launch("arn:aws:ec2:*:*:instance/*"),
      effect: "changes",
    },
    {
      name: "an Effect in a list",
      of: "policy_structure/invalid_effect",
      before: { ...start, Effect: ["Allow"] },
      after: start,
      effect: repairs,
    },
    {
      name: "key and operator in the wrong order",
      of: "condition_type_mismatch/invalid_operator",
      before: { ...read, Condition: { "aws:SourceVpc": { StringEquals: "vpc-12345678" } } },
      after: vpcTest,
      effect: repairs,
    },
  ]);
});

describe("a subject that lets strangers in", () => {
  const issuer = "token.actions.githubusercontent.com";
  const assume = (Condition: object) => ({
    Effect: "Allow",
    Action: "sts:AssumeRoleWithWebIdentity",
    Principal: { Federated: `arn:aws:iam::111122223333:oidc-provider/${issuer}` },
    Condition,
  });
  const subject = (sub: unknown) =>
    assume({ StringLike: { [`${issuer}:aud`]: "sts.amazonaws.com", [`${issuer}:sub`]: sub } });
  const of = "no_public_access/public_access";
  fixCases([
    {
      name: "names the project and the branch",
      of,
      type: "TRUST_POLICY",
      before: subject("repo:*"),
      after: subject("repo:<org>/<repo>:ref:refs/heads/<branch>"),
      asks: ["<org>", "<repo>", "<branch>"],
      effect: "narrows",
    },
    {
      name: "leaves a list of subjects",
      of,
      type: "TRUST_POLICY",
      before: subject(["repo:*", "repo:acme/app:*"]),
    },
  ]);
});

describe("set prefixes on keys with one value", () => {
  const tag = { "aws:ResourceTag/team": ["a"] };
  const start = {
    Effect: "Allow",
    Action: "ec2:StartInstances",
    Resource: "arn:aws:ec2:eu-west-1:111122223333:instance/*",
  };
  const single = "set_operator_validation/set_operator_on_single_valued_key";
  const prefix = (of: string, from: string, to: string, effect: FixCase["effect"]): FixCase => ({
    name: `${from} becomes ${to}`,
    of,
    before: { ...start, Condition: { [from]: tag } },
    after: { ...start, Condition: { [to]: tag } },
    ...(effect ? { effect } : {}),
  });
  fixCases([
    prefix(single, "ForAllValues:StringEquals", "StringEquals", "narrows"),
    prefix(single, "ForAnyValue:StringEquals", "StringEquals", "equivalent"),
    // Without the key ForAnyValue is false, and a negated operator true.
    prefix(single, "ForAnyValue:StringNotEquals", "StringNotEquals", "changes"),
    prefix(
      "set_operator_validation/forallvalues_allow_without_null_check",
      "ForAllValues:StringEquals",
      "StringEquals",
      "narrows",
    ),
  ]);
});
