import { describe, expect, test } from "vitest";
import { mediaType, readParameters, readText } from "./body.ts";

const url = "https://validator.example.com/oauth/token";
const post = (body: string, headers: Record<string, string> = {}) =>
  new Request(url, { method: "POST", body, headers });
const chunked = (...chunks: (string | Uint8Array)[]) => {
  const bytes = chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk));
  const body = ReadableStream.from(bytes) as ReadableStream<Uint8Array<ArrayBuffer>>;
  return new Request(url, { method: "POST", body, duplex: "half" } as RequestInit);
};
const most = 16_384;

describe("a body", () => {
  test("of 16 KiB is read, declared or in chunks", async () => {
    const text = "a".repeat(most);
    expect(await readText(post(text))).toEqual({ text });
    expect(await readText(post(text, { "content-length": String(most) }))).toEqual({ text });
    expect(await readText(chunked("a".repeat(most - 1), "a"))).toEqual({ text });
  });
  test("of more is not, however it comes (R-20, C-12, T-3)", async () => {
    expect(await readText(post("a", { "content-length": String(most + 1) }))).toBe("too_large");
    expect(await readText(post("a", { "content-length": "x" }))).toBe("too_large");
    expect(await readText(chunked("a".repeat(most), "a"))).toBe("too_large");
  });
  test("may be absent or empty", async () => {
    expect(await readText(new Request(url, { method: "POST" }))).toEqual({ text: "" });
    expect(await readText(post(""))).toEqual({ text: "" });
  });
  test("is UTF-8 and whole", async () => {
    expect(await readText(chunked("ä".slice(0, 1), Buffer.from("漢")))).toEqual({ text: "ä漢" });
    expect(await readText(chunked(Buffer.from([0x61, 0xff])))).toBe("invalid");
    const broken = new ReadableStream({
      pull: (controller) => controller.error(new Error("gone")),
    });
    const request = new Request(url, {
      method: "POST",
      body: broken,
      duplex: "half",
    } as RequestInit);
    expect(await readText(request)).toBe("invalid");
  });
});

test.each([
  ["application/json", "application/json"],
  ["Application/JSON; charset=utf-8", "application/json"],
  [" application/json ;a", "application/json"],
  ["", ""],
])("media type %j is %j", (given, expected) => {
  const request = new Request(url, { headers: { "content-type": given } });
  expect(mediaType(request)).toBe(expected);
});
test("a body without a media type has none", () => expect(mediaType(new Request(url))).toBe(""));

describe("parameters", () => {
  test("are decoded once", () => {
    const read = readParameters("a=b+c%2520&%61%3D=%C3%A4&=x&lone");
    expect([...(read?.names() ?? [])]).toEqual(["a", "a=", "", "lone"]);
    expect(["a", "a=", "", "lone", "missing"].map((name) => read?.one(name))).toEqual([
      "b c%20",
      "ä",
      "x",
      "",
      undefined,
    ]);
  });
  test("that repeat have no one value", () => {
    const read = readParameters("a=1&b=2&%61=3");
    expect([read?.one("a"), read?.all("a"), read?.isRepeated("a")]).toEqual([
      undefined,
      ["1", "3"],
      true,
    ]);
    expect([read?.one("b"), read?.all("b"), read?.isRepeated("b")]).toEqual(["2", ["2"], false]);
    expect([read?.all("c"), read?.isRepeated("c")]).toEqual([[], false]);
  });
  test.each([
    "a=%zz",
    "a=%",
    "%ff=1",
    "a=%c0%af",
    "a=%ed%a0%80",
    "a=%00",
    "%00=1",
    "a=\0",
    "a+%zz",
  ])("%j is broken", (text) => expect(readParameters(text)).toBeUndefined());
  test("named like members of every object are parameters like others", () => {
    const read = readParameters("__proto__=1&constructor=2&toString=3");
    expect(
      ["__proto__", "constructor", "toString", "valueOf"].map((name) => read?.one(name)),
    ).toEqual(["1", "2", "3", undefined]);
  });
});
