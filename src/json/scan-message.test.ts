import fc from "fast-check";
import { expect, test } from "vitest";
import { scanMessage } from "./scan-message.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const scan = (text: string) => scanMessage(bytesOf(text));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Values in a parsed text. */
function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + valuesIn(member), 1);
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return -1;
  return 1 + Math.max(-1, ...Object.values(value).map(depthOf));
}

test("a text is valid exactly when JSON.parse takes it, and its values and levels are counted", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), fc.constantFrom(0, 1), (value, indent) => {
      // Objects of `fc` may repeat a name only through `__proto__`, which JSON.parse keeps too.
      const text = JSON.stringify(value, null, indent);
      const scanned = scan(text);
      expect(scanned.kind).toBe(
        Array.isArray(value) ? "array" : typeof value === "object" && value ? "object" : "other",
      );
      expect(scanned.values).toBe(valuesIn(JSON.parse(text)));
      expect(scanned.wholeDepth).toBe(Math.max(0, depthOf(JSON.parse(text))));
    }),
    { numRuns: 500 },
  );
});

test("a text with one character changed is read as JSON.parse reads it", () => {
  const characters = fc.constantFrom(...'{}[]",:\\0123456789-+.eEtrufalsn \n\u0000/');
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.nat(),
      characters,
      fc.boolean(),
      (value, place, character, cut) => {
        const whole = JSON.stringify([value, { id: 1, a: [true, null, -1.5e3, "\\u00e9\n"] }]);
        const at = place % whole.length;
        const text = cut
          ? whole.slice(0, at)
          : whole.slice(0, at) + character + whole.slice(at + 1);
        expect(["invalid", "partial"].includes(scan(text).kind)).toBe(!isJson(text));
      },
    ),
    { numRuns: 3_000 },
  );
});

test.each([
  ["", "partial"],
  ["  ", "partial"],
  ["{", "partial"],
  ['{"a"', "partial"],
  ['{"a":1', "partial"],
  ['"\\u12', "partial"],
  ["tru", "partial"],
  ["{}x", "invalid"],
  ["01", "invalid"],
  ["[1,]", "invalid"],
  ['{"a":1,}', "invalid"],
  ["nul!", "invalid"],
  ["\u0007", "invalid"],
])("%j is %s", (text, kind) => {
  expect(scan(text).kind).toBe(kind);
});

const call = {
  jsonrpc: "2.0",
  method: "tools/call",
  params: {
    arguments: {
      policies: [{ id: 2, method: "x", params: { name: "y" } }, "text"],
      format: "html",
    },
    name: "validate_policies",
    _meta: { progressToken: 7 },
  },
  id: "the-id",
};

test("the members of the protocol are found in any order, those inside the arguments are not taken for them", () => {
  const scanned = scan(JSON.stringify(call, null, 2));
  expect(scanned.members).toEqual({
    jsonrpc: '"2.0"',
    method: '"tools/call"',
    id: '"the-id"',
    name: '"validate_policies"',
    _meta: expect.stringContaining("progressToken"),
    format: '"html"',
  });
  expect(scanned).toMatchObject({ policyCount: 2, hasArguments: true, depth: 2, wholeDepth: 5 });
});

test("the last member of a name counts, however its name is written", () => {
  expect(scan('{"id":1,"i\\u0064":2}').members).toEqual({ id: "2" });
  expect(scan(`{"id":1,"id":"${"x".repeat(70_000)}"}`).members).toEqual({});
  const twice = '{"params":{"arguments":{"policies":[1,2,3]},"arguments":{"policies":[]}}}';
  expect(scan(twice).policyCount).toBe(0);
});

test("of a text that ends too soon everything before its end is known", () => {
  const text = JSON.stringify({ jsonrpc: "2.0", id: 5, params: { name: "n", arguments: {} } });
  const scanned = scan(text.slice(0, -6));
  expect(scanned.kind).toBe("partial");
  expect(scanned.members).toMatchObject({ id: "5", name: '"n"' });
});

test("a text may nest as deep as it is long", () => {
  expect(scan("[".repeat(200_000) + "]".repeat(200_000))).toMatchObject({
    kind: "array",
    wholeDepth: 199_999,
  });
});
