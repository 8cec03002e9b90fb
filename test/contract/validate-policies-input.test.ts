import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PolicyType, policyTypes, policyTypeWords } from "../../spec/policy.ts";
import { configFolder } from "../support/config-folder.ts";
import { faulty, faultyJson, faultyYaml } from "../support/faulty-policy.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { readOnly } from "../support/rpc.ts";
import { resultFrom, resultsFrom, type Validated } from "../support/validate.ts";

const trust = {
  Version: "2012-10-17",
  Statement: [
    { Effect: "Allow", Principal: { Service: "ec2.amazonaws.com" }, Action: "sts:AssumeRole" },
  ],
};
const bucket = {
  Version: "2012-10-17",
  Statement: [{ ...readOnly.Statement[0], Principal: { AWS: "arn:aws:iam::111122223333:root" } }],
};

let target: InProcess;
const folder = await configFolder();
beforeAll(async () => {
  const config = `
settings:
  fail_on_severity: [error, critical, high]
policy_types:
  - { pattern: "**/guardrails/*.json", type: SERVICE_CONTROL_POLICY }
  - { pattern: "rcp-*", type: RESOURCE_CONTROL_POLICY }
  - { pattern: "**/*.json", type: IDENTITY_POLICY }
`;
  target = await startInProcess({
    flags: { config_source: await folder.write("config.yaml", config) },
  });
});
afterAll(async () => {
  await target.stop();
  await folder.remove();
});

const resultsOf = (args: object) => resultsFrom(target, args);
const resultOf = (policy: unknown, args: object = {}) => resultFrom(target, policy, args);

/** Findings without what only text has. */
function withoutPlaces({ issues }: Validated["results"][number]) {
  return issues?.map((issue) => ({
    ...issue,
    location: null,
    ...("related" in issue && { related: issue.related.map(({ path }) => path) }),
  }));
}

describe("forms of a policy", () => {
  test("a document, its JSON and its YAML say the same, but for the places", async () => {
    const forms = [faulty, faultyJson, faultyYaml];
    const results = await resultsOf({ policies: forms, detail: "full" });
    const [object, json, yaml] = results.map(withoutPlaces);
    expect(object?.length).toBeGreaterThan(4);
    expect(json).toEqual(object);
    expect(yaml).toEqual(object);
    for (const { issues } of results.slice(0, 1)) {
      for (const { location } of issues ?? []) expect(location).toBeNull();
    }
    for (const { issues } of results.slice(1)) {
      for (const { location } of issues ?? []) expect(location).not.toBeNull();
    }
  });

  test("each may be wrapped, which changes nothing of the verdict", async () => {
    const forms = [faulty, faultyJson, faultyYaml];
    const bare = await resultsOf({ policies: forms });
    const wrapped = await resultsOf({ policies: forms.map((policy) => ({ policy })) });
    expect(wrapped).toEqual(bare);
  });

  test("a wrapper's label comes back as it is; other keys of a wrapper are ignored", async () => {
    const labels = ["a/b.txt", "", "../../etc/passwd", "<script>", "ü\u202e\u0000"];
    const results = await resultsOf({
      policies: [
        ...labels.map((name) => ({ policy: readOnly, name, other: { policy: 1 } })),
        { policy: readOnly, name: null },
        readOnly,
      ],
    });
    expect(results.map(({ name }) => name)).toEqual([...labels, null, null]);
  });

  test("an object with a `policy` key is a wrapper even beside a Statement", async () => {
    const { issues, severity_counts } = await resultOf({ policy: readOnly, Statement: faulty });
    expect(issues).toBeDefined();
    expect(severity_counts).not.toHaveProperty("error");
  });

  test("the key must be the object's own and spelt like that", async () => {
    const policy = JSON.parse('{"__proto__": {"policy": 1}, "Policy": 1}');
    const { issues } = await resultOf({ ...readOnly, Policy: policy });
    expect(issues).toContainEqual(
      expect.objectContaining({ issue_type: "unknown_policy_field", path: "/Policy" }),
    );
  });

  test("a single statement may stand in place of the list", async () => {
    const [statement] = faulty.Statement;
    const single = await resultOf({ ...faulty, Statement: statement }, { detail: "full" });
    const list = await resultOf({ ...faulty, Statement: [statement] }, { detail: "full" });
    expect(single.severity_counts).toEqual(list.severity_counts);
    expect(single.summary).toEqual(list.summary);
    const paths = (result: typeof single) => result.issues?.map(({ path }) => path);
    expect(paths(single)).toEqual(
      paths(list)?.map((path) => path.replace("/Statement/0", "/Statement")),
    );
  });

  test("results are one per policy, in the order of the request", async () => {
    const names = Array.from({ length: 50 }, (_, index) => `p${index}`);
    const policies = names.map((name, index) => ({ policy: index % 2 ? faulty : readOnly, name }));
    const results = await resultsOf({ policies });
    expect(results.map(({ name }) => name)).toEqual(names);
    expect(results.map(({ is_valid }) => is_valid)).toEqual(names.map((_, index) => !(index % 2)));
  });
});

describe("text that is not a policy", () => {
  const texts: [name: string, text: string, issue_type: string][] = [
    ["JSON that breaks off", '{"Version": "2012-10-17", "Statement": [', "invalid_syntax"],
    ["YAML that breaks off", "Statement: [a,", "invalid_syntax"],
    ["nothing", "", "invalid_syntax"],
    ["spaces", " \n\t", "invalid_syntax"],
    ["a number", "5", "invalid_document_type"],
    ["a list", "- Effect: Allow", "invalid_document_type"],
    ["null", "null", "invalid_document_type"],
    ["prose", "Allow reading from S3", "invalid_document_type"],
  ];

  test.each(texts)("%s: one finding with its place; the others are validated", async (...row) => {
    const [, text, issue_type] = row;
    const [first, bad, last] = await resultsOf({ policies: [readOnly, text, faulty] });
    expect(first?.is_valid).toBe(true);
    expect(last?.severity_counts).toEqual((await resultOf(faulty)).severity_counts);
    expect(bad).toMatchObject({ is_valid: false, severity_counts: { error: 1 } });
    expect(bad?.issues).toEqual([
      expect.objectContaining({
        check_id: "policy_structure",
        issue_type,
        severity: "error",
        statement_index: -1,
        statement_sid: null,
        path: "",
        location: { start: expect.any(Object), end: expect.any(Object) },
      }),
    ]);
  });

  test("the place is where the text goes wrong", async () => {
    const text = '{\n  "Version": "2012-10-17",\n  "Statement": [}\n}';
    const { issues } = await resultOf(text);
    expect(issues?.[0]?.location?.start).toEqual({
      line: 3,
      column: 16,
      offset: text.indexOf("}"),
    });
  });

  test("a wrong shape is a finding too, given as an object", async () => {
    const results = await resultsOf({
      policies: [
        {},
        { Statement: "x" },
        { Statement: [1, null, "x", []] },
        { Version: 1, Statement: [{ Action: {}, Effect: [] }] },
      ],
    });
    for (const { is_valid, issues } of results) {
      expect(is_valid).toBe(false);
      expect(issues).toContainEqual(
        expect.objectContaining({ check_id: "policy_structure", severity: "error" }),
      );
    }
  });

  test("a repeated member is an error at its last place", async () => {
    const text =
      '{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Effect":"Allow","Action":"*","Resource":"*"}]}';
    const { issues } = await resultOf(text);
    const at = text.lastIndexOf('"Effect"');
    expect(issues).toContainEqual(
      expect.objectContaining({
        issue_type: "duplicate_element",
        severity: "error",
        path: "/Statement/0/Effect",
        location: {
          start: { line: 1, column: at, offset: at },
          end: { line: 1, column: at + 8, offset: at + 8 },
        },
      }),
    );
  });
});

describe("type of a policy", () => {
  const words = policyTypeWords.flatMap((word) => {
    const type =
      PolicyType.options.find((one) => policyTypes[one].short === word) ?? PolicyType.parse(word);
    const mixed = word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();
    return [word, word.toUpperCase(), word.toLowerCase(), mixed].map((form) => ({ form, type }));
  });

  test.each(words)("$form is taken, of the entry and of the call", async ({ form, type }) => {
    const declared = { policy_type: type, policy_type_source: "cli-flag" };
    expect(await resultOf({ policy: readOnly, policy_type: form })).toMatchObject(declared);
    expect(await resultOf(readOnly, { policy_type: form })).toMatchObject(declared);
  });

  const sources: [
    name: string,
    entry: object,
    call: string | null,
    type: string,
    source: string,
  ][] = [
    [
      "the entry's word wins over all",
      { policy: trust, name: "x/guardrails/a.json", policy_type: "rcp" },
      "trust",
      "RESOURCE_CONTROL_POLICY",
      "cli-flag",
    ],
    [
      "then the call's",
      { policy: trust, name: "x/guardrails/a.json", policy_type: null },
      "scp",
      "SERVICE_CONTROL_POLICY",
      "cli-flag",
    ],
    [
      "then the label, by the first pattern that fits",
      { policy: trust, name: "x/guardrails/a.json" },
      null,
      "SERVICE_CONTROL_POLICY",
      "config-glob",
    ],
    [
      "a label may fit without the folders of the pattern",
      { policy: trust, name: "guardrails/a.json" },
      null,
      "SERVICE_CONTROL_POLICY",
      "config-glob",
    ],
    [
      "a label may fit by its last part",
      { policy: trust, name: "a/b/rcp-1" },
      null,
      "RESOURCE_CONTROL_POLICY",
      "config-glob",
    ],
    [
      "a pattern may give what would be the default",
      { policy: trust, name: "a/b.json" },
      null,
      "IDENTITY_POLICY",
      "config-glob",
    ],
    [
      "then the content: a trust policy",
      { policy: trust, name: "unknown" },
      null,
      "TRUST_POLICY",
      "auto-detect",
    ],
    ["then the content: a principal", { policy: bucket }, null, "RESOURCE_POLICY", "auto-detect"],
    ["else it is an identity policy", { policy: readOnly }, null, "IDENTITY_POLICY", "default"],
  ];

  test.each(sources)("%s", async (_, entry, policy_type, type, policy_type_source) => {
    expect(await resultOf(entry, { policy_type })).toMatchObject({
      policy_type: type,
      policy_type_source,
    });
  });

  test("null means no word", async () => {
    const entry = { policy: readOnly, policy_type: null, name: null };
    expect(await resultOf(entry, { policy_type: null })).toEqual(await resultOf(readOnly));
  });
});
