import { describe, expect, test } from "vitest";
import { compared, complement, includes, intersection, type Ranges, union } from "./intervals.ts";

/** The whole numbers from -1 to 4 that ranges hold, and the halves between them. */
function held(ranges: Ranges): string {
  const at = [-1, 0, 1, 2, 3, 4];
  const inside = (cut: bigint) =>
    ranges.some(({ from, to }) => (from === null || from <= cut) && (to === null || cut < to));
  return at
    .flatMap((value) => [
      includes(ranges, BigInt(value)) ? String(value) : ".",
      inside(BigInt(2 * value + 1)) ? "-" : " ",
    ])
    .join("")
    .trimEnd();
}

describe("ranges", () => {
  const below2 = () => compared("below", 2n);
  const upTo2 = () => compared("upTo", 2n);
  const above1 = () => compared("above", 1n);
  const from1 = () => compared("from", 1n);
  const only1 = () => compared("equals", 1n);
  const only3 = () => compared("equals", 3n);

  test.each([
    ["below 2", () => below2(), "-1-0-1-. . ."],
    ["up to 2", () => upTo2(), "-1-0-1-2 . ."],
    ["above 1", () => above1(), ". . .-2-3-4-"],
    ["from 1", () => from1(), ". . 1-2-3-4-"],
    ["1 only", () => only1(), ". . 1 . . ."],
    ["from 1 and below 2", () => intersection(from1(), below2()), ". . 1-. . ."],
    ["above 1 and up to 2", () => intersection(above1(), upTo2()), ". . .-2 . ."],
    ["above 1 and 1", () => intersection(above1(), only1()), ". . . . . ."],
    [
      "1 and 3 in all but 1",
      () => intersection(union([only1(), only3()]), complement(only1())),
      ". . . . 3 .",
    ],
    ["1 or 3", () => union([only3(), only1()]), ". . 1 . 3 ."],
    ["below 2 or from 1", () => union([from1(), below2()]), "-1-0-1-2-3-4-"],
    ["below 2 or 1", () => union([below2(), only1()]), "-1-0-1-. . ."],
    ["1 or above 1", () => union([above1(), only1()]), ". . 1-2-3-4-"],
    ["neither below 2 nor 3", () => complement(union([below2(), only3()])), ". . . 2-.-4-"],
    ["not from 1", () => complement(from1()), "-1-0-. . . ."],
    ["nothing", () => complement(complement([])), ". . . . . ."],
    ["all but nothing", () => complement([]), "-1-0-1-2-3-4-"],
    ["nothing of nothing", () => union([[], [{ from: 3n, to: 3n }]]), ". . . . . ."],
  ])("%s", (_, ranges, wanted) => {
    expect(held(ranges())).toBe(wanted);
  });

  const ends = () => union([compared("below", 0n), compared("above", 3n)]);
  const dots = () => union([compared("equals", 0n), only1(), only3()]);

  test.each([
    ["from 1 in below 2", from1, below2, ". . 1-. . ."],
    ["1 in from 1", only1, from1, ". . 1 . . ."],
    ["1 in up to 2", only1, upTo2, ". . 1 . . ."],
    ["from 1 in all numbers", from1, () => complement([]), ". . 1-2-3-4-"],
    ["below 2 in all numbers", below2, () => complement([]), "-1-0-1-. . ."],
    ["above 1 in from 1", above1, from1, ". . .-2-3-4-"],
    ["below 2 in up to 2", below2, upTo2, "-1-0-1-. . ."],
    ["both ends in below 2", ends, below2, "-1-. . . . ."],
    ["both ends in from 1", ends, from1, ". . . . .-4-"],
    ["both ends in their complement", ends, () => complement(ends()), ". . . . . ."],
    ["dots in up to 2", dots, upTo2, ". 0 1 . . ."],
    ["dots in above 1", dots, above1, ". . . . 3 ."],
    ["dots in dots", dots, dots, ". 0 1 . 3 ."],
    ["dots in all but 1", dots, () => complement(only1()), ". 0 . . 3 ."],
    ["dots in both ends", dots, ends, ". . . . . ."],
  ])("%s, either way round", (_, left, right, wanted) => {
    expect(held(intersection(left(), right()))).toBe(wanted);
    expect(held(intersection(right(), left()))).toBe(wanted);
  });

  test("an intersection has no empty range", () => {
    expect(intersection(only1(), only3())).toEqual([]);
    expect(intersection(below2(), compared("from", 2n))).toEqual([]);
    expect(intersection([], dots())).toEqual([]);
  });

  test.each([
    [
      "apart, the later first",
      () => [only3(), only1()],
      [
        [2n, 3n],
        [6n, 7n],
      ],
    ],
    ["one inside the other", () => [upTo2(), only1()], [[null, 5n]]],
    ["one inside the other, which comes later", () => [only1(), from1()], [[2n, null]]],
    ["one from below everything, twice", () => [below2(), upTo2()], [[null, 5n]]],
    ["the wider one first", () => [upTo2(), below2()], [[null, 5n]]],
    ["ends that touch", () => [below2(), compared("from", 2n)], [[null, null]]],
    ["ends that overlap", () => [from1(), below2()], [[null, null]]],
    [
      "ends that miss one number",
      () => [below2(), compared("above", 2n)],
      [
        [null, 4n],
        [5n, null],
      ],
    ],
    ["numbers side by side", () => [[{ from: 2n, to: 4n }], [{ from: 4n, to: 6n }]], [[2n, 6n]]],
    ["three, two of which meet", () => [only3(), above1(), only1()], [[2n, null]]],
    ["empty ones", () => [[{ from: 3n, to: 3n }], only1()], [[2n, 3n]]],
    ["nothing", () => [], []],
  ] as const)("a union is sorted and has no ranges that meet: %s", (_, lists, wanted) => {
    expect(union(lists().map((list) => [...list]))).toEqual(
      wanted.map(([from, to]) => ({ from, to })),
    );
  });

  test.each([
    ["nothing", () => [], [[null, null]]],
    ["everything", () => complement([]), []],
    ["the beginning", () => below2(), [[4n, null]]],
    ["the end", () => from1(), [[null, 2n]]],
    [
      "one number",
      () => only1(),
      [
        [null, 2n],
        [3n, null],
      ],
    ],
    [
      "two numbers",
      () => union([only1(), only3()]),
      [
        [null, 2n],
        [3n, 6n],
        [7n, null],
      ],
    ],
  ] as const)("the complement of %s", (_, ranges, wanted) => {
    expect(complement(ranges())).toEqual(wanted.map(([from, to]) => ({ from, to })));
  });
});
