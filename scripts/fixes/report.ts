/** The report on fixes: shares by family and check, and what does not hold. */
import { type Family, familyOf } from "./families.ts";

export interface Row {
  findings: number;
  fixes: number;
  /** Fixes with placeholders. */
  input: number;
  /** Fixes whose claim the engine lowered. */
  lowered: number;
  tried: number;
  /** Tried fixes that apply and keep every promise. */
  good: number;
}

/** @returns the row of this name, a new one where there is none. */
export function rowOf(rows: Map<string, Row>, name: string): Row {
  const row = rows.get(name) ?? { findings: 0, fixes: 0, input: 0, lowered: 0, tried: 0, good: 0 };
  rows.set(name, row);
  return row;
}

interface Outcome {
  readonly rows: ReadonlyMap<string, Row>;
  /** By corpus and family. */
  readonly byCorpus: ReadonlyMap<string, Row>;
  readonly faults: readonly string[];
  readonly defects: readonly string[];
  /** Requests on which a fix was compared with what it promises. */
  readonly requests: number;
  /** Policies whose JSON and YAML texts were edited like the object. */
  readonly texts: number;
  readonly step: number;
}

const percent = (part: number, whole: number) =>
  whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`;

export function reportOf({
  rows,
  byCorpus,
  faults,
  defects,
  requests,
  texts,
  step,
}: Outcome): string {
  const families: readonly Family[] = ["validity", "security"];
  const sumOf = (family: Family) => {
    const sum = rowOf(new Map(), family);
    for (const [name, row] of rows) {
      if (familyOf(name.split("/", 1)[0] ?? "") !== family) continue;
      for (const key of Object.keys(sum) as (keyof Row)[]) sum[key] += row[key];
    }
    return sum;
  };
  const shareOf = (family: Family) => {
    let [findings, fixes] = [0, 0];
    for (const corpus of ["sample", "managed policies", "examples of the checks"]) {
      const row = byCorpus.get(`${corpus}, ${family}`);
      findings += row?.findings ?? 0;
      fixes += row?.fixes ?? 0;
    }
    return percent(fixes, findings);
  };
  const line = (name: string, row: Row) =>
    `| ${name} | ${row.findings} | ${row.fixes} | ${percent(row.fixes, row.findings)} | ${row.input} | ${row.lowered} | ${row.tried} | ${row.good} |`;
  const head = [
    "| of | findings | with a fix | share | with placeholders | claim lowered | tried | that hold |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
  ];
  const kinds = Map.groupBy(faults, (fault) =>
    fault.split(": ").slice(1, 3).join(": ").slice(0, 90),
  );
  return [
    "# Fixes",
    "",
    `Written by \`npm run fixes -- --write${step > 1 ? ` --every ${step}` : ""}\`, on the own set, the sample, AWS managed policies, the examples of the checks and real answers of AWS${step > 1 ? `; every ${step}th policy of each` : ""}.`,
    "",
    "A fix holds when it applies, its finding is gone, no new finding is more severe than those that are gone, and no request contradicts its promise. Placeholders have their examples.",
    "",
    ...head,
    ...families.map((family) => line(family, sumOf(family))),
    ...[...byCorpus].map(([name, row]) => line(name, row)),
    "",
    `Of the sample, the managed policies and the examples together, ${shareOf("validity")} of the validity findings have a fix (goal: 80 %) and ${shareOf("security")} of the security findings (goal: 50 %). The own set has many faults whose repair only the author knows.`,
    "",
    `${requests.toLocaleString("en")} requests through the evaluator were compared with the promises \`equivalent\` and \`narrows\`. In ${texts} policies the JSON and YAML texts were edited like the object, and a second run changed nothing.`,
    `The engine logged ${defects.length} defects of fixes.`,
    "",
    "## What does not hold",
    "",
    ...(kinds.size === 0
      ? ["Nothing."]
      : [...kinds].map(([kind, of]) => `- ${of.length}: ${kind}`)),
    "",
    "## By check and issue type",
    "",
    ...head,
    ...[...rows]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, row]) => line(`\`${name}\``, row)),
    "",
  ].join("\n");
}
