import { describe, expect, test } from "vitest";
import type { Answer, Asking } from "./answers.ts";
import { runQuestion, runQuestionSync } from "./run.ts";

const answer: Answer = {
  verdict: "holds",
  violations: [],
  undecided_by: [],
  steps: 1,
  decided: new Set(),
};

/** A question that hands back control so many times, after work of so many ms. */
function* asking(times: number, ms = 0, log: string[] = []): Asking {
  for (let time = 0; time < times; time++) {
    log.push(`step ${time}`);
    const until = performance.now() + ms;
    while (performance.now() < until);
    yield null;
  }
  return answer;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test.each([0, 1, 5])("a question of %i steps is answered", async (times) => {
  expect(runQuestionSync(asking(times))).toBe(answer);
  expect(await runQuestion(asking(times))).toBe(answer);
});

describe("a question that takes long", () => {
  test("lets the event loop turn", async () => {
    const log: string[] = [];
    await turn();
    await turn();
    const answered = runQuestion(asking(10, 5, log));
    setImmediate(() => log.push("turn"));
    expect(await answered).toBe(answer);
    expect(log.indexOf("turn")).toBeGreaterThan(0);
    expect(log.indexOf("turn")).toBeLessThan(5);
  });

  test("ends once its signal fires", async () => {
    const log: string[] = [];
    const reason = new Error("cancelled");
    const controller = new AbortController();
    const answered = runQuestion(asking(100, 5, log), controller.signal);
    setImmediate(() => controller.abort(reason));
    await expect(answered).rejects.toBe(reason);
    expect(log.length).toBeLessThan(50);
  });
});

// Again where the machine is busy: a turn has a few ms.
test("a short question takes no turn of the event loop", { retry: 3 }, async () => {
  await turn();
  await turn();
  const log: string[] = [];
  const answered = runQuestion(asking(3)).then(() => log.push("answer"));
  setImmediate(() => log.push("turn"));
  await answered;
  expect(log).toEqual(["answer"]);
});

test("a question is not begun for a caller who is gone", async () => {
  const log: string[] = [];
  const reason = new Error("gone");
  await expect(runQuestion(asking(1, 0, log), AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(log).toEqual([]);
});
