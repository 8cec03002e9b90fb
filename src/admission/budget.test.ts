import { describe, expect, test } from "vitest";
import { Budget, Reservation, shareOf } from "./budget.ts";

describe("a budget", () => {
  test("has a share for each caller and one for all", () => {
    const budget = new Budget({ process: 10, caller: 6 });
    expect(budget.take("alice", 6)).toBeUndefined();
    expect(budget.take("alice", 1)).toBe("caller");
    expect(budget.take("bob", 5)).toBe("process");
    expect(budget.take("bob", 4)).toBeUndefined();
    expect(budget.used).toBe(10);
    budget.release("alice", 1);
    expect(budget.take("bob", 2)).toBe("process");
    expect(budget.take("bob", 1)).toBeUndefined();
  });
});

describe("a reservation", () => {
  test("grows where there is room, shrinks, and is released once", () => {
    const budget = new Budget({ process: 10, caller: 10 });
    const one = new Reservation(budget, "alice");
    expect([one.growTo(6), one.growTo(4), one.amount, budget.used]).toEqual([true, true, 6, 6]);
    expect([one.growTo(11), budget.used]).toEqual([false, 6]);
    one.shrinkTo(8);
    one.shrinkTo(5);
    expect(budget.used).toBe(5);
    one.release();
    one.release();
    expect(budget.used).toBe(0);
  });
});

test("one caller's share leaves something to others, unless there is next to nothing", () => {
  expect([1, 3, 4, 33, 64].map(shareOf)).toEqual([1, 3, 3, 24, 48]);
});
