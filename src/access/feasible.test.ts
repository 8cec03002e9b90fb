import { describe, expect, test } from "vitest";
import { arn, text } from "../../test/support/pattern-text.ts";
import { Budget, finish } from "./budget.ts";
import { type Caller, caller } from "./callers.ts";
import { Feasibility, type Feasible, isPossible } from "./feasible.ts";
import { everyRange, readNumber } from "./intervals.ts";
import { QuestionKeys } from "./keys.ts";
import { type Dimension, idsOf, type Literal, type Quantifier, Terms } from "./literals.ts";
import type { Pattern } from "./patterns.ts";
import { readTokens, resourcePattern, Variables } from "./read-pattern.ts";

const named = {
  roles: ["arn:aws:iam::111122223333:role/team/app"],
  accounts: ["111122223333"],
};
const quantifiers: Readonly<Record<string, Quantifier>> = {
  "some ": "some",
  "every ": "every",
  "plain ": "plain",
};

/** One dimension of the requests of one kind of caller, and what literals say of it. */
class Told {
  readonly terms = new Terms();
  readonly budget = new Budget(1_000_000);
  readonly feasibility: Feasibility;
  readonly dimension: Dimension;
  readonly #variables = new Variables();

  constructor(
    name: string,
    of: Caller = caller("role"),
    family: Dimension["family"] = "text",
    many = false,
  ) {
    const keys = new QuestionKeys([], { get: () => undefined });
    this.feasibility = new Feasibility(this.terms, keys, of, named, this.budget);
    this.dimension = this.terms.dimension(name, family, many);
  }

  /** `x*|y`: one of these; `!x`: neither; `?…`: or absent; `some …`, `every …`, `plain …`: of several values. */
  literal(said: string): Literal {
    const [, prefix = "", maybe, negation, values = ""] =
      /^(some |every |plain )?(\??)(!?)(.*)$/s.exec(said) ?? [];
    const patterns = values === "" ? [] : values.split("|").map((text) => this.pattern(text));
    return this.terms.literal({
      dimension: this.dimension.index,
      absentOk: maybe === "?",
      quantifier: quantifiers[prefix] ?? "one",
      texts: { negated: negation === "!", patterns },
      ranges: null,
    });
  }

  pattern(text: string): Pattern {
    const reading = { wildcards: true, variables: true, ignoreCase: false };
    return resourcePattern(readTokens(text, reading, this.#variables) ?? []);
  }

  of(...said: readonly string[]): Feasible {
    const literals = said.map((one) => this.literal(one));
    return this.feasibility.of(this.dimension, idsOf(literals));
  }
}

/** What there may be: a value, several, or none at all. */
function shown({ absent, present }: Feasible): string {
  return `${present}${absent ? " or absent" : ""}`;
}

const role = caller("role");
const service = caller("service", "sns.amazonaws.com");

describe("what a key may be", () => {
  test.each<[string, Caller, readonly string[], string]>([
    ["aws:useragent", role, [], "yes or absent"],
    ["aws:useragent", role, ["x"], "yes"],
    ["aws:useragent", role, ["?x"], "yes or absent"],
    ["aws:useragent", role, ["?!x"], "yes or absent"],
    ["aws:useragent", role, ["x", "?y"], "no"],
    ["aws:useragent", role, ["?x", "?y"], "no or absent"],
    ["aws:useragent", role, ["x*", "*y"], "yes"],
    ["aws:useragent", role, ["x*", "!xy"], "yes"],
    ["aws:useragent", role, ["xy", "!x*"], "no"],
    ["aws:useragent", role, ["!*"], "no"],
    ["aws:useragent", role, ["?!*"], "no or absent"],
    ["aws:useragent", role, [""], "no"],
    ["aws:useragent", role, ["!"], "yes"],
    ["aws:useragent", role, ["a|b", "!a", "!b"], "no"],
    ["aws:useragent", role, ["a|b", "b|c"], "yes"],
    // F1, F3 and F5: keys that are always there, and keys that never are.
    ["aws:principaltype", role, [], "yes"],
    ["aws:principaltype", role, ["AssumedRole"], "yes"],
    ["aws:principaltype", role, ["?User"], "no"],
    ["aws:username", role, ["?x"], "no or absent"],
    ["aws:username", role, ["x"], "no"],
    ["aws:username", caller("user"), ["x"], "yes"],
    // F4 and F8: values that depend on the caller.
    ["aws:principalisawsservice", service, ["true"], "yes"],
    ["aws:principalisawsservice", service, ["false"], "no"],
    ["aws:principalaccount", service, ["111122223333"], "no"],
    ["aws:principalaccount", service, ["444455556666"], "yes"],
    ["aws:principalaccount", caller("federated", "x"), ["111122223333"], "no"],
    ["aws:principalaccount", caller("canonical", "x"), ["111122223333"], "yes"],
    ["aws:sourceaccount", service, ["111122223333"], "yes"],
    // A truth is one of two.
    ["aws:securetransport", role, ["true"], "yes"],
    ["aws:securetransport", role, ["!true"], "yes"],
    ["aws:securetransport", role, ["!true", "!false"], "no"],
    ["aws:securetransport", role, ["TRUE"], "no"],
    ["aws:useragent", role, ["!true", "!false"], "yes"],
    // The caller's ARN.
    ["aws:principalarn", role, ["arn:aws:iam::111122223333:role/x"], "yes"],
    ["aws:principalarn", role, ["arn:aws:iam::111122223333:user/x"], "no"],
    ["aws:principalarn", role, ["arn:aws:iam::1:role/x"], "no"],
    ["aws:principalarn", caller("user"), ["arn:aws:iam::111122223333:user/x"], "yes"],
    ["aws:principalarn", service, ["arn:aws:iam::111122223333:role/x"], "no"],
    // An action has one colon; a resource is an ARN or `*`.
    ["@action", role, [], "yes"],
    ["@action", role, ["s3:getobject"], "yes"],
    ["@action", role, ["s3"], "no"],
    ["@action", role, ["s3:a:b"], "no"],
    ["@action", role, ["?s3"], "no"],
    ["@resource", role, ["arn:aws:s3:::b"], "yes"],
    ["@resource", role, ["*"], "yes"],
    ["@resource", role, ["b"], "no"],
    ["@resource", role, ["arn:aws:s3:::*", "!arn:*:*:*:*:*"], "no"],
    ["@resource", role, ["*", "!arn:*:*:*:*:*"], "yes"],
    ["@resource", role, ["!arn:*:*:*:*:*", "!*"], "no"],
    ["@resource", role, ["*", "!arn:aws:s3:::b/*"], "yes"],
    // What cannot be read is true or false.
    ["@opaque 1", role, ["true"], "yes"],
    ["@opaque 1", role, ["!true"], "yes"],
    ["@opaque 1", role, ["true", "!true"], "no"],
    ["@opaque 1", role, ["!true", "!false"], "no"],
    ["@owner", role, ["x"], "yes"],
    ["@owner", role, ["?x"], "yes"],
  ])("%s of %j under %j: %s", (name, of, said, expected) => {
    const family = name.startsWith("@opaque") ? "opaque" : "text";
    expect(shown(new Told(name, of, family).of(...said))).toBe(expected);
  });

  test("is the same when asked again, at no cost", () => {
    const told = new Told("aws:useragent");
    const first = told.of("x*", "!xy");
    const { steps } = told.budget;
    expect(told.of("x*", "!xy")).toBe(first);
    expect(told.budget.steps).toBe(steps);
  });
});

test("a key that is never there costs a step", () => {
  const told = new Told("aws:username");
  told.of();
  expect(told.budget.steps).toBe(1);
});

describe("what a key of several values may be", () => {
  test.each<[readonly string[], string]>([
    [[], "yes or absent"],
    [["some x"], "yes"],
    [["some x", "some y"], "yes"],
    [["some x", "every y"], "no"],
    [["some x", "some y", "every x"], "no"],
    [["some x", "every x|y"], "yes"],
    [["every ?x"], "yes or absent"],
    [["every ?x", "every ?y"], "no or absent"],
    [["every x", "x"], "yes"],
    [["some x", "y"], "no"],
    [["plain x"], "yes"],
    [["plain x", "plain y"], "several"],
    [["plain x", "some y"], "several"],
    [["plain x", "every y"], "several"],
    [["plain x", "some y", "every z"], "no"],
    [["plain x", "plain !x"], "several"],
    [["plain ?!x"], "yes or absent"],
    [["plain x", "plain ?!x"], "no"],
  ])("under %j: %s", (said, expected) => {
    expect(shown(new Told("aws:calledvia", role, "text", true).of(...said))).toBe(expected);
  });
});

describe("numbers", () => {
  const five = readNumber("5") ?? 0n;
  const below = [{ from: null, to: five * 2n }];
  const above = [{ from: five * 2n, to: null }];
  const ranged = (told: Told, ranges: Literal["ranges"]) =>
    told.terms.literal({
      dimension: told.dimension.index,
      absentOk: false,
      quantifier: "one",
      texts: null,
      ranges,
    });

  test("are those in all the ranges", () => {
    const told = new Told("s3:max-keys", role, "number");
    const of = (...ranges: Literal["ranges"][]) =>
      shown(told.feasibility.of(told.dimension, idsOf(ranges.map((one) => ranged(told, one)))));
    expect(of(below)).toBe("yes");
    expect(of(above)).toBe("yes");
    expect(of(below, above)).toBe("no");
    expect(of(everyRange)).toBe("yes");
    expect(of([])).toBe("no");
  });

  test("cost a step for each range", () => {
    const told = new Told("s3:max-keys", role, "number");
    const literals = [ranged(told, below), ranged(told, everyRange)];
    expect(told.feasibility.ranges(told.dimension, literals)).toEqual(below);
    expect(told.budget.steps).toBe(2);
    expect(told.feasibility.ranges(told.dimension, [told.literal("x")])).toEqual(everyRange);
  });

  test("are addresses of the two families where the key has addresses", () => {
    const told = new Told("aws:sourceip", role, "address");
    expect(told.feasibility.ranges(told.dimension, [])).not.toEqual(everyRange);
  });
});

test.each<[Feasible, boolean]>([
  [{ absent: true, present: "no" }, true],
  [{ absent: false, present: "yes" }, true],
  [{ absent: false, present: "several" }, true],
  [{ absent: false, present: "no" }, false],
])("%j is possible: %s", (feasible, expected) => {
  expect(isPossible(feasible)).toBe(expected);
});

/** The patterns in which a text was found, and the text with `~` for what wildcards left open. */
function texts(told: Told, ...said: readonly string[]): readonly string[] {
  const literals = said.map((one) => told.literal(one));
  return [...told.feasibility.texts(told.dimension, literals)].map(({ text }) =>
    text.map((token) => (token < 128 ? String.fromCharCode(token) : "~")).join(""),
  );
}

describe("texts that meet what is said", () => {
  test.each<[readonly string[], readonly string[]]>([
    [["a|b"], ["a", "b"]],
    [["a|b", "!a"], ["b"]],
    [
      ["a|b|c", "b|c|d"],
      ["b", "c"],
    ],
    [["a*", "!*"], []],
    [["a"], ["a"]],
    [["a", "?b"], []],
    [["ab*", "*"], ["ab~"]],
  ])("of %j: %j", (said, expected) => {
    expect(texts(new Told("aws:useragent"), ...said)).toEqual(expected);
  });

  test("have no account of the documents where the caller is outside of all", () => {
    expect(texts(new Told("aws:principalaccount", service), "111122223333|444455556666")).toEqual([
      "444455556666",
    ]);
    expect(texts(new Told("aws:principalaccount"), "111122223333")).toEqual(["111122223333"]);
  });

  test("have the fields of an ARN where a pattern is excluded by fields", () => {
    // The text pattern has a star that may take colons; read by fields it leaves something.
    expect(texts(new Told("@resource"), "*", "!arn:aws:s3:::*").length).toBeGreaterThan(1);
    expect(texts(new Told("@resource"), "arn:*", "!arn:*:*:*:*:*")).toEqual([]);
  });

  test("have six fields where the pattern is read as text", () => {
    const told = new Told("aws:sourcearn");
    const left = (pattern: Pattern, ...none: readonly Pattern[]) => {
      const shared = { dimension: told.dimension.index, absentOk: false, ranges: null } as const;
      const literals = [
        { ...shared, quantifier: "one", texts: { negated: false, patterns: [pattern] } } as const,
        { ...shared, quantifier: "one", texts: { negated: true, patterns: none } } as const,
      ].map((shape) => told.terms.literal(shape));
      return [...told.feasibility.texts(told.dimension, literals)].length;
    };
    const all = arn("arn:*:*:*:*:*");
    expect(left(text("arn:*:s3:::a*"), all)).toBe(0);
    expect(left(text("arn:*:s3:::a*"), all, text("x*"))).toBe(0);
    expect(left(text("arn:*:s3:::a*"), arn("arn:*:s3:::*"))).toBeGreaterThan(1);
    expect(left(text("arn:*:s3:::a*"), text("arn:*:s3:::b*"))).toBe(1);
    expect(left(text("arn:*:s3::a*"), all)).toBe(1);
    expect(left(arn("arn:*:s3:::a*"), arn("arn:aws:s3:::*"))).toBe(1);
  });

  test("are found with pauses after patterns without any", () => {
    const told = new Told("aws:useragent");
    const literals = [told.literal("a|b|c"), told.literal("!a|c")];
    const steps = () => [...told.feasibility.textSteps(told.dimension, literals)];
    expect(steps().map((one) => one !== null)).toEqual([true]);
    Object.defineProperty(told.budget, "pauseDue", { get: () => true });
    expect(steps().filter((one) => one !== null)).toHaveLength(1);
    expect(steps().filter((one) => one === null).length).toBeGreaterThanOrEqual(2);
    expect([...told.feasibility.texts(told.dimension, literals)]).toHaveLength(1);
  });

  test("are found with pauses between patterns with variables", () => {
    const pauses = (isPaused: boolean) => {
      const told = new Told("aws:useragent");
      const literals = [told.literal("a${aws:username}|b|c"), told.literal("!d*")];
      Object.defineProperty(told.budget, "pauseDue", { get: () => isPaused });
      const steps = [...told.feasibility.textSteps(told.dimension, literals)];
      return steps.filter((one) => one === null).length;
    };
    expect(pauses(false)).toBe(0);
    expect(pauses(true)).toBeGreaterThanOrEqual(3);
  });

  test("have a variable only where its pattern is not excluded as a whole", () => {
    const said = ["a/${aws:username}|b/*", "!a/*"];
    expect(texts(new Told("aws:useragent"), ...said)).toEqual(["b/~"]);
    expect(texts(new Told("aws:useragent"), "a/${aws:username}", "!b/*")).toEqual(["a/~"]);
  });
});

describe("the patterns that literals have in common", () => {
  const common = (told: Told, said: readonly string[], none: readonly string[] = []) =>
    told.feasibility.patterns(
      told.dimension,
      said.map((one) => told.literal(one)),
      none.map((one) => told.pattern(one)),
    );
  test("are those of all that ask for something", () => {
    const told = new Told("aws:useragent");
    expect(common(told, ["a*|b*", "*c", "!d"]).map(({ tokens }) => tokens.length)).toHaveLength(2);
    expect(common(told, ["a", "b"])).toEqual([]);
  });

  test("are found once", () => {
    const told = new Told("aws:useragent");
    expect(common(told, ["a*", "*b"])).toBe(common(told, ["a*", "*b"]));
    // What rules out is no part of it, unless it takes a pattern with a variable.
    expect(common(told, ["a*"], ["ab"])).toBe(common(told, ["a*"], ["ac"]));
    expect(common(told, ["a${aws:username}|b"], ["a*"])).toHaveLength(1);
    expect(common(told, ["a${aws:username}|b"], ["c*"])).toHaveLength(2);
    const literals = [told.literal("a${aws:username}|b")];
    expect(told.feasibility.patterns(told.dimension, literals)).toHaveLength(2);
    const two = "a${aws:username}|b${aws:username}|c";
    const keys = (none: string) => common(told, [two], [none]).map(({ key }) => key);
    expect(keys("a*")).not.toEqual(keys("b*"));
  });
});

describe("work that waits for what takes long", () => {
  const long = (letter: string) =>
    Array.from({ length: 80 }, (_, at) => `*${letter}*${at}*`).join("|");
  const said = [`${long("a")}|z`, "!*a*"];

  function asked(told: Told, log: string[]) {
    return told.feasibility.whenReady(() => {
      log.push("begun");
      const results = [told.of("x"), told.of(...said), told.of("y")];
      log.push("ended");
      return results.map(shown);
    });
  }

  test("is begun anew when that is decided, with pauses", () => {
    const told = new Told("aws:useragent");
    const log: string[] = [];
    Object.defineProperty(told.budget, "pauseDue", { get: () => true });
    const steps = asked(told, log);
    let pauses = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) pauses++;
    expect(step.value).toEqual(["yes", "yes", "yes"]);
    // A pause is due in each of the three.
    expect(log).toEqual(["begun", "begun", "begun", "begun", "ended"]);
    expect(pauses).toBeGreaterThan(40);
  });

  test("costs the same as done at once", () => {
    const told = new Told("aws:useragent");
    told.budget.spend(100);
    finish(asked(told, []));
    const atOnce = new Told("aws:useragent");
    for (const one of [["x"], said, ["y"]]) atOnce.of(...one);
    expect(told.budget.steps).toBe(atOnce.budget.steps + 100);
  });

  test("costs what it spends itself once", () => {
    const told = new Told("aws:useragent");
    finish(
      told.feasibility.whenReady(() => {
        told.budget.spend(7);
        return told.of(...said);
      }),
    );
    const atOnce = new Told("aws:useragent");
    atOnce.of(...said);
    expect(told.budget.steps).toBe(atOnce.budget.steps + 7);
  });

  test("is done at once where nothing takes long", () => {
    const told = new Told("aws:useragent");
    const log: string[] = [];
    finish(
      told.feasibility.whenReady(() => {
        log.push("begun");
        return told.of("a*", "!ab");
      }),
    );
    expect(log).toEqual(["begun"]);
  });

  test("is not broken off after it, nor by an error", () => {
    const told = new Told("aws:useragent");
    finish(asked(told, []));
    expect(shown(told.of(long("d")))).toBe("yes");
    const failing = told.feasibility.whenReady(() => {
      throw new Error("own");
    });
    expect(() => failing.next()).toThrow("own");
    expect(shown(told.of(long("e")))).toBe("yes");
  });
});
