import { describe, expect, test } from "vitest";
import { Budget, BudgetExceeded } from "./budget.ts";
import { caller } from "./callers.ts";
import { Feasibility } from "./feasible.ts";
import { everyRange } from "./intervals.ts";
import { QuestionKeys } from "./keys.ts";
import { type Literal, type Place, type State, Terms } from "./literals.ts";
import { type Pattern, patternOf, unitsOf } from "./patterns.ts";
import { leavesOf } from "./search.ts";
import { wildcardToken } from "./tokens.ts";

const doubt: Place = { construct: "x", path: "", side: "policy", text: "", key: null };

/** The texts of some keys, and how they are written in this table: `a=x*` or `a!=x*|y`. */
class Texts {
  readonly terms = new Terms();
  readonly budget: Budget;
  readonly scope;
  readonly #patterns = new Map<string, string>();

  constructor(max = 100_000) {
    this.budget = new Budget(max);
    const keys = new QuestionKeys([], { get: () => undefined });
    const named = { roles: [], accounts: [] };
    const feasibility = new Feasibility(this.terms, keys, caller("role"), named, this.budget);
    this.scope = { terms: this.terms, feasibility, budget: this.budget };
  }

  literal(text: string): Literal {
    const [, name = "", negation, values = ""] = /^(.*?)(!?)=(.*)$/s.exec(text) ?? [];
    if (name === "aws:sourceip") {
      const { index } = this.terms.dimension(name, "address");
      const shared = { dimension: index, quantifier: "one", texts: null } as const;
      return this.terms.literal({ ...shared, absentOk: false, ranges: everyRange });
    }
    const isOpaque = name.startsWith("@opaque");
    const dimension = this.terms.dimension(
      name,
      isOpaque ? "opaque" : "text",
      false,
      isOpaque ? doubt : null,
    );
    const negated = negation === "!";
    return this.terms.literal({
      dimension: dimension.index,
      absentOk: negated && !name.startsWith("@"),
      quantifier: "one",
      texts: { negated, patterns: values.split("|").map((one) => this.#pattern(one)) },
      ranges: null,
    });
  }

  #pattern(text: string): Pattern {
    const pattern = patternOf(unitsOf(text).map(wildcardToken));
    this.#patterns.set(pattern.key, text);
    return pattern;
  }

  shown(state: State): string {
    const ids = state.flatMap((one) => one ?? []);
    return ids
      .map((id) => {
        const { dimension, texts } = this.terms.get(id);
        const values = texts?.patterns.map(({ key }) => this.#patterns.get(key)).join("|");
        return `${this.terms.dimensions[dimension]?.name}${texts?.negated ? "!" : ""}=${values ?? ""}`;
      })
      .join(" ");
  }
}

interface Found {
  readonly leaves: readonly string[];
  readonly pauses: number;
  readonly steps: number;
}

/** Leaves of what meets all of the first and none of the blockers, each of which is a conjunction. */
function search(
  start: string,
  blockers: readonly string[],
  { isPaused = false, most = Number.POSITIVE_INFINITY, max = 100_000 } = {},
): Found {
  const texts = new Texts(max);
  const read = (list: string) =>
    list === "" ? [] : list.split(" ").map((one) => texts.literal(one));
  const first = read(start);
  const others = blockers.map((one) => ({ literals: read(one) }));
  if (isPaused) Object.defineProperty(texts.budget, "pauseDue", { get: () => true });
  const leaves: string[] = [];
  let pauses = 0;
  for (const state of leavesOf(first, others, texts.scope)) {
    // Results are kept by number, so each list is in order.
    for (const ids of state ?? [])
      expect(ids ?? []).toEqual([...(ids ?? [])].sort((a, b) => a - b));
    if (state) leaves.push(texts.shown(state));
    else pauses++;
    if (leaves.length >= most) break;
  }
  return { leaves, pauses, steps: texts.budget.steps };
}

const cases: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  ["nothing blocks", "a=x*", [], ["a=x*"]],
  ["nothing at all", "", [], [""]],
  ["the same twice", "a=x* a=x*", [], ["a=x*"]],
  ["two conditions of one key", "a=x* a!=xy", [], ["a=x* a!=xy"]],
  ["conditions that exclude each other", "a=x a=y", [], []],
  ["... of the second key", "a=x b=x b=y", [], []],
  ["keys that do not go together", "aws:sourceip= aws:sourcevpc=v", [], []],
  ["all is blocked", "a=x", ["a=x*"], []],
  ["... by one of two", "a=x", ["a=y", "a=x"], []],
  ["... by both together", "a=x|y", ["a=x", "a=y"], []],
  ["... by two of which each has another condition", "a=x", ["a=x b=y", "a=x b!=y"], []],
  ["everything is blocked by what has no conditions", "a=x", [""], []],
  ["a blocker that cannot hold", "a=x", ["a=y"], ["a=x"]],
  ["... in its second condition", "a=x", ["b=z a=y"], ["a=x"]],
  ["a blocker of some", "a=x*", ["a=xy"], ["a=x* a!=xy"]],
  ["a blocker of another key", "a=x", ["b=y"], ["a=x b!=y"]],
  ["a blocker whose one condition holds always", "a=x", ["a=x* b=y"], ["a=x b!=y"]],
  ["a blocker of two keys, one way out each", "a=*", ["a=x b=y"], ["a=* a!=x", "a=* b!=y"]],
  [
    "the resource first, then the action, then keys, then what cannot be read",
    "@action=s:* @resource=arn:*:*:*:*:*",
    ["@opaque=true b=y @action=s:a @resource=arn:a:b:c:d:e"],
    [
      "@action=s:* @resource=arn:*:*:*:*:* @resource!=arn:a:b:c:d:e",
      "@action=s:* @action!=s:a @resource=arn:*:*:*:*:*",
      "@action=s:* @resource=arn:*:*:*:*:* b!=y",
      "@action=s:* @resource=arn:*:*:*:*:* @opaque!=true",
    ],
  ],
  [
    "two blockers, each way out of one with each of the other",
    "a=*",
    ["a=x b=y", "a=z c=y"],
    ["a=* a!=x a!=z", "a=* a!=x c!=y", "a=* a!=z b!=y", "a=* b!=y c!=y"],
  ],
  [
    "the blocker with the fewest ways out first",
    "a=*",
    ["a=x b=y c=z", "d=w"],
    ["a=* a!=x d!=w", "a=* b!=y d!=w", "a=* c!=z d!=w"],
  ],
  [
    "a way out of one that is one of the other",
    "a=*",
    ["a=x* b=y", "a=xy c=y"],
    ["a=* a!=x*", "a=* b!=y a!=xy", "a=* b!=y c!=y"],
  ],
  ["a way out that leads into another blocker", "a=x|y", ["a=x b=1", "a=y"], ["a=x|y a!=y b!=1"]],
  [
    "a way out after which another blocker has one less",
    "a=x|y b=1|2",
    ["a=x b=1", "a=y b=1"],
    ["a=x|y b=1|2 a!=x b!=1", "a=x|y b=1|2 b!=1"],
  ],
  [
    "a way out that another blocker has as a condition",
    "a=*",
    ["a=q", "a!=r b=1", "a=r c=1"],
    ["a=* a!=q a=r c!=1", "a=* a!=q b!=1 a!=r", "a=* a!=q b!=1 c!=1"],
  ],
  [
    "a way out that the facts rule out",
    "aws:sourceip=",
    ["aws:sourcevpc!=v b=1"],
    ["aws:sourceip= b!=1"],
  ],
];

test.each(cases)("%s", (_why, start, blockers, expected) => {
  const { leaves } = search(start, blockers);
  const sorted = (list: readonly string[]) => list.map((one) => one.split(" ").sort().join(" "));
  expect(sorted(leaves)).toEqual(sorted(expected));
});

test.each(cases)("with pauses: %s", (_why, start, blockers) => {
  const { leaves, steps } = search(start, blockers);
  const paused = search(start, blockers, { isPaused: true });
  expect(paused.leaves).toEqual(leaves);
  expect(paused.steps).toBe(steps);
});

describe("many blockers, of which each has a way out", () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `a=${at} b=${at}`);
  const others = (count: number) => Array.from({ length: count }, (_, at) => ` a!=${at}`).join("");

  test("are left by the first of each at once", () => {
    const { leaves } = search("a=*", many(16), { most: 2 });
    expect(leaves).toEqual([`a=*${others(16)}`, `a=*${others(16)}`]);
  });

  test("are left one after the other where they are fewer", () => {
    const { leaves } = search("a=*", many(15), { most: 2 });
    expect(leaves).toEqual([`a=*${others(15)}`, `a=*${others(14)} b!=14`]);
  });

  test("are left one after the other where the first ways out exclude each other", () => {
    const start = `a=${Array.from({ length: 16 }, (_, at) => at).join("|")}`;
    const { leaves } = search(start, many(16), { most: 2 });
    expect(leaves[0]).toBe(`${start}${others(15)} b!=15`);
    expect(leaves[1]).not.toBe(leaves[0]);
  });

  test("... or break a fact together", () => {
    const network = "aws:sourcevpc!=v b=1";
    const { leaves } = search("aws:sourceip= a=*", [...many(15), network], { most: 2 });
    expect(leaves[0]).toBe(`aws:sourceip= a=*${others(15)} b!=1`);
    expect(leaves[1]).not.toBe(leaves[0]);
  });
});

describe("steps", () => {
  test("are few where nothing blocks", () => {
    expect(search("a=x*", []).steps).toBeLessThan(6);
  });

  test.each([
    ["a blocker that cannot hold", "a=x", ["a=y"], 7],
    ["sixty-four ways out", "a=*", Array.from({ length: 6 }, (_, at) => `a=${at} b=${at}`), 1_040],
    ["a blocker that says nothing new", "a=x", Array.from({ length: 100 }, () => "a=y b=z"), 110],
  ])("for %s are counted", (_why, start, blockers, most) => {
    const { steps } = search(start, blockers);
    expect(steps).toBeGreaterThan(most * 0.95);
    expect(steps).toBeLessThanOrEqual(most);
  });

  test("that are used up end the search", () => {
    expect(() => search("a=*", ["a=x b=y", "a=z c=y"], { max: 10 })).toThrow(BudgetExceeded);
  });
});

describe("pauses", () => {
  const ways = Array.from({ length: 7 }, (_, at) => `a=${at} b=${at}`);

  test("are taken at least every few hundred steps", () => {
    const { pauses, steps } = search("a=*", ways);
    expect(pauses).toBeGreaterThan(steps / 600);
    expect(pauses).toBeLessThanOrEqual(steps / 250 + 1);
  });

  test("are taken while many blockers are looked at", () => {
    const blockers = Array.from({ length: 600 }, () => "a=y b=z");
    expect(search("a=x", blockers).pauses).toBeGreaterThan(1);
  });

  test("may be taken at each blocker, each node and each way out", () => {
    const counted = (blockers: readonly string[]) =>
      search("a=*", blockers, { isPaused: true }).pauses;
    expect([[], ["a=x b=y"], ["a=x b=y", "c=z"]].map(counted)).toEqual([1, 10, 16]);
  });
});
