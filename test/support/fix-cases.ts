import { expect, test } from "vitest";
import { defaultEngine } from "../../scripts/verdicts/measure.ts";
import type { Finding, FixEffect } from "../../spec/finding.ts";
import type { PolicyType } from "../../spec/policy.ts";
import { validatePolicy } from "../../src/engine/run.ts";
import { applyPatch } from "../../src/fixes/patch.ts";
import { objectDocument } from "../../src/policy/document.ts";
import { expectWholeFindings } from "./finding-form.ts";

type Members = Readonly<Record<string, unknown>>;

/** One fix, with the statements before and after. */
export interface FixCase {
  readonly name: string;
  /** `check_id/issue_type` of the finding. */
  readonly of: string;
  readonly type?: PolicyType;
  /** A statement of an identity policy lacks `Effect`, `Action` and `Resource` where a case has none. */
  readonly before?: Members | readonly Members[];
  /** Absent, like `policyAfter`: there is no fix. */
  readonly after?: Members | readonly Members[];
  /** In place of statements: the whole policy before and after. */
  readonly policy?: unknown;
  readonly policyAfter?: unknown;
  readonly effect?: FixEffect;
  /** Placeholders of the fix, in order. */
  readonly asks?: readonly string[];
  /** Members of the document besides `Statement`. */
  readonly document?: Members;
  readonly documentAfter?: Members;
}

const engine = defaultEngine();
const version = { Version: "2012-10-17" };

async function findingsOf(policy: unknown, type: PolicyType): Promise<readonly Finding[]> {
  const { findings } = await validatePolicy(
    { document: objectDocument(policy), name: null, declaredType: type, label: "policy" },
    engine,
  );
  return findings;
}

/** Tests that the fix of a finding makes of the first statements the second ones. */
export function fixCases(cases: readonly FixCase[]): void {
  test.each(cases)("$of: $name", async (one) => {
    const { type = "IDENTITY_POLICY", document = version, documentAfter = document } = one;
    const before = one.policy ?? { ...document, Statement: [one.before ?? []].flat() };
    const found = (await findingsOf(before, type)).find(
      ({ check_id, issue_type }) => `${check_id}/${issue_type}` === one.of,
    );
    expect(found).toBeDefined();
    expectWholeFindings(found ? [found] : []);
    const fix = found?.fix ?? null;
    const after =
      one.policyAfter ?? (one.after && { ...documentAfter, Statement: [one.after].flat() });
    if (after === undefined) {
      expect(fix).toBeNull();
      return;
    }
    expect(fix).not.toBeNull();
    const patched = applyPatch(before, fix?.patch ?? []);
    expect(patched).toEqual(after);
    expect(fix?.patch[0]?.op).toBe("test");
    expect(fix?.needs_input.map(({ placeholder }) => placeholder)).toEqual(one.asks ?? []);
    if (one.effect) expect(fix?.effect).toBe(one.effect);
    if (one.asks !== undefined) {
      // With the examples in place of the placeholders, nothing else is wrong with the resources.
      let text = JSON.stringify(patched);
      for (const { placeholder, example } of fix?.needs_input ?? []) {
        text = text.replaceAll(placeholder, JSON.stringify(example).slice(1, -1));
      }
      const broken = (await findingsOf(JSON.parse(text), type)).filter(
        ({ issue_type }) => issue_type === "invalid_resource",
      );
      expect(broken).toEqual([]);
    }
    if (one.asks === undefined) {
      const left = (await findingsOf(patched, type)).filter(
        ({ check_id, issue_type, path }) =>
          `${check_id}/${issue_type}` === one.of && path === found?.path,
      );
      expect(left).toEqual([]);
    }
  });
}
