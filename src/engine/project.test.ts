import { describe, expect, test } from "vitest";
import { childNode, rootNode } from "../json/node.ts";
import { objectDocument, parseDocument } from "../policy/document.ts";
import { normalisePolicy, statementsOf } from "../policy/normalise.ts";
import type { Check, Report } from "./check.ts";
import { type Draft, isFull, requireFinding, toFull, toLean } from "./project.ts";
import type { RegisteredCheck } from "./registry.ts";
import type { Engine } from "./types.ts";

const raw = { Statement: [{ Sid: "Read", Effect: "Allow", Action: "s3:GetObject" }] };
const facts = { type: "IDENTITY_POLICY", typeSource: "default", name: null } as const;

function policyOf(document = objectDocument(raw)) {
  const statements = statementsOf(document);
  return { policy: normalisePolicy(document, facts, statements), statement: statements[0] ?? null };
}

const { policy, statement } = policyOf();
const page = "https://docs.example/check";

function draft(
  report: Partial<Report>,
  check: Partial<Check> = {},
  about: Draft["statement"] = statement,
): Draft {
  const whole = { check_id: "seen", documentation_url: "", remediation_steps: [], ...check };
  return {
    registered: { check: whole } as unknown as RegisteredCheck,
    statement: about,
    report: { issue_type: "issue", message: "Here.", ...report },
    severity: "low",
  };
}

const engineWith = (base_url: string | null, include_aws_docs = false) =>
  ({ settings: { documentation: { base_url, include_aws_docs } } }) as unknown as Engine;
const engine = engineWith(null);

describe("the short form of a finding", () => {
  test("has the statement, and its place", () => {
    expect(toLean(draft({}), policy, engine)).toEqual({
      severity: "low",
      check_id: "seen",
      issue_type: "issue",
      message: "Here.",
      suggestion: null,
      statement_index: 0,
      statement_sid: "Read",
      path: "/Statement/0",
      location: null,
      fix: null,
    });
  });

  test("of the policy has no statement, and the place of the document or of a node in it", () => {
    const ofPolicy = { statement_index: -1, statement_sid: null, path: "" };
    expect(toLean(draft({}, {}, null), policy, engine)).toMatchObject(ofPolicy);
    const node = childNode(rootNode, "Statement");
    const given = toLean(draft({ node }, {}, null), policy, engine);
    expect(given).toMatchObject({ ...ofPolicy, path: "/Statement" });
    // Findings at one node after another have the same place.
    expect(toLean(draft({ node }), policy, engine).path).toBe("/Statement");
    expect(toLean(draft({}), policy, engine).path).toBe("/Statement/0");
  });

  test("of a text has the location of its place", async () => {
    const text = policyOf(await parseDocument(JSON.stringify(raw)));
    const { location } = toLean(draft({}, {}, text.statement), text.policy, engine);
    expect(location?.start).toEqual({ line: 1, column: 14, offset: 14 });
  });

  test.each<[string | null, boolean, string, Partial<Report>, string | null]>([
    [null, true, page, {}, null],
    [null, true, page, { suggestion: "Do it." }, "Do it."],
    [null, true, page, { suggestion: "" }, null],
    ["https://wiki.example", false, page, { suggestion: "Do it." }, "Do it."],
    ["https://wiki.example", true, "", { suggestion: "Do it." }, "Do it."],
    [
      "https://wiki.example",
      true,
      page,
      { suggestion: "Do it." },
      `Do it.\nAWS documentation: ${page}`,
    ],
    ["https://wiki.example", true, page, {}, `AWS documentation: ${page}`],
  ])(
    "with pages at %s, AWS's too: %s, page %j and report %j suggests %j",
    (base, aws, documentation_url, report, expected) => {
      const { suggestion } = toLean(
        draft(report, { documentation_url }),
        policy,
        engineWith(base, aws),
      );
      expect(suggestion).toBe(expected);
    },
  );
});

describe("the whole form of a finding", () => {
  test("has null for what neither report nor check says", () => {
    const finding = toFull(draft({}), policy, engine);
    expect(finding).toMatchObject({
      action: null,
      resource: null,
      condition_key: null,
      field_name: null,
      example: null,
      example_path: null,
      risk_explanation: null,
      risk_category: null,
      documentation_url: null,
      remediation_steps: [],
      aws_issue_code: null,
      aws_finding_type: null,
      related: [],
      escalation_paths: null,
    });
    expect(isFull(finding)).toBe(true);
    expect(isFull(toLean(draft({}), policy, engine))).toBe(false);
  });

  test("has what the report says, else what the check says", () => {
    const check = {
      risk_explanation: "The check's.",
      risk_category: "data",
      documentation_url: page,
      remediation_steps: ["One."],
    };
    expect(toFull(draft({}, check), policy, engine)).toMatchObject(check);
    const report = {
      ...{ action: "a", resource: "r", condition_key: "k", field_name: "action" as const },
      ...{ risk_explanation: "The report's.", remediation_steps: ["Two."] },
    };
    const finding = toFull(
      draft({ ...report, escalation_paths: ["p"] as never, related: [rootNode] }, check),
      policy,
      engine,
    );
    expect(finding).toMatchObject({
      ...report,
      escalation_paths: ["p"],
      related: [{ path: "", location: null }],
    });
    expect(toFull(draft({ escalation_paths: [] }), policy, engine).escalation_paths).toBeNull();
  });

  test.each(["https://wiki.example", "https://wiki.example/"])(
    "links to the page below %s",
    (base) => {
      const { documentation_url } = toFull(draft({}), policy, engineWith(base));
      expect(documentation_url).toBe("https://wiki.example/seen");
    },
  );

  const node = childNode(rootNode, "Statement");
  const correction = (value: unknown) => () => ({ node, value });
  test.each<[Partial<Report>, string | null, string | null]>([
    [{ example: "mine", correction: correction(1) }, "mine", null],
    [{ example: "", correction: correction(1) }, null, null],
    [{ correction: correction({ a: 1 }) }, '{\n  "a": 1\n}', "/Statement"],
    [{ correction: () => null }, null, null],
    [{ correction: correction("x".repeat(8190)) }, `"${"x".repeat(8190)}"`, "/Statement"],
    [{ correction: correction("x".repeat(8191)) }, null, null],
  ])(
    "has the example of its report, or one that is made of the correction: %#",
    (report, example, path) => {
      expect(toFull(draft(report), policy, engine)).toMatchObject({ example, example_path: path });
    },
  );

  test("has AWS's code with the type of AWS's finding", () => {
    const of = (aws_issue_code: string) => toFull(draft({ aws_issue_code }), policy, engine);
    expect(of("INVALID_ACTION")).toMatchObject({
      aws_issue_code: "INVALID_ACTION",
      aws_finding_type: "ERROR",
    });
    expect(of("NO_SUCH_CODE").aws_finding_type).toBeNull();
  });

  test("has another fingerprint with another identity", () => {
    const print = (report: Partial<Report>) => toFull(draft(report), policy, engine).fingerprint;
    expect(print({ identity: "a" })).not.toBe(print({}));
    expect(print({ message: "Other." })).toBe(print({}));
  });

  test("is refused with a member of another type", () => {
    expect(() => requireFinding(draft({}), policy, engine)).not.toThrow();
    expect(() => requireFinding(draft({ message: 1 as never }), policy, engine)).toThrow();
  });
});
