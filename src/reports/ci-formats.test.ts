import { describe, expect, test } from "vitest";
import type { Finding, NeededInput } from "../../spec/finding.ts";
import {
  findingWith,
  locationOf,
  policyWith,
  reportInput,
} from "../../test/support/report-input.ts";
import { renderConcise } from "./concise.ts";
import { renderGithub } from "./github.ts";
import { renderGitlab } from "./gitlab.ts";
import { renderJunit } from "./junit.ts";
import { renderRdjson } from "./rdjson.ts";
import { renderSarif } from "./sarif.ts";

const text = '{\n  "Sid": "é", "Action": "iam:*"\n}';
const source = {
  path: "policies/a.json",
  repositoryPath: "iam/policies/a.json",
  uri: "iam/a.json",
};
const failing = {
  ...policyWith(
    [
      findingWith({ severity: "low", location: null, suggestion: null, fingerprint: "aa" }),
      findingWith({ location: locationOf(text, '"iam:*"') }),
    ],
    { file: "policies/a.json (document 2)", text },
  ),
  source,
};
const passing = policyWith([findingWith({ severity: "medium", suggestion: null })], {
  file: "b.json",
});
const input = reportInput([failing, passing, policyWith([], { file: "c.json" })]);
const message = "`iam:*` grants every action of iam.";

test("concise: a line for each finding, with its place as editors read it, then the verdict", () => {
  expect(renderConcise(input)).toBe(
    [
      `policies/a.json:1:1: low service_wildcard: ${message}`,
      `policies/a.json:2:25: high service_wildcard: ${message}`,
      `b.json:1:1: medium service_wildcard: ${message}`,
      "3 policies, 1 failing. 3 findings: 1 high, 1 medium, 1 low.",
      "",
    ].join("\n"),
  );
});

test("github: a command for each finding, worst first, with the path from the repository's root", () => {
  expect(renderGithub(input)).toBe(
    [
      "::error file=iam/policies/a.json,line=2,endLine=2,col=25,endColumn=32," +
        `title=high service_wildcard::${message}%0AList the actions that are used.`,
      `::warning file=b.json,line=1,endLine=1,title=medium service_wildcard::${message}`,
      `::notice file=iam/policies/a.json,line=1,endLine=1,title=low service_wildcard::${message}`,
      "",
    ].join("\n"),
  );
});

test("github: no text ends a property or a command", () => {
  const hostile = findingWith({ message: "100%\r\nof a,b:c\n::error::x", suggestion: null });
  const policy = policyWith([hostile], { file: "a%,b:c\nd.json" });
  expect(renderGithub(reportInput([policy]))).toBe(
    "::error file=a%25%2Cb%3Ac\\nd.json,line=1,endLine=1,title=high service_wildcard" +
      "::100%25%0Aof a,b:c%0A::error::x\n",
  );
});

test("github: a finding of several lines has no columns", () => {
  const several = findingWith({ location: locationOf(text, text), suggestion: null });
  expect(renderGithub(reportInput([policyWith([several], { file: "a", text })]))).toContain(
    "file=a,line=1,endLine=3,title=",
  );
});

test("gitlab: a description is one line, and a finding may have several", () => {
  const several = {
    location: locationOf(text, text),
    message: "One. \r\n\n  Two.\rThree.\n Four.",
    suggestion: null,
  };
  const [entry] = JSON.parse(renderGitlab(reportInput([policyWith([findingWith(several)])])));
  expect(entry.description).toBe("One. Two. Three. Four.");
  expect(entry.location.lines).toEqual({ begin: 1, end: 3 });
  expect(JSON.parse(renderGitlab(input)).map((one: { location: object }) => one.location)).toEqual([
    { path: "iam/policies/a.json", lines: { begin: 1, end: 1 } },
    { path: "iam/policies/a.json", lines: { begin: 2, end: 2 } },
    { path: "b.json", lines: { begin: 1, end: 1 } },
  ]);
  expect(JSON.parse(renderGitlab(input))[0].description).toBe(message);
});

test("gitlab: an entry for each finding, with a fingerprint that is unique", () => {
  const entries = JSON.parse(renderGitlab(input));
  expect(entries[1]).toEqual({
    description: `${message} List the actions that are used.`,
    check_name: "service_wildcard",
    fingerprint: expect.stringMatching(/^[0-9a-f]{16}:1$/),
    severity: "major",
    location: { path: "iam/policies/a.json", lines: { begin: 2, end: 2 } },
  });
  const twins = reportInput([policyWith([findingWith(), findingWith()])]);
  const fingerprints = JSON.parse(renderGitlab(twins)).map(
    (entry: { fingerprint: string }) => entry.fingerprint,
  );
  expect(new Set(fingerprints).size).toBe(2);
});

/** Findings that an exception and the baseline left out. */
const leftOut = (["exception", "baseline"] as const).map((kind) => ({
  finding: findingWith(),
  suppression: { kind, reason: null, owner: null, expires: null },
  exception: null,
}));

test("junit: a case for each policy, which fails when the policy does", () => {
  const withoutFindings = policyWith([], { file: "d.json" });
  const more = [
    { ...failing, result: { ...failing.result, suppressed: leftOut.slice(1) } },
    { ...withoutFindings, result: { ...withoutFindings.result, suppressed: leftOut } },
    { ...passing, result: { ...passing.result, suppressed: leftOut } },
  ];
  const counts = 'tests="6" failures="2" errors="0" skipped="0"';
  const failure = [
    '    <testcase classname="IDENTITY_POLICY" name="policies/a.json (document 2)">',
    '      <failure type="invalid" message="2 findings: 1 high, 1 low">' +
      `policies/a.json:1:1: low service_wildcard: ${message}`,
    `policies/a.json:2:25: high service_wildcard: ${message}</failure>`,
  ];
  const passed = `b.json:1:1: medium service_wildcard: ${message}`;
  const both = "2 findings left out: 1 by exceptions, 1 by the baseline.";
  expect(renderJunit(reportInput([...input.policies, ...more]))).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites name="validator-mcp" ${counts}>`,
      `  <testsuite name="IAM policies" ${counts}>`,
      ...failure,
      "    </testcase>",
      '    <testcase classname="IDENTITY_POLICY" name="b.json">',
      `      <system-out>${passed}</system-out>`,
      "    </testcase>",
      '    <testcase classname="IDENTITY_POLICY" name="c.json"/>',
      ...failure,
      "      <system-out>1 finding left out: 1 by the baseline.</system-out>",
      "    </testcase>",
      '    <testcase classname="IDENTITY_POLICY" name="d.json">',
      `      <system-out>${both}</system-out>`,
      "    </testcase>",
      '    <testcase classname="IDENTITY_POLICY" name="b.json">',
      `      <system-out>${passed}`,
      `${both}</system-out>`,
      "    </testcase>",
      "  </testsuite>",
      "</testsuites>",
      "",
    ].join("\n"),
  );
});

test("junit: names and findings are text of XML", () => {
  const findings = [findingWith({ severity: "low", message: `a & b < c > d " e ' f \uffff` })];
  const report = renderJunit(reportInput([policyWith(findings, { file: `<&"'>.json` })]));
  expect(report).toContain('name="&lt;&amp;&quot;&apos;&gt;.json"');
  expect(report).toContain("a &amp; b &lt; c &gt; d &quot; e &apos; f \ufffd</");
  expect(report).not.toContain("\uffff");
});

describe("rdjson", () => {
  test("counts columns in bytes of UTF-8, the end exclusive", () => {
    const { source, diagnostics } = JSON.parse(renderRdjson(input));
    expect(source).toEqual({ name: "validator-mcp" });
    expect(diagnostics[1]).toEqual({
      message: `${message}\n\nList the actions that are used.`,
      location: {
        path: "policies/a.json",
        range: { start: { line: 2, column: 26 }, end: { line: 2, column: 33 } },
      },
      severity: "ERROR",
      code: {
        value: "service_wildcard",
        url: "https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html",
      },
    });
  });

  test("proposes a fix as a suggestion, unless something has to be filled in", () => {
    const finding = findingWith({ location: locationOf(text, '"iam:*"') });
    const edit = { location: locationOf(text, '"iam:*"'), text: '"iam:Get*"' };
    const withFix = (needs_input: NeededInput[]) => {
      const fix = {
        title: "t",
        effect: "narrows" as const,
        patch: [],
        needs_input,
      };
      const fixed: Finding = { ...finding, fix };
      const edits = new Map([[fixed, { ...edit, removed: [], added: [], isWholeLines: false }]]);
      const policy = policyWith([fixed], { file: "a.json", text });
      return JSON.parse(renderRdjson(reportInput([{ ...policy, edits }]))).diagnostics[0];
    };
    expect(withFix([]).suggestions).toEqual([
      {
        range: { start: { line: 2, column: 26 }, end: { line: 2, column: 33 } },
        text: '"iam:Get*"',
      },
    ]);
    expect(
      withFix([{ placeholder: "<role>", meaning: "a role", example: "ci" }]).suggestions,
    ).toBeUndefined();
  });

  test("has no suggestion without a fix or without a text, and no null for an absent one", () => {
    const bare = findingWith({ location: locationOf(text, text), suggestion: null });
    const edit = { location: locationOf(text, '"iam:*"'), text: "x" };
    const edits = new Map([[bare, { ...edit, removed: [], added: [], isWholeLines: false }]]);
    const policies = [null, text].map((one) => ({
      ...policyWith([bare], { file: "a.json", text: one }),
      edits,
    }));
    const { diagnostics } = JSON.parse(renderRdjson(reportInput(policies)));
    expect(diagnostics.map((one: object) => "suggestions" in one)).toEqual([false, false]);
    expect(diagnostics.map((one: { message: string }) => one.message)).toEqual([message, message]);
    expect(
      diagnostics.map(({ location }: { location: { range: object } }) => location.range),
    ).toEqual([
      { start: { line: 1 } },
      { start: { line: 1, column: 1 }, end: { line: 3, column: 2 } },
    ]);
  });

  test("places a finding of a policy without text in its first line", () => {
    const { diagnostics } = JSON.parse(renderRdjson(input));
    expect(diagnostics[2].location).toEqual({ path: "b.json", range: { start: { line: 1 } } });
  });
});

test("sarif: a file is named by its URI from the repository's root", () => {
  const [{ artifacts }] = JSON.parse(renderSarif(input)).runs;
  const uris = artifacts.map((one: { location: { uri: string } }) => one.location.uri);
  expect(uris).toEqual(["iam/a.json", "b.json", "c.json"]);
});
