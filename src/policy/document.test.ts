import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CreateNodeOptions, parse as parseYaml, stringify, type ToStringOptions } from "yaml";
import { childNode, keyNode, type NodeRef, pointerOf, rootNode } from "../json/node.ts";
import { repairedJson } from "../json/repair.ts";
import { objectDocument, parseDocument } from "./document.ts";
import type { PolicyDocument } from "./model.ts";

/** Every node of a value, keys included. */
function* nodesOf(value: unknown, node: NodeRef = rootNode): Generator<[NodeRef, unknown]> {
  yield [node, value];
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(name) : name;
    if (typeof step === "string") yield [keyNode(node, step), step];
    yield* nodesOf(part, childNode(node, step));
  }
}

function sliceAt(document: PolicyDocument, node: NodeRef): { column: number; slice: string } {
  const location = document.locate(node);
  if (!location || document.text === null) throw new Error(`no place: ${pointerOf(node)}`);
  for (const { line, column, offset } of [location.start, location.end]) {
    const before = document.text.slice(0, offset).split(/\r\n|\n|\r/);
    expect([line, column]).toEqual([before.length, before.at(-1)?.length]);
  }
  const { start, end } = location;
  return { column: start.column, slice: document.text.slice(start.offset, end.offset) };
}

const spelledFaults = (document: PolicyDocument) =>
  document.faults.map((fault) =>
    fault.kind === "duplicate"
      ? { kind: fault.kind, name: fault.name, pointer: pointerOf(fault.node) }
      : { kind: fault.kind, message: fault.message },
  );

const wordyText = fc.string({
  unit: fc.constantFrom(
    ..."{}[]:,\"'#&*!|>-?%@` \n\r\t\\ab10.~",
    "\uFEFF",
    "\ud800",
    "😀",
    "\n  ",
    "- ",
    ": ",
    "&a ",
    "*a",
    "<<: ",
    "---\n",
    "!!str ",
    '"k": ',
  ),
  maxLength: 60,
});

describe("a JSON text", () => {
  test("has each value and key where the span says", async () => {
    const layouts = fc.constantFrom<[string | number, string]>(
      [0, "\n"],
      [2, "\n"],
      ["\t", "\r\n"],
    );
    const values = fc.jsonValue({ stringUnit: "binary" });
    await fc.assert(
      fc.asyncProperty(values, layouts, fc.boolean(), async (value, layout, marked) => {
        const [indent, lineBreak] = layout;
        const json = JSON.stringify(value, null, indent).replaceAll("\n", lineBreak);
        const document = await parseDocument(marked ? `\uFEFF${json}` : json);
        expect(document.faults).toEqual([]);
        expect(JSON.stringify(document.raw)).toBe(JSON.stringify(value));
        for (const [node, part] of nodesOf(document.raw)) {
          const { slice } = sliceAt(document, node);
          expect(JSON.stringify(JSON.parse(slice))).toBe(JSON.stringify(part));
        }
      }),
      { numRuns: 300 },
    );
  });

  test("is measured as compact JSON in UTF-8, whatever its layout", async () => {
    const document = await parseDocument('{\n  "ä": "\\u00e4 b",\n  "c": [1, 2]\n}\n');
    expect(document.compactBytes).toBe(Buffer.byteLength('{"ä":"ä b","c":[1,2]}'));
  });

  test("keeps members named like parts of every object", async () => {
    const document = await parseDocument('{"__proto__": {"a": 1}, "toString": 2}');
    expect(Object.keys(document.raw as object)).toEqual(["__proto__", "toString"]);
    expect(sliceAt(document, childNode(childNode(rootNode, "__proto__"), "a")).slice).toBe("1");
    expect(sliceAt(document, childNode(rootNode, "constructor")).column).toBe(0);
  });

  test("has one fault for each repeated name and object; the last value counts", async () => {
    const text = '{"a": 1, "b": {"c": 1, "c": 2, "\\u0063": 3, "d": {}}, "a": [{"x": 0, "x": 0}]}';
    const document = await parseDocument(text);
    expect(document.raw).toEqual({ a: [{ x: 0 }], b: { c: 3, d: {} } });
    expect(spelledFaults(document)).toEqual([
      { kind: "duplicate", name: "c", pointer: "/b/c" },
      { kind: "duplicate", name: "a", pointer: "/a" },
      { kind: "duplicate", name: "x", pointer: "/a/0/x" },
    ]);
    expect(
      document.faults.map(({ location }) =>
        text.slice(location?.start.offset, location?.end.offset),
      ),
    ).toEqual(['"\\u0063"', '"a"', '"x"']);
    expect(sliceAt(document, childNode(rootNode, "a")).slice).toBe('[{"x": 0, "x": 0}]');
  });

  test("has no fault for a name repeated where a later member hides it", async () => {
    for (const text of ['{"a": {"b": 1, "b": 2}, "a": {"b": 3}}', "a: {b: 1, b: 2}\na: {b: 3}\n"]) {
      const document = await parseDocument(text);
      expect(document.raw).toEqual({ a: { b: 3 } });
      expect(spelledFaults(document)).toEqual([{ kind: "duplicate", name: "a", pointer: "/a" }]);
    }
  });

  test("with a repeated `__proto__` has that fault too", async () => {
    const document = await parseDocument('{"__proto__": 1, "__proto__": 2}');
    expect(spelledFaults(document)).toEqual([
      { kind: "duplicate", name: "__proto__", pointer: "/__proto__" },
    ]);
  });

  test("is not misled by colons, brackets and quotes inside strings", async () => {
    const value = { 'a":{[': ":::", "b\\": ["\\", '\\"', "{{{"] };
    const document = await parseDocument(JSON.stringify(value));
    expect(document).toMatchObject({ raw: value, faults: [] });
  });

  test.each([
    ['{"a" 1}', "colon expected", 1, 5],
    ['{\n  "a": [1, 2\n}', "comma expected", 3, 0],
    ['{"a": 1} x', "invalid symbol", 1, 9],
    ["[1, 2", "close bracket expected", 1, 5],
  ])("that breaks off has its first error named: %j", async (text, problem, line, column) => {
    const document = await parseDocument(text);
    expect(document).toMatchObject({ raw: undefined, compactBytes: 0 });
    const message = `The policy is not valid JSON: ${problem} (line ${line}, column ${column + 1}).`;
    expect(spelledFaults(document)).toEqual([{ kind: "syntax", message }]);
    expect(document.faults[0]?.location?.start).toMatchObject({ line, column });
  });

  test("may be a scalar", async () => {
    expect(await parseDocument('"hello"')).toMatchObject({ raw: "hello", faults: [] });
    expect(await parseDocument(" null ")).toMatchObject({ raw: null, faults: [], compactBytes: 4 });
  });
});

describe("a YAML text", () => {
  test("has each value and key where the span says", async () => {
    const styles = fc.constantFrom<CreateNodeOptions & ToStringOptions>(
      {},
      { indentSeq: false, lineWidth: 20 },
      { collectionStyle: "flow" },
      { defaultStringType: "QUOTE_SINGLE", defaultKeyType: "PLAIN" },
      { blockQuote: "folded", indent: 4 },
    );
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), styles, fc.boolean(), async (random, style, commented) => {
        // Without -0, which JSON writes as 0.
        const value: unknown = JSON.parse(JSON.stringify(random));
        const yaml = stringify(value, { ...style, aliasDuplicateObjects: false });
        const text = commented ? `# before\n---\n${yaml}\n# after\n` : yaml;
        // JSON with single quotes is a fault, also where YAML would accept it.
        fc.pre(repairedJson(text) === null);
        const document = await parseDocument(text);
        expect(spelledFaults(document)).toEqual([]);
        expect(JSON.stringify(document.raw)).toBe(JSON.stringify(value));
        for (const [node, part] of nodesOf(document.raw)) {
          const { column, slice } = sliceAt(document, node);
          const again = parseYaml(" ".repeat(column) + slice, { schema: "core" });
          const text = node.part === "key" ? String(again ?? slice) : again;
          expect(JSON.stringify(text)).toBe(JSON.stringify(part));
        }
      }),
      { numRuns: 300 },
    );
  });

  test("holds text where YAML of old saw dates, words and octal numbers", async () => {
    const document = await parseDocument(
      "Version: 2012-10-17\nat: 2001-01-01T00:00:00Z\nyes: no\naccount: 012345670123\n" +
        "big: 12345678901234567890\nnan: .nan\ninf: -.inf\nfloat: 1.5e3\nhex: 0x1F\nnone: ~",
    );
    expect(document.raw).toEqual({
      Version: "2012-10-17",
      at: "2001-01-01T00:00:00Z",
      yes: "no",
      account: "012345670123",
      big: "12345678901234567890",
      nan: ".nan",
      inf: "-.inf",
      float: 1500,
      hex: 31,
      none: null,
    });
  });

  test("ends a block where its last value ends, not at the comment after it", async () => {
    const document = await parseDocument("a:\n  - b\n  - c: d\n\n# about e\ne: f\n");
    expect(sliceAt(document, childNode(rootNode, "a")).slice).toBe("- b\n  - c: d");
  });

  test("turns keys of other types into text", async () => {
    const { raw } = await parseDocument("1: a\ntrue: b\n~: c\n1.50: d\n: e");
    expect(raw).toEqual({ 1: "a", true: "b", "~": "c", "1.50": "d", "": "e" });
  });

  test("has one fault for each repeated name and object; the last value counts", async () => {
    const document = await parseDocument('a: 1\n"a": 2\nb: &b {c: 1, c: 2}\nd: *b\na: 3\n');
    expect(document.raw).toEqual({ a: 3, b: { c: 2 }, d: { c: 2 } });
    expect(spelledFaults(document)).toEqual([
      { kind: "duplicate", name: "c", pointer: "/b/c" },
      { kind: "duplicate", name: "a", pointer: "/a" },
    ]);
    expect(document.faults[1]?.location?.start).toEqual({ line: 5, column: 0, offset: 37 });
  });

  test("gives an alias the value and the place of its anchor", async () => {
    const document = await parseDocument("a: &x [1, &y 2]\nb: *x\nc: &y 3\nd: *x\ne: [*y, *x]\n");
    expect(document.raw).toEqual({ a: [1, 2], b: [1, 2], c: 3, d: [1, 2], e: [3, [1, 2]] });
    const inner = childNode(childNode(childNode(rootNode, "e"), 1), 1);
    expect(sliceAt(document, inner)).toEqual({ column: 13, slice: "2" });
  });

  test("merges members under `<<`, its own members first", async () => {
    const document = await parseDocument(
      'x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz:\n  a: 0\n  <<: [*x, *y]\nq: {"<<": 1}\nn: {<<: 1}',
    );
    expect(document.raw).toMatchObject({
      z: { a: 0, b: 1, c: 2 },
      q: { "<<": 1 },
      n: { "<<": 1 },
    });
    expect(document.faults).toEqual([]);
    expect(sliceAt(document, keyNode(childNode(rootNode, "z"), "c"))).toEqual({
      column: 13,
      slice: "c",
    });
  });

  test("never touches the prototype of a value", async () => {
    const { raw } = await parseDocument("__proto__: {polluted: 1}\n<<: {__proto__: {b: 1}}\n");
    expect(Object.keys(raw as object)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(raw)).toBe(Object.prototype);
    expect("polluted" in {}).toBe(false);
  });

  test("reads tags of others as if they were not there", async () => {
    const { raw, faults } = await parseDocument("a: !Ref b\nc: !!js/function 'x'\nd: !!str 1");
    expect({ raw, faults }).toEqual({ raw: { a: "b", c: "x", d: "1" }, faults: [] });
  });

  test.each([
    ["before a key", '{\n  // all of it\n  "Version": "2012-10-17"\n}', 2, 2],
    ["before the document", '// all of it\n{"Version": "2012-10-17"}', 1, 0],
    ["after a value", '{"Version": "2012-10-17" /* new */}', 1, 25],
    ["after the document", '{"Version": "2012-10-17"}\n// end\n', 2, 0],
  ])("a comment in JSON is a fault with its place: %s", async (_, text, line, column) => {
    const { raw, faults } = await parseDocument(text);
    expect(raw).toBeUndefined();
    expect(faults).toMatchObject([{ kind: "syntax", location: { start: { line, column } } }]);
    expect(faults[0]).toHaveProperty(
      "message",
      `The policy is not valid JSON: comments are not allowed in JSON (line ${line}, column ${column + 1}).`,
    );
  });

  test.each([
    ["of an array", '{"Action": ["s3:GetObject",\n ]}', 2, 1],
    ["of an object", '{"Version": "2012-10-17" ,}', 1, 26],
    ["before a comment", '{"Version": "2012-10-17", // new\n}', 1, 26],
  ])(
    "a trailing comma in JSON, which AWS rejects, is a fault: %s",
    async (name, text, line, column) => {
      const { raw, faults } = await parseDocument(text);
      expect(raw).toBeUndefined();
      const problem = name === "before a comment" ? "comments" : "trailing commas";
      expect(faults[0]).toHaveProperty(
        "message",
        `The policy is not valid JSON: ${problem} are not allowed in JSON (line ${line}, column ${column + 1}).`,
      );
    },
  );

  test("single quotes in place of double ones, which AWS rejects, are a fault", async () => {
    const { raw, faults } = await parseDocument("{'Version': '2012-10-17'}");
    expect(raw).toBeUndefined();
    expect(faults[0]).toHaveProperty(
      "message",
      'The policy is not valid JSON: texts take straight double quotes (") and not single ones (line 1, column 2).',
    );
  });

  test("flow YAML with plain keys may have trailing commas and single quotes", async () => {
    const plain = await parseDocument("{Version: '2012-10-17', Id: a,}");
    expect(plain).toMatchObject({ raw: { Version: "2012-10-17", Id: "a" }, faults: [] });
  });

  test("two slashes inside a text, and comments of YAML, are not comments of JSON", async () => {
    const url = await parseDocument('{a: "https://example.com", b: 1}');
    expect(url).toMatchObject({ raw: { a: "https://example.com", b: 1 }, faults: [] });
    const key = await parseDocument("{//: 1}");
    expect(key).toMatchObject({ raw: { "//": 1 }, faults: [] });
    const flow = await parseDocument('{ # all of it, see http://x\n"a": 1 }');
    expect(flow).toMatchObject({ raw: { a: 1 }, faults: [] });
  });

  test.each([
    ["", "The text is empty", 1, 0],
    [" \n\t\n", "The text is empty", 1, 0],
    ["# only a comment", "The text is empty", 1, 0],
    ["a: 1\n---\nb: 2\n", "The text holds more than one document", 2, 0],
    ["a: &a [*a]", "An alias is inside its own anchor", 1, 7],
    ["a: *b", "No anchor `b` stands before its alias", 1, 3],
    ["? [a]\n: b", "A member name must be text", 1, 2],
    ["a: b: c", "Nested mappings are not allowed in compact mappings", 1, 3],
    ["a: 1\n]", "Unexpected flow-seq-end token in YAML stream", 2, 0],
    // What the error quotes is shown on one line, as characters that can be seen.
    ['"\\\ud83d', "Invalid escape sequence \\\\ud83d", 1, 1],
    ['"\\u\n', "Invalid escape sequence \\u\\n", 1, 1],
    ["a: *\u{e0041}", "No anchor `\\u{e0041}` stands before its alias", 1, 3],
  ])("that cannot be read has its error named: %j", async (text, problem, line, column) => {
    const document = await parseDocument(text);
    const place = `(line ${line}, column ${column + 1})`;
    const message = `The policy is neither JSON nor YAML: ${problem} ${place}.`;
    expect(document.raw).toBeUndefined();
    expect(spelledFaults(document)).toEqual([{ kind: "syntax", message }]);
    expect(document.faults[0]?.location?.start).toMatchObject({ line, column });
  });

  test("has texts in quotes and brackets whose lines begin anywhere, as CloudFormation takes them", async () => {
    const lines = [
      "a:",
      "  b: '{",
      '    "c": 1',
      "  }'",
      '  d: "x',
      'y"',
      "  e: [",
      "  f",
      "]",
      "g: 1",
    ];
    const document = await parseDocument(lines.join("\n"));
    expect(document).toMatchObject({
      raw: { a: { b: '{ "c": 1 }', d: "x y", e: ["f"] }, g: 1 },
      faults: [],
    });
    const d = document.locate(childNode(childNode(rootNode, "a"), "d"));
    expect(d).toMatchObject({ start: { line: 5 }, end: { line: 6 } });
  });

  test("of aliases to aliases is refused before it grows", async () => {
    const names = [..."abcdefghijklmnop"];
    const lines = names.map((name, index) => {
      const previous = names[index - 1];
      return `${name}: &${name} [${Array(9).fill(previous ? `*${previous}` : "lol")}]`;
    });
    expect(spelledFaults(await parseDocument(lines.join("\n")))).toEqual([
      { kind: "syntax", message: expect.stringContaining("Aliases make the document too large") },
    ]);
    const long = `a: &a ${"x".repeat(50_000)}\nb: [${Array(50_000).fill("*a")}]`;
    expect((await parseDocument(long)).faults).toHaveLength(1);
  });
});

describe("depth", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const tooDeep = expect.stringMatching(/deeper than 100 levels/);

  test("of 100 passes, in JSON, in YAML and as an object", async () => {
    expect((await parseDocument(nested(100))).faults).toEqual([]);
    expect((await parseDocument(`${"- ".repeat(100)}a`)).faults).toEqual([]);
    expect((await parseDocument(`a: ${nested(99)}`)).faults).toEqual([]);
    expect(objectDocument(JSON.parse(nested(100))).faults).toEqual([]);
  });

  test.each([
    ["JSON", nested(101)],
    ["YAML blocks", `${"- ".repeat(101)}a`],
    ["YAML flow", `a: ${nested(100)}`],
    ["YAML keys", "? ".repeat(101)],
    ["YAML through an alias", `a: &a ${nested(60)}\nb: ${"[".repeat(50)}*a${"]".repeat(50)}`],
    ["unfinished JSON", '{"a":'.repeat(200_000)],
    ["an unfinished string", `{"a\n${"[".repeat(200_000)}`],
    ["a comment", `{/*"*/${"[".repeat(200_000)}`],
    ["unfinished YAML", "- ".repeat(200_000)],
  ])("of more is a fault: %s", async (_, text) => {
    const document = await parseDocument(text);
    expect(document.raw).toBeUndefined();
    expect(document.faults).toHaveLength(1);
    expect(["depth", "syntax"]).toContain(document.faults[0]?.kind);
  });

  test.each([
    ["an open text of escaped quotes", `["${'\\"'.repeat(200_000)}`],
    ["open comments", `[${"/*".repeat(200_000)}`],
    ["single quotes", `[${"'".repeat(200_000)}`],
  ])("of %s is read once", async (_, text) => {
    const { faults } = await parseDocument(text);
    expect(faults).toMatchObject([{ kind: "syntax" }]);
  });

  test("behind a comment is not read by recursion", async () => {
    const { faults } = await parseDocument(`// "\n${"[".repeat(200_000)}`);
    expect(faults.length).toBeLessThan(2);
  });

  test("is told with its place", async () => {
    expect(spelledFaults(await parseDocument(`{"a":\n${nested(100)}}`))).toEqual([
      {
        kind: "depth",
        message: "The policy nests arrays and objects deeper than 100 levels (line 2, column 100).",
      },
    ]);
  });

  test("of an object is told without a place, endless objects included", () => {
    const endless: Record<string, unknown> = {};
    endless.self = endless;
    for (const value of [JSON.parse(nested(101)), endless]) {
      const document = objectDocument(value);
      expect(document).toMatchObject({ raw: undefined, text: null, compactBytes: 0 });
      expect(document.faults).toEqual([{ kind: "depth", message: tooDeep, location: null }]);
    }
  });
});

describe("any input", () => {
  test("is read without an exception, and its faults explain a missing value", async () => {
    const texts = fc.oneof(wordyText, fc.string({ unit: "binary" }));
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const document = await parseDocument(text);
        expect(document.compactBytes).toBeGreaterThanOrEqual(0);
        const fatal = document.faults.some(({ kind }) => kind !== "duplicate");
        expect(fatal).toBe(document.raw === undefined);
        if (fatal) return;
        for (const [node] of nodesOf(document.raw)) sliceAt(document, node);
        for (const { location } of document.faults) expect(location).not.toBeNull();
      }),
      { numRuns: 3000 },
    );
  });

  test("may repeat any number of names", async () => {
    const twice = (member: (name: number) => string) =>
      [0, 1].flatMap(() => Array.from({ length: 130_000 }, (_, name) => member(name)));
    const json = await parseDocument(`{${twice((name) => `"${name}": 1`)}}`);
    expect(json.faults).toHaveLength(130_000);
  });

  test("given as a value is taken as it is and has no places", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue().filter((value) => typeof value !== "string"),
        async (value) => {
          const document = await parseDocument(value);
          expect(document).toMatchObject({ text: null, faults: [] });
          expect(document.raw).toBe(value);
          expect(document.compactBytes).toBe(Buffer.byteLength(JSON.stringify(value)));
          expect(document.locate(rootNode)).toBeNull();
        },
      ),
    );
  });

  test("says where the first typographic quote of JSON is", async () => {
    const { raw, faults } = await parseDocument('{\n  \u201cVersion\u201d: "2012-10-17"}');
    expect(raw).toBeUndefined();
    expect(faults).toMatchObject(
      [
        {
          kind: "syntax",
          message: /straight double quotes.*line 2, column 3/,
          location: { start: { line: 2 } },
        },
      ].map(({ message, ...fault }) => ({ ...fault, message: expect.stringMatching(message) })),
    );
  });

  test("is located by its nearest ancestor where a node does not exist", async () => {
    const document = await parseDocument('{"a": [{"b": 1}]}');
    const item = childNode(childNode(rootNode, "a"), 0);
    expect(sliceAt(document, childNode(item, "c")).slice).toBe('{"b": 1}');
    expect(sliceAt(document, keyNode(item, "c")).slice).toBe('{"b": 1}');
    expect(sliceAt(document, keyNode(item, "b")).slice).toBe('"b"');
    expect(sliceAt(document, childNode(childNode(rootNode, "a"), 7)).slice).toBe('[{"b": 1}]');
  });
});
