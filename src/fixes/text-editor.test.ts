import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import type { PatchOperation } from "../../spec/finding.ts";
import { parseDocument } from "../policy/document.ts";
import { applyPatch, PatchFailure } from "./patch.ts";
import { TextEditor } from "./text-editor.ts";

const step = fc.oneof(
  fc.constantFrom("Statement", "Action", "Sid", "a", "-"),
  fc.nat({ max: 4 }).map(String),
);
const path = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => `/${steps.join("/")}`);
const value = fc.constantFrom<unknown>("x", ["s3:Get*", "y"], { a: 1, Sid: "b" }, [], true);
const operation: fc.Arbitrary<PatchOperation> = fc.oneof(
  fc.record({ op: fc.constant("replace" as const), path, value }),
  fc.record({ op: fc.constant("add" as const), path, value }),
  fc.record({ op: fc.constant("remove" as const), path }),
);
const statement = fc.record(
  {
    Sid: fc.constantFrom("one", "two"),
    Action: fc.array(fc.constantFrom("s3:Get*", "sqs:*", "x"), { maxLength: 4 }),
    a: value,
  },
  { requiredKeys: [] },
);
const policy = fc.record({ Statement: fc.array(statement, { maxLength: 4 }), a: value });

/** The operations that apply, each to what those before it leave. */
function applying(before: object, operations: readonly PatchOperation[]) {
  let after: unknown = before;
  const patches: PatchOperation[][] = [];
  for (const one of operations) {
    try {
      after = applyPatch(after, [one]);
      patches.push([one]);
    } catch (error) {
      if (!(error instanceof PatchFailure)) throw error;
    }
  }
  return { after, patches };
}

describe("several patches of one text", () => {
  test.each([
    ["JSON", (one: object) => JSON.stringify(one, null, 2)],
    ["YAML", (one: object) => `# first\n${stringify(one)}# last\n`],
    ["flow YAML", (one: object) => stringify(one, { collectionStyle: "flow" })],
  ])("change %s as they change its value, one after another", async (_, write) => {
    const property = fc.asyncProperty(
      policy,
      fc.array(operation, { maxLength: 8 }),
      async (before, operations) => {
        const { patches, after } = applying(before, operations);
        const text = write(before);
        const { isJsonText } = await parseDocument(text);
        const editor = await TextEditor.of(text, isJsonText);
        const edited = await editor.edit(patches);
        if (edited.failed.size > 0) return;
        expect((await parseDocument(edited.text)).raw).toEqual(after);
        if (text.startsWith("#")) expect(edited.text).toMatch(/^# first\n[\s\S]*# last\n$/);
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });

  test("are all left out but those that have a place in the text", async () => {
    const text = "a: &x [1, 2]\nb: *x\nc: 3 # three\n";
    const editor = await TextEditor.of(text, false);
    const edited = await editor.edit([
      [
        { op: "replace", path: "/c", value: 4 },
        { op: "remove", path: "/b/0" },
      ],
      [{ op: "replace", path: "/c", value: 5 }],
    ]);
    expect(edited).toEqual({ text: text.replace("3", "5"), failed: new Set([0]) });
  });

  test("in different places read the text once", async () => {
    const names = Array.from({ length: 50 }, (_, index) => `Role${index}`);
    const text = stringify(Object.fromEntries(names.map((name) => [name, { Action: ["a", "b"] }])));
    const editor = await TextEditor.of(text, false);
    let readings = 0;
    const patches = names.map((name): PatchOperation[] => [
      { op: "replace", path: `/${name}/Action/0`, value: "c" },
    ]);
    const edited = await editor.edit(patches, async () => {
      readings++;
    });
    expect(readings).toBe(1);
    expect(edited.text).toBe(text.replaceAll("- a", "- c"));
  });
});
