import { describe, expect, test } from "vitest";
import {
  analysed,
  codesOf,
  nodeAt,
  places,
  plain,
  type Row,
  Type,
  table,
  textOf,
} from "../../test/support/code-table.ts";
import { issueCodes } from "./codes.ts";

const github = "token.actions.githubusercontent.com";

/** Codes that the recorded answers of AWS hold; `test/vectors/parity.test.ts` compares those. */
const recorded = [
  "ALLOW_WITH_UNSUPPORTED_TAG_CONDITION_KEY_FOR_SERVICE",
  "CREATE_SLR_WITH_STAR_IN_ACTION_AND_RESOURCE",
  "CREATE_SLR_WITH_STAR_IN_RESOURCE",
  "EQUIVALENT_TO_NULL_FALSE",
  "FORALLVALUES_WITH_SINGLE_VALUED_KEY",
  "INVALID_ACTION",
  "INVALID_SERVICE",
  "INVALID_SERVICE_CONDITION_KEY",
  "INVALID_SERVICE_IN_ACTION",
  "INVALID_SERVICE_PRINCIPAL_FORMAT",
  "MISSING_ARN_ACCOUNT",
  "MISSING_ARN_REGION",
  "MISSING_QUALIFIER",
  "PASS_ROLE_WITH_STAR_IN_ACTION_AND_RESOURCE",
  "PASS_ROLE_WITH_STAR_IN_RESOURCE",
  "POLICY_SIZE_EXCEEDS_IDENTITY_POLICY_QUOTA",
  "REDUNDANT_ACTION",
  "REDUNDANT_RESOURCE",
  "STRING_LIKE_OPERATOR_WITH_ARN_CONDITION_KEYS",
  "WILDCARD_WITHOUT_LIKE_OPERATOR",
];

describe("codes of AWS's policy checks", () => {
  test("are covered: each by recorded answers or by the table, and by one of them", () => {
    expect([...recorded, ...Object.keys(table)].toSorted()).toEqual(issueCodes);
  });

  test.each(Object.entries(plain))(
    "none is given for a plain statement of the type %s",
    async (type) => {
      expect(codesOf(await analysed({}, Type.parse(type)))).toEqual([]);
    },
  );

  describe.each(Object.entries(table))("%s", (code, { type, place, must, must_not }) => {
    test.each(must.map((row) => [JSON.stringify(row), row] as const))(
      "is given for %s",
      async (_, row) => {
        const findings = await analysed(row, type);
        expect(codesOf(findings)).toContain(code);
        const first = findings.find((one) => one.code === code)?.locations[0];
        if (place && first)
          expect(places[place](first.path), JSON.stringify(first.path)).toBe(true);
        const offsets = findings.map(({ locations }) => locations[0]?.span.start.offset ?? 0);
        expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
      },
    );

    test.each(must_not.map((row) => [JSON.stringify(row), row] as const))(
      "is not given for %s",
      async (_, row) => {
        expect(codesOf(await analysed(row, type))).not.toContain(code);
      },
    );
  });

  test.each([
    ["s3", true],
    ["Lambda.amazonaws.com", true],
    ["https://lambda.amazonaws.com", true],
    ["arn:aws:iam::111122223333:root", true],
    ["logging.s3.amazonaws.com", false],
    ["states.eu-west-1.amazonaws.com", false],
    ["ec2.amazonaws.com.cn", false],
    ["*", false],
  ])("the service principal %s has the wrong form: %s", async (Service, isWrong) => {
    const findings = await analysed({ Principal: { Service } }, "trust");
    expect(codesOf(findings).includes("INVALID_SERVICE_PRINCIPAL_FORMAT")).toBe(isWrong);
  });

  test("have spans that are the text of the node that the path names", {
    timeout: 120_000,
  }, async () => {
    const rows = Object.values(table).flatMap(({ type, must }) =>
      must.filter(({ text }) => text === undefined).map((row) => ({ type, row })),
    );
    for (const { type, row } of rows) {
      const text = textOf(row, row.type ?? type);
      for (const { code, locations } of await analysed(row, type)) {
        for (const { path, span } of locations) {
          const part = text.slice(span.start.offset, span.end.offset);
          expect(JSON.parse(part), `${code} ${JSON.stringify(path)}`).toEqual(
            nodeAt(JSON.parse(text), path),
          );
        }
      }
    }
  });

  test.each([
    [
      "CREATE_SLR_WITH_STAR_IN_RESOURCE",
      "identity",
      { Resource: "*", Action: "iam:CreateServiceLinkedRole" },
      ["Action", "Resource"],
    ],
    [
      "PASS_ROLE_WITH_NOT_RESOURCE",
      "identity",
      { NotResource: "arn:aws:iam::111122223333:role/x", Action: "iam:PassRole" },
      ["Action", "NotResource"],
    ],
    [
      "MISMATCHED_ACTION_FOR_PRINCIPAL",
      "trust",
      { Principal: { Federated: "accounts.google.com" }, Action: "sts:AssumeRole" },
      ["Action", "Principal"],
    ],
    [
      "ALLOW_WITH_UNSUPPORTED_TAG_CONDITION_KEY_FOR_SERVICE",
      "identity",
      {
        Condition: { StringEquals: { "aws:ResourceTag/env": "prod" } },
        Resource: "*",
        Action: "s3:ListAllMyBuckets",
      },
      ["Action", "Condition"],
    ],
  ] as const)(
    "%s has its locations by element, not by place in the text",
    async (code, type, members, order) => {
      const document = { Version: "2012-10-17", Statement: [{ Effect: "Allow", ...members }] };
      const found = (await analysed({ document }, type)).find((one) => one.code === code);
      const names = found?.locations.map(({ path }) => path[2] && Object.values(path[2])[0]);
      expect(names).toEqual(order);
    },
  );

  test.each([
    ["repo:*", "before a wildcard"],
    ["a${aws:username}/release", "before a policy variable"],
    ["repo:acme@*/abc@*:ref:refs/heads/main", "between two wildcards"],
    ["repo:acme@*/${aws:username}", "between a wildcard and a policy variable"],
    ["repo:acme/${aws:username}:*", "between a policy variable and a wildcard"],
    ["repo:acme/${aws:username}${aws:userid}", "between two policy variables"],
  ])("the few characters of the subject %s are %s", async (sub, place) => {
    const Federated = `arn:aws:iam::111122223333:oidc-provider/${github}`;
    const Condition = { StringLike: { [`${github}:sub`]: sub } };
    const Action = "sts:AssumeRoleWithWebIdentity";
    const findings = await analysed({ Principal: { Federated }, Action, Condition }, "trust");
    const found = findings.find(({ code }) => code.endsWith("_USAGE_TOO_PERMISSIVE"));
    expect(found?.details).toContain(`fewer than 6 characters ${place}, so `);
  });

  test("an ARN of another service than that of the policy's resource is said once", async () => {
    const Resource = ["arn:aws:s3:::b/*", "arn:aws:kms:eu-west-1:111122223333:key/a"];
    const row = { Resource, resource_type: "AWS::S3::Bucket" } as const;
    const findings = await analysed(row, "resource");
    expect(codesOf(findings)).toEqual(["UNSUPPORTED_RESOURCE_ARN_IN_POLICY"]);
  });

  test("one finding of an action names all principals that it does not fit", async () => {
    const Federated = [
      "cognito-identity.amazonaws.com",
      "arn:aws:iam::111122223333:saml-provider/a",
    ];
    const row = { Principal: { AWS: "111122223333", Federated }, Action: "sts:AssumeRole" };
    const found = (await analysed(row, "trust")).filter(({ code }) =>
      code.startsWith("MISMATCHED"),
    );
    const paths = found.map(({ locations }) => locations.map(({ path }) => path.slice(2)));
    const principal = [{ value: "Principal" }, { value: "Federated" }];
    const [first, second] = [
      [...principal, { index: 0 }],
      [...principal, { index: 1 }],
    ];
    expect(paths).toEqual([[[{ value: "Action" }], first, second]]);
    expect(found[0]?.details).toMatch(
      / does not fit the principals `cognito-.*` and `arn:.*`\. Use /,
    );
  });

  const slr = "iam:CreateServiceLinkedRole";
  test.each([
    ["iam:PassRole", "arn:aws:iam::*:*", "PASS_ROLE_WITH_STAR_IN_RESOURCE"],
    ["iam:PassRole", "arn:aws:iam::*:role/*", "PASS_ROLE_WITH_STAR_IN_RESOURCE"],
    ["iam:PassRole", "arn:aws-cn:iam::111122223333:role/*", "PASS_ROLE_WITH_STAR_IN_RESOURCE"],
    [
      "iam:PassRole",
      "arn:*:iam::${aws:PrincipalAccount}:role/*",
      "PASS_ROLE_WITH_STAR_IN_RESOURCE",
    ],
    ["iam:Pass*", "arn:aws:iam::*", "PASS_ROLE_WITH_STAR_IN_ACTION_AND_RESOURCE"],
    [slr, "arn:aws:iam::*:role/*", "CREATE_SLR_WITH_STAR_IN_RESOURCE"],
    [slr, "arn:aws:iam::*:role/aws-service-role/*", "CREATE_SLR_WITH_STAR_IN_RESOURCE"],
  ])("%s on %s is as wide as on `*`: %s", async (Action, wide, code) => {
    const Resource = ["arn:aws:iam::111122223333:role/app", wide];
    const [finding, ...others] = await analysed({ Action, Resource }, "identity");
    const codes = codesOf(others).filter((one) => one !== "REDUNDANT_RESOURCE");
    expect([finding?.code, ...codes]).toEqual([code]);
    expect(finding?.locations.at(-1)?.path.slice(2)).toEqual([{ value: "Resource" }, { index: 1 }]);
  });

  test.each([
    ["iam:PassRole", "arn:aws:iam::*:role/CodeStarWorker*"],
    ["iam:PassRole", "arn:aws:iam::*:role/*-worker"],
    ["iam:PassRole", "arn:aws:iam::*:role/service-role/*"],
    ["iam:PassRole", "arn:aws:iam::*:instance-profile/*"],
    ["iam:PassRole", "arn:aws:iam::*:role/aws-service-role/*"],
    [slr, "arn:aws:iam::*:role/aws-service-role/ecs.amazonaws.com/*"],
    [slr, "arn:aws:iam::*:role/aws-service-role/*.amazonaws.com/AWSServiceRoleForECS"],
  ])("%s on %s is limited", async (Action, Resource) => {
    expect(codesOf(await analysed({ Action, Resource }, "identity"))).toEqual([]);
  });

  const unknownName = { Action: ["s3:GetObjct", "s4:GetObject"], Resource: "arn:aws:s4:::a" };
  test.each([
    ["INVALID_ACTION", "identity", unknownName],
    ["INVALID_SERVICE_IN_ACTION", "identity", unknownName],
    ["INVALID_SERVICE", "identity", unknownName],
    [
      "INVALID_SERVICE_CONDITION_KEY",
      "identity",
      { Condition: { StringEquals: { "s3:prefixes": "a" } } },
    ],
    ["INVALID_GLOBAL_CONDITION_KEY", "identity", { Condition: { Bool: { "aws:Tls": "true" } } }],
    [
      "INVALID_REGION",
      "identity",
      { Condition: { StringEquals: { "aws:RequestedRegion": "eu-west-9" } } },
    ],
    ["INVALID_ARN_REGION", "identity", { Resource: "arn:aws:sqs:eu-west-9:111122223333:a" }],
    ["INVALID_ARN_RESOURCE", "identity", { Resource: "arn:aws:iam::111122223333:rle/a" }],
    [
      "ARN_REGION_NOT_ALLOWED",
      "identity",
      { Resource: "arn:aws:iam:eu-west-1:111122223333:role/a" },
    ],
    [
      "ARN_ACCOUNT_NOT_ALLOWED",
      "identity",
      { Resource: "arn:aws:route53::111122223333:hostedzone/a" },
    ],
    [
      "UNSUPPORTED_ACTION_FOR_CONDITION_KEY",
      "identity",
      { Condition: { StringLike: { "s3:prefix": "a/*" } } },
    ],
    [
      "DENY_WITH_UNSUPPORTED_TAG_CONDITION_KEY_FOR_SERVICE",
      "scp",
      { Action: "iam:ListUsers", Condition: { StringEquals: { "aws:ResourceTag/a": "b" } } },
    ],
    ["RCP_SYNTAX_ERROR_ACTION", "rcp", { Action: "ec2:RunInstances" }],
  ] as const)("%s rests on absence and names the date of the data", async (code, type, members) => {
    const found = (await analysed(members, type)).find((one) => one.code === code);
    expect(found?.details).toMatch(/\b20\d\d-\d\d-\d\d\b|September 2026/);
  });

  test("what is said of a list fits one member and several", async () => {
    const detailsOf = async (code: string, row: Row, type: "identity") =>
      (await analysed(row, type)).find((one) => one.code === code)?.details;
    const addresses = (values: readonly string[]) =>
      detailsOf(
        "PRIVATE_IP_ADDRESS",
        { Condition: { IpAddress: { "aws:SourceIp": values } } },
        "identity",
      );
    expect(await addresses(["10.0.0.0/8"])).toMatch(/never matches\./);
    expect(await addresses(["10.0.0.0/8", "172.16.0.0/12"])).toMatch(/never match\./);
    const tags = (Action: readonly string[]) =>
      detailsOf(
        "ALLOW_WITH_UNSUPPORTED_TAG_CONDITION_KEY_FOR_SERVICE",
        { Action, Resource: "*", Condition: { StringEquals: { "aws:ResourceTag/a": "b" } } },
        "identity",
      );
    expect(await tags(["ec2:Describe*", "s3:ListAllMyBuckets"])).toMatch(
      /^Requests for some actions of `ec2:Describe\*` and `s3:ListAllMyBuckets` never have /,
    );
    const empty = await detailsOf(
      "EMPTY_ARRAY_ACTION",
      { NotAction: [], Action: null },
      "identity",
    );
    expect(empty).toBe("`NotAction` is empty. Name actions, or remove the statement.");
  });

  test("a Region that does not belong there is the one fault of the fields", async () => {
    const codes = async (Resource: string) =>
      codesOf(await analysed({ Action: "iam:GetRole", Resource }, "identity"));
    expect(await codes("arn:aws:iam:eu-west-1::role/*")).toEqual(["ARN_REGION_NOT_ALLOWED"]);
    expect(await codes("arn:aws:iam:*::role/*")).toEqual(["MISSING_ARN_ACCOUNT"]);
  });

  test.each(["ec2:ResourceTag/kubernetes.io/cluster/*", "ec2:ResourceTag/team?"])(
    "the condition key %s is known: a placeholder is any text",
    async (key) => {
      const Condition = { StringEquals: { [key]: "owned" } };
      const row = { Action: "ec2:DeleteVolume", Resource: "*", Condition };
      expect(codesOf(await analysed(row, "identity"))).toEqual([]);
    },
  );

  test.each(["*:Describe*", "s*:GetObject", "s?:Get*", "*:*"])(
    "the service of the action %s does not exist: its name takes no wildcard",
    async (action) => {
      const row = { Effect: "Deny", Action: null, NotAction: ["s3:GetObject", action] };
      const findings = await analysed(row, "identity");
      expect(codesOf(findings)).toEqual(["INVALID_SERVICE_IN_ACTION"]);
      expect(findings[0]?.locations.map(({ path }) => path.at(-1))).toEqual([{ index: 1 }]);
    },
  );

  test("a trust policy that is analysed as any resource policy lacks a resource", async () => {
    const Federated = "arn:aws:iam::111122223333:oidc-provider/gitlab.com";
    const Condition = {
      StringEquals: { "gitlab.com:aud": "https://gitlab.com", "gitlab.com:sub": "acme" },
    };
    const role = { Principal: { Federated }, Action: "sts:AssumeRoleWithWebIdentity", Condition };
    expect(codesOf(await analysed({ ...role, Resource: null }, "resource"))).toEqual([
      "MISSING_RESOURCE",
      "CONFIRM_AUDIENCE_CLAIM_TYPE",
    ]);
    expect(codesOf(await analysed(role, "trust"))).toEqual(["CONFIRM_AUDIENCE_CLAIM_TYPE"]);
  });

  test("entries of one meaning are one group of redundant entries", async () => {
    const findings = await analysed(
      { Action: ["s3:Get*", "s3:get**", "s3:GetObject"], Resource: "*" },
      "identity",
    );
    expect(codesOf(findings)).toEqual(["REDUNDANT_ACTION"]);
    expect(findings[0]?.locations).toHaveLength(3);
  });
});
