/** The policies on which fixes are tried. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import type { PolicyType } from "../../spec/policy.ts";
import { builtinChecks } from "../../src/checks/index.ts";
import { managedPolicies } from "../../test/support/managed-policies.ts";
import { ownEntries, sampleEntries } from "../verdicts/entries.ts";

export interface Subject {
  /** Unique in its corpus. */
  readonly id: string;
  /** An object, or the text of one. */
  readonly policy: unknown;
  readonly policyType: PolicyType | null;
  /** Config of one check that the subject needs. */
  readonly checks?: Readonly<Record<string, unknown>>;
  readonly baseline?: unknown;
}

const Answer = z.looseObject({ name: z.string(), date: z.string(), document: z.unknown() });

/**
 * @param folder With `judged-sample.jsonl` and `aa-oracle-sample.jsonl.gz`; what is missing is left out.
 * @returns the policies by the name of their corpus.
 */
export function corpora(folder: string | undefined): Map<string, Subject[]> {
  const all = new Map<string, Subject[]>([
    ["own set", ownEntries()],
    [
      "managed policies",
      managedPolicies().map(({ name, document }) => ({
        id: name,
        policy: document,
        policyType: null,
      })),
    ],
    ["examples of the checks", exampleSubjects()],
  ]);
  const sample = folder && join(folder, "judged-sample.jsonl");
  if (sample && existsSync(sample)) all.set("sample", sampleEntries(sample));
  const answers = folder && join(folder, "aa-oracle-sample.jsonl.gz");
  if (answers && existsSync(answers)) all.set("real answers", answerSubjects(answers));
  return all;
}

function answerSubjects(file: string): Subject[] {
  return gunzipSync(readFileSync(file))
    .toString("utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, index) => {
      const { name, date, document } = Answer.parse(JSON.parse(line));
      return { id: `${index} ${name} ${date}`, policy: document, policyType: null };
    });
}

function exampleSubjects(): Subject[] {
  return builtinChecks.flatMap(({ check_id, examples }) =>
    [...examples.bad, ...examples.good].map(
      ({ title, policy, policy_type, options, baseline }) => ({
        id: `${check_id}: ${title}`,
        policy,
        policyType: policy_type ?? null,
        checks: { [check_id]: { enabled: true, ...options } },
        ...(baseline === undefined ? {} : { baseline }),
      }),
    ),
  );
}
