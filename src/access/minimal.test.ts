import { expect, test } from "vitest";
import { minimal } from "./minimal.ts";
import type { AccessRequest } from "./request.ts";

const request: AccessRequest = {
  principal: { type: "Anonymous" },
  action: "s3:GetObject",
  resource: "arn:aws:s3:::bucket/key",
  context: {},
};

/** @returns the least request, and the number of candidates that were asked about. */
function leastOf(given: AccessRequest, holds: (candidate: AccessRequest) => boolean) {
  const steps = minimal(given, holds);
  let pauses = 0;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { least: value, pauses };
    expect(value).toBeNull();
    pauses++;
  }
}

test("what the answer does not need goes, key by key", () => {
  const context = { "aws:SourceIp": ["192.0.2.1"], "aws:userid": ["x"], "aws:TagKeys": ["a"] };
  const { least, pauses } = leastOf({ ...request, context }, (one) => "aws:TagKeys" in one.context);
  expect(least).toEqual({ ...request, context: { "aws:TagKeys": ["a"] } });
  expect(pauses).toBe(3);
});

test("of several values those stay that the answer needs", () => {
  const context = { "aws:TagKeys": ["a", "b", "c"], "aws:userid": ["x"] };
  const needs = ({ context }: AccessRequest) =>
    context["aws:TagKeys"]?.includes("b") === true && "aws:userid" in context;
  const { least, pauses } = leastOf({ ...request, context }, needs);
  expect(least.context).toEqual({ "aws:TagKeys": ["b"], "aws:userid": ["x"] });
  // Each key, and each value of the one with several, but the last.
  expect(pauses).toBe(5);
});

test("the last value of a key stays with the key", () => {
  const context = { "aws:TagKeys": ["a", "b"] };
  const asked: unknown[] = [];
  const { least } = leastOf({ ...request, context }, (one) => {
    asked.push(one.context);
    return "aws:TagKeys" in one.context;
  });
  expect(least.context).toEqual({ "aws:TagKeys": ["b"] });
  expect(asked).toEqual([{}, { "aws:TagKeys": ["b"] }]);
});

test("placeholders that the answer does not need go, and with the last of them their list", () => {
  const placeholders = { b: "1", a: "2" };
  const needsA = (one: AccessRequest) => one.placeholders?.a !== undefined;
  expect(leastOf({ ...request, placeholders }, needsA)).toEqual({
    least: { ...request, placeholders: { a: "2" } },
    pauses: 2,
  });
  const { least } = leastOf({ ...request, placeholders }, () => true);
  expect(Object.keys(least)).not.toContain("placeholders");
  expect(leastOf({ ...request, placeholders }, () => false).least).toEqual({
    ...request,
    placeholders,
  });
});
