import { describe, expect, test } from "vitest";
import type { ToolError } from "../errors.ts";
import { documentToSend } from "./document.ts";

const policy = { Version: "2012-10-17", Statement: [] };
const compact = JSON.stringify(policy);
const limits = { max_policy_bytes: 1_000, max_request_bytes: 1_000 };

describe("what is sent", () => {
  test("of an object is its compact JSON", async () => {
    expect(await documentToSend(policy, limits)).toBe(compact);
  });

  test("of JSON text is the text as written, so that AWS's spans fit it", async () => {
    const text = JSON.stringify(policy, null, 4);
    expect(await documentToSend(text, limits)).toBe(text);
  });

  test("of JSON text with repeated members is the text as written: AWS validates it", async () => {
    const text = '{"Version":"2008-10-17","Version":"2012-10-17","Statement":[]}';
    expect(await documentToSend(text, limits)).toBe(text);
  });

  test("of YAML text is the compact JSON", async () => {
    expect(await documentToSend("Version: '2012-10-17'\nStatement: []\n", limits)).toBe(compact);
  });
});

describe("no policy document", () => {
  test.each([
    ["unclosed JSON", '{"Version":', /line 1/],
    ["a JSON list", "[]", /The text is not a JSON or YAML object\.$/],
    ["a scalar", "hello", /The text is not a JSON or YAML object\.$/],
    ["empty text", "", / \S/],
    ["null", "null", /The text is not a JSON or YAML object\.$/],
  ])("%s is refused, with the reason", async (_, text, reason) => {
    const message = await documentToSend(text, limits).catch((error: ToolError) => {
      expect(error.kind).toBe("invalid_policy_entry");
      return error.message;
    });
    expect(message).toMatch(/^policy is not a policy document\. /);
    expect(message).toMatch(reason);
  });

  test("nesting deeper than 100 levels is refused", async () => {
    const deep = `{"a":${"[".repeat(200)}${"]".repeat(200)}}`;
    const refused = {
      kind: "invalid_policy_entry",
      message: expect.stringContaining("100 levels"),
    };
    await expect(documentToSend(deep, limits)).rejects.toMatchObject(refused);
    await expect(documentToSend(JSON.parse(deep), limits)).rejects.toMatchObject(refused);
  });
});

describe("sizes", () => {
  const bytes = Buffer.byteLength(compact);

  test("a policy of exactly max_policy_bytes is sent", async () => {
    const exact = { ...limits, max_policy_bytes: bytes };
    expect(await documentToSend(policy, exact)).toBe(compact);
  });

  test("one byte more is refused with the size and the limit", async () => {
    const limit = { ...limits, max_policy_bytes: bytes - 1 };
    await expect(documentToSend(policy, limit)).rejects.toMatchObject({
      kind: "policy_too_large",
      message: expect.stringMatching(`${bytes} bytes.*${bytes - 1} \\(max_policy_bytes\\)`),
    });
  });

  test("max_request_bytes holds too, at the limit and one past it", async () => {
    const at = { max_policy_bytes: 1_000, max_request_bytes: bytes };
    expect(await documentToSend(policy, at)).toBe(compact);
    const past = { ...at, max_request_bytes: bytes - 1 };
    await expect(documentToSend(policy, past)).rejects.toMatchObject({
      kind: "request_too_large",
      message: expect.stringMatching(/max_request_bytes/),
    });
  });

  test("white space of a text counts", async () => {
    const text = `${compact}${" ".repeat(1_000)}`;
    await expect(documentToSend(text, limits)).rejects.toMatchObject({ kind: "policy_too_large" });
  });

  test("what a short YAML text expands to counts", async () => {
    const text = `a: &a "${"x".repeat(300)}"\nb: [*a, *a, *a, *a]\n`;
    await expect(documentToSend(text, limits)).rejects.toMatchObject({ kind: "policy_too_large" });
  });
});
