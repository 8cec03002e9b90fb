import { describe, expect, test } from "vitest";
import { type Entry, ownEntries } from "../../scripts/verdicts/entries.ts";
import { defaultEngine, measure } from "../../scripts/verdicts/measure.ts";
import type { Finding } from "../../spec/finding.ts";
import { asPolicy, breaking, type Edit, neutral } from "./edits.ts";

const engine = defaultEngine();
const own = ownEntries();
const sound = own.filter(({ kind }) => kind === "good");

function edited(entries: readonly Entry[], edit: Edit): Entry[] {
  return entries.flatMap((entry) => {
    const policy = asPolicy(entry.policy);
    const changed = policy && edit(policy);
    return changed ? [{ ...entry, policy: changed }] : [];
  });
}

/** What a verdict says, apart from places and words. */
const kindsOf = (findings: readonly Finding[]) =>
  findings
    .map(({ check_id, issue_type, severity }) => `${severity} ${check_id}/${issue_type}`)
    .sort();

describe("an edit that AWS reads as the same policy changes no finding", () => {
  test.each(Object.entries(neutral))("%s", { timeout: 120_000 }, async (_, edit) => {
    const changed = edited(own, edit);
    const ids = new Set(changed.map(({ id }) => id));
    const before = await measure(
      own.filter(({ id }) => ids.has(id)),
      engine,
    );
    const after = await measure(changed, engine);
    const differing = after.flatMap(({ entry, findings }, at) => {
      const was = kindsOf(before[at]?.findings ?? []);
      const is = kindsOf(findings);
      return was.join() === is.join() ? [] : [{ id: entry.id, was, is }];
    });
    expect(differing).toEqual([]);
    expect(changed.length).toBeGreaterThan(50);
  });
});

describe("an edit that breaks a sound policy is reported, and fails it", () => {
  test.each(Object.entries(breaking))(
    "%s",
    { timeout: 120_000 },
    async (name, { edit, reports }) => {
      const changed = edited(
        sound.filter((entry) => !unbroken[name]?.some(({ of }) => of(entry))),
        edit,
      );
      const silent = (await measure(changed, engine)).flatMap(({ entry, findings, isValid }) =>
        !isValid && findings.some(({ issue_type }) => reports.includes(issue_type))
          ? []
          : [{ id: entry.id, policy: entry.policy, found: kindsOf(findings) }],
      );
      expect(silent).toEqual([]);
      expect(changed.length).toBeGreaterThan(2);
    },
  );
});

/** Policies that an edit does not break, each with the reason. */
const unbroken: Readonly<
  Record<string, readonly { of: (entry: Entry) => boolean; why: string }[]>
> = {
  "no condition on an Allow for everyone": [
    {
      of: ({ policyType }) => policyType === "ENDPOINT_POLICY",
      why: "An endpoint policy grants nothing by itself; one `info` says that it is open.",
    },
  ],
};
