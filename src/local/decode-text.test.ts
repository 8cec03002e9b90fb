import { describe, expect, it } from "vitest";
import { decodeText } from "./decode-text.ts";

const text = '{"Version": "2012-10-17", "Id": "è"}';
const little = Buffer.from(`\ufeff${text}`, "utf16le");

describe("decoding files", () => {
  it.each([
    ["UTF-8", Buffer.from(text)],
    ["UTF-8 with a mark", Buffer.from(`\ufeff${text}`)],
    ["UTF-16, as PowerShell writes it", little],
    ["UTF-16 in the other byte order", Buffer.from(little).swap16()],
  ])("reads %s", (_title, bytes) => {
    expect(decodeText(bytes)).toBe(text);
  });

  it.each([
    ["bytes that are not text", [0x7b, 0xc3, 0x28]],
    ["half a character", [0xff, 0xfe, 0x7b]],
  ])("rejects %s", (_title, bytes) => {
    expect(() => decodeText(Uint8Array.from(bytes))).toThrow(TypeError);
  });
});
