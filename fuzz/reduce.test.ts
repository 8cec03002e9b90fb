import { expect, test } from "vitest";
import { reduce } from "./reduce.ts";

const bounds = { maxTries: 10_000, maxMs: 10_000 };
const reduced = (value: unknown, isBroken: (text: string) => boolean) =>
  reduce(value, async (candidate) => isBroken(JSON.stringify(candidate)), bounds);

test("a case is reduced to the parts that break it", async () => {
  const value = { a: [1, { b: "xxneedlexx", c: "y".repeat(500) }, 3], d: { e: "f" } };
  expect(await reduced(value, (text) => text.includes("needle"))).toEqual({ a: [{ b: "needle" }] });
});

test("a text that is JSON is reduced as what it means", async () => {
  const text = JSON.stringify({ Statement: [{ Effect: "Allow", Action: ["s3:*", "x"] }], Id: "y" });
  const isBroken = (written: string) => /Statement.*Action.*s3:\*.*\}\]\}/.test(written);
  const least = await reduced({ text }, isBroken);
  expect(least).toEqual({ text: '{"Statement":[{"Action":["s3:*"]}]}' });
});

test("a case that breaks as a whole only stays as it is", async () => {
  const value = { a: "bc", d: [1] };
  const whole = JSON.stringify(value);
  expect(await reduced(value, (text) => text === whole)).toEqual(value);
});
