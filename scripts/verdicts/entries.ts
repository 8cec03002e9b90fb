/** Labelled policies: the project's own set in test/judged, and a sample file of the same shape. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { PolicyType } from "../../spec/policy.ts";
import { Severity } from "../../spec/severity.ts";

const MustReport = z.strictObject({
  check_id: z.string(),
  or: z.array(z.string()).default([]).describe("Other checks that may report the same fault."),
  issue_type: z.string().optional(),
  not_issue_type: z.union([z.string(), z.array(z.string())]).optional(),
  severity: Severity.optional(),
  statement_index: z.int().min(-1).optional(),
  note: z.string().optional(),
});
export type MustReport = z.output<typeof MustReport>;

const MustNotReport = z.strictObject({
  check_id: z.string().describe("`*` for any check."),
  issue_type: z.string().optional(),
  severity: Severity.optional(),
  statement_index: z.int().min(-1).optional(),
  note: z.string().optional(),
});
export type MustNotReport = z.output<typeof MustNotReport>;

const label = {
  kind: z.enum(["good", "bad"]),
  policy_type: PolicyType.nullish(),
  policy: z.unknown(),
  must_report: z.array(MustReport).default([]),
  must_not_report: z.array(MustNotReport).default([]),
  why: z.string().min(1),
};

const OwnEntry = z.strictObject({
  title: z.string().min(1),
  ...label,
  source: z.url({ protocol: /^https$/ }),
});
const SampleEntry = z.looseObject({ id: z.string(), ...label });

/** One labelled policy; `id` is unique over all sets. */
export interface Entry {
  readonly id: string;
  readonly kind: "good" | "bad";
  readonly policyType: PolicyType | null;
  readonly policy: unknown;
  readonly mustReport: readonly MustReport[];
  readonly mustNotReport: readonly MustNotReport[];
  readonly why: string;
}

function toEntry(id: string, entry: z.output<typeof SampleEntry | typeof OwnEntry>): Entry {
  return {
    id,
    kind: entry.kind,
    policyType: entry.policy_type ?? null,
    policy: entry.policy,
    mustReport: entry.must_report,
    mustNotReport: entry.must_not_report,
    why: entry.why,
  };
}

/** Folder of the project's own labelled policies. */
export const judgedFolder = join(import.meta.dirname, "..", "..", "test", "judged");

/**
 * @returns every entry of `folder`/*.yaml.
 * @throws when a file does not have the shape that test/judged/README.md gives, or a title occurs twice.
 */
export function ownEntries(folder: string = judgedFolder): Entry[] {
  const seen = new Set<string>();
  return readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .flatMap((file) => {
      const parsed = z.array(OwnEntry).safeParse(parse(readFileSync(join(folder, file), "utf8")));
      if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
      return parsed.data.map((entry) => {
        const id = `${file.replace(/\.yaml$/, "")}/${entry.title}`;
        if (seen.has(id)) throw new Error(`${file}: two entries are called "${entry.title}"`);
        seen.add(id);
        return toEntry(id, entry);
      });
    });
}

/** @returns the entries of a JSON Lines file; see test/judged/README.md for the members. */
export function sampleEntries(file: string): Entry[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const entry = SampleEntry.parse(JSON.parse(line));
      return toEntry(entry.id, entry);
    });
}
