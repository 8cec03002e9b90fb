import { describe, expect, test } from "vitest";
import {
  allow,
  deny,
  documentOf,
  granted,
  newAccess,
  type Side,
} from "../../test/support/access.ts";
import { embeddedServices } from "../services/embedded.ts";
import type { QuestionOptions } from "./answers.ts";
import { asking, having, open, originsOf, type Question } from "./asking.ts";
import { type AccessType, readDocument } from "./document.ts";
import type { Literal, Place } from "./literals.ts";
import { runQuestionSync } from "./run.ts";
import { settingOf } from "./setting.ts";

const account = "111122223333";
const options = { services: embeddedServices(), maxSteps: 200_000, maxStatements: 20 };
const all = allow("*", "*");
const get = allow("s3:GetObject", "*");
const put = allow("s3:PutObject", "*");
const fuzzy = { StringFuzzy: { "s3:prefix": "x" } };

/** Allows objects whose keys have a variable with a default for each letter. */
const home = (letters: string) =>
  allow(
    "s3:GetObject",
    `arn:aws:s3:::${[...letters].map((letter) => `\${s3:${letter}, 'x'}`).join("")}`,
  );

const read = (side: Side, type: AccessType = "identity") => readDocument(documentOf(side), type);

/** Asks whether a policy allows anything, with members of the question replaced. */
function ask(
  policy: Side,
  question: Partial<Question> = {},
  { beside = [], ...more }: Partial<QuestionOptions> & { readonly beside?: Side } = {},
) {
  const document = read(policy);
  const setting = settingOf([document, read(beside)], "identity", { ...options, ...more });
  const own = originsOf(document, "policy");
  return runQuestionSync(
    asking(setting, {
      ...open,
      grants: having(own, "allow"),
      branches: [{ also: null, blockers: having(own, "deny"), reason: "forbidden" }],
      unreadable: [],
      confirm: () => "yes",
      ...question,
    }),
  );
}

const place = (construct: string, path: string, side: Place["side"] = "policy"): Place => ({
  construct,
  path,
  side,
  text: "",
  key: null,
});

describe("the verdict", () => {
  test.each<[string, Side, Side, string]>([
    ["no request", [get], [get], "holds"],
    ["a request", [get], [], "violated"],
    ["what cannot be read", [allow("*", "*", fuzzy)], [], "undecided"],
    ["a statement without a form", [get, { ...get, Action: 1 }], [get], "undecided"],
    ["a request, beside what cannot be read", [allow("*", "*", fuzzy), get], [], "violated"],
    [
      "a request, beside a Deny without a form of the baseline",
      [get],
      [{ Effect: "Deny", Action: 1 }],
      "violated",
    ],
  ])("%s", (_, policy, baseline, verdict) => {
    const answer = newAccess(baseline, policy);
    expect(answer.verdict).toBe(verdict);
    expect(answer.violations.length > 0).toBe(verdict === "violated");
    expect(answer.undecided_by.length > 0).toBe(verdict === "undecided");
  });
});

describe("a violation", () => {
  test("has the statement, what grants, and the request", () => {
    const policy = [
      deny("iam:*", "*"),
      { ...allow(["s3:PutObject", "s3:GetObject"], "arn:aws:s3:::b/*"), Sid: "Write" },
    ];
    const [violation, ...others] = newAccess([get], policy).violations;
    expect(others).toEqual([]);
    expect(violation).toEqual({
      statement_index: 1,
      statement_sid: "Write",
      entries: ["s3:PutObject"],
      kind: "grants",
      reason: "not_allowed_before",
      other_statement: null,
      resource_entry: "arn:aws:s3:::b/*",
      principal_entry: null,
      witness: {
        principal: expect.objectContaining({ type: "AWS" }),
        action: "s3:PutObject",
        resource: "arn:aws:s3:::b/example",
        context: {},
      },
    });
  });

  test("has the Deny that is gone", () => {
    const [violation] = newAccess([all, get, deny("s3:*", "*")], [all]).violations;
    expect(violation).toMatchObject({
      statement_sid: null,
      reason: "denied_before",
      other_statement: 2,
    });
  });

  test("has the principal that lets the caller in, by its position", () => {
    const role = `arn:aws:iam::${account}:role/a`;
    const both = { ...get, Principal: { AWS: [role, "444455556666"] } };
    const one = { ...get, Principal: { AWS: role } };
    const [violation] = newAccess([one], [both], "resource").violations;
    expect(violation).toMatchObject({ resource_entry: "*", principal_entry: 1 });
  });

  test("has the resource with its variable, as written", () => {
    const home = "arn:aws:s3:::home/${aws:PrincipalTag/team}";
    const [violation] = newAccess([], [allow("s3:GetObject", ["arn:aws:s3:::a", home])]).violations;
    expect(violation).toMatchObject({ resource_entry: home });
  });

  test("has 50 entries at most, the first of the statement", () => {
    const actions = Array.from({ length: 60 }, (_, at) => `s3:Get${at}`);
    const [violation] = newAccess([], [allow(actions, "*")]).violations;
    expect(violation?.entries).toEqual(actions.slice(0, 50));
  });
});

describe("what leaves a question open", () => {
  const shown = (unreadable: readonly Place[]) =>
    ask([], { unreadable }).undecided_by.map(
      ({ construct, path, side }) => `${construct} ${side} ${path}`,
    );

  test.each<[string, readonly Place[], readonly string[]]>([
    ["nothing", [], []],
    [
      "the same place, once",
      [place("budget", "/a"), place("budget", "/b"), place("budget", "/a")],
      ["budget policy /a", "budget policy /b"],
    ],
    [
      "two constructs of one place",
      [place("budget", "/a"), place("placeholder", "/a")],
      ["budget policy /a", "placeholder policy /a"],
    ],
    [
      "one place on both sides",
      [place("budget", "/a"), place("budget", "/a", "baseline")],
      ["budget policy /a", "budget baseline /a"],
    ],
  ])("%s", (_, unreadable, expected) => {
    expect(shown(unreadable)).toEqual(expected);
  });

  test("has the key of the first", () => {
    const key = (name: string) => ({ ...place("invalid_value", "/a"), key: name });
    expect(ask([], { unreadable: [key("s3:prefix"), key("s3:delimiter")] }).undecided_by).toEqual([
      expect.objectContaining({ key: "s3:prefix" }),
    ]);
  });

  test("is listed ten times at most, from the first", () => {
    const places = Array.from({ length: 12 }, (_, at) => place("budget", `/${at}`));
    expect(shown(places)).toEqual(places.slice(0, 10).map(({ path }) => `budget policy ${path}`));
  });

  test("is said in a sentence, with its key", () => {
    expect(newAccess([], [allow("*", "*", fuzzy)]).undecided_by).toEqual([
      {
        construct: "unknown_operator",
        path: "/Statement/0/Condition/StringFuzzy/s3:prefix",
        side: "policy",
        key: "s3:prefix",
        text: "The condition operator `StringFuzzy` is not known.",
      },
    ]);
  });

  test("is a statement without a form, not the Allow that it leaves open", () => {
    const faulty = { ...get, Effect: "Permit" };
    expect(newAccess([], [get, faulty]).undecided_by).toEqual([
      expect.objectContaining({ construct: "invalid_statement", path: "/Statement/1" }),
    ]);
    const { undecided_by } = newAccess([], [get, allow("*", "*", fuzzy), faulty]);
    expect(undecided_by.map(({ construct }) => construct)).toEqual([
      "invalid_statement",
      "unknown_operator",
    ]);
  });

  test("is a fourth variable with a default", () => {
    const policy = [home("abcd")];
    expect(newAccess(policy, policy)).toMatchObject({
      verdict: "undecided",
      undecided_by: [{ construct: "policy_variable", path: "", side: "policy", key: null }],
    });
    const three = [home("abc")];
    expect(newAccess(three, three).verdict).toBe("holds");
    expect(newAccess(policy, [...policy, put]).verdict).toBe("violated");
  });
});

describe("statements that are decided", () => {
  const decided = (policy: Side, baseline: Side) => [...newAccess(baseline, policy).decided];

  test.each<[string, Side, Side, readonly number[]]>([
    ["without new access, and with it", [get, deny("iam:*", "*"), put], [get], [0, 2]],
    ["not where something is open", [get, allow("*", "*", fuzzy)], [get], [0]],
    ["beside a statement without a form", [get, { Effect: "Allow" }, put], [get], [0, 2]],
    ["not what a Deny without a form may take back", [get, put, { Effect: "Deny" }], [get], [0]],
    ["not where the baseline has a statement without a form", [get], [get, { Effect: "Deny" }], []],
    ["... unless new access was found", [get, put], [get, { Effect: "Deny" }], [1]],
    ["not under a fourth variable with a default", [home("abcd"), put], [home("abcd")], [1]],
    ["... but under a third", [home("abc"), put], [home("abc")], [0, 1]],
  ])("%s", (_, policy, baseline, expected) => {
    expect(decided(policy, baseline)).toEqual(expected);
  });
});

describe("a question", () => {
  const bare = (answer: ReturnType<typeof ask>) => answer.violations.map(({ kind }) => kind);
  const never: Literal[] = [];

  test("is about the actions and resources of its focus", () => {
    const focus = { actions: null, resources: ["arn:aws:s3:::b/*"] };
    expect(ask([all], { focus }).violations[0]?.witness.resource).toBe("arn:aws:s3:::b/example");
    expect(ask([all]).violations[0]?.witness.resource).not.toBe("arn:aws:s3:::b/example");
    const other = { actions: { negated: false, entries: ["iam:*"] }, resources: [] };
    expect(ask([get], { focus: other }).verdict).toBe("holds");
  });

  test("is not asked of callers without limits", () => {
    expect(ask([get], { limits: () => null }).verdict).toBe("holds");
    expect(ask([get], { limits: () => never }).verdict).toBe("violated");
  });

  test("has exceptions that end it", () => {
    expect(ask([get], { exceptions: () => [{ literals: [] }] }).verdict).toBe("holds");
    expect(ask([get], { exceptions: () => [] }).verdict).toBe("violated");
  });

  test("leaves out what is impossible", () => {
    expect(ask([get], { isImpossible: () => true }).verdict).toBe("holds");
    expect(ask([get], { isImpossible: () => false }).verdict).toBe("violated");
  });

  test("gives the kind of each statement", () => {
    expect(
      bare(ask([get, allow("s3:GetObject", "arn:aws:sqs:*:*:*"), allow("nope:*", "*")])),
    ).toEqual(["grants", "unfitting", "unknown_action"]);
  });

  test("passes over actions that no data lists, where the options say so", () => {
    const policy = [allow("nope:*", "*")];
    expect(ask(policy, {}, { ignoresUnknownActions: true }).verdict).toBe("holds");
    expect(ask(policy, {}, { ignoresUnknownActions: false }).verdict).toBe("violated");
    expect(ask(policy).verdict).toBe("violated");
  });

  test("reports statements up to a limit", () => {
    expect(bare(ask([get, put, get], {}, { maxStatements: 2 }))).toHaveLength(2);
  });

  test("that nothing confirms is open", () => {
    expect(ask([get], { confirm: () => "no" }).undecided_by).toMatchObject([
      { construct: "unconfirmed", path: "/Statement/0" },
    ]);
    expect(ask([get], { confirm: () => "canonical_user" }).undecided_by).toMatchObject([
      { construct: "canonical_user" },
    ]);
  });
});

describe("an action that no data lists is known", () => {
  const wide = allow("nope:*", "*");
  const beside = (entry: string) => allow(["nope:*", entry], "*");

  test.each<[string, Side, readonly string[], readonly string[]]>([
    ["where the statement has it", [allow("nope:Act", "*")], [], ["grants nope:Act"]],
    ["where it has it beside a pattern", [beside("nope:Act")], [], ["grants nope:Act"]],
    ["where it is forbidden", [wide], ["nope:Act", "nope:B*"], ["grants nope:Act"]],
    ["not where it is nowhere", [wide], [], ["unknown_action nope:NewAction"]],
    ["not by a pattern", [wide], ["nope:b*"], ["unknown_action nope:bNewAction"]],
  ])("%s", (_, policy, actions, expected) => {
    const asked = actions.length > 0 ? { actions } : { resources: ["*"] };
    const { violations } = granted(policy, asked);
    expect(violations.map(({ kind, witness }) => `${kind} ${witness.action}`)).toEqual(expected);
  });
});
