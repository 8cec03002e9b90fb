import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { Finding } from "../../spec/finding.ts";
import { PolicyType } from "../../spec/policy.ts";
import { builtinChecks } from "../../src/checks/index.ts";
import { validatePolicy } from "../../src/engine/run.ts";
import type { Engine } from "../../src/engine/types.ts";
import { parseDocument } from "../../src/policy/document.ts";
import { embeddedServices } from "../../src/services/embedded.ts";
import { managedPolicies } from "../support/managed-policies.ts";
import { engineFor } from "../support/run-check.ts";

const services = embeddedServices();
const withArnRules = {
  action_condition_enforcement: {
    action_condition_requirements: [
      {
        action_patterns: ["^(s3|iam):(Get|Put|.*)+$"],
        required_conditions: [{ condition_key: "aws:SourceIp" }],
      },
    ],
  },
  wildcard_resource: { ignore_patterns: [{ sid: "(a|a*)*b", action: "(.*)*x" }] },
};
/** A check that throws fails the test: `onCheckError` throws. */
const engine = engineFor(builtinChecks, withArnRules, services);

async function validate(policy: unknown, type: PolicyType | null, using: Engine = engine) {
  const document = await parseDocument(policy);
  const input = { document, name: null, declaredType: type, label: "policy-0" };
  return validatePolicy(input, using);
}

/** Whatever comes out must be what the contract says. */
async function isJudged(policy: unknown, type: PolicyType | null): Promise<void> {
  const { findings, is_valid } = await validate(policy, type);
  for (const finding of findings) {
    const parsed = Finding.safeParse(finding);
    expect(parsed.error?.issues ?? []).toEqual([]);
    expect(finding.message.length).toBeLessThan(20_000);
  }
  expect(is_valid).toBe(
    !findings.some(({ severity }) => ["error", "critical", "high"].includes(severity)),
  );
}

const anyType = fc.option(fc.constantFrom(...PolicyType.options), { nil: null });

const oddText = fc.oneof(
  fc.constantFrom(
    "*",
    "**",
    "*:*",
    "s3:*",
    "S3:GET*",
    "iam:PassRole",
    "sts:AssumeRole*",
    "ec2:*:*",
    ":",
    "::",
    "s3:",
    ":Get",
    "arn:",
    "arn:aws:s3:::*",
    "arn:*:*:*:*:*",
    "arn:aws:iam::*:role/*",
    "arn:aws:s3:::${aws:username}/*",
    "${",
    "${aws:PrincipalTag/x}",
    "{{x}}",
    "__proto__",
    "toString",
    "constructor",
    "\ud800",
    "\u0000",
    "\n`'\"<b>|",
    "0.0.0.0/0",
    "::/0",
    "true",
    "2019-02-29",
    "1e999",
    "aws:SourceIp",
    "aws:PrincipalTag/",
    "ForAllValues:StringLike",
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.nat(2000).map((length) => "*".repeat(length)),
  fc.nat(500).map((length) => `s3:${"a*".repeat(length)}b`),
  fc.nat(300).map((length) => `arn:aws:s3:::${"*/".repeat(length)}?`),
  fc.nat(300).map((length) => `arn:${":".repeat(length)}`),
  fc.nat(300).map((length) => "${".repeat(length)),
);
const textOrList = fc.oneof(
  oddText,
  fc.array(oddText, { maxLength: 6 }),
  fc.jsonValue({ maxDepth: 2 }),
);
const operator = fc.constantFrom(
  "StringEquals",
  "StringNotLike",
  "ArnLike",
  "Bool",
  "Null",
  "NullIfExists",
  "IpAddress",
  "DateLessThan",
  "ForAnyValue:StringLikeIfExists",
  "ForAllValues:ArnEquals",
  "NumericEquals",
  "BinaryEquals",
  "nonsense",
  "__proto__",
);
const key = fc.oneof(
  fc.constantFrom(
    "aws:SourceIp",
    "aws:PrincipalOrgID",
    "aws:MultiFactorAuthPresent",
    "aws:TagKeys",
    "s3:prefix",
    "__proto__",
    "kms:EncryptionContext:a:b",
    "token.actions.githubusercontent.com:sub",
    "aws:PrincipalIsAWSService",
  ),
  oddText,
);
const condition = fc.oneof(
  fc.dictionary(
    operator,
    fc.oneof(fc.dictionary(key, textOrList, { maxKeys: 3 }), fc.jsonValue()),
    { maxKeys: 3 },
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const principal = fc.oneof(
  fc.constant("*"),
  fc.dictionary(fc.constantFrom("AWS", "Service", "Federated", "CanonicalUser", "x"), textOrList, {
    maxKeys: 3,
  }),
  fc.jsonValue({ maxDepth: 2 }),
);
const statement = fc.oneof(
  fc.record(
    {
      Sid: fc.oneof(oddText, fc.jsonValue({ maxDepth: 1 })),
      Effect: fc.oneof(
        fc.constantFrom("Allow", "Deny", "allow", " Allow "),
        fc.jsonValue({ maxDepth: 1 }),
      ),
      Action: textOrList,
      NotAction: textOrList,
      Resource: textOrList,
      NotResource: textOrList,
      Principal: principal,
      NotPrincipal: principal,
      Condition: condition,
      Extra: fc.jsonValue({ maxDepth: 1 }),
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const document = fc.oneof(
  fc.record(
    {
      Version: fc.oneof(fc.constantFrom("2012-10-17", "2008-10-17"), fc.jsonValue({ maxDepth: 1 })),
      Id: fc.jsonValue({ maxDepth: 1 }),
      Statement: fc.oneof(fc.array(statement, { maxLength: 5 }), statement),
      Extra: fc.jsonValue({ maxDepth: 1 }),
    },
    { requiredKeys: [] },
  ),
  statement,
  fc.jsonValue(),
);

describe("any JSON value as a policy", () => {
  test("gets findings, as an object and as text", async () => {
    await fc.assert(
      fc.asyncProperty(document, anyType, async (value, type) => {
        await isJudged(value, type);
        await isJudged(JSON.stringify(value, null, 1), type);
      }),
      { numRuns: 400 },
    );
  });

  test("gets findings, when it is any text at all", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 300 }), anyType, isJudged),
      { numRuns: 300 },
    );
  });

  test("gets findings, when a real policy was damaged anywhere", async () => {
    const texts = managedPolicies()
      .filter((_, index) => index % 40 === 0)
      .map((policy) => JSON.stringify(policy.document));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...texts),
        fc.array(fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.nat(8), oddText), {
          minLength: 1,
          maxLength: 3,
        }),
        anyType,
        async (text, cuts, type) => {
          let damaged = text;
          for (const [where, length, insert] of cuts) {
            const at = Math.floor(where * damaged.length);
            damaged = damaged.slice(0, at) + insert + damaged.slice(at + length);
          }
          await isJudged(damaged, type);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Statement lists of about 100 KB; each kind of hostility against a plain policy of the same size. */
const size = 100_000;
function filled(one: (index: number) => object): object {
  const each = JSON.stringify(one(1000)).length + 1;
  const Statement = Array.from({ length: Math.ceil(size / each) }, (_, index) => one(index));
  return { Version: "2012-10-17", Statement };
}
const allow = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" };
const benign = filled((index) => ({ Sid: `Read${index}`, ...allow }));

const volume = "arn:aws:ec2:eu-west-1:111122223333:volume/vol-";

const hostile: Record<string, object> = {
  "globs of many stars": filled(() => ({
    ...allow,
    Action: [`s3:${"a*".repeat(100)}b`, `ec2:${"*e".repeat(100)}`],
  })),
  "one action of 100,000 stars": { Statement: [{ ...allow, Action: `s3:${"*".repeat(size)}` }] },
  "resources of many stars": filled(() => ({
    ...allow,
    Resource: `arn:aws:s3:::${"*a".repeat(500)}`,
  })),
  "one resource of many placeholders": {
    Statement: [{ ...allow, Resource: `arn:aws:s3:::${"${a}".repeat(size / 4)}` }],
  },
  "one ARN of colons": { Statement: [{ ...allow, Resource: `arn:${":".repeat(size)}` }] },
  "one long Sid": { Statement: [{ ...allow, Sid: "a".repeat(size) }] },
  "the same Sid everywhere": filled(() => ({ Sid: "Same", ...allow })),
  "actions that do not exist": filled((index) => ({ ...allow, Action: `s3:GetObjct${index}` })),
  "services that do not exist": filled((index) => ({
    ...allow,
    Action: `nosuchservice${index}:Get`,
  })),
  "every action of large services": filled(() => ({
    ...allow,
    Action: ["ec2:*", "s3:*", "iam:*", "sagemaker:*"],
  })),
  "one statement of many conditions": {
    Statement: [
      {
        ...allow,
        Condition: {
          StringEquals: Object.fromEntries(
            Array.from({ length: 3000 }, (_, index) => [`aws:RequestTag/${index}`, "x"]),
          ),
        },
      },
    ],
  },
  "one condition of many values": {
    Statement: [
      {
        ...allow,
        Condition: {
          IpAddress: {
            "aws:SourceIp": Array.from({ length: 8000 }, (_, index) => `10.0.${index}`),
          },
        },
      },
    ],
  },
  "many actions against many resources": {
    Statement: [
      {
        ...allow,
        Action: Array.from({ length: 1500 }, (_, index) =>
          index % 2 ? "s3:GetObject" : "sqs:SendMessage",
        ),
        Resource: Array.from(
          { length: 1500 },
          (_, index) => `arn:aws:dynamodb:eu-west-1:111122223333:table/t${index}`,
        ),
      },
    ],
  },
  "tests of tags beside Allows to set tags": {
    Statement: Array.from({ length: 400 }, (_, at) =>
      at % 2
        ? { ...allow, Action: "ec2:CreateTags", Resource: `${volume}${at}` }
        : {
            ...allow,
            Action: at < 200 ? "ec2:StopInstances" : "ec2:DeleteVolume",
            Resource:
              at < 200 ? `${volume.replace("volume/vol", "instance/i")}${at}` : `${volume}${at}`,
            Condition: { StringEquals: { "ec2:ResourceTag/team": `team-${at}` } },
          },
    ).concat({ ...allow, Action: "ec2:CreateTags", Resource: "arn:aws:ec2:*:*:volume/*" }),
  },
  "sources in many statements": {
    Statement: Array.from({ length: 400 }, (_, at) => ({
      Effect: "Allow",
      Principal: { Service: "events.amazonaws.com" },
      Action: "sqs:SendMessage",
      Resource: "*",
      Condition: {
        ArnEquals: { "aws:SourceArn": `arn:aws:events:eu-west-1:111122223333:rule/r${at}` },
        StringEquals: { "aws:SourceAccount": String(100_000_000_000 + at) },
      },
    })),
  },
  "many principals": {
    Statement: [
      {
        Effect: "Allow",
        Action: "sts:AssumeRole",
        Principal: {
          AWS: Array.from({ length: 2000 }, (_, index) => `arn:aws:iam::${index}:root`),
        },
      },
    ],
  },
};

/** @returns the time of one validation, in ms per byte. */
async function cost(policy: object): Promise<number> {
  const started = performance.now();
  await validate(policy, null);
  return (performance.now() - started) / JSON.stringify(policy).length;
}

/** The best of three, so that a busy machine does not make the bound of all others larger. */
async function plainCost(): Promise<number> {
  return Math.min(await cost(benign), await cost(benign), await cost(benign));
}

const mostTimes = 40;

describe("hostile policies", () => {
  let plain: number;
  beforeAll(async () => {
    plain = await plainCost();
  });

  // A factor, not a time: a quadratic or exponential path would be out by orders of magnitude.
  test.each(Object.entries(hostile))(
    `%s: at most ${mostTimes} times a plain policy of that size`,
    async (_, policy) => {
      let times = (await cost(policy)) / plain;
      // What the machine does beside this may make a run slower, but none faster.
      for (let more = 0; more < 2 && times >= mostTimes; more++) {
        times = Math.min(times, (await cost(policy)) / plain);
      }
      expect(times).toBeLessThan(mostTimes);
    },
    60_000,
  );
});
