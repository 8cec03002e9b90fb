import { expect, test } from "vitest";
import { type Literal, oneOf, type Quantifier, Terms } from "./literals.ts";
import { literal } from "./patterns.ts";
import { groupsOf, withIds } from "./value-groups.ts";

const terms = new Terms();
const single = terms.dimension("aws:requestedregion");
const several = terms.dimension("aws:tagkeys", "text", true);

function of(quantifier: Quantifier, text: string): Literal {
  return { ...oneOf(terms, several, [literal(text)]), quantifier };
}

test.each([
  ["one value of a key that has one", single, ["some a", "some b"], [["some a", "some b"]]],
  ["no value where nothing is said", several, [], [[]]],
  ["one value that every value is like", several, ["every a", "every b"], [["every a", "every b"]]],
  ["a value for each that is needed", several, ["some a", "some b"], [["some a"], ["some b"]]],
  [
    "... which is like every value, too",
    several,
    ["some a", "every b", "some c", "one d"],
    [
      ["every b", "one d", "some a"],
      ["every b", "one d", "some c"],
    ],
  ],
  [
    "one value where a condition says nothing of several",
    several,
    ["some a", "plain b", "every c"],
    [["some a", "plain b", "every c"]],
  ],
] as const)("%s", (_, dimension, names, expected) => {
  const literals = names.map((name) => {
    const [quantifier = "one", text = ""] = name.split(" ") as [Quantifier, string];
    return of(quantifier, text);
  });
  const shown = ({ quantifier, texts }: Literal) => `${quantifier} ${texts?.patterns[0]?.text}`;
  expect(groupsOf(dimension, literals).map((group) => group.map(shown))).toEqual(expected);
});

test("a state with other literals of a dimension is another one", () => {
  const state = [[1], [2, 3], undefined];
  expect(withIds(state, several, [4])).toEqual([[1], [4], undefined]);
  expect(state).toEqual([[1], [2, 3], undefined]);
});
