import { describe, expect, test } from "vitest";
import { Severity } from "../../spec/severity.ts";
import {
  findingWith,
  locationOf,
  policyWith,
  reportInput,
} from "../../test/support/report-input.ts";
import { sarifErrors } from "../../test/support/sarif-schema.ts";
import { artifactUri, webAddress } from "./artifact-uri.ts";
import { renderSarif } from "./sarif.ts";
import { sarifText } from "./sarif-text.ts";
import type { ReportPolicy } from "./types.ts";

const text = '{\n  "Action": "iam:*"\n}';

/** The one run of a log that the published schema accepts. */
function runOf(policies: readonly ReportPolicy[], rest = {}) {
  const log = JSON.parse(renderSarif(reportInput(policies, rest)));
  expect(sarifErrors(log)).toEqual([]);
  expect(log.version).toBe("2.1.0");
  expect(log.runs).toHaveLength(1);
  return log.runs[0];
}

describe("the SARIF report", () => {
  test("is refused by the published schema as soon as it is broken", () => {
    const log = JSON.parse(renderSarif(reportInput([policyWith([findingWith()])])));
    log.runs[0].results[0].locations[0].physicalLocation.region.startLine = 0;
    log.runs[0].results[0].level = "high";
    expect(sarifErrors(log)).toHaveLength(2);
  });

  test("is one run with nothing in it for policies without findings", () => {
    expect(runOf([policyWith([])])).toEqual({
      tool: { driver: { name: "validator-mcp", version: "1.2.3", rules: [] } },
      invocations: [{ executionSuccessful: true, endTimeUtc: "2026-02-03T04:05:06.789Z" }],
      artifacts: [{ location: { uri: "policy-0" }, roles: ["analysisTarget"] }],
      results: [],
      columnKind: "utf16CodeUnits",
      properties: {
        config_digest: "ab".repeat(32),
        reference_data_date: "2026-01-31",
        answers: [],
      },
    });
  });

  test("says of a finding where it is, what it is and how bad it is", () => {
    const finding = findingWith({ location: locationOf(text, '"iam:*"') });
    const run = runOf([policyWith([finding], { file: "iam/a b.json", text })]);
    expect(run.results).toEqual([
      {
        ruleId: "service_wildcard",
        ruleIndex: 0,
        level: "error",
        message: {
          text: "`iam:*` grants every action of iam. List the actions that are used.",
          markdown: "`iam:*` grants every action of iam.\n\nList the actions that are used.",
        },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "iam/a%20b.json", index: 0 },
              region: { startLine: 2, startColumn: 13, endLine: 2, endColumn: 20 },
            },
            logicalLocations: [{ fullyQualifiedName: "/Statement/0/Action" }],
          },
        ],
        partialFingerprints: {
          primaryLocationLineHash: expect.stringMatching(/^[0-9a-f]{16}:1$/),
          "validatorMcpFinding/v1": "0123456789abcdef",
        },
        properties: {
          check_id: "service_wildcard",
          issue_type: "overly_permissive",
          severity: "high",
          family: "security",
          statement_index: 0,
          statement_sid: "Admin",
          field_name: "action",
          action: "iam:*",
          suggestion: "List the actions that are used.",
          risk_explanation: "It grows with each action that AWS adds.",
          risk_category: "privilege_escalation",
          remediation_steps: ["List the actions."],
          documentation_url: "https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html",
        },
      },
    ]);
  });

  test("points to the first line where there is no text, and to no node for the whole document", () => {
    const [result] = runOf([policyWith([findingWith({ path: "" })])]).results;
    expect(result.locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: "policy-0", index: 0 },
          region: { startLine: 1 },
        },
      },
    ]);
  });

  test("has three levels for seven severities", () => {
    const findings = Severity.options.map((severity) => findingWith({ severity }));
    const { results } = runOf([policyWith(findings)]);
    const levels = results.map((result: { level: string; properties: { family: string } }) => [
      result.level,
      result.properties.family,
    ]);
    expect(Object.fromEntries(Severity.options.map((name, at) => [name, levels[at]]))).toEqual({
      error: ["error", "validity"],
      critical: ["error", "security"],
      high: ["error", "security"],
      warning: ["warning", "validity"],
      medium: ["warning", "security"],
      low: ["note", "security"],
      info: ["note", "validity"],
    });
  });

  test("describes the rules that found something, sorted by id", () => {
    const findings = [
      findingWith({ check_id: "wildcard_resource", documentation_url: null }),
      findingWith(),
      findingWith({
        check_id: "our_own",
        risk_category: null,
        documentation_url: null,
        severity: "error",
      }),
      findingWith(),
    ];
    const { tool, results } = runOf([policyWith(findings)]);
    expect(results.map(({ ruleIndex }: { ruleIndex: number }) => ruleIndex)).toEqual([2, 1, 0, 1]);
    expect(tool.driver.rules).toEqual([
      {
        id: "our_own",
        name: "OurOwn",
        shortDescription: { text: "our_own" },
        fullDescription: { text: "our_own" },
        help: { text: "our_own", markdown: "our_own" },
        defaultConfiguration: { level: "error" },
        properties: {
          tags: ["validity", "iam"],
          precision: "high",
          family: "validity",
          severity: "error",
          default_severity: "error",
        },
      },
      {
        id: "service_wildcard",
        name: "ServiceWildcard",
        shortDescription: {
          text: "An Allow statement does not grant every action of a service.",
        },
        fullDescription: { text: "Reports each entry such as `iam:*`." },
        help: {
          text: "Reports each entry such as `iam:*`.\n\n- **One.** First\n  and more\n- Two\n\nhttps://docs.aws.amazon.com/IAM/",
          markdown:
            "Reports each entry such as `iam:*`.\n\n- **One.** First\n  and more\n- Two\n\n[Documentation](<https://docs.aws.amazon.com/IAM/>)",
        },
        helpUri: "https://docs.aws.amazon.com/IAM/",
        defaultConfiguration: { level: "warning" },
        properties: {
          tags: ["security", "iam", "privilege_escalation"],
          precision: "high",
          family: "security",
          severity: "medium",
          default_severity: "high",
          "security-severity": "5.5",
        },
      },
      expect.objectContaining({
        id: "wildcard_resource",
        help: {
          text: "An Allow statement does not reach all resources.",
          markdown: "An Allow statement does not reach all resources.",
        },
        defaultConfiguration: { level: "warning" },
      }),
    ]);
  });

  test("has fingerprints that differ within the run and do not depend on other policies", () => {
    const prints = (policies: readonly ReportPolicy[]) =>
      runOf(policies).results.map(
        (result: { partialFingerprints: Record<string, string> }) =>
          result.partialFingerprints.primaryLocationLineHash,
      );
    const a = policyWith([findingWith(), findingWith()], { file: "a" });
    const b = policyWith([findingWith()], { file: "b" });
    const both = prints([a, b]);
    expect(new Set(both).size).toBe(3);
    expect(prints([b, a])).toEqual([both[2], both[0], both[1]]);
    expect(prints([b])).toEqual([both[2]]);
    // Two policies under one name are told apart by order.
    expect(new Set(prints([b, b])).size).toBe(2);
  });

  test("lists a file once, however many policies bear its name", () => {
    const policies = ["a", "b", "a"].map((file) => policyWith([findingWith()], { file }));
    const { artifacts, results } = runOf(policies);
    expect(artifacts.map(({ location }: { location: object }) => location)).toEqual([
      { uri: "a" },
      { uri: "b" },
    ]);
    const indexes = results.map(
      (result: { locations: { physicalLocation: { artifactLocation: object } }[] }) =>
        result.locations[0]?.physicalLocation.artifactLocation,
    );
    expect(indexes).toEqual([
      { uri: "a", index: 0 },
      { uri: "b", index: 1 },
      { uri: "a", index: 0 },
    ]);
  });
});

describe("the address of a policy", () => {
  test.each([
    ["iam/role.json", "iam/role.json"],
    ["a b#c?d%20.json", "a%20b%23c%3Fd%2520.json"],
    ["javascript:alert(1)", "javascript%3Aalert(1)"],
    ["https://x.example/a", "https%3A/x.example/a"],
    ["//x.example/a", "x.example/a"],
    ["/etc/passwd", "etc/passwd"],
    ["../../a/./b/../c", "__/__/a/b/__/c"],
    ["..\\..\\a", "__/__/a"],
    ["C:\\iam\\a.json", "C%3A/iam/a.json"],
    ["%2e%2e/a", "%252e%252e/a"],
    ["ü\u202e\n\ud800", "%C3%BC%E2%80%AE%0A%EF%BF%BD"],
    ["", "policy-7"],
    ["/./", "policy-7"],
  ])("made of the label %j is %j", (label, uri) => {
    expect(artifactUri(label, "policy-7")).toBe(uri);
    const base = "https://base.example/in/here/";
    expect(new URL(uri, base).href.startsWith(base)).toBe(true);
  });
});

test.each([
  ["https://docs.example/a", "https://docs.example/a"],
  ["javascript:alert(1)", undefined],
  ["//x.example", undefined],
  ["no address", undefined],
  [null, undefined],
])("an address of documentation %j is taken as %j", (address, taken) => {
  expect(webAddress(address)).toBe(taken);
});

test.each([
  ["`${aws:username}` and [1] \\", "`${aws:username}` and [1] \\"],
  ["[a](http://x) \\", "\\[a\\](http://x) \\\\"],
  ["{0} ${x}", "{{0}} ${{x}}"],
])("a SARIF message says %j as %j", (plain, escaped) => {
  expect(sarifText(plain)).toBe(escaped);
});
