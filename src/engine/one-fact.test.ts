import { expect, test } from "vitest";
import { builtinChecks } from "../checks/index.ts";
import { resolveConfig } from "../config/resolve.ts";
import { objectDocument } from "../policy/document.ts";
import { embeddedServices } from "../services/embedded.ts";
import { createEngine } from "./engine.ts";
import { validatePolicy } from "./run.ts";

const targets = builtinChecks.map((check) => ({ check, source: "builtin" as const }));
const { config, registry } = resolveConfig(
  { value: {}, lineOf: () => null },
  "config.yaml",
  targets,
);
const engine = createEngine(config, registry, embeddedServices(), (_id, error) => {
  throw error;
});

const everywhere = { IpAddress: { "aws:SourceIp": "0.0.0.0/0" } };

async function checksOn(statement: object): Promise<string[]> {
  const document = objectDocument({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Resource: "*", Condition: everywhere, ...statement }],
  });
  const input = { document, name: null, declaredType: null, label: "policy" };
  const { findings } = await validatePolicy(input, engine);
  return findings.map(({ check_id, issue_type }) => `${check_id}/${issue_type}`);
}

const always = "condition_effect/condition_always_true";

test("a sensitive action without a limit says which entry does not limit it, and only it does", async () => {
  const found = await checksOn({ Action: "iam:CreateAccessKey" });
  expect(found).toContain("sensitive_action/missing_condition");
  expect(found).not.toContain(always);
});

test("public access says so for the entries of its statement", async () => {
  const found = await checksOn({ Principal: "*", Action: "s3:GetObject" });
  expect(found).toContain("no_public_access/public_access");
  expect(found).not.toContain(always);
});

test("of an entry and a milder finding with it as the reason, the entry stays", async () => {
  const found = await checksOn({
    Action: "iam:CreateAccessKey",
    Resource: "arn:aws:iam::111122223333:user/robot",
  });
  expect(found).toContain(always);
  expect(found).not.toContain("sensitive_action/missing_condition");
});

test("an entry that no other finding has as its reason is reported", async () => {
  expect(await checksOn({ Action: "sqs:SendMessage" })).toContain(always);
});

test("an entry stays where the finding with it as the reason was replaced by a wider one", async () => {
  const found = await checksOn({ Action: "*" });
  expect(found).toContain("full_wildcard/security_risk");
  expect(found).toContain(always);
});

test("a test that requests without the key pass is said once, beside the action that it leaves open", async () => {
  const found = await checksOn({
    Action: "iam:CreateAccessKey",
    Condition: { IpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" } },
  });
  expect(found).toContain("sensitive_action/missing_condition");
  expect(found).not.toContain("ifexists_condition_usage/ifexists_weakens_security_condition");
});

test("a test that requests without the key pass stays where no other finding gives it as its reason", async () => {
  const found = await checksOn({
    Action: "sqs:SendMessage",
    Condition: { IpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" } },
  });
  expect(found).toContain("ifexists_condition_usage/ifexists_weakens_security_condition");
});

test.each([
  ["every value meets", { StringLike: { "sts:ExternalId": "*" } }, always],
  [
    "may be missing",
    { StringEqualsIfExists: { "sts:ExternalId": "a1b2c3" } },
    "ifexists_condition_usage/ifexists_weakens_security_condition",
  ],
  [
    "is excluded",
    { StringNotEquals: { "sts:ExternalId": "a1b2c3" } },
    "condition_effect/condition_inverted",
  ],
  [
    "only has to be there",
    { Null: { "sts:ExternalId": "false" } },
    "trust_policy_validation/missing_external_id",
  ],
])("an external id of a vendor that %s is said once", async (_title, Condition, one) => {
  const found = await checksOn({
    Principal: { AWS: "arn:aws:iam::464622532012:root" },
    Action: "sts:AssumeRole",
    Resource: undefined,
    Condition,
  });
  const ofId = found.filter((id) => /external_id|condition_effect\/condition_|ifexists/.test(id));
  expect(ofId).toEqual([one]);
});
