import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Finding, FixFinding, fixFinding } from "../../spec/finding.ts";
import { configFolder } from "../support/config-folder.ts";
import { faulty, faultyJson, faultyYaml } from "../support/faulty-policy.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { locationOf } from "../support/report-input.ts";
import { readOnly } from "../support/rpc.ts";
import {
  findingsOf,
  resultFrom,
  resultsFrom,
  type Validated,
  validated,
} from "../support/validate.ts";

let target: InProcess;
const folder = await configFolder();
beforeAll(async () => {
  target = await startInProcess();
});
afterAll(async () => {
  await target.stop();
  await folder.remove();
});

const resultsOf = (args: object) => resultsFrom(target, args);
const resultOf = (policy: unknown, args: object = {}) => resultFrom(target, policy, args);

const leanKeys = [
  "severity",
  "check_id",
  "issue_type",
  "message",
  "suggestion",
  "statement_index",
  "statement_sid",
  "path",
  "location",
  "fix",
];
const fullKeys = [
  ...leanKeys,
  "action",
  "resource",
  "condition_key",
  "field_name",
  "example",
  "example_path",
  "risk_explanation",
  "risk_category",
  "documentation_url",
  "remediation_steps",
  "aws_issue_code",
  "aws_finding_type",
  "related",
  "escalation_paths",
  "fingerprint",
];

describe("detail", () => {
  /** Of text that parses, of objects and of text that does not. */
  const policies = [faultyJson, faulty, faultyYaml, "[", "- a"];

  test("findings is the default: issues with the lean keys, no summary", async () => {
    const results = await resultsOf({ policies });
    expect(await resultsOf({ policies, detail: "findings" })).toEqual(results);
    for (const { issues, summary } of results) {
      expect(summary).toBeNull();
      expect(issues?.length).toBeGreaterThan(0);
      for (const issue of issues ?? []) expect(Object.keys(issue)).toEqual(leanKeys);
    }
  });

  test("full: the same findings with all keys, and the summary", async () => {
    const lean = await resultsOf({ policies });
    const results = await resultsOf({ policies, detail: "full" });
    for (const [index, { issues, summary }] of results.entries()) {
      for (const issue of issues ?? []) expect(Object.keys(issue)).toEqual(fullKeys);
      expect(lean[index]?.issues).toEqual(
        issues?.map((issue) =>
          Object.fromEntries(leanKeys.map((key) => [key, issue[key as keyof typeof issue]])),
        ),
      );
      expect(summary).not.toBeNull();
    }
  });

  test("fix: the same findings, reduced to the message, the place and what to write", async () => {
    const full = await resultsOf({ policies, detail: "full" });
    const results = await resultsOf({ policies, detail: "fix" });
    const kinds = new Set<string>();
    for (const [index, { issues, summary }] of results.entries()) {
      expect(summary).toBeNull();
      expect(issues).toEqual(
        findingsOf(full[index] ?? {}).map((finding) => fixFinding(Finding.parse(finding))),
      );
      for (const { fix, example, suggestion } of FixFinding.array().parse(issues)) {
        const shown = Object.entries({ fix, example, suggestion }).filter(
          ([, one]) => one !== null,
        );
        expect(shown.length).toBeLessThan(2);
        for (const [kind] of shown) kinds.add(kind);
      }
    }
    expect(kinds.has("suggestion")).toBe(true);
    expect(kinds.size).toBeGreaterThan(1);
  });

  test("summary: counts and the summary, no issues", async () => {
    const lean = await resultsOf({ policies });
    const results = await resultsOf({ policies, detail: "summary" });
    for (const [index, { issues, summary, ...rest }] of results.entries()) {
      expect(issues).toBeNull();
      expect(summary).not.toBeNull();
      const { issues: _issues, summary: _summary, ...expected } = lean[index] ?? {};
      expect(rest).toEqual(expected);
    }
  });

  test("the summary counts what is there", async () => {
    const { summary } = await resultOf(
      {
        Version: "2012-10-17",
        Statement: [
          { Effect: "Allow", Action: ["s3:GetObject", "S3:GetObject"], Resource: "arn:aws:s3:::a" },
          { Effect: "DENY", NotAction: ["iam:PassRole", "*"], NotResource: "b" },
          { Effect: "Maybe", Action: "s3:GetObject", Condition: { Bool: { "aws:x": "true" } } },
        ],
      },
      { detail: "summary" },
    );
    expect(summary).toEqual({
      total_statements: 3,
      allow_statements: 1,
      deny_statements: 1,
      services_used: expect.arrayContaining(["iam", "s3"]),
      actions_count: 4,
      has_wildcards: true,
      has_conditions: true,
    });
  });
});

describe("places", () => {
  const texts: [string, string][] = [
    ["JSON", faultyJson],
    ["JSON with CR LF", faultyJson.replaceAll("\n", "\r\n")],
    ["YAML", faultyYaml],
  ];

  test.each(texts)("a finding of %s spans the node it names", async (_, text) => {
    const issues = findingsOf(await resultOf(text));
    const misspelt = issues.find(({ issue_type }) => issue_type === "invalid_action");
    const written = text.includes('"s3:GetObjct"') ? '"s3:GetObjct"' : "s3:GetObjct";
    expect(misspelt?.path).toBe("/Statement/0/Action/0");
    // Lines end at CR LF as at LF; the carriage return is the last column of its line.
    expect(misspelt?.location).toEqual(locationOf(text, written));
    const service = issues.find(({ check_id }) => check_id === "service_wildcard");
    expect(service?.path).toBe("/Statement/1/Action");
    expect(service?.location).toEqual(locationOf(text, '"iam:*"'));
  });

  test("the pointer escapes what it must", async () => {
    const policy = { ...readOnly, "a/b~c": 1 };
    const { issues } = await resultOf(policy);
    expect(issues).toContainEqual(expect.objectContaining({ path: "/a~1b~0c" }));
  });
});

describe("findings", () => {
  test("carry AWS's own code where AWS says the same", async () => {
    const { issues } = await resultOf(
      {
        Version: "2012-10-17",
        Statement: [
          { Sid: "A", Effect: "Allow", Action: "s3:GetObjct", Resource: "*" },
          { Sid: "A", Effect: "Allow", Action: "nosuch:Get", Resource: "*" },
        ],
      },
      { detail: "full" },
    );
    const codes = issues?.map((issue) => ("aws_issue_code" in issue ? issue.aws_issue_code : ""));
    expect(codes).toContain("INVALID_ACTION");
    expect(codes).toContain("INVALID_SERVICE_IN_ACTION");
    expect(codes).toContain("UNIQUE_SIDS_REQUIRED");
  });

  test("keep their fingerprints when the text is formatted anew and statements change places", async () => {
    const prints = async (policy: unknown) =>
      (await resultOf(policy, { detail: "full" })).issues
        ?.map((issue) => ("fingerprint" in issue ? issue.fingerprint : ""))
        .sort();
    const expected = await prints(faulty);
    expect(await prints(faultyYaml)).toEqual(expected);
    expect(await prints({ ...faulty, Statement: faulty.Statement.toReversed() })).toEqual(expected);
  });

  test("come in the same order every time", async () => {
    const first = await resultOf(faulty, { detail: "full" });
    for (let turn = 0; turn < 3; turn++) {
      expect(await resultOf(faulty, { detail: "full" })).toEqual(first);
    }
  });
});

describe("fail_on_severity", () => {
  test("decides what is valid, and nothing else", async () => {
    const validate = async (severities: string) => {
      const config = `settings:\n  fail_on_severity: ${severities}\n`;
      const path = await folder.write("other.yaml", config);
      const other = await startInProcess({ flags: { config_source: path } });
      const { output } = await validated(other, { policies: [faulty, readOnly, "["] });
      await other.stop();
      return output;
    };
    const usual = await validated(target, { policies: [faulty, readOnly, "["] });
    const lax = await validate("[info]");
    const strict = await validate("[error, critical, high, warning, medium, low, info]");
    const verdicts = ({ results }: Validated) => results.map(({ is_valid }) => is_valid);
    expect(verdicts(usual.output)).toEqual([false, true, false]);
    expect(verdicts(lax)).toEqual([true, true, false]);
    expect(verdicts(strict)).toEqual([false, false, false]);
    for (const { results, config_digest } of [lax, strict]) {
      expect(results.map(({ issues }) => issues)).toEqual(
        usual.output.results.map(({ issues }) => issues),
      );
      expect(config_digest).not.toBe(usual.output.config_digest);
      for (const { is_valid, fails_policy } of results) expect(fails_policy).toBe(!is_valid);
    }
  });
});

test.each([
  ["text that is neither JSON nor YAML", "["],
  ["a list", "[]"],
  ["an empty object", {}],
  ["a Statement that is a text", { Version: "2012-10-17", Statement: "none" }],
  ["a Statement that holds a text", { Version: "2012-10-17", Statement: [{}, "x"] }],
])("%s is never valid, even with policy_structure off and no error failing", async (_, policy) => {
  const config = "settings:\n  fail_on_severity: [critical]\npolicy_structure: false\n";
  const path = await folder.write("critical-only.yaml", config);
  const other = await startInProcess({ flags: { config_source: path } });
  const { output } = await validated(other, { policies: [{ policy }] });
  await other.stop();
  expect(output.results.map(({ is_valid }) => is_valid)).toEqual([false]);
});

test("every answer carries the digest of the active config", async () => {
  const { output } = await validated(target, { policies: [readOnly] });
  expect(output).toMatchObject({
    config_digest: target.runtime.digest,
    truncated: false,
    truncated_count: 0,
  });
  expect(output).not.toHaveProperty("report");
});
