import fc from "fast-check";
import { expect, test } from "vitest";
import { findingWith } from "../../test/support/report-input.ts";
import type { ValidatedDocument } from "../local/validated-document.ts";
import { compareWithBaseline, type Seen, updatedBaseline } from "./baseline.ts";

const seen: Seen = { base: "/nowhere", names: new Set(["a.json", "b.json"]), ran: () => true };
const empty = { version: 1 as const, findings: [] };

const findingOf = (fingerprint: string) =>
  findingWith({ check_id: `check_${fingerprint}`, fingerprint });

function documentOf(label: string, fingerprints: readonly string[]): ValidatedDocument {
  return {
    name: label,
    label,
    file: label,
    document: null,
    place: null,
    text: null,
    was_checked: true,
    is_valid: fingerprints.length === 0,
    severity_counts: {},
    policy_type: "IDENTITY_POLICY",
    policy_type_source: "default",
    findings: fingerprints.map(findingOf),
    suppressed: [],
    answers: [],
    summary: {
      total_statements: 0,
      allow_statements: 0,
      deny_statements: 0,
      services_used: [],
      actions_count: 0,
      has_wildcards: false,
      has_conditions: false,
    },
  };
}

const fingerprints = fc.array(fc.constantFrom("1", "2", "3"), { maxLength: 6 });
const runs = fc.tuple(fingerprints, fingerprints);
const documentsOf = ([a, b]: readonly [string[], string[]]) => [
  documentOf("a.json", a),
  documentOf(
    "b.json",
    b.map((one) => `b${one}`),
  ),
];

test("a run passes its own baseline, with nothing new and nothing gone", () => {
  fc.assert(
    fc.property(runs, (run) => {
      const documents = documentsOf(run);
      const baseline = updatedBaseline(documents, empty, seen);
      const { documents: after, gone } = compareWithBaseline(documents, baseline, ["high"], seen);
      expect(after.every(({ is_valid, findings }) => is_valid && findings.length === 0)).toBe(true);
      expect(gone).toEqual([]);
      expect(updatedBaseline(documents, baseline, seen)).toEqual(baseline);
    }),
  );
});

test("of two runs, what is known, new and gone adds up", () => {
  fc.assert(
    fc.property(runs, runs, (before, now) => {
      const baseline = updatedBaseline(documentsOf(before), empty, seen);
      const documents = documentsOf(now);
      const compared = compareWithBaseline(documents, baseline, ["high"], seen);
      const known = compared.documents.flatMap(({ suppressed }) => suppressed).length;
      const fresh = compared.documents.flatMap(({ findings }) => findings).length;
      const gone = compared.gone.reduce((sum, { count }) => sum + count, 0);
      expect(known + fresh).toBe(now.flat().length);
      expect(known + gone).toBe(before.flat().length);
      for (const { is_valid, findings } of compared.documents) {
        expect(is_valid).toBe(findings.length === 0);
      }
    }),
  );
});

test("an empty baseline changes nothing", () => {
  fc.assert(
    fc.property(runs, (run) => {
      const documents = documentsOf(run);
      const { documents: after } = compareWithBaseline(documents, empty, ["high"], seen);
      expect(after).toEqual(documents);
    }),
  );
});
