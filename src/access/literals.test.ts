import { describe, expect, test } from "vitest";
import { compared, complement, everyRange } from "./intervals.ts";
import { idsOf, oneOf, opaque, Terms } from "./literals.ts";
import { literal } from "./patterns.ts";

const place = {
  construct: "placeholder",
  path: "/a",
  side: "policy",
  text: "x",
  key: null,
} as const;

test("a dimension is one for a name, and keeps what the first says", () => {
  const terms = new Terms();
  const first = terms.dimension("aws:sourceip", "address", true, place);
  const second = terms.dimension("@action");
  expect(terms.dimension("aws:sourceip")).toBe(first);
  expect(first).toEqual({
    index: 0,
    name: "aws:sourceip",
    family: "address",
    isMultivalued: true,
    doubt: place,
  });
  expect(second).toMatchObject({ index: 1, family: "text", isMultivalued: false, doubt: null });
  expect(terms.dimensions).toEqual([first, second]);
  expect([terms.find("@action"), terms.find("@resource")]).toEqual([second, undefined]);
});

describe("literals with one meaning are one", () => {
  const terms = new Terms();
  const [one, other] = [terms.dimension("a"), terms.dimension("b")];
  const texts = (...names: readonly string[]) => names.map((name) => literal(name));
  const shape = {
    dimension: one.index,
    absentOk: false,
    quantifier: "one",
    texts: { negated: false, patterns: texts("x") },
    ranges: null,
  } as const;

  test("whatever the order and number of the texts", () => {
    const found = oneOf(terms, one, texts("x", "y"));
    expect(oneOf(terms, one, texts("y", "x", "y"))).toBe(found);
    expect(terms.get(found.id)).toBe(found);
    expect(found).toMatchObject({ dimension: 0, absentOk: false, quantifier: "one", ranges: null });
  });

  test("and any difference makes another", () => {
    const all = [
      terms.literal(shape),
      terms.literal({ ...shape, dimension: other.index }),
      terms.literal({ ...shape, absentOk: true }),
      terms.literal({ ...shape, quantifier: "some" }),
      terms.literal({ ...shape, texts: { negated: true, patterns: texts("x") } }),
      terms.literal({ ...shape, texts: { negated: false, patterns: [] } }),
      oneOf(terms, one, texts("xy")),
      oneOf(terms, one, texts("x", "y")),
      // The lengths keep lists apart whose texts join to the same.
      oneOf(terms, one, texts("1:x")),
      oneOf(terms, one, texts("x1", ":y")),
      terms.literal({ ...shape, texts: null, ranges: [] }),
      terms.literal({ ...shape, texts: null, ranges: everyRange }),
      terms.literal({ ...shape, texts: null, ranges: compared("below", 1n) }),
      terms.literal({ ...shape, texts: null, ranges: compared("above", 1n) }),
      terms.literal({ ...shape, texts: null, ranges: complement(compared("equals", 1n)) }),
    ];
    expect(new Set(all).size).toBe(all.length);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });
});

describe("the negation of a literal", () => {
  const terms = new Terms();
  const { index: dimension } = terms.dimension("a");

  test.each([
    ["one", "one"],
    ["some", "every"],
    ["every", "some"],
    ["plain", "plain"],
  ] as const)("of the quantifier %s has %s", (quantifier, expected) => {
    const texts = { negated: false, patterns: [literal("x")] };
    const of = terms.literal({ dimension, absentOk: false, quantifier, texts, ranges: null });
    const negation = terms.negation(of);
    expect(negation).toMatchObject({
      dimension,
      absentOk: true,
      quantifier: expected,
      texts: { ...texts, negated: true },
      ranges: null,
    });
    expect(terms.negation(of)).toBe(negation);
    expect(terms.negation(negation)).toBe(of);
  });

  test("of ranges has the others", () => {
    const ranges = compared("below", 1n);
    const shape = { dimension, quantifier: "one", texts: null } as const;
    const of = terms.literal({ ...shape, absentOk: true, ranges });
    expect(terms.negation(of)).toMatchObject({
      absentOk: false,
      texts: null,
      ranges: complement(ranges),
    });
  });
});

test("what cannot be read is one literal for an id, in doubt for its place", () => {
  const terms = new Terms();
  const found = opaque(terms, "1", place);
  expect(opaque(terms, "1", place)).toBe(found);
  expect(opaque(terms, "2", place)).not.toBe(found);
  expect(terms.dimensions[found.dimension]).toEqual({
    index: 0,
    name: "@opaque 1",
    family: "opaque",
    isMultivalued: false,
    doubt: place,
  });
});

test("numbers of literals are ascending and each there once", () => {
  const terms = new Terms();
  const dimension = terms.dimension("a");
  const literals = Array.from({ length: 12 }, (_, at) =>
    oneOf(terms, dimension, [literal(`${at}`)]),
  );
  const [second = literals[0], last = literals[0]] = [literals[1], literals[11]];
  const third = literals[2] ?? literals[0];
  if (!second || !last || !third) throw new Error("no literals");
  expect(idsOf([last, third, second, third])).toEqual([1, 2, 11]);
  expect(() => terms.get(12)).toThrow("no such literal");
});
