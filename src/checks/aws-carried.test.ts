import { describe, expect, test } from "vitest";
import { defaultEngine } from "../../scripts/verdicts/measure.ts";
import { table, textOf } from "../../test/support/code-table.ts";
import type { IssueCode } from "../access-analyzer/codes.ts";
import { validatePolicy } from "../engine/run.ts";
import { parseDocument } from "../policy/document.ts";

const policyTypes = {
  identity: "IDENTITY_POLICY",
  resource: "RESOURCE_POLICY",
  trust: "TRUST_POLICY",
  scp: "SERVICE_CONTROL_POLICY",
  rcp: "RESOURCE_CONTROL_POLICY",
} as const;

/** Codes that some documents of the table do not have in our findings, and why. */
const notAlways: Partial<Record<IssueCode, string>> = {
  DATA_TYPE_MISMATCH: "IAM takes a JSON boolean as text",
  IRRELEVANT_CONDITION_KEY_IN_POLICY: "only a template says the type of the resource",
  JSON_SYNTAX_ERROR: "validate_policies reads YAML",
  MISSING_ACTION_FOR_CONDITION_KEY: "other policies of the identity may allow the action",
  MISSING_BRACE_IN_VARIABLE: "a lone `${` may be text",
  MISSING_CONDITION_KEY_FOR_OIDC_PRINCIPAL: "GitHub's own code says the same",
  REDUNDANT_STATEMENT_DUE_TO_WILDCARD_IN_CONDITION: "requests may lack the key",
  RESTRICT_ACCESS_TO_SERVICE_PRINCIPAL: "the encryption context limits the service",
  TYPE_MISMATCH_STRING: "no check reads binary values",
  UNSUPPORTED_ACTION_FOR_CONDITION_KEY: "the sign-in carries the key of the session",
  UNSUPPORTED_ACTION_IN_POLICY: "only a template says the type of the resource",
  UNSUPPORTED_RESOURCE_ARN_IN_POLICY: "only a template says the type of the resource",
  VARIABLE_UNSUPPORTED_IN_ELEMENT:
    "the action or service is unknown too, and the Id decides nothing",
  WILDCARD_USAGE_TOO_PERMISSIVE: "everyone is let in, which `public_access` reports",
};

async function codesIn(text: string, type: keyof typeof policyTypes): Promise<(string | null)[]> {
  const document = await parseDocument(text);
  const input = { document, name: "p", label: "p", declaredType: policyTypes[type] };
  const { findings } = await validatePolicy(input, engine);
  return findings.map(({ aws_issue_code }) => aws_issue_code);
}

const engine = defaultEngine();

describe("the findings of validate_policies", () => {
  test.each(Object.entries(table))(
    "carry %s where the local analysis gives it, and nowhere else",
    { timeout: 60_000 },
    async (code, { type, must, must_not }) => {
      const texts = (rows: typeof must) =>
        rows.map((row) => ({ type: row.type ?? type, text: textOf(row, row.type ?? type) }));
      const without: string[] = [];
      for (const row of texts(must)) {
        if (!(await codesIn(row.text, row.type)).includes(code)) without.push(row.text);
      }
      if (notAlways[code as IssueCode]) expect(without).not.toEqual([]);
      else expect(without).toEqual([]);
      for (const row of texts(must_not)) {
        expect(await codesIn(row.text, row.type), row.text).not.toContain(code);
      }
    },
  );
});
