import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { readOnly } from "../support/rpc.ts";
import { callOf, largeBody } from "../support/validate.ts";

/** The order of work and of errors: of two faults in one call, the earlier step's is told. */

const maxPolicyBytes = 500;

let target: InProcess;
beforeAll(async () => {
  target = await startInProcess({
    flags: {
      max_policies: "4",
      max_policy_bytes: String(maxPolicyBytes),
      max_request_bytes: "200000",
    },
  });
});
afterAll(async () => {
  await target.stop();
  await target.runtime.pool.close();
});

const notAPolicy = 5;
const tooLarge = JSON.stringify(readOnly).padEnd(maxPolicyBytes + 1, " ");
const unreadable = "[";
const oddType = { policy: readOnly, policy_type: "role" };

interface Row {
  readonly name: string;
  readonly args: object;
  readonly first: RegExp;
  /** Not told. */
  readonly untold: RegExp;
}

const rows: Row[] = [
  {
    name: "format and detail before the number of policies",
    args: { policies: Array(5).fill(readOnly), format: "pdf" },
    first: /format/,
    untold: /max_policies/,
  },
  {
    name: "detail before the number of policies",
    args: { policies: Array(5).fill(readOnly), detail: "all" },
    first: /detail/,
    untold: /max_policies/,
  },
  {
    name: "the number of policies before the form of any",
    args: { policies: Array(5).fill(notAPolicy) },
    first: /max_policies/,
    untold: /policies\[0\]/,
  },
  {
    name: "the form of the first bad entry before that of the next",
    args: { policies: [readOnly, notAPolicy, null] },
    first: /policies\[1\]/,
    untold: /policies\[2\]/,
  },
  {
    name: "the form of a later entry before the size of an earlier one",
    args: { policies: [tooLarge, notAPolicy] },
    first: /policies\[1\] is neither/,
    untold: /max_policy_bytes/,
  },
  {
    name: "no policies before a type that does not exist",
    args: { policies: [], policy_type: "role" },
    first: /at least one policy/,
    untold: /policy_type/,
  },
  {
    name: "the size of the first large entry before that of the next",
    args: { policies: [readOnly, tooLarge, tooLarge] },
    first: /policies\[1\].*max_policy_bytes/,
    untold: /policies\[2\]/,
  },
  {
    name: "the size of a later entry before the type of an earlier one",
    args: { policies: [oddType, tooLarge] },
    first: /policies\[1\].*max_policy_bytes/,
    untold: /policy_type/,
  },
  {
    name: "the type of the first odd entry before that of the next",
    args: { policies: [readOnly, oddType, oddType] },
    first: /policies\[1\].*policy_type/s,
    untold: /policies\[2\]/,
  },
  {
    name: "a type that does not exist before any finding, even about text that cannot be read",
    args: { policies: [unreadable, oddType] },
    first: /policies\[1\].*policy_type/s,
    untold: /JSON|YAML/,
  },
];

describe.each([0, largeBody])("in a body of at least %i bytes", (bodyBytes) => {
  test.each(rows)("$name", async ({ args, first, untold }) => {
    const { error, record } = await callOf(target, "validate_policies", args, { bodyBytes });
    expect(error).toMatch(first);
    expect(error).not.toMatch(untold);
    expect(record?.outcome).toBe("tool_error");
  });
});

test("a bad format and a bad detail are told together", async () => {
  const args = { policies: [readOnly], format: "pdf", detail: "all" };
  const { error } = await callOf(target, "validate_policies", args);
  expect(error).toMatch(/detail.*format/);
});

describe("the sum of all policies", () => {
  let narrow: InProcess;
  beforeAll(async () => {
    narrow = await startInProcess({
      flags: { max_policy_bytes: "1500", max_request_bytes: "2000" },
    });
  });
  afterAll(() => narrow.stop());

  /** YAML that says much in few words: its JSON has 1,200 bytes and more. */
  const expanding = `Statement: [&s {Sid: ${"x".repeat(250)}}, *s, *s, *s]`;

  test("comes after the size of each", async () => {
    const policies = [expanding, expanding, `${expanding.slice(0, -1)}, *s, *s]`];
    const { error } = await callOf(narrow, "validate_policies", { policies });
    expect(error).toMatch(/policies\[2\].*max_policy_bytes/);
  });

  test("comes before the type of any", async () => {
    const policies = [{ policy: expanding, policy_type: "role" }, expanding];
    const { error } = await callOf(narrow, "validate_policies", { policies });
    expect(error).toMatch(/max_request_bytes/);
    expect(error).not.toMatch(/policy_type/);
  });
});
