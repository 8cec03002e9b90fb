import { describe, test } from "vitest";
import { expectFound } from "./planted-finding.ts";

/** Each has one defect; what the fuzzer must say of it. */
const planted = [
  ["rpc", "logs-input", "the log shows what was sent", "b"],
  ["rpc", "off-schema", "an output off its schema", "b"],
  ["rpc", "records-twice", "one audit record too many", "b"],
  ["rpc", "records-nothing", "a missing audit record", "b"],
  ["rpc", "rejects", "uncaught exception", "d"],
  ["rpc", "dies", "the process died", "d"],
] as const;

describe("a defect planted on purpose", () => {
  test.each(planted)("in %s is found and can be replayed: %s", expectFound);
});
