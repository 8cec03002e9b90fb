import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineCheck } from "../check.ts";
import { createValidator, ValidatorError } from "./index.ts";

const policyOf = (...Statement: object[]) => ({ Version: "2012-10-17", Statement });
const readOnly = policyOf({
  Effect: "Allow",
  Action: "sqs:SendMessage",
  Resource: "arn:aws:sqs:eu-west-1:111122223333:orders",
});
const unknownAction = policyOf({
  Effect: "Allow",
  Action: "s3:GetObjct",
  Resource: "arn:aws:s3:::example-reports/*",
});

async function refusal(work: () => Promise<unknown>): Promise<ValidatorError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ValidatorError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("validate", () => {
  test("a policy without findings is valid", async () => {
    const validator = await createValidator();
    const { is_valid, issues, results } = await validator.validate(readOnly);
    expect({ is_valid, issues, results: results.length }).toEqual({
      is_valid: true,
      issues: [],
      results: 1,
    });
  });

  test("findings of a text have places; those of an object do not", async () => {
    const validator = await createValidator();
    const text = await validator.validate(JSON.stringify(unknownAction, null, 2));
    expect(text.is_valid).toBe(false);
    expect(text.severity_counts).toEqual({ error: 1 });
    expect(text.issues[0]?.location?.start.line).toBe(6);
    const object = await validator.validate(unknownAction);
    expect(object.issues[0]?.location).toBe(null);
    expect(object.issues[0]?.path).toBe("/Statement/0/Action");
  });

  test("a text that is not a policy is a finding, not an error", async () => {
    const { is_valid, issues } = await (await createValidator()).validate("{");
    expect(is_valid).toBe(false);
    expect(issues[0]?.check_id).toBe("policy_structure");
  });

  test("a template has one result for each policy in it", async () => {
    const policy = (PolicyName: string) => ({
      Type: "AWS::IAM::ManagedPolicy",
      Properties: { ManagedPolicyName: PolicyName, PolicyDocument: unknownAction },
    });
    const template = {
      AWSTemplateFormatVersion: "2010-09-09",
      Resources: { One: policy("one"), Two: policy("two") },
    };
    const { results, issues } = await (await createValidator()).validate(template);
    expect(results.map(({ unwrapped }) => unwrapped?.kind)).toEqual([
      "cloudformation",
      "cloudformation",
    ]);
    expect(issues).toHaveLength(2);
  });

  test("the level of detail decides the members of a finding", async () => {
    const validator = await createValidator();
    const full = await validator.validate(unknownAction, { detail: "full" });
    expect(full.issues[0]?.fingerprint).toMatch(/^[0-9a-f]+$/);
    const summary = await validator.validate(unknownAction, { detail: "summary" });
    expect(summary.issues).toBe(null);
    expect(summary.severity_counts).toEqual({ error: 1 });
  });

  test("fixes are applied to a copy", async () => {
    const validator = await createValidator();
    const policy = {
      Version: "2012-10-17",
      Statement: [{ ...readOnly.Statement[0], Effect: "allow" }],
    };
    const before = structuredClone(policy);
    const { is_valid, results } = await validator.validate(policy, { fix: ["repairs"] });
    expect(is_valid).toBe(true);
    expect(results[0]?.fixed_policy).toMatchObject({ Statement: [{ Effect: "Allow" }] });
    expect(policy).toEqual(before);
  });

  test("fail_on_severity replaces that of the config, in the verdict and the digest", async () => {
    const validator = await createValidator();
    const lenient = await validator.validate(unknownAction, { fail_on_severity: ["critical"] });
    expect(lenient.is_valid).toBe(true);
    expect(lenient.config_digest).not.toBe(validator.config_digest);
    const configured = await createValidator({
      config: { settings: { fail_on_severity: ["critical"] } },
    });
    expect(lenient.config_digest).toBe(configured.config_digest);
  });

  test("a baseline, a declared type and a report", async () => {
    const validator = await createValidator();
    const { results, report } = await validator.validate(unknownAction, {
      policy_type: "scp",
      baseline: readOnly,
      format: "sarif",
      name: "guardrail.json",
    });
    expect(results[0]).toMatchObject({
      name: "guardrail.json",
      policy_type: "SERVICE_CONTROL_POLICY",
    });
    expect(results[0]?.answers.map(({ check_id }) => check_id)).toContain("no_new_access");
    expect(JSON.parse(report ?? "").version).toBe("2.1.0");
  });

  test("a signal stops the work", async () => {
    const validator = await createValidator();
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(validator.validate(readOnly, { signal })).rejects.toThrow("enough");
  });
});

describe("what a program must correct is an error with a code", () => {
  const cases: readonly [string, () => Promise<unknown>, RegExp][] = [
    [
      "invalid_arguments",
      // @ts-expect-error An option of another library.
      async () => (await createValidator()).validate(readOnly, { failOnSeverity: "high" }),
      /^Invalid options: failOnSeverity: unknown key\.$/,
    ],
    [
      "unknown_policy_type",
      // @ts-expect-error A type that does not exist.
      async () => (await createValidator()).validate(readOnly, { policy_type: "identty" }),
      /^policy_type "identty" is not a policy type; use one of identity, /,
    ],
    [
      "policy_too_large",
      async () => (await createValidator({ max_policy_bytes: 20 })).validate(readOnly),
      /^the policy has \d+ bytes; the limit is 20 \(max_policy_bytes\)\./,
    ],
    [
      "invalid_policy_entry",
      // @ts-expect-error Neither a document nor a text.
      async () => (await createValidator()).validate(7),
      /^the policy is neither a policy document nor its text\.$/,
    ],
    [
      "invalid_policy_entry",
      async () => {
        const cyclic: Record<string, unknown> = {};
        cyclic.Statement = cyclic;
        return (await createValidator()).validate(cyclic);
      },
      /^The policy cannot be written as JSON\.$/,
    ],
    [
      "config_invalid",
      () => createValidator({ config: { wildcard_resorce: {}, settings: { fail_on_sev: "low" } } }),
      /^config is not valid:\n.*settings\.fail_on_sev: unknown setting; did you mean fail_on_severity.*\n.*wildcard_resorce.*did you mean wildcard_resource/,
    ],
    [
      "config_invalid",
      () => createValidator({ config: "custom_checks:\n  - module: ./x.mjs\n" }),
      /^config is not valid:\n {2}line 1: custom_checks: loads files; pass the checks in the option checks$/,
    ],
    [
      "config_unreadable",
      () => createValidator({ config: "a: [" }),
      /given as text is not valid YAML: line 1/,
    ],
    [
      "custom_check",
      // @ts-expect-error A check without its members.
      () => createValidator({ checks: [{ check_id: "mine" }] }),
      /^checks\[0\]: mine: default_severity must be one of/,
    ],
    [
      "invalid_arguments",
      // @ts-expect-error An option that does not exist.
      () => createValidator({ configFile: "x.yaml" }),
      /^Invalid options: configFile: unknown key\.$/,
    ],
    [
      "unknown_service",
      async () => (await createValidator()).expand("s33:Get*"),
      /The service `s33` is not in the reference data/,
    ],
    [
      "invalid_arguments",
      async () => (await createValidator()).expand("GetObject"),
      /the colon is missing/,
    ],
    [
      "unknown_service",
      async () => (await createValidator()).query({ kind: "condition_keys", service: "s33" }),
      /Did you mean `s3`\?/,
    ],
  ];

  test.each(cases)("%s", async (code, work, message) => {
    const error = await refusal(work);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });
});

describe("the config", () => {
  test("may be an object or a text; sections, severities and unknown names work as in a file", async () => {
    const asText = await createValidator({ config: "action_validation: { severity: low }" });
    const asObject = await createValidator({ config: { action_validation: { severity: "low" } } });
    expect(asText.config_digest).toBe(asObject.config_digest);
    expect((await asText.validate(unknownAction)).severity_counts).toEqual({ low: 1 });
    const warned = await createValidator({
      config: { settings: { fail_on_sev: "low" } },
      unknown_names: "warn",
    });
    expect(warned.warnings.join("\n")).toContain("fail_on_sev");
  });

  test("custom checks run beside the built-in ones, with their options", async () => {
    const check = defineCheck({
      check_id: "no_reports",
      default_severity: "medium",
      description: "Reports are not named.",
      options: z.strictObject({ word: z.string().default("reports") }),
      *runStatement(statement, { options }) {
        for (const entry of statement.resources) {
          if (!entry.text.includes(options.word)) continue;
          yield { issue_type: "named", message: `names ${options.word}`, node: entry.node };
        }
      },
    });
    const validator = await createValidator({
      checks: [check],
      config: { no_reports: { word: "example" } },
    });
    const { issues } = await validator.validate(unknownAction);
    expect(issues.map(({ check_id, message }) => [check_id, message])).toContainEqual([
      "no_reports",
      "names example",
    ]);
    expect(validator.describeChecks().map(({ check_id }) => check_id)).toContain("no_reports");
  });

  test("a check that throws is a finding, and the program is told", async () => {
    const failures: unknown[] = [];
    const check = defineCheck({
      check_id: "faulty",
      default_severity: "low",
      description: "Throws.",
      options: z.strictObject({}),
      *runStatement() {
        yield null;
        throw new Error("broken");
      },
    });
    const validator = await createValidator({
      checks: [check],
      onCheckError: (id, error) => failures.push([id, error]),
    });
    const { is_valid, issues } = await validator.validate(readOnly);
    expect(is_valid).toBe(false);
    expect(issues[0]?.issue_type).toBe("check_execution_error");
    expect(failures).toEqual([["faulty", new Error("broken")]]);
  });
});

test("patterns expand and questions are answered as by the tool", async () => {
  const validator = await createValidator();
  expect(await validator.expand("S3:getobjectA*")).toEqual([
    "s3:GetObjectAcl",
    "s3:GetObjectAnnotation",
    "s3:GetObjectAttributes",
  ]);
  expect(await validator.expand("s3:Nothing*")).toEqual([]);
  const { results } = await validator.query({ kind: "action_details", actions: ["iam:PassRole"] });
  expect(results[0]).toMatchObject({ valid: true, service: "iam" });
  expect(validator.data_date).toMatch(/^\d{4}-\d\d-\d\d$/);
});
