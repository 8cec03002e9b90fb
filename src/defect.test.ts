import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { framesOf, logDefect } from "./defect.ts";

function logged(error: unknown) {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
  const id = logDefect(log, error, { tool: "query" });
  expect(lines).toHaveLength(1);
  return { id, line: lines[0] ?? "", record: JSON.parse(lines[0] ?? "") };
}

const secret = "PolicyText";

test("a defect is logged with its id, its class and its frames, without its message", () => {
  const message = `${secret}\n    at ${secret} (/x/${secret}.ts:1:1)\n    at y (/y.ts:2:2)`;
  const { id, line, record } = logged(new RangeError(message, { cause: new TypeError(secret) }));
  expect(record).toMatchObject({
    correlation_id: id,
    tool: "query",
    msg: "Internal error.",
    error: { name: "RangeError", cause: { name: "TypeError" } },
  });
  expect(record.error.frames[0]).toMatch(/^at .*defect\.test\.ts:\d+:\d+/);
  expect(record.error.cause).not.toHaveProperty("cause");
  expect(line).not.toContain(secret);
});

test("what is thrown and is not an error shows its type only", () => {
  const { line, record } = logged(secret);
  expect(record.error).toEqual({ name: "string" });
  expect(line).not.toContain(secret);
});

test("a chain of causes ends", () => {
  const error = new Error("a");
  error.cause = error;
  expect(logged(error).record.error.cause.cause.cause).not.toHaveProperty("cause");
});

describe("the frames of an error", () => {
  const frames = "    at run (/app/run.ts:1:2)\n    at /app/call.ts:3:4";
  const withStack = (message: string, stack: string | undefined) =>
    Object.assign(new Error(message), { stack });

  test("are those after its message, wherever that stands", () => {
    const fake = "    at secret (/x.ts:1:1)";
    const expected = ["at run (/app/run.ts:1:2)", "at /app/call.ts:3:4"];
    expect(framesOf(withStack(fake, `Error: ${fake}\n${frames}`))).toEqual(expected);
    expect(framesOf(withStack(fake, `${fake}\n${frames}`))).toEqual(expected);
  });

  test("are all there when the message has been changed since", () => {
    const error = withStack("now much longer than before ".repeat(9), `Error: a\n${frames}`);
    expect(framesOf(error)).toHaveLength(2);
  });

  test("are none without a stack, and none of what is not an error", () => {
    expect(framesOf(withStack("a", undefined))).toEqual([]);
    for (const thrown of ["text", null, undefined, { stack: frames, message: "" }]) {
      expect(framesOf(thrown)).toEqual([]);
    }
  });
});
