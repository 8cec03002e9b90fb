import { describe, expect, test } from "vitest";
import { z } from "zod";
import { excerpt } from "./excerpt.ts";
import { invalidArguments } from "./invalid-arguments.ts";

function messageOf(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value);
  if (!error) return "";
  const { kind, message } = invalidArguments(error);
  expect(kind).toBe("invalid_arguments");
  return message;
}

describe("arguments that do not fit", () => {
  test("are told by field and reason", () => {
    const schema = z.strictObject({
      list: z.array(z.object({ n: z.number() })),
      word: z.enum(["a", "b"]),
    });
    expect(messageOf(schema, { list: [{ n: 1 }, { n: "x" }], word: "c" })).toBe(
      "Invalid arguments: list[1].n: Invalid input: expected number, received string; " +
        'word: Invalid option: expected one of "a"|"b".',
    );
  });

  test("name the words a union goes by", () => {
    const schema = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("one") }),
      z.object({ kind: z.literal("two") }),
    ]);
    expect(messageOf(schema, { kind: "three" })).toBe(
      'Invalid arguments: kind: expected one of "one", "two".',
    );
  });

  test("name a wrong type once, and no length of the text that stands in place of a list", () => {
    const schema = z.strictObject({ fix: z.array(z.string()).max(4).nullish() });
    expect(messageOf(schema, { fix: "repairs" })).toBe(
      "Invalid arguments: fix: Invalid input: expected array, received string.",
    );
  });

  test("name unknown fields, shortened", () => {
    const message = messageOf(z.strictObject({}), { ["x".repeat(500)]: 1 });
    expect(message).toMatch(/^Invalid arguments: unknown field "x{79}…"\.$/);
  });

  test("name five unknown fields of many, and no field for the whole", () => {
    const unknown = (...keys: string[]) =>
      messageOf(z.strictObject({}), Object.fromEntries(keys.map((key) => [key, 1])));
    expect(unknown("a", "b")).toBe('Invalid arguments: unknown fields "a", "b".');
    expect(unknown("a", "b", "c", "d", "e", "f")).toBe(
      'Invalid arguments: unknown fields "a", "b", "c", "d", "e".',
    );
    expect(messageOf(z.strictObject({}), [])).toBe(
      "Invalid arguments: Invalid input: expected object, received array.",
    );
  });

  test("that fit no form of several are told so", () => {
    const schema = z.object({ policy: z.union([z.string(), z.array(z.string())]) });
    expect(messageOf(schema, { policy: 5 })).toBe("Invalid arguments: policy: Invalid input.");
  });

  test("never quote a value", () => {
    const schema = z.strictObject({ a: z.string(), b: z.int(), c: z.literal("x"), d: z.url() });
    const secret = "Secret";
    const value = { a: [secret], b: secret, c: secret, d: secret, [`k${secret}`]: secret };
    expect(messageOf(schema, value).replaceAll(`"k${secret}"`, "")).not.toContain(secret);
  });

  test("are counted when there are many", () => {
    const schema = z.array(z.number());
    const message = messageOf(schema, Array(1000).fill("x"));
    expect(message).toMatch(/\[4\].*; and 995 more\.$/);
    expect(messageOf(schema, Array(5).fill("x"))).toMatch(/; \[4\][^;]*\.$/);
    expect(message.length).toBeLessThan(500);
  });
});

test("an excerpt is no longer than asked and never half a character", () => {
  expect(excerpt("short")).toBe("short");
  expect(excerpt("x".repeat(80))).toBe("x".repeat(80));
  expect(excerpt("x".repeat(81))).toBe(`${"x".repeat(79)}…`);
  expect(excerpt(`${"x".repeat(78)}😀😀`)).toBe(`${"x".repeat(78)}…`);
  expect(excerpt(`😀${"x".repeat(79)}`)).toBe(`😀${"x".repeat(77)}…`);
});

test("an excerpt is one line of what people see", () => {
  expect(excerpt("a\n## b\u202e\u{e0041}\ud800")).toBe("a\\n## b\\u202e\\u{e0041}\\ud800");
  expect(excerpt("\n".repeat(80))).toBe(`${"\\n".repeat(39)}\\…`);
});
