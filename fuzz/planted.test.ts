import { describe, test } from "vitest";
import { expectFound } from "./planted-finding.ts";

/** Each has one defect; what the fuzzer must say of it. */
const planted = [
  ["documents", "check-throws", "a check threw"],
  ["documents", "busy-loop", "hang"],
  ["documents", "wrong-place", "a path that leads nowhere"],
  ["http", "large-bodies", "internal error"],
  ["jwt", "any-token", "token is accepted"],
] as const;

describe("a defect planted on purpose", () => {
  test.each(planted)("in %s is found and can be replayed: %s", expectFound);
});
