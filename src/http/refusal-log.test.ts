import { expect, test } from "vitest";
import { RefusalLog } from "./refusal-log.ts";

function logging() {
  const lines: object[] = [];
  let ms = 0;
  const log = { info: (fields: object) => void lines.push(fields) };
  const pass = (by: number) => {
    ms += by;
  };
  return { lines, refusals: new RefusalLog(log, () => ms), pass };
}
const request = (headers: Record<string, string> = {}) =>
  new Request("http://localhost/mcp?token=s3cr3t", {
    method: "POST",
    headers: { authorization: "Bearer s3cr3t", ...headers },
  });

test("a refused request is a line with its reason and place, and without token or query", () => {
  const { lines, refusals } = logging();
  const from = { request: request({ "x-forwarded-for": "203.0.113.7", "x-request-id": "r-1" }) };
  refusals.note({ ...from, status: 401, address: "192.0.2.1" }, "missing");
  expect(lines).toEqual([
    {
      reason: "missing",
      status: 401,
      method: "POST",
      path: "/mcp",
      address: "192.0.2.1",
      forwarded_for: "203.0.113.7",
      request_id: "r-1",
    },
  ]);
});

test("a path is bounded", () => {
  const { lines, refusals } = logging();
  const asked = new Request(`http://localhost/${"a".repeat(5_000)}`);
  refusals.note({ request: asked, status: 403 });
  expect(lines).toEqual([expect.objectContaining({ path: `/${"a".repeat(199)}` })]);
});

test("headers are bounded, and an id with other characters is left out", () => {
  const { lines, refusals } = logging();
  const long = { "x-forwarded-for": "1".repeat(5_000), "x-request-id": "a b" };
  refusals.note({ request: request(long), status: 413 });
  expect(lines).toEqual([
    expect.objectContaining({ reason: "too_large", forwarded_for: "1".repeat(200) }),
  ]);
  expect(lines[0]).not.toHaveProperty("request_id");
});

test("each reason has one line a second, which says how many were left out", () => {
  const { lines, refusals, pass } = logging();
  for (let at = 0; at < 500; at++) refusals.note({ request: request(), status: 401 }, "missing");
  refusals.note({ request: request(), status: 415 });
  pass(1_000);
  refusals.note({ request: request(), status: 401 }, "missing");
  expect(lines).toMatchObject([
    { reason: "missing" },
    { reason: "content_type" },
    { reason: "missing", left_out: 499 },
  ]);
});

test.each([200, 202, 404, 405, 499, 500])("an answer with %s is not a refusal", (status) => {
  const { lines, refusals } = logging();
  refusals.note({ request: request(), status });
  expect(lines).toEqual([]);
});
