import { describe, expect, test } from "vitest";
import {
  allow,
  deny,
  documentOf,
  grant,
  type Side,
  type Statement,
} from "../../test/support/access.ts";
import { embeddedServices } from "../services/embedded.ts";
import type { Asked, Branch, Outcome } from "./asked.ts";
import { having, originsOf } from "./asking.ts";
import { Budget, type Steps } from "./budget.ts";
import type { Caller } from "./callers.ts";
import { type AccessType, readDocument } from "./document.ts";
import type { Confirmed, Kind, Leaf } from "./leaf.ts";
import { oneOf, type Place } from "./literals.ts";
import { literal } from "./patterns.ts";
import { searchAll } from "./question.ts";
import { settingOf } from "./setting.ts";

type Answer = Kind | Place | null;

interface Told {
  readonly baseline?: Side;
  readonly type?: AccessType;
  /** What a leaf comes to; by default each is a request that the policy grants. */
  readonly witness?: (leaf: Leaf, count: number) => Answer;
  readonly asked?: Partial<Asked>;
  readonly budget?: Budget;
}

interface Found extends Outcome {
  /** For each leaf: the caller and the entries of its group. */
  readonly leaves: readonly string[];
  readonly states: readonly Leaf[];
  readonly pauses: number;
}

const options = {
  services: embeddedServices(),
  maxSteps: 1,
  maxStatements: 20,
  extraTrustedKeys: [],
};

/** The search of what a policy allows beside its baseline. A Deny of the baseline is a branch. */
function search(policy: Side, told: Told = {}): Found {
  const { baseline = [], type = "identity", witness = () => "grants" as const } = told;
  const own = readDocument(documentOf(policy), type);
  const old = readDocument(documentOf(baseline), type);
  const { keys, callers } = settingOf([own, old], type, options);
  const denies = having(originsOf(own, "policy"), "deny");
  const branches: Branch[] = [
    {
      also: null,
      blockers: [...denies, ...having(originsOf(old, "baseline"), "allow")],
      reason: "not_allowed_before",
    },
    ...having(originsOf(old, "baseline"), "deny").map(
      (also): Branch => ({ also, blockers: denies, reason: "denied_before" }),
    ),
  ];
  const leaves: string[] = [];
  const states: Leaf[] = [];
  function* answer(leaf: Leaf): Steps<Confirmed | Place | null> {
    leaves.push(`${leaf.caller.id.trim()}: ${leaf.group.entries.join(" ")}`);
    states.push(leaf);
    const kind = witness(leaf, leaves.length);
    yield null;
    if (typeof kind !== "string") return kind;
    const request = {
      principal: { type: "Anonymous" },
      action: leaf.group.entries[0] ?? "",
      resource: `leaf ${leaves.length}`,
      context: {},
    } as const;
    return { kind, request };
  }
  const searching = searchAll(
    {
      grants: having(originsOf(own, "policy"), "allow"),
      branches,
      callers,
      named: { roles: [], accounts: [] },
      keys,
      services: options.services,
      limits: () => [],
      focus: null,
      exceptions: () => [],
      witness: answer,
      maxStatements: options.maxStatements,
      ignoresUnknownActions: false,
      ...told.asked,
    },
    told.budget ?? new Budget(1_000_000),
  );
  let pauses = 0;
  for (;;) {
    const step = searching.next();
    if (step.done) return { ...step.value, leaves, states, pauses };
    pauses++;
  }
}

/** Statement, kind and entries of each violation. */
function shown({ violations }: Found): readonly string[] {
  return violations.map(
    ({ origin, confirmed, entries, reason, other }) =>
      `${origin.statement.index} ${confirmed.kind} ${entries.join(" ")}: ${reason}${other === null ? "" : ` ${other}`}`,
  );
}

function doubts({ undecided }: Found): readonly string[] {
  return undecided.map(({ construct, path, side, key, text }) =>
    [construct, path, side, key ?? "", text].join(" ").trim(),
  );
}

const place: Place = {
  construct: "policy_variable",
  path: "/x",
  side: "policy",
  text: "",
  key: null,
};
const get = allow("s3:GetObject", "arn:aws:s3:::b/*");
const send = allow("sqs:SendMessage", "*");

describe("statements", () => {
  test("are violated each for itself, in order", () => {
    const found = search([get, deny("s3:PutObject", "*"), send]);
    expect(shown(found)).toEqual([
      "0 grants s3:GetObject: not_allowed_before",
      "2 grants sqs:SendMessage: not_allowed_before",
    ]);
    expect(doubts(found)).toEqual([]);
    expect([...found.decided]).toEqual([0, 2]);
  });

  test("are at most so many", () => {
    const found = search([get, send, allow("ec2:RunInstances", "*")], {
      asked: { maxStatements: 2 },
    });
    expect(shown(found)).toHaveLength(2);
    expect(found.leaves).toHaveLength(2);
  });

  test("hold where no leaf is left, or no leaf is real", () => {
    const covered = search([get], { baseline: [allow("s3:*", "*")] });
    expect([covered.leaves, shown(covered), doubts(covered)]).toEqual([[], [], []]);
    expect([...covered.decided]).toEqual([0]);
    const unreal = search([get], { witness: () => null });
    expect([unreal.leaves.length, shown(unreal), doubts(unreal)]).toEqual([1, [], []]);
    expect([...unreal.decided]).toEqual([0]);
  });

  test("are undecided by what leaves are, unless one is real", () => {
    const undecided = search([get, send], {
      witness: ({ group }) => (group.entries[0] === "sqs:SendMessage" ? "grants" : place),
    });
    expect(shown(undecided)).toEqual(["1 grants sqs:SendMessage: not_allowed_before"]);
    expect(undecided.undecided).toEqual([place]);
    expect([...undecided.decided]).toEqual([1]);
    const violated = search([grant("*")], {
      type: "resource",
      witness: (_, count) => (count === 1 ? place : "grants"),
    });
    expect(shown(violated)).toHaveLength(1);
    expect(violated.undecided).toEqual([]);
    expect([...violated.decided]).toEqual([0]);
  });
});

describe("the best request of a statement", () => {
  const several = allow(["s3:GetObject", "s3:Put*", "s3:GetObject", "sqs:*"], "*");

  test("is of the kind that comes first, with the entries of all that have one", () => {
    const kinds: Readonly<Record<string, Kind>> = {
      "s3:GetObject": "unknown_action",
      "s3:Put*": "unfitting",
      "sqs:*": "unknown_action",
    };
    const found = search([several], {
      witness: ({ group }) => kinds[group.entries[0] ?? ""] ?? null,
    });
    expect(shown(found)).toEqual(["0 unfitting s3:GetObject s3:Put* sqs:*: not_allowed_before"]);
  });

  test("is the first of its kind", () => {
    const found = search([several], { witness: () => "unfitting" });
    expect(found.violations[0]?.confirmed.request.resource).toBe("leaf 1");
    expect(found.leaves).toHaveLength(3);
  });

  test("has no entry through which it is not granted", () => {
    const found = search([several], {
      witness: ({ group }) => (group.entries[0] === "s3:Put*" ? "grants" : null),
    });
    expect(shown(found)).toEqual(["0 grants s3:Put*: not_allowed_before"]);
  });

  test("ends the search of a group, when it is a grant", () => {
    expect(search([several]).leaves).toEqual([
      "role: s3:GetObject",
      "role: s3:Put*",
      "role: sqs:*",
    ]);
    const later = search([grant("*")], {
      type: "resource",
      witness: (_, count) => (count === 1 ? "unfitting" : "grants"),
    });
    expect(later.leaves).toHaveLength(2);
    expect(shown(later)).toEqual(["0 grants s3:GetObject: not_allowed_before"]);
  });

  test("of several leaves of one caller is the best", () => {
    const three = [allow("s3:GetObject", "*")];
    const blocked = {
      baseline: [
        allow("s3:GetObject", "arn:aws:s3:::b/*", { StringEquals: { "s3:x": "1", "s3:y": "2" } }),
      ],
    };
    const kinds: Kind[] = ["unknown_action", "unfitting", "grants"];
    const found = search(three, { ...blocked, witness: (_, count) => kinds[count - 1] ?? null });
    expect(shown(found)).toEqual(["0 grants s3:GetObject: not_allowed_before"]);
    expect(found.leaves).toHaveLength(3);
    expect(search(three, blocked).leaves).toHaveLength(1);
    const worse = search(three, {
      ...blocked,
      witness: (_, count) =>
        (["unfitting", "unknown_action", "unfitting"] as const)[count - 1] ?? null,
    });
    expect(worse.violations[0]?.confirmed.request.resource).toBe("leaf 1");
  });

  test("is none of an unknown action where those are ignored", () => {
    const ignored = { ignoresUnknownActions: true };
    const found = search([several], { witness: () => "unknown_action", asked: ignored });
    expect([shown(found), doubts(found)]).toEqual([[], []]);
    expect(shown(search([get], { witness: () => "unfitting", asked: ignored }))).toHaveLength(1);
    expect(doubts(search([get], { witness: () => place, asked: ignored }))).toHaveLength(1);
  });
});

describe("a branch", () => {
  const baseline = [allow("s3:*", "*"), deny("s3:Get*", "arn:aws:s3:::b/*"), deny("sqs:*", "*")];

  test("in which a Deny matched before names it", () => {
    expect(shown(search([get], { baseline }))).toEqual(["0 grants s3:GetObject: denied_before 1"]);
  });

  test("is left out where the actions have nothing in common with the Deny", () => {
    expect(search([allow("s3:PutObject", "*")], { baseline }).leaves).toEqual([]);
  });

  test("limits a pattern to the actions of the Deny", () => {
    const found = search([allow("s3:*", "arn:aws:s3:::b/k")], { baseline });
    expect(actions(found.states[0])).toEqual(["s3:*", "s3:get*"]);
  });

  test("has the resources of the Deny", () => {
    expect(search([allow("s3:GetObject", "arn:aws:s3:::c/*")], { baseline }).leaves).toEqual([]);
  });

  test("is blocked by the policy's own Deny, not by the baseline's Allow", () => {
    expect(search([get, deny("s3:GetObject", "*")], { baseline }).leaves).toEqual([]);
  });

  test("with a better kind is taken", () => {
    const found = search([allow("s3:GetObject", "*")], {
      baseline: [deny("s3:Get*", "arn:aws:s3:::b/*")],
      witness: (_, count) => (count === 2 ? "grants" : "unfitting"),
    });
    expect(shown(found)).toEqual(["0 grants s3:GetObject: denied_before 0"]);
  });

  test("with the same kind is not", () => {
    const found = search([allow("s3:GetObject", "*")], {
      baseline: [deny("s3:Get*", "arn:aws:s3:::b/*")],
      witness: () => "unfitting",
    });
    expect(shown(found)).toEqual(["0 unfitting s3:GetObject: not_allowed_before"]);
  });
});

/** What the action of a leaf has to be, and must not be. */
function actions(leaf: Leaf | undefined): readonly string[] {
  return said(leaf, "@action");
}

function said(leaf: Leaf | undefined, name: string): readonly string[] {
  if (!leaf) throw new Error("There has to be a leaf.");
  const { terms } = leaf.scope;
  const ids = leaf.state[terms.find(name)?.index ?? -1] ?? [];
  return ids.map((id) => {
    const { texts } = terms.get(id);
    const patterns = texts?.patterns.map(({ tokens }) =>
      tokens.map((token) => (token < 128 ? String.fromCharCode(token) : "*")).join(""),
    );
    return `${texts?.negated ? "not " : ""}${patterns?.join("|")}`;
  });
}

describe("the actions of a leaf", () => {
  test("are not said where all of a group are alike", () => {
    expect(actions(search([get]).states[0])).toEqual([]);
  });

  test("are those of the pattern, without those that are allowed already", () => {
    const found = search([allow("s3:*", "*")], { baseline: [allow(["s3:Get*", "sqs:*"], "*")] });
    expect(actions(found.states[0])).toEqual(["s3:*", "not s3:get*"]);
  });

  test("are all but those listed", () => {
    const found = search([{ Effect: "Allow", NotAction: "s3:*", Resource: "*" }]);
    expect(actions(found.states[0])).toEqual(["not s3:*"]);
  });
});

describe("a question about some actions and resources", () => {
  const focus = (entries: readonly string[] | null, resources: readonly string[] = []) => ({
    asked: { focus: { actions: entries && { negated: false, entries }, resources } },
  });

  test("asks the groups that reach them", () => {
    const found = search(
      [allow(["s3:GetObject", "s3:PutObject", "sqs:*"], "*")],
      focus(["s3:Put*"]),
    );
    expect(found.leaves).toEqual(["role: s3:PutObject"]);
    expect(actions(search([allow("s3:*", "*")], focus(["s3:Put*"])).states[0])).toEqual([
      "s3:*",
      "s3:put*",
    ]);
    expect(actions(search([allow("s3:Put*", "*")], focus(["s3:*"])).states[0])).toEqual([
      "s3:put*",
    ]);
  });

  test("asks about any action where none is given", () => {
    expect(search([get], focus(null)).leaves).toEqual(["role: s3:GetObject"]);
  });

  test("asks about the resources", () => {
    const found = search(
      [allow("s3:GetObject", "*")],
      focus(null, ["arn:aws:s3:::b/*", "arn:aws:s3:::c"]),
    );
    expect(said(found.states[0], "@resource")).toContain("arn:aws:s3:::b/*|arn:aws:s3:::c");
    expect(
      search([allow("s3:GetObject", "arn:aws:s3:::c/*")], focus(null, ["arn:aws:s3:::b/*"])).leaves,
    ).toEqual([]);
  });
});

describe("callers", () => {
  test("are asked in turn until one has a request", () => {
    const found = search([grant("*")], { type: "resource", witness: () => null });
    expect(found.leaves.length).toBeGreaterThan(4);
    expect(search([grant("*")], { type: "resource" }).leaves).toHaveLength(1);
  });

  test("about whom the question is not are left out", () => {
    const asked = { limits: (_: unknown, { kind }: Caller) => (kind === "role" ? [] : null) };
    const found = search([grant("*")], { type: "resource", witness: () => null, asked });
    expect(found.leaves).toEqual(["role: s3:GetObject"]);
  });

  test("have to meet the limits, and none of the exceptions", () => {
    const limits: Asked["limits"] = ({ terms }) => [
      oneOf(terms, terms.dimension("s3:x"), [literal("1")]),
    ];
    expect(said(search([get], { asked: { limits } }).states[0], "s3:x")).toEqual(["1"]);
    const exceptions: Asked["exceptions"] = (reader, caller) => [
      { literals: limits(reader, caller) ?? [] },
    ];
    expect(said(search([get], { asked: { exceptions } }).states[0], "s3:x")).toEqual(["not 1"]);
    expect(search([get], { asked: { limits, exceptions } }).leaves).toEqual([]);
  });
});

describe("a leaf that proves nothing", () => {
  test("depends on a condition that cannot be read", () => {
    const found = search([allow("s3:GetObject", "*", { StringFuzzy: { "s3:x": "1" } })]);
    expect(found.leaves).toEqual([]);
    expect(doubts(found)[0]).toBe(
      "unknown_operator /Statement/0/Condition/StringFuzzy/s3:x policy s3:x StringFuzzy",
    );
  });

  test("needs several values where an operator for sets is missing", () => {
    const found = search([
      allow("s3:GetObject", "*", {
        StringEquals: { "aws:CalledVia": "a" },
        StringLike: { "aws:CalledVia": "b*" },
      }),
    ]);
    expect(found.leaves).toEqual([]);
    expect(doubts(found)).toEqual(["set_operator_missing /Statement/0 policy aws:CalledVia"]);
  });

  test("does not need them where the key may be absent, or has one value", () => {
    const of = (Condition: object) => search([allow("s3:GetObject", "*", Condition)]).leaves;
    expect(
      of({
        StringEqualsIfExists: { "aws:CalledVia": "a" },
        StringLikeIfExists: { "aws:CalledVia": "b*" },
      }),
    ).toHaveLength(1);
    expect(of({ StringEquals: { "aws:CalledVia": "a" } })).toHaveLength(1);
    expect(of({ StringEquals: { "s3:x": "a" } })).toHaveLength(1);
  });
});

describe("many leaves", () => {
  // Each statement of the baseline has two ways out: 2, 4, 8 … leaves.
  const baseline = (count: number): readonly Statement[] =>
    Array.from({ length: count }, (_, at) =>
      allow("s3:GetObject", "*", { StringEquals: { [`s3:x${at}`]: "1", [`s3:y${at}`]: "1" } }),
    );

  test("are tried, sixty-four of them", () => {
    const found = search([get], { baseline: baseline(6), witness: () => null });
    expect([found.leaves.length, doubts(found)]).toEqual([64, []]);
    const more = search([get], { baseline: baseline(7), witness: () => null });
    expect(more.leaves).toHaveLength(64);
    expect(doubts(more)).toEqual(["too_many_leaves /Statement/0 policy"]);
  });

  test("are no doubt where one has a request", () => {
    const found = search([get], { baseline: baseline(7), witness: () => "unfitting" });
    expect(shown(found)).toEqual(["0 unfitting s3:GetObject: not_allowed_before"]);
  });
});

describe("the budget", () => {
  test("ends the search as undecided, with what was found before", () => {
    const budget = new Budget(1_000);
    const found = search([get, send], {
      budget,
      witness: ({ group }) => {
        if (group.entries[0] === "sqs:SendMessage") budget.spend(2_000);
        return "grants";
      },
    });
    expect(shown(found)).toEqual(["0 grants s3:GetObject: not_allowed_before"]);
    expect(doubts(found)).toEqual(["budget  policy"]);
    expect([...found.decided]).toEqual([0]);
  });

  test("ends comparisons of equal statements, which take no steps", () => {
    const policy = Array.from({ length: 40 }, () => allow("s3:GetObject", "arn:aws:s3:::a"));
    const denies = policy.map(() => deny("s3:GetObject", "arn:aws:s3:::b"));
    const baseline = [allow("*", "*"), ...denies];
    const ask = (steps: number) => doubts(search(policy, { baseline, budget: new Budget(steps) }));
    expect(ask(10_000)).toEqual([]);
    expect(ask(200)).toEqual(["budget  policy"]);
  });

  test("does not take other errors", () => {
    const failing = () => {
      throw new Error("own");
    };
    expect(() => search([get], { witness: failing })).toThrow("own");
  });

  test("is spent on statements once for each kind of caller", () => {
    const condition = { StringEquals: { "aws:PrincipalTag/a": "x" } };
    const baseline = Array.from({ length: 12 }, (_, at) =>
      allow("s3:*", `arn:aws:s3:::${at}/*`, condition),
    );
    const spent = (...entries: string[]) => {
      const budget = new Budget(1_000_000);
      search([allow(entries, "arn:aws:s3:::b/*")], { budget, witness: () => null, baseline });
      return budget.steps;
    };
    const within = (steps: number, least: number, most: number) => {
      expect(steps).toBeGreaterThanOrEqual(least);
      expect(steps).toBeLessThanOrEqual(most);
    };
    within(spent("s3:GetObject"), 76, 80);
    // The second group has the same statements.
    within(spent("s3:GetObject", "s3:Put*"), 115, 123);
  });
});

function pausesOf(isPaused: boolean, policy: Side, baseline: Side = []): number {
  const budget = new Budget(1_000_000);
  Object.defineProperty(budget, "pauseDue", { get: () => isPaused });
  return search(policy, { baseline, budget }).pauses;
}

test("pauses are taken, also while statements are looked through", () => {
  const baseline = Array.from({ length: 400 }, (_, at) => allow(`s3:Get${at}`, "*"));
  const budget = new Budget(1_000_000);
  Object.defineProperty(budget, "pauseDue", { get: () => true });
  const { pauses, leaves } = search([allow("s3:*", "*")], { baseline, budget });
  expect(leaves).toHaveLength(1);
  // One for each statement in each of: reading, reaching, boxes, and the blockers of the search.
  expect(pauses).toBeGreaterThan(1_600);
  expect(search([get], { baseline }).pauses).toBeGreaterThanOrEqual(2);
});

test("pauses are taken where they are due, and for each leaf", () => {
  const baseline = [allow("s3:Get1", "*"), allow("s3:Get2", "*")];
  expect(pausesOf(false, [get], baseline)).toBe(1);
  expect(pausesOf(false, [allow("s3:*", "*")], baseline)).toBe(1);
  expect(pausesOf(true, [get])).toBe(7);
  expect(pausesOf(true, [get], baseline)).toBe(11);
  expect(pausesOf(true, [allow("s3:*", "*")], baseline)).toBe(34);
  expect(pausesOf(true, [allow("s3:Get*", "*")])).toBe(7);
});
