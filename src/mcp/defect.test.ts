import { pino } from "pino";
import { expect, test } from "vitest";
import { logDefect } from "./defect.ts";

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
    error: { name: "RangeError", cause: { name: "TypeError" } },
  });
  expect(record.error.frames[0]).toContain("defect.test.ts");
  expect(line).not.toContain(secret);
});

test("what is thrown and is no error shows its type only", () => {
  const { line, record } = logged(secret);
  expect(record.error).toEqual({ name: "string" });
  expect(line).not.toContain(secret);
});

test("a chain of causes ends", () => {
  const error = new Error("a");
  error.cause = error;
  expect(logged(error).record.error.cause.cause.cause).not.toHaveProperty("cause");
});
