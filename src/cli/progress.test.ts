import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { progressOf } from "./progress.ts";

function progressAt(isTTY: boolean) {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const clock = { ms: 0 };
  const progress = progressOf(10, { stderr }, () => clock.ms);
  return { stderr, clock, progress };
}

test("a bar appears on a terminal once the work has taken a second, and is cleared at its end", async () => {
  const { stderr, clock, progress } = progressAt(true);
  clock.ms = 999;
  progress.step(1);
  await import("cli-progress");
  expect(stderr.read()).toBeNull();
  clock.ms = 1000;
  progress.step(2);
  await once(stderr, "readable");
  expect(String(stderr.read())).toContain("2/10 files");
  progress.stop();
});

test("work of less than a second shows nothing", () => {
  const { stderr, progress } = progressAt(true);
  for (let done = 1; done <= 10; done++) progress.step(done);
  progress.stop();
  expect(stderr.read()).toBeNull();
});

test("elsewhere than on a terminal nothing is ever shown", async () => {
  const { stderr, clock, progress } = progressAt(false);
  clock.ms = 5000;
  progress.step(1);
  await import("cli-progress");
  progress.stop();
  expect(stderr.read()).toBeNull();
});
