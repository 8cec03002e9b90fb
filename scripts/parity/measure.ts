/** Holds the local analysis against answers of AWS's ValidatePolicy operation. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { type AnalysisFinding, analyzeDocument } from "../../src/access-analyzer/analyze.ts";
import { findingTypeOf } from "../../src/access-analyzer/codes.ts";
import { validatePolicy } from "../../src/engine/run.ts";
import type { Engine } from "../../src/engine/types.ts";
import { parseDocument } from "../../src/policy/document.ts";
import type { ServiceData } from "../../src/services/model.ts";

const Path = z.array(z.record(z.string(), z.unknown()));
const Answer = z.looseObject({
  name: z.string(),
  date: z.string(),
  current: z.boolean().default(false),
  text: z.string(),
  findings: z.array(
    z.looseObject({
      code: z.string(),
      locations: z.array(z.looseObject({ path: Path, span: z.unknown() })),
      drift: z.boolean().default(false),
    }),
  ),
  drift: z.array(z.looseObject({ code: z.string(), path: Path })).default([]),
});
/** One answer of AWS: see the members in the README of the samples' folder. */
export type Answer = z.output<typeof Answer>;

/** @returns the answers of a gzipped JSON Lines file. */
export function readAnswers(file: string): Answer[] {
  return gunzipSync(readFileSync(file))
    .toString("utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => Answer.parse(JSON.parse(line)));
}

/** What is compared: code by policy; code and one place; code and all places in order; those with spans. */
export const levels = ["policy", "path", "finding", "span"] as const;
type Level = (typeof levels)[number];

export interface Counts {
  hits: number;
  /** Reported here, not by AWS. */
  extra: number;
  /** Reported by AWS, not here. */
  missed: number;
}

export interface Parity {
  /** By code and level; what the date of the data explains is set apart when `adjusted`. */
  readonly raw: Map<string, Record<Level, Counts>>;
  readonly adjusted: Map<string, Record<Level, Counts>>;
  /** Answers with several findings of which all agree, and those in the same order. */
  readonly order: { several: number; same: number };
  /** Findings of class ERROR on documents that AWS called clean, after adjusting. */
  readonly errorsOnClean: { readonly name: string; readonly date: string; readonly code: string }[];
  /** Every disagreement that remains after adjusting, for people. */
  readonly differences: string[];
}

type Found = Pick<AnalysisFinding, "code"> & {
  readonly type?: string | undefined;
  readonly locations: readonly { readonly path: readonly object[]; readonly span: unknown }[];
};

function keysOf(findings: readonly Found[], level: Level): string[] {
  const text = (value: unknown) => JSON.stringify(value);
  switch (level) {
    case "policy":
      return [...new Set(findings.map(({ code }) => code))];
    case "path":
      return [
        ...new Set(
          findings.flatMap(({ code, locations }) =>
            locations.map(({ path }) => `${code} ${text(path)}`),
          ),
        ),
      ];
    case "finding":
      return findings.map(
        ({ code, locations }) => `${code} ${text(locations.map(({ path }) => path))}`,
      );
    case "span":
      return findings.map(({ code, locations }) => `${code} ${text(locations)}`);
  }
}

const codeOf = (key: string) => key.split(" ", 1)[0] ?? "";

/** @returns the part of `keys` that `others` does not have, each counted once. */
function without(keys: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const key of others) left.set(key, (left.get(key) ?? 0) + 1);
  return keys.filter((key) => {
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}

function countInto(
  table: Map<string, Record<Level, Counts>>,
  level: Level,
  aws: readonly string[],
  ours: readonly string[],
  forgiven: { readonly missed: ReadonlySet<string>; readonly extra: ReadonlySet<string> },
): { missed: string[]; extra: string[] } {
  const row = (code: string) => {
    const none = (): Counts => ({ hits: 0, extra: 0, missed: 0 });
    const counts = table.get(code) ?? {
      policy: none(),
      path: none(),
      finding: none(),
      span: none(),
    };
    table.set(code, counts);
    return counts[level];
  };
  const missed = without(aws, ours);
  const extra = without(ours, aws);
  for (const key of without(aws, missed)) row(codeOf(key)).hits += 1;
  const realMissed = missed.filter((key) => !forgiven.missed.has(key));
  const realExtra = extra.filter((key) => !forgiven.extra.has(key));
  for (const key of realMissed) row(codeOf(key)).missed += 1;
  for (const key of realExtra) row(codeOf(key)).extra += 1;
  return { missed: realMissed, extra: realExtra };
}

const nothing = { missed: new Set<string>(), extra: new Set<string>() };

/** The findings of every check, as AWS would place them. */
async function findingsOf(text: string, engine: Engine): Promise<Found[]> {
  const { findings } = await validatePolicy(
    {
      document: await parseDocument(text),
      name: null,
      declaredType: "IDENTITY_POLICY",
      label: "policy",
    },
    engine,
  );
  return findings.flatMap(({ aws_issue_code, path, location, related }) =>
    aws_issue_code === null
      ? []
      : [
          {
            code: aws_issue_code as AnalysisFinding["code"],
            type: findingTypeOf(aws_issue_code),
            locations: [{ path, location }, ...related].map((place) => ({
              path: elementsOf(place.path),
              span: place.location,
            })),
          },
        ],
  );
}

/** JSON Pointer steps as path elements; a pointer does not tell a key from its value, so AWS's are folded too. */
function elementsOf(pointer: string): object[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((step) => (/^\d+$/.test(step) ? { index: Number(step) } : { value: step }));
}

const folded = (path: readonly object[]): object[] =>
  path.map((element) => ("key" in element ? { value: element.key } : element));

/**
 * @param since First day on which AWS could report a code; absent: from the start.
 * @param engine Its findings are compared instead of the local analysis'.
 * @returns precision and recall, counted per policy, per place and per finding.
 */
export async function measureParity(
  answers: readonly Answer[],
  services: ServiceData,
  since: ReadonlyMap<string, string>,
  engine?: Engine,
): Promise<Parity> {
  const parity: Parity = {
    raw: new Map(),
    adjusted: new Map(),
    order: { several: 0, same: 0 },
    errorsOnClean: [],
    differences: [],
  };
  for (const answer of answers) {
    const document = await parseDocument(answer.text);
    const all: Found[] = engine
      ? await findingsOf(answer.text, engine)
      : await analyzeDocument(document, { type: "identity" }, services);
    const ours = all.filter(({ code }) => (since.get(code) ?? "") <= answer.date);
    const aws: Found[] = answer.findings.map(({ code, locations }) => ({
      code: code as AnalysisFinding["code"],
      locations: locations.map(({ path, span }) => ({ path: engine ? folded(path) : path, span })),
    }));
    const drifted = answer.findings.flatMap(({ drift }, index) =>
      drift ? (aws[index] ?? []) : [],
    );
    const accepted = new Set(
      answer.drift.map(
        ({ code, path }) => `${code} ${JSON.stringify(engine ? folded(path) : path)}`,
      ),
    );
    const young = ours.filter(({ code, locations }) =>
      locations.some(({ path }) => accepted.has(`${code} ${JSON.stringify(path)}`)),
    );
    for (const level of levels) {
      const [theirs, mine] = [keysOf(aws, level), keysOf(ours, level)];
      countInto(parity.raw, level, theirs, mine, nothing);
      const forgiven = {
        missed: new Set(keysOf(drifted, level)),
        extra: new Set(keysOf(young, level)),
      };
      const { missed, extra } = countInto(parity.adjusted, level, theirs, mine, forgiven);
      if (level !== "finding") continue;
      for (const key of missed)
        parity.differences.push(`missed ${answer.name} ${answer.date} ${key}`);
      for (const key of extra)
        parity.differences.push(`extra ${answer.name} ${answer.date} ${key}`);
      const [left, right] = [
        theirs.filter((key) => !forgiven.missed.has(key)),
        mine.filter((key) => !forgiven.extra.has(key)),
      ];
      if (missed.length + extra.length > 0 || left.length < 2) continue;
      parity.order.several += 1;
      if (left.join() === right.join()) parity.order.same += 1;
    }
    if (aws.length > 0) continue;
    const explained = new Set<object>(young);
    for (const finding of ours) {
      if (finding.type !== "ERROR" || explained.has(finding)) continue;
      parity.errorsOnClean.push({ name: answer.name, date: answer.date, code: finding.code });
    }
  }
  return parity;
}
