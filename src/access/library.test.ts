import { beforeAll, describe, expect, test } from "vitest";
import { allow, deny, documentOf, type Side, type Statement } from "../../test/support/access.ts";
import { embeddedServices } from "../services/embedded.ts";
import {
  type AccessOptions,
  compareAccess,
  evaluateRequest,
  findGranted,
  findPublic,
  type PolicyInput,
  relate,
} from "./library.ts";

const account = "111122223333";
const all = allow("*", "*");
const get = allow("s3:GetObject", "*");
const put = allow("s3:PutObject", "*");
const everyone = { ...get, Principal: "*" };
const tag = (value: string) => ({ StringEquals: { "aws:PrincipalTag/team": value } });
const request = {
  principal: { type: "AWS", arn: `arn:aws:iam::${account}:role/app` },
  action: "s3:GetObject",
  resource: "arn:aws:s3:::b/a",
  context: {},
} as const;

const of = (...statements: readonly Statement[]) => documentOf(statements) as object;

const compare = (policy: Side, baseline: Side, policyType = "identity", options?: AccessOptions) =>
  compareAccess(
    { policy: documentOf(policy) as object, baseline: documentOf(baseline) as object, policyType },
    options,
  );

describe("compareAccess", () => {
  test("asks for what the policy allows and its baseline does not", async () => {
    expect((await compare([get], [all])).verdict).toBe("holds");
    const answer = await compare([all], [get]);
    expect(answer.verdict).toBe("violated");
    expect(answer.violations).toMatchObject([{ reason: "not_allowed_before", kind: "grants" }]);
  });

  test.each<[string, PolicyInput]>([
    ["a document", of(get)],
    ["JSON", JSON.stringify(of(get))],
    [
      "YAML",
      'Version: "2012-10-17"\nStatement:\n- {Effect: Allow, Action: s3:GetObject, Resource: "*"}\n',
    ],
  ])("takes %s on either side", async (_, input) => {
    const ask = (policy: PolicyInput, baseline: PolicyInput) =>
      compareAccess({ policy, baseline, policyType: "identity" });
    expect((await ask(input, of())).verdict).toBe("violated");
    expect((await ask(input, of(get))).verdict).toBe("holds");
    expect((await ask(of(get), input)).verdict).toBe("holds");
    expect((await ask(of(put), input)).verdict).toBe("violated");
  });

  test.each<[string, unknown]>([
    ["no text", ""],
    ["broken JSON", "{"],
    ["broken YAML", "a: b: c"],
    ["a list", [of(get)]],
    ["null", null],
    ["a number", 1],
    ["no statements", { Version: "2012-10-17" }],
  ])("is undecided about %s", async (_, input) => {
    const faulty = input as PolicyInput;
    const ask = (policy: PolicyInput, baseline: PolicyInput) =>
      compareAccess({ policy, baseline, policyType: "identity" });
    const open = (side: string) => ({
      verdict: "undecided",
      undecided_by: [{ construct: "invalid_statement", path: "", side }],
    });
    expect(await ask(faulty, of(get))).toMatchObject(open("policy"));
    expect(await ask(of(get), faulty)).toMatchObject(open("baseline"));
  });
});

describe("the policy type", () => {
  test.each([
    ["identity", [get], "violated"],
    ["IDENTITY_POLICY", [get], "violated"],
    ["Boundary", [get], "violated"],
    ["scp", [get], "violated"],
    ["resource", [everyone], "violated"],
    // A statement of the other kind has a principal too many, or none.
    ["identity", [everyone], "undecided"],
    ["resource", [get], "undecided"],
    ["trust", [get], "undecided"],
    ["rcp", [get], "violated"],
  ] as const)("%s of %j", async (type, policy, verdict) => {
    expect((await compare(policy, [], type)).verdict).toBe(verdict);
  });

  const words = ["role", "", "identity "];
  test.each<[string, (policyType: string) => Promise<unknown>]>([
    ["compareAccess", (policyType) => compare([get], [get], policyType)],
    ["findGranted", (policyType) => findGranted({ policy: of(get), policyType, forbidden: {} })],
    ["findPublic", (policyType) => findPublic({ policy: of(get), policyType })],
    [
      "relate",
      (policyType) => relate({ left: of(get), right: of(get), policyType, of: "allowed" }),
    ],
    ["evaluateRequest", (policyType) => evaluateRequest({ policy: of(get), policyType, request })],
  ])("%s refuses a word that is none", async (_, ask) => {
    for (const word of words) {
      await expect(ask(word)).rejects.toThrow(
        new TypeError(`${JSON.stringify(word)} is not a policy type.`),
      );
    }
  });
});

describe("findGranted", () => {
  const granted = (
    policy: Side,
    forbidden: Parameters<typeof findGranted>[0]["forbidden"],
    options?: AccessOptions,
  ) =>
    findGranted(
      { policy: documentOf(policy) as object, policyType: "identity", forbidden },
      options,
    );

  test.each<[string, Side, Parameters<typeof findGranted>[0]["forbidden"], string]>([
    ["an action", [all], { actions: ["iam:PassRole"] }, "violated"],
    ["another action", [get], { actions: ["iam:PassRole"] }, "holds"],
    ["any action on a resource", [get], { resources: ["arn:aws:s3:::b/*"] }, "violated"],
    [
      "another resource",
      [allow("s3:GetObject", "arn:aws:s3:::c/*")],
      { resources: ["arn:aws:s3:::b/*"] },
      "holds",
    ],
    ["anything", [get], {}, "violated"],
    ["nothing that is allowed", [], {}, "holds"],
    [
      "an exception",
      [allow("*", "*", tag("x"))],
      { actions: ["*"], unless: [tag("y"), tag("x")] },
      "holds",
    ],
    [
      "an exception that is not met",
      [allow("*", "*", tag("x"))],
      { actions: ["*"], unless: [tag("y")] },
      "violated",
    ],
  ])("%s", async (_, policy, forbidden, verdict) => {
    expect((await granted(policy, forbidden)).verdict).toBe(verdict);
  });

  test.each([{ StringEquals: "x" }, { StringEquals: { "aws:PrincipalTag/team": { a: 1 } } }])(
    "refuses the exception %j",
    async (block) => {
      const forbidden = { actions: ["*"], unless: [tag("x"), block] };
      await expect(granted([all], forbidden)).rejects.toThrow(
        new TypeError("A block of unless is not a condition block."),
      );
    },
  );
});

describe("findPublic", () => {
  const isPublic = (statement: Statement, policyType: string, options?: AccessOptions) =>
    findPublic({ policy: of(statement), policyType }, options);

  test.each<[string, Statement, string, string]>([
    ["everyone", everyone, "resource", "violated"],
    ["an account", { ...get, Principal: { AWS: account } }, "resource", "holds"],
    [
      "everyone",
      { Effect: "Allow", Action: "sts:AssumeRole", Principal: "*" },
      "trust",
      "violated",
    ],
    ["everyone with a tag", { ...everyone, Condition: tag("x") }, "resource", "violated"],
  ])("%s, by the principal of %j (%s)", async (_, statement, type, verdict) => {
    expect((await isPublic(statement, type)).verdict).toBe(verdict);
  });

  test("counts further keys as a limit", async () => {
    const statement = { ...everyone, Condition: tag("x") };
    const extraTrustedKeys = ["aws:PrincipalTag/team"];
    expect((await isPublic(statement, "resource", { extraTrustedKeys })).verdict).toBe("holds");
    const others = ["aws:PrincipalTag/area"];
    const answer = await isPublic(statement, "resource", { extraTrustedKeys: others });
    expect(answer.verdict).toBe("violated");
  });
});

describe("relate", () => {
  const relation = async (left: Side, right: Side, word: "allowed" | "denied") => {
    const found = await relate({
      left: documentOf(left) as object,
      right: documentOf(right) as object,
      policyType: "identity",
      of: word,
    });
    return [found.relation, found.left_only?.action ?? null, found.right_only?.action ?? null];
  };
  const noGet = deny("s3:GetObject", "*");

  test.each<["allowed" | "denied", Side, Side, readonly (string | null)[]]>([
    ["allowed", [get], [get], ["equal", null, null]],
    ["allowed", [get], [get, put], ["left_within_right", null, "s3:PutObject"]],
    ["allowed", [get, put], [get], ["right_within_left", "s3:PutObject", null]],
    ["allowed", [get], [put], ["different", "s3:GetObject", "s3:PutObject"]],
    ["allowed", [all, noGet], [all], ["left_within_right", null, "s3:GetObject"]],
    ["denied", [all, noGet], [put, noGet], ["equal", null, null]],
    ["denied", [all, noGet], [all], ["right_within_left", "s3:GetObject", null]],
    ["denied", [all], [all, noGet], ["left_within_right", null, "s3:GetObject"]],
  ])("what is %s by %j and %j", async (word, left, right, expected) => {
    expect(await relation(left, right, word)).toEqual(expected);
  });

  test("names the side that leaves it open", async () => {
    const found = await relate({
      left: of(get),
      right: "{",
      policyType: "identity",
      of: "allowed",
    });
    expect(found.relation).toBe("undecided");
    expect(found.undecided_by.map(({ side }) => side)).toEqual(["baseline", "baseline"]);
  });
});

describe("evaluateRequest", () => {
  test.each<[string, Side, string, string]>([
    ["an Allow", [get], "identity", "allowed"],
    ["a Deny", [all, deny("s3:*", "*")], "identity", "denied"],
    ["another action", [put], "identity", "not_allowed"],
    ["a statement that cannot be read", [{ Effect: "Permit" }], "identity", "unknown"],
    ["the account of the caller", [{ ...get, Principal: { AWS: account } }], "resource", "allowed"],
    ["no principal", [get], "resource", "unknown"],
  ])("%s", async (_, side, policyType, outcome) => {
    const policy = documentOf(side) as object;
    expect((await evaluateRequest({ policy, policyType, request })).outcome).toBe(outcome);
  });

  // The second is in no data; the policy tests it as a number.
  test.each(["s3:max-keys", "example:count"])("compares the number %s", async (key) => {
    const policy = of(allow("*", "*", { NumericEquals: { [key]: "10.0" } }));
    const asked = { ...request, context: { [key]: ["10"] } };
    const found = await evaluateRequest({ policy, policyType: "identity", request: asked });
    expect(found.outcome).toBe("allowed");
  });

  test("lists what each statement says, and the keys that are missing", async () => {
    const policy = JSON.stringify(of(allow("*", "*", tag("x")), get));
    const found = await evaluateRequest({ policy, policyType: "identity", request });
    expect(found.absentKeys).toEqual(["aws:PrincipalTag/team"]);
    expect(found.statements.map(({ outcome, element }) => [outcome, element])).toEqual([
      ["no", "condition"],
      ["yes", null],
    ]);
  });
});

describe("the options", () => {
  /** Patterns that overlap in every way. */
  const texts = Array.from({ length: 20 }, (_, at) => `*${at}*`);
  const hostile = [
    allow("s3:*", "arn:aws:s3:::*"),
    ...texts.map((text) =>
      deny(`s3:${text}`, `arn:aws:s3:::${text}`, {
        StringLike: { "aws:UserAgent": text, "aws:PrincipalTag/team": text },
      }),
    ),
  ];
  const NotAction = texts.map((text, at) => `s3:${text}${at}`);

  test("maxSteps ends a question", async () => {
    const { steps } = await compare([get, put], []);
    const options = (maxSteps: number) => ({ maxSteps });
    expect((await compare([get, put], [], "identity", options(steps))).violations).toHaveLength(2);
    expect((await compare([get, put], [], "identity", options(1))).undecided_by).toMatchObject([
      { construct: "budget" },
    ]);
  });

  test("maxSteps is 200,000 where it is not said", async () => {
    const { undecided_by, steps } = await compare(hostile, [
      { Effect: "Allow", NotAction, Resource: "*" },
    ]);
    expect(undecided_by.map(({ construct }) => construct)).toEqual(["budget"]);
    expect(steps).toBeGreaterThan(200_000);
    expect(steps).toBeLessThan(210_000);
  });

  test("maxStatements is 20 where it is not said", async () => {
    const many = Array.from({ length: 25 }, () => get);
    expect((await compare(many, [])).violations).toHaveLength(20);
    const options = { maxStatements: 3 };
    expect((await compare(many, [], "identity", options)).violations).toHaveLength(3);
  });

  test("services are those of this package where none are given", async () => {
    const kind = async (options?: AccessOptions) =>
      (await compare([allow("s3:*", "*")], [], "identity", options)).violations[0]?.kind;
    expect(await kind()).toBe("grants");
    expect(await kind({ services: { get: () => undefined } })).toBe("unknown_action");
    expect(await kind({ services: embeddedServices() })).toBe("grants");
    expect(await kind()).toBe("grants");
  });
});

describe("a caller who cancels gets the reason", () => {
  const reason = new Error("gone");
  let options: AccessOptions;
  beforeAll(() => {
    options = { signal: AbortSignal.abort(reason) };
  });
  const policy = of(get);

  test.each<[string, () => Promise<unknown>]>([
    ["compareAccess", () => compare([get], [], "identity", options)],
    ["findGranted", () => findGranted({ policy, policyType: "identity", forbidden: {} }, options)],
    ["findPublic", () => findPublic({ policy: of(everyone), policyType: "resource" }, options)],
    [
      "relate",
      () => relate({ left: policy, right: policy, policyType: "identity", of: "allowed" }, options),
    ],
    [
      "evaluateRequest",
      () => evaluateRequest({ policy, policyType: "identity", request }, options),
    ],
  ])("%s", async (_, ask) => {
    await expect(ask()).rejects.toBe(reason);
  });
});
