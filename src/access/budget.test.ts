import { describe, expect, test } from "vitest";
import { Budget, BudgetExceeded, finish, nextOf, type Steps } from "./budget.ts";

describe("a budget of steps", () => {
  test("counts what is spent", () => {
    const budget = new Budget(10);
    budget.spend(3);
    budget.spend(0.5);
    expect(budget.steps).toBe(3.5);
  });

  test("ends work that needs more than all of them", () => {
    const budget = new Budget(10);
    budget.spend(10);
    expect(() => budget.spend(1)).toThrow(BudgetExceeded);
    expect(() => budget.spend(1)).toThrow("the budget of steps is used up");
    expect(budget.steps).toBe(12);
  });

  test("takes steps back, so that they can be spent again", () => {
    const budget = new Budget(10);
    budget.spend(8);
    budget.refund(5);
    expect(budget.steps).toBe(3);
    budget.spend(7);
    expect(() => budget.spend(1)).toThrow(BudgetExceeded);
  });

  test("does not count work outside the search as steps", () => {
    const budget = new Budget(10);
    budget.toil(20);
    expect(budget.steps).toBe(0);
  });

  test("ends work outside the search that takes more than twice as many", () => {
    const budget = new Budget(10);
    budget.toil(10);
    budget.toil(10);
    expect(() => budget.toil(0.5)).toThrow(BudgetExceeded);
  });
});

describe("a pause is due", () => {
  test.each([
    [249, 0, false],
    [250, 0, true],
    [0, 250, true],
    [0, 249, false],
    [100, 149, false],
    [100, 150, true],
  ])("after %d steps and other work like %d: %s", (steps, work, expected) => {
    const budget = new Budget(1_000);
    budget.spend(steps);
    budget.toil(work);
    expect(budget.pauseDue).toBe(expected);
  });

  test("once, and again after as much work", () => {
    const budget = new Budget(1_000);
    budget.spend(400);
    expect(budget.pauseDue).toBe(true);
    expect(budget.pauseDue).toBe(false);
    budget.spend(249);
    expect(budget.pauseDue).toBe(false);
    budget.spend(1);
    expect(budget.pauseDue).toBe(true);
  });

  test("also for work whose steps are taken back", () => {
    const budget = new Budget(1_000);
    budget.spend(250);
    budget.refund(250);
    expect(budget.pauseDue).toBe(true);
  });
});

/** Work that asks for a pause after each of three parts. */
function* work(budget: Budget): Steps<string> {
  for (let part = 0; part < 3; part++) {
    budget.spend(250);
    if (budget.pauseDue) yield null;
  }
  return "done";
}

describe("work in progress", () => {
  test("takes its pauses", () => {
    expect([...work(new Budget(1_000))]).toEqual([null, null, null]);
  });

  test("that is finished takes none, and one is due then", () => {
    const budget = new Budget(1_000);
    expect(finish(work(budget))).toBe("done");
    expect(budget.pauseDue).toBe(true);
  });

  test("that is finished may yield nonetheless", () => {
    function* yielding(): Steps<number> {
      yield null;
      yield null;
      return 7;
    }
    expect(finish(yielding())).toBe(7);
  });

  test("gives its next result without a pause", () => {
    const budget = new Budget(1_000);
    function* results(): Generator<number | null, string> {
      budget.spend(250);
      if (budget.pauseDue) yield null;
      yield 1;
      return "end";
    }
    const steps = results();
    expect(nextOf(steps)).toEqual({ done: false, value: 1 });
    expect(nextOf(steps)).toEqual({ done: true, value: "end" });
    expect(budget.pauseDue).toBe(true);
  });

  test("inside other work without a pause takes none either", () => {
    const budget = new Budget(10_000);
    const seen: boolean[] = [];
    function* outer(): Steps<void> {
      finish(work(budget));
      budget.spend(250);
      seen.push(budget.pauseDue);
      yield null;
    }
    finish(outer());
    expect(seen).toEqual([false]);
  });

  test("that fails lets later work take pauses", () => {
    const budget = new Budget(300);
    expect(() => finish(work(budget))).toThrow(BudgetExceeded);
    expect(budget.pauseDue).toBe(true);
  });
});
