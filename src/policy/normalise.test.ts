import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pointerOf } from "../json/node.ts";
import { objectDocument } from "./document.ts";
import type { ConditionEntry, Entry, Statement } from "./model.ts";
import { normalisePolicy, statementsOf } from "./normalise.ts";
import { summarisePolicy } from "./summary.ts";

const read = (raw: unknown) => statementsOf(objectDocument(raw));
const one = (statement: unknown): Statement => {
  const [first] = read({ Statement: [statement] });
  if (!first) throw new Error("no statement");
  return first;
};
const placed = (entries: readonly Entry[]) =>
  entries.map(({ text, node }) => `${pointerOf(node)} ${text}`);

describe("statements", () => {
  test("keep their index beside entries that are not objects", () => {
    const statements = read({ Statement: ["x", { Sid: "a" }, null, [], { Sid: "b" }] });
    expect(statements.map(({ index, sid, node }) => [index, sid, pointerOf(node)])).toEqual([
      [1, "a", "/Statement/1"],
      [4, "b", "/Statement/4"],
    ]);
  });

  test("may be one object in place of the list", () => {
    const [statement, ...more] = read({ Statement: { Action: "s3:*" } });
    expect(more).toEqual([]);
    expect(statement?.index).toBe(0);
    expect(placed(statement?.actions ?? [])).toEqual(["/Statement/Action s3:*"]);
  });

  test.each([
    undefined,
    null,
    "x",
    5,
    [],
    [{ Statement: [] }],
    {},
    { Statement: "x" },
    { statement: [{}] },
  ])("are none in %j", (raw) => {
    expect(read(raw)).toEqual([]);
  });

  test("are not inherited", () => {
    expect(read(Object.create({ Statement: [{}] }))).toEqual([]);
    expect(one(JSON.parse('{"__proto__": {"Action": "s3:*"}}')).actions).toEqual([]);
  });
});

describe("Effect", () => {
  test.each([
    ["Allow", true, false],
    [" aLLOW\n", true, false],
    ["deny ", false, true],
    ["Allowed", false, false],
    ["", false, false],
  ])("%j: allows %j, denies %j", (effect, allows, denies) => {
    expect(one({ Effect: effect })).toMatchObject({ effect, allows, denies });
  });

  test("of another type is none", () => {
    for (const effect of [null, true, ["Allow"], {}]) {
      expect(one({ Effect: effect })).toMatchObject({ effect: null, allows: false, denies: false });
    }
  });
});

describe("Action, NotAction, Resource and NotResource", () => {
  const lists = (value: unknown) => {
    const statement = one({ Action: value, NotAction: value, Resource: value, NotResource: value });
    const { actions, notActions, resources, notResources } = statement;
    return [actions, notActions, resources, notResources].map(placed);
  };
  const names = ["Action", "NotAction", "Resource", "NotResource"];

  test("are lists of one for a string", () => {
    expect(lists(" a ")).toEqual(names.map((name) => [`/Statement/0/${name}  a `]));
  });

  test("keep order, spelling and repeats of a list", () => {
    const of = (name: string) =>
      ["b", "A", "b"].map((text, i) => `/Statement/0/${name}/${i} ${text}`);
    expect(lists(["b", "A", "b"])).toEqual(names.map(of));
  });

  test.each([null, 5, true, {}, { a: "b" }, [], ["a", 5], [["a"]]])("are empty for %j", (value) => {
    expect(lists(value)).toEqual([[], [], [], []]);
  });
});

describe("principals", () => {
  const spelled = (statement: Statement) =>
    statement.principals.map(({ type, text, node }) => [type, text, pointerOf(node)]);

  test("come in document order with their type as written", () => {
    const principal = { Service: ["b", "a"], aws: "*", Odd: [1, "c"], Wrong: { x: "y" } };
    expect(spelled(one({ Principal: principal }))).toEqual([
      ["Service", "b", "/Statement/0/Principal/Service/0"],
      ["Service", "a", "/Statement/0/Principal/Service/1"],
      ["aws", "*", "/Statement/0/Principal/aws"],
      ["Odd", "c", "/Statement/0/Principal/Odd/1"],
    ]);
  });

  test("of a lone string have type AWS", () => {
    expect(spelled(one({ Principal: "*" }))).toEqual([["AWS", "*", "/Statement/0/Principal"]]);
    expect(one({ NotPrincipal: "x" }).notPrincipals).toMatchObject([{ type: "AWS", text: "x" }]);
    expect(one({ NotPrincipal: "x" }).principals).toEqual([]);
  });

  test.each([null, 5, ["*"], [], {}])("are none in %j", (value) => {
    expect(one({ Principal: value, NotPrincipal: value })).toMatchObject({
      principals: [],
      notPrincipals: [],
    });
  });
});

describe("conditions", () => {
  const spelled = ({ operatorNode, keyNode, keyLower, operator, values }: ConditionEntry) => ({
    base: operator?.base.name ?? null,
    operator: `${operatorNode.part} ${pointerOf(operatorNode)}`,
    key: `${keyNode.part} ${pointerOf(keyNode)}`,
    keyLower,
    values: values.map(({ raw, text, node }) => [raw, text, pointerOf(node)]),
  });

  test("come operator by operator, key by key, each value with its node", () => {
    const { conditions } = one({
      Condition: {
        "ForAnyValue:stringLIKE": { "aws:PrincipalTag/a~b": ["x", true], K: 5e21 },
        Odd: { k: "v" },
      },
    });
    const at = "/Statement/0/Condition";
    const like = `${at}/ForAnyValue:stringLIKE`;
    expect(conditions.map(spelled)).toEqual([
      {
        base: "StringLike",
        operator: `key ${like}`,
        key: `key ${like}/aws:PrincipalTag~1a~0b`,
        keyLower: "aws:principaltag/a~b",
        values: [
          ["x", "x", `${like}/aws:PrincipalTag~1a~0b/0`],
          [true, "true", `${like}/aws:PrincipalTag~1a~0b/1`],
        ],
      },
      {
        base: "StringLike",
        operator: `key ${like}`,
        key: `key ${like}/K`,
        keyLower: "k",
        values: [[5e21, "5000000000000000000000", `${like}/K`]],
      },
      {
        base: null,
        operator: `key ${at}/Odd`,
        key: `key ${at}/Odd/k`,
        keyLower: "k",
        values: [["v", "v", `${at}/Odd/k`]],
      },
    ]);
  });

  test("leave out what has the wrong type and keep the rest", () => {
    const { conditions } = one({
      Condition: { Bool: "x", Null: [], StringLike: { a: null, b: ["x", {}, null, 1], c: {} } },
    });
    expect(conditions.map(({ key, values }) => [key, values.map(({ text }) => text)])).toEqual([
      ["a", []],
      ["b", ["x", "1"]],
      ["c", []],
    ]);
  });

  test.each([null, 5, "x", [], {}, { Bool: {} }])("are none in %j", (Condition) => {
    expect(one({ Condition }).conditions).toEqual([]);
  });
});

test("an element that is present has its own node, whatever its value", () => {
  const statement = one({ Resource: null });
  expect(statement.has("Resource")).toBe(true);
  expect(pointerOf(statement.at("Resource"))).toBe("/Statement/0/Resource");
  expect(statement.has("Action")).toBe(false);
  expect(statement.at("Action")).toBe(statement.node);
});

test("any JSON value can be normalised and summarised", () => {
  const elements = fc.record(
    Object.fromEntries(
      ["Sid", "Effect", "Action", "NotAction", "Resource", "Principal", "Condition"].map((name) => [
        name,
        fc.jsonValue({ maxDepth: 3 }),
      ]),
    ),
    { requiredKeys: [] },
  );
  const policies = fc.oneof(
    fc.jsonValue(),
    fc.record({ Statement: fc.oneof(elements, fc.array(fc.oneof(elements, fc.jsonValue()))) }),
  );
  fc.assert(
    fc.property(policies, (raw) => {
      const document = objectDocument(raw);
      const about = { type: "IDENTITY_POLICY", typeSource: "default", name: null } as const;
      const policy = normalisePolicy(document, about);
      expect(policy).toMatchObject({ ...about, document });
      expect(summarisePolicy(policy).total_statements).toBe(policy.statements.length);
    }),
  );
});
