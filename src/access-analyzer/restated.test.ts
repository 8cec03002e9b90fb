import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import {
  analysedText,
  codesOf,
  nodeAt,
  type Row,
  type Type,
  table,
  textOf,
} from "../../test/support/code-table.ts";

/** The same document in other words gets the same codes, at the same nodes. */

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Members = Readonly<Record<string, Json>>;
interface Case {
  readonly code: string;
  readonly type: z.output<typeof Type>;
  readonly row: Row;
  readonly document: Json;
}

const cases: readonly Case[] = Object.entries(table).flatMap(([code, { type, must }]) =>
  must
    // Sizes are measured in characters.
    .filter(({ text, fill }) => text === undefined && fill === undefined)
    .filter(() => !code.startsWith("POLICY_SIZE"))
    .map((row) => {
      const own = row.type ?? type;
      return { code, type: own, row, document: JSON.parse(textOf(row, own)) as Json };
    }),
);

/** The next choice, below a number. */
type Choose = (below: number) => number;

function isMembers(value: Json | undefined): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shuffled<Item>(items: readonly Item[], choose: Choose): Item[] {
  const left = [...items];
  return items.map(() => left.splice(choose(left.length), 1)[0] as Item);
}

function mapMembers(members: Members, change: (value: Json, name: string) => Json): Members {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, change(value, name)]),
  );
}

/** A text as a list of it, or a list of one text as the text. */
function otherForm(value: Json, choose: Choose): Json {
  if (choose(2) === 0) return value;
  if (typeof value === "string") return [value];
  const [only, ...more] = Array.isArray(value) ? (value as readonly Json[]) : [];
  return typeof only === "string" && more.length === 0 ? only : value;
}

const lists = new Set(["Action", "NotAction", "Resource", "NotResource"]);

function restatedStatement(statement: Json, choose: Choose): Json {
  if (!isMembers(statement)) return statement;
  return mapMembers(statement, (value, name) => {
    if (lists.has(name)) return otherForm(value, choose);
    if (!isMembers(value)) return value;
    if (name === "Condition") {
      return mapMembers(value, (keys) =>
        isMembers(keys) ? mapMembers(keys, (values) => otherForm(values, choose)) : keys,
      );
    }
    return /^(?:Not)?Principal$/.test(name)
      ? mapMembers(value, (values) => otherForm(values, choose))
      : value;
  });
}

function restated(document: Json, choose: Choose): Json {
  if (!isMembers(document)) return document;
  const { Statement } = document;
  if (isMembers(Statement))
    return { ...document, Statement: [restatedStatement(Statement, choose)] };
  if (!Array.isArray(Statement)) return document;
  const all = shuffled(Statement as readonly Json[], choose).map((one) =>
    restatedStatement(one, choose),
  );
  const [only] = all;
  const Other = all.length === 1 && isMembers(only) && choose(2) === 0 ? only : all;
  return { ...document, Statement: Other };
}

/** JSON with members in another order, white space between tokens and escaped characters. */
function spelled(value: Json, choose: Choose): string {
  const space = () => ["", "", " ", "\n", "\t", "\r\n  "][choose(6)] ?? "";
  const around = (text: string) => `${space()}${text}${space()}`;
  if (typeof value === "string") {
    const chars = value.split("").map((char) => {
      if (choose(8) > 0) return JSON.stringify(char).slice(1, -1);
      return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
    });
    return `"${chars.join("")}"`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (!isMembers(value)) {
    const items = (value as readonly Json[]).map((item) => around(spelled(item, choose)));
    return items.length === 0 ? `[${space()}]` : `[${items.join(",")}]`;
  }
  const members = shuffled(Object.entries(value), choose).map(
    ([name, own]) => `${around(spelled(name, choose))}:${around(spelled(own, choose))}`,
  );
  return members.length === 0 ? `{${space()}}` : `{${members.join(",")}}`;
}

const choices = fc.infiniteStream(fc.nat(0x7fff_ffff));

function chooser(stream: Iterator<number>): Choose {
  return (below) => (stream.next().value ?? 0) % below;
}

const inOrder = (codes: readonly string[]) => codes.toSorted();

describe("a document in other words", () => {
  test("gets the same codes, at nodes whose text the spans are", { timeout: 120_000 }, async () => {
    for (const { code, type, row, document } of cases) {
      const wanted = inOrder(
        codesOf(await analysedText(JSON.stringify(document), type, row.resource_type)),
      );
      expect(wanted).toContain(code);
      await fc.assert(
        fc.asyncProperty(choices, async (stream) => {
          const choose = chooser(stream);
          const text = spelled(restated(document, choose), choose);
          const findings = await analysedText(text, type, row.resource_type);
          expect(inOrder(codesOf(findings)), text).toEqual(wanted);
          for (const { locations } of findings) {
            for (const { path, span } of locations) {
              const part = text.slice(span.start.offset, span.end.offset);
              expect(JSON.parse(part), JSON.stringify(path)).toEqual(
                nodeAt(JSON.parse(text), path),
              );
              const before = text.slice(0, span.start.offset).split(/\r\n|\n|\r/);
              expect(span.start.line).toBe(before.length);
              expect(span.start.column).toBe(before.at(-1)?.length);
            }
          }
        }),
        { numRuns: 4 },
      );
    }
  });
});

/** Codes about how two statements relate. */
const betweenStatements = new Set([
  "REDUNDANT_STATEMENT",
  "UNIQUE_SIDS_REQUIRED",
  "UNIQUE_SIDS_RECOMMENDED",
]);
const ofStatements = (codes: readonly string[]) =>
  inOrder(codes.filter((code) => !betweenStatements.has(code)));

function statementsOf(document: Json): readonly Json[] | null {
  if (!isMembers(document)) return null;
  const { Version, Statement, ...rest } = document;
  const isPlain = Version === "2012-10-17" && Object.keys(rest).length === 0;
  return isPlain && Array.isArray(Statement) && Statement.length > 0
    ? (Statement as readonly Json[])
    : null;
}

const joinable = cases.flatMap((one) => {
  const Statement = statementsOf(one.document);
  return Statement ? [{ ...one, Statement }] : [];
});

describe("two documents in one", () => {
  test("get the codes of both", { timeout: 120_000 }, async () => {
    const any = fc.constantFrom(...joinable);
    await fc.assert(
      fc.asyncProperty(any, any, async (left, right) => {
        fc.pre(left.type === right.type && left.row.resource_type === right.row.resource_type);
        const { type, row } = left;
        const codes = async (Statement: readonly Json[]) => {
          const text = JSON.stringify({ Version: "2012-10-17", Statement });
          return codesOf(await analysedText(text, type, row.resource_type));
        };
        const apart = [...(await codes(left.Statement)), ...(await codes(right.Statement))];
        const together = await codes([...left.Statement, ...right.Statement]);
        expect(ofStatements(together)).toEqual(ofStatements(apart));
      }),
      { numRuns: 1_500 },
    );
  });
});

/** Codes of a list, which a list of one entry cannot get. */
const ofEntries = (codes: readonly string[]) =>
  inOrder([...new Set(codes)].filter((code) => !code.startsWith("REDUNDANT_")));

describe("a statement with several entries", () => {
  test.each(["Action", "Resource"])(
    "gets what statements with one %s each get",
    async (element) => {
      const entriesOf = (statement: Json) => {
        const entries =
          isMembers(statement) && statement.Sid === undefined ? statement[element] : null;
        return Array.isArray(entries) && entries.length > 0 ? (entries as readonly Json[]) : null;
      };
      const lists = joinable.filter(({ Statement }) => Statement.some((one) => entriesOf(one)));
      expect(lists.length).toBeGreaterThan(5);
      for (const { type, row, Statement } of lists) {
        const split = Statement.flatMap((one, at) => {
          const each = entriesOf(one)?.map((entry, index) => {
            return { ...(one as Members), Sid: `Part${at}x${index}`, [element]: entry };
          });
          return each ?? [one];
        });
        const codes = async (Statement: readonly Json[]) => {
          const text = JSON.stringify({ Version: "2012-10-17", Statement });
          return ofEntries(codesOf(await analysedText(text, type, row.resource_type)));
        };
        expect(await codes(split), JSON.stringify(Statement)).toEqual(await codes(Statement));
      }
    },
  );
});
