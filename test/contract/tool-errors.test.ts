import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ToolErrorKind } from "../../spec/errors.ts";
import { policyTypeWords } from "../../spec/policy.ts";
import { maxQueryValues, queryAccessLevels } from "../../spec/tools/query.ts";
import { Detail, ReportFormat } from "../../spec/tools/validate-policies.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { type RecordedSpan, recordSpans } from "../support/recording-tracer.ts";
import { eras, readOnly, toolError } from "../support/rpc.ts";
import { callOf, largeBody } from "../support/validate.ts";

/** One call that ends in a tool error. */
interface Row {
  /** What is wrong with the call. */
  readonly name: string;
  readonly tool: string;
  readonly args: object;
  /** All of what callers may rely on finding in the message. */
  readonly says: readonly (string | RegExp)[];
  /** Number of policies that the audit record shows; absent: 0. */
  readonly count?: number;
}

/** Provoked in another file of this folder, by tests whose names hold this word. */
interface Elsewhere {
  readonly file: string;
  readonly word: string;
}

const limits = { max_policies: 3, max_policy_bytes: 1000 };
const long = `${JSON.stringify(readOnly)}${" ".repeat(1000)}`;

function validate(name: string, args: object, says: Row["says"], count = 0): Row {
  return { name, tool: "validate_policies", args, says, count };
}

function ask(name: string, args: object, says: Row["says"]): Row {
  return { name, tool: "query", args, says };
}

const queryKinds = [
  "service_actions",
  "action_details",
  "condition_keys",
  "arn_formats",
  "expand_wildcard",
] as const;
const needs = {
  service_actions: "service",
  action_details: "actions",
  condition_keys: "service",
  arn_formats: "service",
  expand_wildcard: "patterns",
} as const satisfies Record<(typeof queryKinds)[number], string>;

/** The parameter that a kind needs, missing in one way. The schema refuses all but an empty one. */
function withoutParameter(way: "absent" | "null" | "empty"): Row[] {
  return Object.entries(needs).map(([kind, field]) => {
    const values = { absent: undefined, null: null, empty: field === "service" ? "" : [] };
    return ask(`${kind}, ${field} ${way}`, { kind, [field]: values[way] }, [kind, field]);
  });
}

const provoked = {
  invalid_arguments: [
    ...withoutParameter("absent"),
    ...withoutParameter("null"),
    validate(
      "unknown format",
      { policies: [readOnly], format: "pdf" },
      ["format", ...ReportFormat.options],
      1,
    ),
    validate(
      "the formats of terminals are none",
      { policies: [readOnly], format: "console" },
      ["format"],
      1,
    ),
    validate(
      "unknown detail",
      { policies: [readOnly], detail: "verbose" },
      ["detail", ...Detail.options],
      1,
    ),
    ask("unknown kind", { kind: "everything" }, ["kind", ...queryKinds]),
    ask("no kind", {}, ["kind", ...queryKinds]),
    ask("bad access level", { kind: "service_actions", service: "s3", access_level: "admin" }, [
      "service_actions",
      "s3",
      "admin",
      ...queryAccessLevels,
    ]),
    validate("no policies at all", {}, ["policies", '{"policies": [<policy>]}']),
    ...[readOnly, JSON.stringify(readOnly)].map((policies) =>
      validate(`policies that are a single ${typeof policies}`, { policies }, [
        "policies",
        "array",
        '{"policies": [<policy>]}',
      ]),
    ),
    validate("a policy under another name", { policy: readOnly }, [
      '"policy"',
      '{"policies": [<policy>]}',
    ]),
    validate(
      "unknown field of validate_policies",
      { policies: [readOnly], path: "/etc" },
      ["unknown", "path"],
      1,
    ),
    validate(
      "a type that is not text",
      { policies: [readOnly], policy_type: 1 },
      ["policy_type", "string"],
      1,
    ),
    ask("a value of the wrong type", { kind: "action_details", actions: "s3:GetObject" }, [
      "actions",
      "array",
    ]),
    ask("unknown field of query", { kind: "arn_formats", service: "s3", services: [] }, [
      "unknown",
      "services",
    ]),
    {
      name: "no policy to analyze",
      tool: "analyze_policy",
      args: {},
      says: ["policy", "expected a policy document or its text"],
      count: 1,
    },
    {
      name: "ids that are not a list",
      tool: "describe_checks",
      args: { check_ids: "sid_uniqueness" },
      says: ["check_ids", "array"],
    },
    {
      name: "no argument is known",
      tool: "get_config",
      args: { x: 1 },
      says: ["unknown", "x"],
    },
  ],
  too_many_policies: [
    validate(
      "one more than max_policies",
      { policies: Array(4).fill(readOnly) },
      ["max_policies", "3", "4"],
      4,
    ),
  ],
  policy_too_large: [
    validate(
      "the second of two",
      { policies: [readOnly, long] },
      ["max_policy_bytes", "1000", "policies[1]", String(long.length)],
      2,
    ),
  ],
  request_too_large: { file: "limits.test.ts", word: "max_request_bytes" },
  request_timeout: { file: "limits.test.ts", word: "request_timeout_s" },
  no_policies: [validate("an empty list", { policies: [] }, ["at least one policy is required"])],
  invalid_policy_entry: [
    ...[1, true, null, [readOnly]].map((entry) =>
      validate(
        `no policy: ${JSON.stringify(entry).slice(0, 5)}`,
        { policies: [readOnly, entry] },
        ["policies[1]"],
        2,
      ),
    ),
    ...[1, false, null, []].map((policy) =>
      validate(
        `a wrapper of ${JSON.stringify(policy)}`,
        { policies: [{ policy }] },
        ["policies[0]"],
        1,
      ),
    ),
    validate(
      "a name that is not text",
      { policies: [{ policy: readOnly, name: 1 }] },
      ["policies[0]", "name"],
      1,
    ),
  ],
  unknown_policy_type: [
    validate(
      "of the call",
      { policies: [readOnly], policy_type: "role" },
      ["policies[0]", "policy_type", ...policyTypeWords],
      1,
    ),
    validate(
      "of an entry",
      { policies: [readOnly, { policy: readOnly, policy_type: "toString" }] },
      ["policies[1]", "policy_type", ...policyTypeWords],
      2,
    ),
    validate(
      "that is not text",
      { policies: [{ policy: readOnly, policy_type: ["scp"] }] },
      ["policies[0]", "policy_type", ...policyTypeWords],
      1,
    ),
  ],
  missing_parameter: withoutParameter("empty"),
  unknown_service: (["service_actions", "condition_keys", "arn_formats"] as const).map((kind) =>
    ask(`${kind} of an unknown service`, { kind, service: "nosuch" }, [
      kind,
      "nosuch",
      "reference data",
    ]),
  ),
  too_many_values: (["action_details", "expand_wildcard"] as const).map((kind) =>
    ask(
      `more values than ${kind} takes`,
      { kind, [needs[kind]]: Array(maxQueryValues + 1).fill("s3:Get*") },
      [kind, needs[kind], String(maxQueryValues), String(maxQueryValues + 1)],
    ),
  ),
  unsupported_partition: { file: "analyze.test.ts", word: "unknown partition" },
  region_not_allowed: { file: "analyze.test.ts", word: "region not allowed" },
  rate_limited: { file: "analyze.test.ts", word: "one call more than the rate limit" },
  no_credentials: { file: "analyze.test.ts", word: "no credentials" },
  cloud_api_error: { file: "analyze.test.ts", word: "AWS refused" },
  cloud_network_error: { file: "analyze.test.ts", word: "no connection" },
  cloud_timeout: { file: "analyze.test.ts", word: "the caller's time ran out" },
  overloaded: { file: "pool.test.ts", word: "sheds load with a tool error" },
  not_ready: { file: "reference-data.test.ts", word: "not ready" },
} satisfies Record<ToolErrorKind, readonly Row[] | Elsewhere>;

const all: readonly [string, readonly Row[] | Elsewhere][] = Object.entries(provoked);
const here = all.flatMap(([kind, rows]) =>
  "file" in rows ? [] : rows.map((row) => ({ ...row, kind })),
);
const elsewhere = all.flatMap(([kind, rows]) => ("file" in rows ? [{ kind, ...rows }] : []));

let target: InProcess;
let spans: RecordedSpan[];
let stopSpans: () => void;
beforeAll(async () => {
  ({ spans, stop: stopSpans } = recordSpans());
  const flags = Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [name, String(value)]),
  );
  target = await startInProcess({ flags });
});
afterAll(async () => {
  stopSpans();
  await target.stop();
  await target.runtime.pool.close();
});

const sendings = eras.flatMap((era) => [
  { era, size: "small", bodyBytes: 0 },
  { era, size: "large", bodyBytes: largeBody },
]);

describe.each(sendings)("a tool error and one audit record ($era, $size body)", (sending) => {
  test.each(here)("$kind: $name", async ({ kind, tool, args, says, count = 0 }) => {
    spans.length = 0;
    const { status, body, result, error, record } = await callOf(target, tool, args, sending);
    expect(status).toBe(200);
    expect(body.error).toBeUndefined();
    expect(result).toMatchObject(toolError(expect.any(String)));
    expect(result).not.toHaveProperty("structuredContent");
    for (const part of says) expect(error).toMatch(part);
    expect(spans.map(({ attributes }) => attributes["error.type"])).toEqual([kind]);
    expect(record).toEqual({
      config_digest: target.runtime.digest,
      duration_s: expect.any(Number),
      outcome: "tool_error",
      policy_count: count,
      scopes: [],
      severity_counts: {},
      subject: "anonymous",
      timestamp: expect.any(String),
      tool,
    });
  });
});

test.each(elsewhere)("$kind is provoked in $file", ({ file, word }) => {
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  expect(text).toContain(word);
});
