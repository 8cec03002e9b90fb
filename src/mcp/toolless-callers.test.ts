import { expect, test } from "vitest";
import { ToollessCallers } from "./toolless-callers.ts";

function logging() {
  const lines: object[] = [];
  let ms = 0;
  const callers = new ToollessCallers({ info: (fields) => void lines.push(fields) }, () => ms);
  const pass = (by: number) => {
    ms += by;
  };
  return { lines, callers, pass };
}

test("a caller without tools is one line an hour, with the scopes of the token", () => {
  const { lines, callers, pass } = logging();
  const caller = { subject: "ana", scopes: ["iam:validat", "openid"] };
  for (let at = 0; at < 3; at++) callers.note(caller);
  callers.note({ subject: "bob", scopes: [] });
  pass(3_600_000);
  callers.note(caller);
  expect(lines).toEqual([
    { subject: "ana", scopes: ["iam:validat", "openid"] },
    { subject: "bob", scopes: [] },
    { subject: "ana", scopes: ["iam:validat", "openid"] },
  ]);
});

test("what comes from a token is bounded, and starts no new line", () => {
  const { lines, callers } = logging();
  const scopes = Array.from({ length: 500 }, (_, at) => `${at}\u2028${"x".repeat(500)}`);
  callers.note({ subject: "s".repeat(5_000), scopes });
  const text = JSON.stringify(lines);
  expect(text.length).toBeLessThan(4_000);
  expect(text).not.toContain("\u2028");
  expect(lines).toMatchObject([{ left_out: 480 }]);
});
