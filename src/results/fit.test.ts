import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitAnalyzeResult, fitValidateResult, measureResult } from "./fit.ts";

/** What the client gets, spelled out. */
function bytesOf(output: unknown): number {
  const text = JSON.stringify(output);
  const result = { content: [{ type: "text", text }], structuredContent: output, isError: false };
  return Buffer.byteLength(JSON.stringify(result), "utf8");
}

interface Entry {
  name: string | null;
  is_valid: boolean;
  issues?: { message: string }[] | null;
  summary?: { services_used: string[] } | null;
}

interface Output {
  results: Entry[];
  config_digest: string;
  truncated: boolean;
  truncated_count: number;
  report?: string;
}

const issues = [
  { message: '`s3:*` grants "all" of S3 — naïve \\ 🙂' },
  { message: "\u0000\n\ud800" },
];
const summary = { services_used: ["ec2", "s3"] };
const entry = (name: string): Entry => ({ name, is_valid: false, issues, summary });
const bareEntry = (name: string): Entry => ({ name, is_valid: false });

function outputOf(entries: Entry[], extra: Partial<Output> = {}): Output {
  return {
    results: entries,
    config_digest: "0".repeat(64),
    truncated: false,
    truncated_count: 0,
    ...extra,
  };
}

describe("the size of a result", () => {
  test("is that of the complete result, byte for byte", () => {
    fc.assert(
      fc.property(
        fc.jsonValue().map((value) => ({ value })),
        fc.string({ unit: "binary" }),
        (value, text) => {
          expect(measureResult({ ...value, text })).toBe(bytesOf({ ...value, text }));
        },
      ),
    );
  });

  test("counts every single character as it is sent", () => {
    for (let unit = 0; unit <= 0xffff; unit += unit < 0x900 ? 1 : 37) {
      const output = { report: String.fromCharCode(unit) };
      expect([unit, measureResult(output)]).toEqual([unit, bytesOf(output)]);
    }
  });
});

const names = ["a", "b", "ç", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
const full = outputOf(names.map(entry));
const noSummary = outputOf(
  names.map((name) => ({ ...bareEntry(name), issues })),
  { truncated: true },
);
const noIssues = outputOf(names.map(bareEntry), { truncated: true });
const firstOnly = (count: number, extra: Partial<Output> = {}) =>
  outputOf(names.slice(0, count).map(bareEntry), {
    truncated: true,
    truncated_count: names.length - count,
    ...extra,
  });

describe("fitValidateResult", () => {
  const steps: [name: string, fitted: Output][] = [
    ["nothing goes while all fits", full],
    ["first go the summaries", noSummary],
    ["then the issues", noIssues],
    ...names.map((_, at): [string, Output] => {
      const kept = names.length - 1 - at;
      return [`then entries from the end: ${kept} stay`, firstOnly(kept)];
    }),
  ];

  describe.each(steps)("%s", (_, fitted) => {
    test("when just that fits", () => {
      expect(fitValidateResult(full, bytesOf(fitted))).toEqual(fitted);
    });

    test("and keys that went are absent", () => {
      const text = JSON.stringify(fitValidateResult(full, bytesOf(fitted)));
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(fitted)));
    });
  });

  test.each(
    steps.slice(0, -1).map(([name, fitted], at) => [name, fitted, steps[at + 1]?.[1]] as const),
  )("%s; one byte less takes the next step", (_, fitted, next) => {
    expect(fitValidateResult(full, bytesOf(fitted) - 1)).toEqual(next);
  });

  test("never changes what it was given", () => {
    const before = structuredClone(full);
    fitValidateResult(full, 500);
    expect(full).toEqual(before);
  });

  test("without summaries, or without issues, goes straight to entries with neither", () => {
    for (const key of ["issues", "summary"] as const) {
      const output = outputOf(names.map((name) => ({ ...entry(name), [key]: null })));
      expect(fitValidateResult(output, bytesOf(output) - 1)).toEqual(noIssues);
    }
  });

  const report = `# Report\n${'"\\\u0000é🙂\ud800|'.repeat(40)}`;
  const notice = "\n[The report ends here: the rest does not fit max_response_bytes.]";

  test("keeps the report whole until every entry is gone", () => {
    const output = outputOf(names.map(entry), { report });
    for (let kept = names.length; kept >= 0; kept--) {
      const fitted = firstOnly(kept, { report });
      expect(fitValidateResult(output, bytesOf(fitted))).toEqual(fitted);
    }
  });

  test("then cuts the report at a character and says so in one line", () => {
    const output = outputOf(names.map(entry), { report });
    const whole = bytesOf(firstOnly(0, { report }));
    const least = bytesOf(firstOnly(0, { report: notice }));
    for (let bound = least; bound < whole; bound++) {
      const fitted = fitValidateResult(output, bound);
      const cut = fitted.report ?? "";
      expect(fitted).toEqual(firstOnly(0, { report: cut }));
      expect(cut.endsWith(notice)).toBe(true);
      const beginning = cut.slice(0, -notice.length);
      expect(report.startsWith(beginning)).toBe(true);
      const next = String.fromCodePoint(report.codePointAt(beginning.length) ?? 0);
      expect(bytesOf(fitted)).toBeLessThanOrEqual(bound);
      // As much as fits: with one character more it would not.
      const longer = firstOnly(0, { report: beginning + next + notice });
      expect(bytesOf(longer)).toBeGreaterThan(bound);
      expect(
        /[\ud800-\udbff]$/.test(beginning) &&
          /^[\udc00-\udfff]/.test(report.slice(beginning.length)),
      ).toBe(false);
    }
  });

  test("and removes it when not even the notice fits", () => {
    const output = outputOf(names.map(entry), { report });
    const bound = bytesOf(firstOnly(0, { report: notice })) - 1;
    expect(fitValidateResult(output, bound)).toEqual(firstOnly(0));
    expect("report" in fitValidateResult(output, bound)).toBe(false);
  });

  test("whatever is asked of it, the answer fits and tells what is missing", () => {
    const text = fc.string({ unit: "binary", maxLength: 30 });
    const entries = fc.array(
      fc.record({
        name: fc.option(text),
        is_valid: fc.boolean(),
        issues: fc.option(fc.array(fc.record({ message: text }), { maxLength: 5 })),
        summary: fc.option(fc.record({ services_used: fc.array(text, { maxLength: 3 }) })),
      }),
      { maxLength: 15 },
    );
    const report = fc.option(fc.string({ unit: "binary", maxLength: 400 }), { nil: undefined });
    fc.assert(
      fc.property(entries, report, fc.nat(4000), (results, report, room) => {
        const output = outputOf(results, report === undefined ? {} : { report });
        const skeleton = outputOf([], { truncated: true, truncated_count: results.length });
        const bound = bytesOf(skeleton) + room;
        const fitted = fitValidateResult(output, bound);
        expect(bytesOf(fitted)).toBeLessThanOrEqual(bound);
        expect(fitted.truncated_count).toBe(results.length - fitted.results.length);
        expect(fitted.truncated).toBe(bytesOf(output) > bound);
        if (!fitted.truncated) expect(fitted).toEqual(output);
        fitted.results.forEach((kept, at) => {
          expect(results[at]).toMatchObject(kept);
        });
        if (fitted.report !== output.report) expect(fitted.results).toEqual([]);
      }),
    );
  });
});

describe("fitAnalyzeResult", () => {
  const locations = [{ path: [{ value: "Statement" }], span: { start: { line: 1 } } }];
  const bareFinding = (at: number) => ({ issue_code: `CODE_${at}`, message: "“naïve” \\ 🙂" });
  const finding = (at: number) => ({ ...bareFinding(at), locations });
  const of = <Item>(count: number, make: (at: number) => Item) =>
    Array.from({ length: count }, (_, at) => make(at));
  const output = { findings: of(12, finding), finding_count: 12 };
  const fittedTo = (count: number) => ({
    findings: of(count, bareFinding),
    finding_count: count,
    truncated: true,
    truncated_count: 12 - count,
  });

  test("gives back what fits as it is, with no word of truncation", () => {
    expect(fitAnalyzeResult(output, bytesOf(output))).toEqual(output);
  });

  test("first drops the locations", () => {
    expect(fitAnalyzeResult(output, bytesOf(output) - 1)).toEqual(fittedTo(12));
    expect(fitAnalyzeResult(output, bytesOf(fittedTo(12)))).toEqual(fittedTo(12));
  });

  test("then findings from the end, and always fits", () => {
    const kept = new Set<number>();
    for (let bound = bytesOf(fittedTo(0)); bound < bytesOf(fittedTo(12)); bound++) {
      const fitted = fitAnalyzeResult(output, bound);
      expect(fitted).toEqual(fittedTo(fitted.findings.length));
      expect(bytesOf(fitted)).toBeLessThanOrEqual(bound);
      kept.add(fitted.findings.length);
    }
    expect([...kept]).toEqual(of(12, (at) => at));
  });
});
