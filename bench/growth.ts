import { benign, hostile, policyOf, realStatements } from "./documents.ts";
import { benchEngine, validate } from "./engine.ts";
import { costOf, costsOf, exponent } from "./measure.ts";
import type { Section } from "./report.ts";

const kib = 1024;
const sizes = [1, 4, 16, 64, 256, 1024].map((size) => size * kib);
const statementCounts = [1, 4, 16, 64, 256, 1024, 4096];
/** The first sizes carry the fixed cost of a policy, which says nothing about growth. */
const smallestForSlope = 16 * kib;

function sizeName(bytes: number): string {
  return bytes < 1024 * kib ? `${bytes / kib} KiB` : `${bytes / kib / 1024} MiB`;
}

/** How cost grows with the size of a policy and with the number of its statements. */
export async function growthSection(): Promise<Section> {
  const engine = benchEngine();
  const objects = await costsOf(
    Object.fromEntries(
      sizes.map((bytes) => {
        const policy = benign(bytes);
        return [String(bytes), () => validate(policy, engine)];
      }),
    ),
  );
  const texts = await costsOf(
    Object.fromEntries(
      sizes.map((bytes) => {
        const text = JSON.stringify(benign(bytes), null, 2);
        return [String(bytes), () => validate(text, engine)];
      }),
    ),
  );
  const statements = realStatements();
  const byCount = await costsOf(
    Object.fromEntries(
      statementCounts.map((count) => {
        const list = Array.from({ length: count }, (_, at) => statements[(at * 37) % 100]);
        const policy = policyOf(list);
        return [String(count), () => validate(policy, engine)];
      }),
    ),
  );
  const slope = (costs: Readonly<Record<string, number>>, from: number) =>
    exponent(
      Object.entries(costs)
        .map(([size, cost]) => [Number(size), cost] as const)
        .filter(([size]) => size >= from),
    );
  return {
    id: "growth",
    title: "Growth",
    about: "Processor time for one policy made of real statements.",
    tables: [
      {
        title: "By size",
        rows: sizes.map((bytes) => ({
          size: sizeName(bytes),
          "object, ms": (objects[bytes] ?? Number.NaN) * 1e3,
          "object, µs per KiB": ((objects[bytes] ?? Number.NaN) * 1e6 * kib) / bytes,
          "text, ms": (texts[bytes] ?? Number.NaN) * 1e3,
          "text, µs per KiB": ((texts[bytes] ?? Number.NaN) * 1e6 * kib) / bytes,
        })),
      },
      {
        title: "By number of statements (100 different ones, repeated)",
        rows: statementCounts.map((count) => ({
          statements: count,
          ms: (byCount[count] ?? Number.NaN) * 1e3,
          "µs per statement": ((byCount[count] ?? Number.NaN) * 1e6) / count,
        })),
      },
      {
        title: "Exponent of the growth, from 16 KiB and 16 statements (1 is linear)",
        rows: [
          { growth: "size, objects", exponent: slope(objects, smallestForSlope) },
          { growth: "size, texts", exponent: slope(texts, smallestForSlope) },
          { growth: "statements", exponent: slope(byCount, 16) },
        ],
      },
    ],
  };
}

/** How much more a policy can cost by what it holds than a benign one of its size, and how that grows. */
export async function hostileSection(): Promise<Section> {
  const engine = benchEngine();
  const small = 64 * kib;
  const large = 1024 * kib;
  const measure = async (bytes: number) => {
    const calm = benign(bytes);
    const costs = await costsOf(
      {
        benign: () => validate(calm, engine),
        ...Object.fromEntries(
          Object.entries(hostile).map(([name, make]) => {
            const policy = make(bytes);
            return [name, () => validate(policy, engine)];
          }),
        ),
      },
      { rounds: 3, atLeastS: 0 },
    );
    return costs as Record<string, number>;
  };
  const at64 = await measure(small);
  const rows = [];
  const calm = benign(large);
  await validate(calm, engine);
  const calmCost = await costOf(() => validate(calm, engine), 0.2);
  for (const [name, make] of Object.entries(hostile)) {
    const policy = make(large);
    let findings = 0;
    const cost = await costOf(async () => {
      findings = await validate(policy, engine);
    }, 0);
    const before = at64[name] ?? Number.NaN;
    rows.push({
      policy: name,
      "64 KiB, ratio": before / (at64.benign ?? Number.NaN),
      "1 MiB, ratio": cost / calmCost,
      "1 MiB, ms": cost * 1e3,
      findings,
      exponent: exponent([
        [small, before],
        [large, cost],
      ]),
    });
  }
  return {
    id: "hostile",
    title: "Hostile policies",
    about: `Processor time over that of a benign policy of the same size (1 MiB of real statements: ${(calmCost * 1e3).toFixed(0)} ms).`,
    tables: [{ title: "Ratio to a benign policy", rows }],
  };
}
