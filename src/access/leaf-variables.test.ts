import { describe, expect, test } from "vitest";
import { leafOf } from "../../test/support/leaf.ts";
import { tokenText } from "../../test/support/token-text.ts";
import { type Caller, caller } from "./callers.ts";
import { arnPart, LeafVariables, unvaried } from "./leaf-variables.ts";
import type { Literal } from "./literals.ts";
import { unitsOf } from "./patterns.ts";

type Values = Readonly<Record<string, string>>;

const team = "aws:PrincipalTag/team";
const area = "aws:PrincipalTag/area";
const name = "aws:username";
const account = "aws:PrincipalAccount";
const user = caller("user");
const arn = "arn:aws:iam::111122223333";

/** A statement about the folder of each key, under a condition. */
function folder(keys: string | readonly string[], Condition: object = {}) {
  const path = [keys].flat().map((key) => `\${${key}}`);
  return { Resource: `arn:aws:s3:::b/${path.join("/")}/*`, Condition };
}

const equals = (key: string, value: unknown) => ({ StringEquals: { [key]: value } });
const letters = (count: number) => [..."abcdefghi"].slice(0, count);

/** Keys folded; `@` stands before a placeholder. */
function environmentOf(values: Values): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(values).map(([key, text]) => [
      key.startsWith("@") ? key : key.toLowerCase(),
      text,
    ]),
  );
}

function variablesOf(element: object, by?: Caller): LeafVariables {
  return new LeafVariables(leafOf(element, by));
}

describe("the variables of a leaf", () => {
  test.each([
    ["none", { Resource: "arn:aws:s3:::b/*", Condition: equals(team, "x") }, []],
    ["of a resource", folder(team), ["key aws:principaltag/team"]],
    ["of a condition", { Condition: equals(team, `\${${area}}`) }, ["key aws:principaltag/area"]],
    [
      "each once, in any letter case of its name",
      { ...folder([team, area, team.toUpperCase()], equals(area, ["x", `\${${team}}-\${Name}`])) },
      ["key aws:principaltag/team", "key aws:principaltag/area", "placeholder ${Name}"],
    ],
  ])("%s", (_, element, expected) => {
    const leaf = variablesOf(element);
    expect(leaf.variables().map((one) => `${one.kind} ${one.name}`)).toEqual(expected);
    expect(leaf.variables()).toBe(leaf.variables());
  });
});

describe("variables with a few values", () => {
  const tag = (value: string): Values => ({ "aws:principaltag/team": value });

  test.each([
    ["none", { Condition: equals(team, "x") }, [{}]],
    ["a free one", folder(team), [{}]],
    ["one value", folder(team, equals(team, "x")), [tag("x")]],
    ["two values", folder(team, equals(team, ["x", "y"])), [tag("x"), tag("y")]],
    ["eight values", folder(team, equals(team, letters(8))), letters(8).map(tag)],
    ["nine values", folder(team, equals(team, letters(9))), [{}]],
    [
      "values that two conditions leave",
      folder(team, { ...equals(team, ["x", "y"]), StringLike: { [team]: "y*" } }),
      [tag("y")],
    ],
    ["a value with a wildcard", folder(team, { StringLike: { [team]: ["x", "y*"] } }), [{}]],
    ["a value in any letter case", folder(team, { StringEqualsIgnoreCase: { [team]: "x" } }), [{}]],
    [
      "a value that ignoring letter case leaves as it is",
      folder(team, { StringEqualsIgnoreCase: { [team]: "1" } }),
      [tag("1")],
    ],
    ["a value that is another variable", folder(team, equals(team, `\${${area}}`)), [{}]],
    ["values that are excluded", folder(team, { StringNotEquals: { [team]: "x" } }), [{}]],
    ["a key that may be absent", folder(team, { StringEqualsIfExists: { [team]: "x" } }), [{}]],
    [
      "a number",
      folder("aws:MultiFactorAuthAge", { NumericEquals: { "aws:MultiFactorAuthAge": "1" } }),
      [{}],
    ],
    ["a placeholder whose text is tested as a key", folder("name", equals("${name}", "x")), [{}]],
    [
      "two variables with two values each",
      folder([team, area], { StringEquals: { [team]: ["x", "y"], [area]: ["v", "w"] } }),
      [
        { ...tag("x"), "aws:principaltag/area": "v" },
        { ...tag("x"), "aws:principaltag/area": "w" },
        { ...tag("y"), "aws:principaltag/area": "v" },
        { ...tag("y"), "aws:principaltag/area": "w" },
      ],
    ],
  ] as const)("%s", (_, element, expected) => {
    const found = variablesOf(element).fixedValues();
    expect(found.map((one) => Object.fromEntries(one))).toEqual(expected);
  });

  test("none where only another statement tests the key", () => {
    const leaf = leafOf(folder(team));
    leaf.scope.terms.dimension(team.toLowerCase());
    const variables = new LeafVariables(leaf);
    expect(variables.fixedValues()).toEqual([new Map()]);
    expect(variables.isPossible(new Map([[team.toLowerCase(), "x"]]))).toBe(true);
  });

  test("sixteen ways at most", () => {
    const count = (first: number, second: number) => {
      const values = { [team]: letters(first), [area]: letters(second) };
      return variablesOf(folder([team, area], { StringEquals: values })).fixedValues().length;
    };
    expect(count(8, 2)).toBe(16);
    expect(count(6, 3)).toBe(6);
  });

  test.each([
    ["the name of a user", user, name, equals(name, ["alice", "bob"]), ["alice", "bob"]],
    [
      "the name in an ARN",
      user,
      name,
      { ArnEquals: { "aws:PrincipalArn": `${arn}:user/dev/alice` } },
      ["alice"],
    ],
    ["an account", caller("role"), account, equals(account, "111122223333"), ["111122223333"]],
    [
      "the account of an ARN",
      caller("root"),
      account,
      { ArnLike: { "aws:PrincipalArn": `${arn}:r*` } },
      ["111122223333"],
    ],
    [
      "an ARN with an open account",
      user,
      account,
      { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::1*:user/alice" } },
      null,
    ],
    [
      "the account of a service",
      caller("service", "s3.amazonaws.com"),
      account,
      equals(account, "111122223333"),
      ["111122223333"],
    ],
    [
      "a whole ARN",
      caller("role"),
      "aws:PrincipalArn",
      { ArnLike: { "aws:PrincipalArn": `${arn}:role/a` } },
      [`${arn}:role/a`],
    ],
  ] as const)("%s", (_, by, key, Condition, expected) => {
    const found = variablesOf(folder(key, Condition), by).fixedValues();
    const values = found.map((one) => one.get(key.toLowerCase()) ?? null);
    expect(values).toEqual(expected ?? [null]);
  });
});

describe("values that a leaf may have", () => {
  const dev = {
    Resource: `arn:aws:s3:::b/\${${team}}`,
    Condition: { StringLike: { [area]: `\${${team}}-*` } },
  };

  test.each([
    ["any", folder(team), { [team]: "x" }, true],
    [
      "of a resource that another pattern meets",
      { ...dev, Condition: { ...dev.Condition, ...equals(area, "x-1") } },
      { [team]: "x" },
      true,
    ],
    [
      "of a condition that excludes it",
      { ...dev, Condition: { ...dev.Condition, ...equals(area, "x-1") } },
      { [team]: "y" },
      false,
    ],
    ["none", folder(team), {}, true],
    ["of a key that is absent", folder(team, { Null: { [area]: "true" } }), { [team]: "x" }, true],
  ] as const)("%s", (_, element, values, expected) => {
    const environment = environmentOf(values);
    expect(variablesOf(element).isPossible(environment)).toBe(expected);
  });

  test("a variable of an absent key makes its pattern match nothing", () => {
    const Condition = { Null: { [team]: "true" } };
    const { Resource } = folder(team);
    expect(variablesOf({ Resource, Condition }).isPossible(new Map())).toBe(false);
    expect(
      variablesOf({ Resource: [Resource, "arn:aws:s3:::b/x"], Condition }).isPossible(new Map()),
    ).toBe(true);
    // An operator that is negated is then true.
    const negated = { ...Condition, StringNotEquals: { [area]: `\${${team}}` } };
    expect(variablesOf({ Condition: negated }).isPossible(new Map())).toBe(true);
  });
});

function shown({ texts }: Literal): string {
  const patterns = texts?.patterns.map(({ tokens }) => tokenText(tokens)).join(" | ");
  return `${texts?.negated ? "not " : ""}${patterns}`;
}

describe("literals with values for their variables", () => {
  function substituted(element: object, values: Values): readonly string[] {
    const leaf = leafOf(element);
    const environment = environmentOf(values);
    const { dimensions } = leaf.scope.terms;
    return dimensions.flatMap(({ index, name }) =>
      new LeafVariables(leaf)
        .substituted(leaf.state[index] ?? [], environment)
        .map((literal) => `${name}: ${shown(literal)}`),
    );
  }

  test.each([
    ["one value", folder([team, area]), { [team]: "x" }, ["@resource: arn:aws:s3:::b/x/{1}/*"]],
    [
      "all values",
      folder([team, area]),
      { [team]: "x", [area]: "*" },
      ["@resource: arn:aws:s3:::b/x/*/*"],
    ],
    ["no value", folder(team), {}, ["@resource: arn:aws:s3:::b/{0}/*"]],
    [
      "one value beside a key with another",
      folder([team, area], equals(area, "y")),
      { [team]: "x" },
      ["@resource: arn:aws:s3:::b/x/{1}/*", "aws:principaltag/area: y"],
    ],
    [
      "the text of a placeholder",
      folder("Name"),
      { "@${Name}": "x" },
      ["@resource: arn:aws:s3:::b/x/*"],
    ],
    [
      "a value in each literal",
      folder(team, {
        StringEquals: { [area]: ["z", `\${${team}}`] },
        StringNotLike: { [area]: `\${${team}}*` },
        NumericLessThan: { "aws:MultiFactorAuthAge": "1" },
      }),
      { [team]: "x" },
      [
        "@resource: arn:aws:s3:::b/x/*",
        "aws:principaltag/area: z | x",
        "aws:principaltag/area: not x*",
        "aws:multifactorauthage: undefined",
      ],
    ],
    [
      "none of a key that is absent",
      {
        Resource: [folder(team).Resource, "arn:aws:s3:::b/x"],
        Condition: { Null: { [team]: "true" } },
      },
      {},
      ["@resource: arn:aws:s3:::b/x", "aws:principaltag/team: "],
    ],
    [
      "... beside one that has a value",
      {
        Resource: [folder(team).Resource, folder(area).Resource],
        Condition: { Null: { [team]: "true" } },
      },
      { [area]: "y" },
      ["@resource: arn:aws:s3:::b/y/*", "aws:principaltag/team: "],
    ],
  ] as const)("%s", (_, element, values, expected) => {
    expect(substituted(element, values)).toEqual(expected);
  });
});

test("while variables are open, a text is only compared with patterns that it must not fit", () => {
  const element = {
    NotResource: ["arn:aws:s3:::b/x", folder(team).Resource],
    Condition: {
      StringEquals: { [area]: ["x", `\${${team}}`] },
      StringLike: { [area]: "x*" },
      NumericLessThan: { "aws:MultiFactorAuthAge": "1" },
    },
  };
  const { state, scope } = leafOf(element);
  const literals = state.flatMap((ids) => (ids ?? []).map((id) => scope.terms.get(id)));
  expect(literals.map(shown)).toEqual([
    "not arn:aws:s3:::b/x | arn:aws:s3:::b/{0}/*",
    "x | {0}",
    "x*",
    "undefined",
  ]);
  expect(unvaried(literals).map(shown)).toEqual(["not arn:aws:s3:::b/x", "x*", "undefined"]);
});

test.each([
  ["aws:username", `${arn}:user/alice`, "alice"],
  ["aws:username", `${arn}:user/dev/ops/alice`, "alice"],
  ["aws:principalaccount", `${arn}:user/a:b`, "111122223333"],
  ["aws:principalaccount", "arn:aws:iam:::user/alice", ""],
])("%s of %s is %j", (key, text, expected) => {
  expect(tokenText(arnPart(unitsOf(text), key))).toBe(expected);
});
