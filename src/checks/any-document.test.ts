import fc from "fast-check";
import { expect, test } from "vitest";
import { PolicyType } from "../../spec/policy.ts";
import { engineFor } from "../../test/support/run-check.ts";
import { validatePolicy } from "../engine/run.ts";
import { parseDocument } from "../policy/document.ts";
import { builtinChecks } from "./index.ts";

/** Single rules of the other checks bring separate severities. */
const others: ReadonlySet<string> = new Set([
  "wildcard_action",
  "wildcard_resource",
  "full_wildcard",
  "service_wildcard",
  "not_action_not_resource",
  "sensitive_action",
  "action_condition_enforcement",
  "principal_validation",
  "trust_policy_validation",
]);
const checks = builtinChecks.filter(({ check_id }) => !others.has(check_id));
const engine = engineFor(checks);
const byId = new Map(checks.map((check) => [check.check_id, check]));

const text = fc.oneof(
  fc.constantFrom(
    "*",
    "Allow",
    "Deny",
    "allow",
    "2012-10-17",
    "s3:GetObject",
    "s3:Get*",
    "iam:PassRole",
    "sts:AssumeRoleWithWebIdentity",
    "nope",
    "arn:aws:s3:::b/*",
    "arn:aws:s3:::${aws:username}",
    "${x}",
    "true",
    "false",
    "203.0.113.0/24",
    "__proto__",
    "toString",
    "`\n",
    "\ud800",
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const anything = fc.jsonValue({ maxDepth: 3 });
const texts = fc.oneof(text, fc.array(text, { maxLength: 4 }), anything);
const operator = fc.constantFrom(
  "StringEquals",
  "StringNotEqualsIfExists",
  "ForAllValues:ArnLike",
  "ForAnyValue:Null",
  "NullIfExists",
  "Bool",
  "BoolIfExists",
  "IpAddress",
  "DateLessThan",
  "constructor",
);
const key = fc.oneof(
  fc.constantFrom(
    "aws:SourceIp",
    "aws:TagKeys",
    "aws:MultiFactorAuthPresent",
    "aws:PrincipalOrgID",
    "aws:PrincipalIsAWSService",
    "aws:RequestTag/a",
    "s3:prefix",
    "a.com:sub",
  ),
  text,
);
const condition = fc.oneof(fc.dictionary(operator, fc.dictionary(key, texts)), anything);
const statement = fc.record(
  {
    Sid: texts,
    Effect: texts,
    Principal: fc.oneof(texts, fc.dictionary(fc.constantFrom("AWS", "Service"), texts)),
    NotPrincipal: texts,
    Action: texts,
    NotAction: texts,
    Resource: texts,
    NotResource: texts,
    Condition: condition,
    Extra: anything,
  },
  { requiredKeys: [] },
);
const policy = fc.record(
  {
    Version: texts,
    Id: texts,
    Statement: fc.oneof(
      fc.array(fc.oneof(statement, anything), { maxLength: 4 }),
      statement,
      anything,
    ),
    Other: anything,
  },
  { requiredKeys: ["Statement"] },
);

test("whatever the document, no check throws, and each finding is of a kind and severity it declares", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 5, arbitrary: policy }, anything),
      fc.option(fc.constantFrom(...PolicyType.options)),
      async (document, declaredType) => {
        const { findings } = await validatePolicy(
          { document: await parseDocument(document), name: null, declaredType, label: "policy" },
          engine,
        );
        for (const { check_id, issue_type, severity, message } of findings) {
          const declared = byId.get(check_id)?.issue_types[issue_type];
          expect(declared, `${check_id} ${issue_type}`).toBeDefined();
          expect(message).not.toMatch(/\n|undefined|\[object/);
          expect(message.isWellFormed()).toBe(true);
          if (declared?.severity === "check") {
            expect(severity).toBe(byId.get(check_id)?.default_severity);
          } else if (declared) {
            expect([declared.severity].flat()).toContain(severity);
          }
        }
      },
    ),
    { numRuns: 1000 },
  );
}, 60_000);
