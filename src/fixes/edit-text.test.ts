import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import type { PatchOperation } from "../../spec/finding.ts";
import { rootNode } from "../json/node.ts";
import { parseDocument } from "../policy/document.ts";
import { difference } from "./difference.ts";
import { editText } from "./edit-text.ts";
import { applyPatch, patchOf } from "./patch.ts";

const name = fc.constantFrom("a", "A", "b", "a b", "yes", "1", "# c", "a: b", "", "-");
const scalar = fc.constantFrom<unknown>(
  ...[
    "x",
    "*",
    "s3:Get*",
    "012345678901",
    "true",
    "null",
    "~",
    "- a",
    "a: b",
    "# c",
    " x ",
    "l\nm",
    "'",
    '"',
  ],
  ...[true, 1, null],
);
const tree = fc.letrec((tie) => ({
  object: fc.array(fc.tuple(name, tie("value")), { maxLength: 4 }).map(Object.fromEntries),
  value: fc.oneof(
    { depthSize: "small", maxDepth: 4 },
    scalar,
    fc.array(tie("value"), { maxLength: 4 }),
    tie("object"),
  ),
}));
const object = tree.object as fc.Arbitrary<object>;

/** JSON in the layouts that people use. */
const writeJson = fc.constantFrom(
  (value: object) => JSON.stringify(value),
  (value: object) => JSON.stringify(value, null, 2),
  (value: object) => `${JSON.stringify(value, null, "\t")}\n`,
  (value: object) => `\uFEFF${JSON.stringify(value, null, 4).replaceAll("\n", "\r\n")}\r\n`,
);

const writeYaml = fc.constantFrom(
  (value: object) => stringify(value),
  (value: object) => stringify(value, { lineWidth: 0, indentSeq: false }),
  (value: object) => stringify(value, { indent: 4, defaultStringType: "QUOTE_SINGLE" }).trimEnd(),
  (value: object) => stringify(value, { collectionStyle: "flow" }),
  (value: object) => stringify(value, { lineWidth: 0 }).replaceAll("\n", "\r\n"),
);

async function expectSameEdit(text: string, after: object): Promise<void> {
  const { raw, isJsonText } = await parseDocument(text);
  const patch = patchOf(difference(raw, after, rootNode));
  const edited = await editText(text, patch, isJsonText);
  if (edited === null) return;
  expect([edited, (await parseDocument(edited)).raw]).toEqual([edited, applyPatch(raw, patch)]);
  expect(/[\r\n]$/.test(edited)).toBe(/[\r\n]$/.test(text));
  expect(edited.startsWith("\uFEFF")).toBe(text.startsWith("\uFEFF"));
}

test.each([
  ["JSON", writeJson],
  ["YAML", writeYaml],
] as const)("edited %s is parsed as the patched value", async (_, write) => {
  await fc.assert(
    fc.asyncProperty(object, object, write, async (before, after, writer) => {
      await expectSameEdit(writer(before), after);
    }),
    { numRuns: 500 },
  );
});

test("YAML in brackets that an edit turns into JSON gets the quotes of JSON", async () => {
  const text = `{ "Sid": 'say "hi"', Effect: Allow }\n`;
  const edited = await editText(text, [{ op: "remove", path: "/Effect" }], false);
  expect(edited).toBe('{ "Sid": "say \\"hi\\"" }\n');
});

describe("the rest of the text stays", () => {
  const remove = (path: string): PatchOperation => ({ op: "remove", path });
  const add = (path: string, value: unknown): PatchOperation => ({ op: "add", path, value });
  const replace = (path: string, value: unknown): PatchOperation => ({
    op: "replace",
    path,
    value,
  });
  const table: readonly (readonly [string, string, readonly PatchOperation[], string])[] = [
    [
      "JSON of a person",
      '{ "Version": "2012-10-17",\n  "Statement": [\n    { "Acton": ["a", "b",  "c"],\n      "Effect" : "Allow" } ] }\n',
      [
        { op: "move", from: "/Statement/0/Acton", path: "/Statement/0/Action" },
        remove("/Statement/0/Action/1"),
        add("/Statement/0/Resource", ["x"]),
      ],
      '{ "Version": "2012-10-17",\n  "Statement": [\n    { "Action": ["a", "c"],\n      "Effect" : "Allow",\n      "Resource": [\n        "x"\n      ] } ] }\n',
    ],
    [
      "minified JSON",
      '{"a":1,"b":[1,2]}',
      [add("/c", "x"), remove("/b/1"), add("/b/-", 3)],
      '{"a":1,"b":[1,3],"c":"x"}',
    ],
    [
      "comments of YAML",
      "# policy\nStatement:\n  # first\n  - Sid: One # the id\n    # why\n    Effect: Allow\n    Action:\n      - 's3:Get*' # all\n      - s3:GetObject\n    Resource: \"*\" # everything\n  # second\n  - Effect: Deny\n",
      [
        remove("/Statement/0/Action/1"),
        remove("/Statement/0/Sid"),
        replace("/Statement/0/Resource", "arn:x"),
        replace("/Statement/0/Action/0", "s3:*"),
        add("/Statement/0/Condition", { Bool: { k: "true" } }),
        add("/Version", "2012-10-17"),
      ],
      '# policy\nStatement:\n  # first\n  - # why\n    Effect: Allow\n    Action:\n      - \'s3:*\' # all\n    Resource: "arn:x" # everything\n    Condition:\n      Bool:\n        k: "true"\n  # second\n  - Effect: Deny\nVersion: "2012-10-17"\n',
    ],
    [
      "a statement of YAML is added and one removed",
      "Statement:\n- Effect: Allow\n  Action: a\n- Effect: Deny\n  Action: b",
      [remove("/Statement/1"), add("/Statement/-", { Effect: "Allow", Action: ["c"] })],
      "Statement:\n- Effect: Allow\n  Action: a\n- Effect: Allow\n  Action:\n    - c",
    ],
  ];
  const elements: typeof table = [
    [
      "the elements of JSON keep the order in which AWS writes them",
      '{\n  "Statement": [\n    {\n      "Effect": "Deny",\n      "Action": "a"\n    }\n  ]\n}\n',
      [add("/Statement/0/Principal", "*"), add("/Version", "2012-10-17")],
      '{\n  "Version": "2012-10-17",\n  "Statement": [\n    {\n      "Effect": "Deny",\n      "Principal": "*",\n      "Action": "a"\n    }\n  ]\n}\n',
    ],
    [
      "the elements of YAML keep the order in which AWS writes them",
      "Statement:\n  - Effect: Deny\n    Action: a\n",
      [
        add("/Statement/0/Principal", "*"),
        add("/Statement/0/Sid", "A"),
        add("/Version", "2012-10-17"),
      ],
      'Version: "2012-10-17"\nStatement:\n  - Effect: Deny\n    Principal: "*"\n    Action: a\n    Sid: A\n',
    ],
    [
      "a YAML object whose only member is replaced stays in block style",
      "Condition:\n  StringLike:\n    k: '*'\nx: 1\n",
      patchOf(
        difference(
          { Condition: { StringLike: { k: "*" } }, x: 1 },
          { Condition: { Null: { other: "false" } }, x: 1 },
          rootNode,
        ),
      ),
      'Condition:\n  "Null":\n    other: "false"\nx: 1\n',
    ],
  ];
  const repeated: typeof table = [
    [
      "a member that JSON repeats is written once",
      '{\n  "a": 1,\n  "b": 2,\n  "a": [1],\n  "c": 3\n}',
      [replace("/a", [1])],
      '{\n  "b": 2,\n  "a": [1],\n  "c": 3\n}',
    ],
    [
      "a member that JSON repeats several times gets its new value once",
      '{"a": {"x": 1}, "a": {"y": 1}, "b": 2, "a": {"z": 1}}',
      [replace("/a", { x: 1, y: 1, z: 1 })],
      '{"b": 2, "a": {"x": 1, "y": 1, "z": 1}}',
    ],
    [
      "a member that YAML repeats is written once, and its remark goes",
      "a: 1 # old\n# b\nb: 2\na: [1] # new\nc: 3\n",
      [replace("/a", [1])],
      "# b\nb: 2\na: [1] # new\nc: 3\n",
    ],
    [
      "a member that YAML repeats in an entry of a list is written once",
      "- a:\n    v: 1\n  a:\n    w: 1\n  b: 2\n  a:\n    x: 1\n",
      [replace("/0/a", { v: 1, w: 1, x: 1 })],
      "- b: 2\n  a:\n    v: 1\n    w: 1\n    x: 1\n",
    ],
    [
      "a member that YAML repeats in brackets is written once",
      "x: {a: 1, b: 2, a: 1}\n",
      [replace("/x/a", 1)],
      "x: {b: 2, a: 1}\n",
    ],
  ];
  test.each([...table, ...elements, ...repeated])("%s", async (_, text, patch, expected) => {
    const { isJsonText } = await parseDocument(text);
    expect(await editText(text, patch, isJsonText)).toBe(expected);
  });

  test.each([
    ["a: x\n", "2012-10-17", 'a: "2012-10-17"\n'],
    ["a: x\n", "yes", 'a: "yes"\n'],
    ["a: {b: x}\n", "12:30", 'a: {b: "12:30"}\n'],
    ["a: 2008-10-17\n", "2012-10-17", "a: 2012-10-17\n"],
    ["a: x\n", "s3:GetObject", "a: s3:GetObject\n"],
  ])("has quotes where YAML 1.1 reads no text: %j to %s", async (text, value, expected) => {
    const path = text.includes("{") ? "/a/b" : "/a";
    expect(await editText(text, [replace(path, value)], false)).toBe(expected);
    const added = await editText("x: 1\n", [{ op: "add", path: "/a", value }], false);
    expect(added).toBe(`x: 1\na: ${value === "s3:GetObject" ? value : JSON.stringify(value)}\n`);
  });

  test("what a YAML alias repeats is not edited", async () => {
    const text = "a: &x\n  k: 1\nb: *x\nc:\n  <<: *x\n";
    for (const path of ["/a/k", "/b/k", "/c/k"]) {
      expect(await editText(text, [replace(path, 2)], false)).toBeNull();
    }
    const within = "a: &x\n  k:\n    l: 1\nb: *x\n";
    expect(await editText(within, [replace("/a/k/l", 2)], false)).toBeNull();
  });

  test("what a YAML alias repeats is edited once where all copies change alike", async () => {
    const text = "a: &x\n  - one # kept\n  - 'two'\nb: *x\nc: {d: *x}\n";
    const all = ["/a/0", "/b/0", "/c/d/0"].map((path) => replace(path, "1 one"));
    const quoted = ["/a/1", "/b/1", "/c/d/1"].map((path) => replace(path, "2"));
    expect(await editText(text, [...all, ...quoted], false)).toBe(
      'a: &x\n  - 1 one # kept\n  - "2"\nb: *x\nc: {d: *x}\n',
    );
    expect(await editText(text, all.slice(1), false)).toBeNull();
    expect(await editText(text, [...all.slice(1), replace("/a/0", "other")], false)).toBeNull();
  });

  test("a value that is merged into other members is not edited as a copy", async () => {
    const text = "a: &x\n  k: one\nb: *x\nc:\n  <<: *x\n";
    const all = ["/a/k", "/b/k"].map((path) => replace(path, "two"));
    expect(await editText(text, all, false)).toBeNull();
  });

  test("the anchor that a YAML alias repeats is not removed", async () => {
    const text = "a:\n  k: &x [1]\nb: *x\n";
    expect(await editText(text, [{ op: "remove", path: "/a" }], false)).toBeNull();
    expect(await editText(text, [replace("/a", 2)], false)).toBeNull();
  });

  test("a block of text that cannot hold the new text becomes a scalar of one line", async () => {
    const text = "a: |-\n  one\n  two\n";
    expect(await editText(text, [replace("/a", " one")], false)).toBe('a: " one"\n');
    const folded = "a:\n  - >-\n    one\n    two\n  - x # kept\n";
    expect(await editText(folded, [replace("/a/0", "one two three")], false)).toBe(
      "a:\n  - one two three\n  - x # kept\n",
    );
    expect(await editText(folded, [replace("/a/0", "one\ntwo")], false)).toBeNull();
  });
});
