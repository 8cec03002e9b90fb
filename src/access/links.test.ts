import { describe, expect, test } from "vitest";
import { Budget } from "./budget.ts";
import { caller } from "./callers.ts";
import { Feasibility } from "./feasible.ts";
import { everyRange } from "./intervals.ts";
import { QuestionKeys } from "./keys.ts";
import { linksHold, mustHave, networkKeys, tagKeysState } from "./links.ts";
import { idsOf, type Literal, type Quantifier, type State, Terms } from "./literals.ts";
import type { Pattern } from "./patterns.ts";
import { readTokens, resourcePattern, Variables } from "./read-pattern.ts";

/** What a state says of a key: values, or that it is there (`true`) or not (`false`). */
type Said = string | readonly string[] | boolean;

/** A state in which a role's request meets all that is said. A key that begins with `!` has none of the values. */
class Told {
  readonly terms = new Terms();
  readonly budget = new Budget(100_000);
  readonly scope: { readonly terms: Terms; readonly feasibility: Feasibility };
  readonly state: State;

  constructor(said: Readonly<Record<string, Said>>) {
    const services = { get: () => undefined };
    const keys = new QuestionKeys([], services);
    const named = { roles: [], accounts: [] };
    const feasibility = new Feasibility(this.terms, keys, caller("role"), named, this.budget);
    this.scope = { terms: this.terms, feasibility };
    const literals = Object.entries(said).map(([name, values]) => this.#literal(name, values));
    const state: (readonly number[] | undefined)[] = [];
    for (const one of literals) {
      const others = literals.filter(({ dimension }) => dimension === one.dimension);
      state[one.dimension] = idsOf(others);
    }
    this.state = state;
  }

  #literal(said: string, values: Said): Literal {
    const negated = said.startsWith("!");
    const name = said.replace(/^[!?]/, "");
    const isKeys = name === "aws:tagkeys";
    const dimension = this.terms.dimension(name, families.get(name) ?? "text", isKeys);
    const quantifier: Quantifier = isKeys ? (negated ? "every" : "some") : "one";
    const absentOk = negated || said.startsWith("?");
    const shared = { dimension: dimension.index, quantifier };
    if (dimension.family !== "text") {
      return this.terms.literal({ ...shared, absentOk, texts: null, ranges: everyRange });
    }
    if (typeof values === "boolean") {
      const patterns = values ? [] : [pattern("*")];
      // Any text, or none of all texts.
      return this.terms.literal({
        ...shared,
        absentOk: !values,
        texts: { negated: true, patterns },
        ranges: null,
      });
    }
    const patterns = [values].flat().map(pattern);
    return this.terms.literal({ ...shared, absentOk, texts: { negated, patterns }, ranges: null });
  }

  get holds(): boolean {
    return linksHold(this.state, this.scope);
  }
}

const families = new Map([
  ["aws:sourceip", "address"],
  ["aws:multifactorauthage", "number"],
] as const) as ReadonlyMap<string, "address" | "number">;

function pattern(text: string): Pattern {
  const reading = { wildcards: true, variables: false, ignoreCase: false };
  return resourcePattern(readTokens(text, reading, new Variables()) ?? []);
}

const owner = "aws:resourceaccount";
const queue = (account: string) => `arn:aws:sqs:us-east-1:${account}:q`;

describe("keys that go together", () => {
  test.each<[string, Readonly<Record<string, Said>>, boolean]>([
    ["nothing", {}, true],
    ["an address alone", { "aws:sourceip": true }, true],
    ...networkKeys.flatMap((key): [string, Readonly<Record<string, Said>>, boolean][] => [
      [`an address and ${key}`, { "aws:sourceip": true, [key]: "x/y" }, false],
      [`an address, or ${key}`, { "?aws:sourceip": true, [key]: "x/y" }, true],
      [`${key} alone`, { [key]: "x/y" }, true],
      [`an address without ${key}`, { "aws:sourceip": true, [key]: false }, true],
      [`an address, and another ${key}`, { "aws:sourceip": true, [`!${key}`]: "x/y" }, true],
    ]),
    ["an address and another key", { "aws:sourceip": true, "aws:useragent": "x" }, true],
    ["an age of a second factor", { "aws:multifactorauthage": true }, true],
    [
      "... and a second factor",
      { "aws:multifactorauthage": true, "aws:multifactorauthpresent": "true" },
      true,
    ],
    [
      "... and none",
      { "aws:multifactorauthage": true, "aws:multifactorauthpresent": "false" },
      false,
    ],
    [
      "... and any, or none",
      { "aws:multifactorauthage": true, "aws:multifactorauthpresent": ["true", "false"] },
      true,
    ],
    [
      "... where nothing may be said of one",
      { "aws:multifactorauthage": true, "aws:multifactorauthpresent": false },
      false,
    ],
    [
      "no second factor, and perhaps an age",
      { "?aws:multifactorauthage": true, "aws:multifactorauthpresent": "false" },
      true,
    ],
    ["an owner alone", { [owner]: "111122223333" }, true],
    ["the owner of a queue", { [owner]: "111122223333", "@resource": queue("111122223333") }, true],
    ["... of another", { [owner]: "111122223333", "@resource": queue("444455556666") }, false],
    ["... of any", { [owner]: "111122223333", "@resource": queue("*") }, true],
    ["... of some", { [owner]: "111122223333", "@resource": queue("4*") }, true],
    [
      "... of one of two",
      {
        [owner]: "111122223333",
        "@resource": [queue("444455556666"), queue("111122223333")],
      },
      true,
    ],
    [
      "one of two owners",
      { [owner]: ["444455556666", "111122223333"], "@resource": queue("111122223333") },
      true,
    ],
    ["another owner", { [`!${owner}`]: "111122223333", "@resource": queue("111122223333") }, true],
    [
      "perhaps an owner",
      { [`?${owner}`]: "111122223333", "@resource": queue("444455556666") },
      true,
    ],
    ["an owner of a bucket", { [owner]: "111122223333", "@resource": "arn:aws:s3:::b/*" }, true],
    [
      "... of what is longer than an account",
      { [owner]: "111122223333", "@resource": queue("1111222233334") },
      true,
    ],
    [
      "... of what is not an account",
      { [owner]: "111122223333", "@resource": queue("11112222333a") },
      true,
    ],
    [
      "... of the first of characters beside digits",
      { [owner]: "111122223333", "@resource": queue("/11122223333") },
      true,
    ],
    ["... of the last", { [owner]: "111122223333", "@resource": queue("99999999999;") }, true],
    [
      "... of nines and zeros",
      { [owner]: "111122223333", "@resource": queue("909090909090") },
      false,
    ],
    [
      "... where a Deny has the queue",
      { [owner]: "111122223333", "@resource": queue("111122223333"), "!@resource": queue("*") },
      false,
    ],
    [
      "... where a Deny has the queue of another account",
      {
        [owner]: "111122223333",
        "@resource": [queue("111122223333"), queue("444455556666")],
        "!@resource": queue("111122223333"),
      },
      false,
    ],
    [
      "... of 51 queues of other accounts, which are too many to look at",
      { [owner]: "111122223333", "@resource": queues(51) },
      true,
    ],
    ["... of 50", { [owner]: "111122223333", "@resource": queues(50) }, false],
    ["the key of a tag", { "aws:tagkeys": "env" }, true],
    ["a tag", { "aws:requesttag/env": "x" }, true],
    ["... and its key", { "aws:requesttag/env": "x", "aws:tagkeys": "env" }, true],
    ["... and the key of another", { "aws:requesttag/env": "x", "aws:tagkeys": "team" }, true],
    [
      "... whose key may have other letters",
      { "aws:requesttag/a": "x", "!aws:tagkeys": "a" },
      true,
    ],
    ["... and its key in neither", { "aws:requesttag/a": "x", "!aws:tagkeys": ["a", "A"] }, false],
    ["... and no key at all", { "aws:requesttag/env": "x", "!aws:tagkeys": "*" }, false],
    [
      "the key of a tag that is not there",
      { "aws:requesttag/env": false, "aws:tagkeys": "env" },
      false,
    ],
    [
      "... in other letters than the key's",
      { "aws:requesttag/env": false, "aws:tagkeys": "ENV" },
      false,
    ],
    ["... and the key of another", { "aws:requesttag/env": false, "aws:tagkeys": "team" }, true],
    [
      "a tag with another value, or none",
      { "!aws:requesttag/env": "x", "!aws:tagkeys": "env" },
      true,
    ],
    [
      "a tag whose key has signs only",
      { "aws:requesttag/1-[/": "x", "!aws:tagkeys": "1-[/" },
      false,
    ],
    ["a tag of a resource", { "aws:resourcetag/env": "x", "!aws:tagkeys": "env" }, true],
  ])("%s", (_why, said, expected) => {
    expect(new Told(said).holds).toBe(expected);
  });
});

function queues(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => queue(`4444555566${10 + at}`));
}

test.each<[Said | undefined, string, boolean]>([
  ["x", "aws:useragent", true],
  [true, "aws:useragent", true],
  [false, "aws:useragent", false],
  [undefined, "aws:useragent", false],
  ["x", "?aws:useragent", false],
  ["x", "!aws:useragent", false],
])("with %j about %s a request must have the key: %s", (values, key, expected) => {
  const { state, scope } = new Told(values === undefined ? {} : { [key]: values });
  expect(mustHave(state, scope, "aws:useragent")).toBe(expected);
});

describe("what follows for the keys of tags", () => {
  const shown = (said: Readonly<Record<string, Said>>) => {
    const { state, scope, terms } = new Told(said);
    const found = tagKeysState(state, scope);
    return found?.ids.map((id) => {
      const { quantifier, texts, absentOk } = terms.get(id);
      const tokens = texts?.patterns[0]?.tokens.length;
      return `${quantifier} ${texts?.negated ? "not " : ""}${tokens}${absentOk ? " or none" : ""}`;
    });
  };
  test.each<[Readonly<Record<string, Said>>, readonly string[] | undefined]>([
    [{ "aws:requesttag/env": "x" }, undefined],
    [{ "aws:tagkeys": "team" }, ["some 4"]],
    [{ "aws:tagkeys": "team", "aws:requesttag/env": "x" }, ["some 4", "some 3"]],
    [{ "aws:tagkeys": "team", "aws:requesttag/env": false }, ["some 4", "every not 3 or none"]],
    [{ "aws:tagkeys": "team", "!aws:requesttag/env": "x" }, ["some 4"]],
    [{ "aws:tagkeys": "team", "aws:resourcetag/env": "x" }, ["some 4"]],
  ])("%j: %j", (said, expected) => {
    expect(shown(said)).toEqual(expected);
  });

  test("is nothing where no condition in this state says something of them", () => {
    const { scope, terms } = new Told({ "aws:tagkeys": "team" });
    expect(tagKeysState([], scope)).toBeNull();
    expect(terms.find("aws:tagkeys")).toBeDefined();
  });

  test("the keys of tags in a state without them follow from its tags", () => {
    const { scope, state, terms } = new Told({ "aws:requesttag/env": "x" });
    terms.dimension("aws:tagkeys", "text", true);
    expect(tagKeysState(state, scope)?.ids).toHaveLength(1);
  });
});
