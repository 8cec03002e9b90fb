import { describe, test } from "vitest";
import { expectFound } from "./planted-finding.ts";

/** Each has one defect; what the fuzzer must say of it. */
const planted = [
  ["rpc", "logs-input", "the log shows what was sent"],
  ["rpc", "off-schema", "an output off its schema"],
  ["rpc", "records-twice", "one audit record too many"],
  ["rpc", "records-nothing", "a missing audit record"],
  ["rpc", "rejects", "uncaught exception"],
  ["rpc", "dies", "the process died"],
] as const;

describe("a defect planted on purpose", () => {
  test.each(planted)("in %s is found and can be replayed: %s", expectFound);
});
