import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { eras, readOnly, rpcRequest, toolError } from "../support/rpc.ts";
import { auditRecords } from "../support/target.ts";
import { callOf, largeBody, type Sending, validated } from "../support/validate.ts";

// A body over max_request_bytes is the subject of limits-transport.test.ts, max_response_bytes that
// of degradation.test.ts, a deadline in a worker that of pool.test.ts.

const maxPolicies = 3;
const maxPolicyBytes = 1000;
/** Less than three policies of the largest size, more than two. */
const maxRequestBytes = 2500;

let target: InProcess;
let roomy: InProcess;
let plain: InProcess;
beforeAll(async () => {
  const small = { max_policies: String(maxPolicies), max_policy_bytes: String(maxPolicyBytes) };
  target = await startInProcess({
    flags: { ...small, max_request_bytes: String(maxRequestBytes) },
  });
  // Room for bodies that go to a worker.
  roomy = await startInProcess({ flags: small });
  plain = await startInProcess();
});
afterAll(async () => {
  for (const server of [target, roomy, plain]) {
    await server.stop();
    await server.runtime.pool.close();
  }
});

/** A policy whose compact JSON has exactly this many bytes. */
function policyOf(bytes: number) {
  const frame = { ...readOnly, Id: "" };
  return { ...frame, Id: "x".repeat(bytes - JSON.stringify(frame).length) };
}

/**
 * YAML whose aliases make it larger than it looks: its compact JSON has exactly this many bytes, a
 * multiple of what the text has.
 */
function yamlOf(bytes: number): string {
  const statement = { Effect: "Deny", Action: "s3:GetObject", Resource: "*" };
  const [first, ...others] = [statement, statement, statement, statement, statement];
  const frame = { Version: "2012-10-17", Id: "", Statement: [first, ...others] };
  const id = "x".repeat(bytes - JSON.stringify(frame).length);
  const aliases = others.map(() => "*s").join(", ");
  return `{"Version":"2012-10-17","Id":"${id}","Statement":[&s ${JSON.stringify(first)}, ${aliases}]}`;
}

/** The whole record of a call without authentication. */
function recordOf(outcome: "success" | "tool_error", policy_count: number) {
  return {
    config_digest: target.runtime.digest,
    duration_s: expect.any(Number),
    outcome,
    policy_count,
    scopes: [],
    severity_counts: outcome === "success" ? expect.any(Object) : {},
    subject: "anonymous",
    timestamp: expect.any(String),
    tool: "validate_policies",
  };
}

async function passes(server: InProcess, policies: readonly unknown[], sending: Sending) {
  const { output, record } = await validated(server, { policies }, sending);
  expect(output.results).toHaveLength(policies.length);
  expect(record).toEqual(recordOf("success", policies.length));
}

async function fails(
  server: InProcess,
  policies: readonly unknown[],
  text: RegExp,
  sending: Sending,
) {
  const { status, result, record } = await callOf(
    server,
    "validate_policies",
    { policies },
    sending,
  );
  expect(status).toBe(200);
  expect(result).toMatchObject(toolError(expect.stringMatching(text)));
  expect(result).not.toHaveProperty("structuredContent");
  expect(record).toEqual(recordOf("tool_error", policies.length));
}

const sendings = eras.flatMap((era) => [
  { era, where: "on the main thread", bodyBytes: 0 },
  { era, where: "in a worker", bodyBytes: largeBody },
]);

describe.each(sendings)("$era, $where", ({ era, bodyBytes }) => {
  const sending = { era, bodyBytes };

  test("max_policies at the limit passes", () =>
    passes(roomy, Array(maxPolicies).fill(readOnly), sending));

  test("one policy more is refused, before any of them is looked at", async () => {
    const text = /^The call has 4 policies; the limit is 3 \(max_policies\)/;
    await fails(roomy, Array(maxPolicies + 1).fill(readOnly), text, sending);
    await fails(roomy, [1, null, true, "["], text, sending);
  });

  test("max_policy_bytes at the limit passes, as object and as text", () =>
    passes(roomy, [policyOf(1000), JSON.stringify(policyOf(1000)), yamlOf(1000)], sending));

  const tooLarge: Record<string, unknown> = {
    "an object": policyOf(1001),
    "a wrapped object": { policy: policyOf(1001), name: "x".repeat(2000) },
    "JSON text": JSON.stringify(policyOf(1001)),
    "JSON text that is white space for the most part": JSON.stringify(readOnly).padEnd(1001, " "),
    "text that is not a policy": "[".repeat(1001),
    "YAML that means more than it says": yamlOf(1001),
    "YAML that says more than it means": `${yamlOf(999)} # ${"c".repeat(1001 - 3 - yamlOf(999).length)}`,
  };
  test.each(Object.entries(tooLarge))("one byte more is refused: %s", async (_, policy) => {
    const text = /^policies\[1\] has 1001 bytes; the limit is 1000 \(max_policy_bytes\)/;
    await fails(roomy, [readOnly, policy, policyOf(2000)], text, sending);
  });

  test("bytes count, not characters", async () => {
    const bytes = (length: number) => ({ ...policyOf(1000 - 2 * length), Sid: "€".repeat(length) });
    const over = Buffer.byteLength(JSON.stringify(bytes(100))) - maxPolicyBytes;
    expect(over).toBeGreaterThan(0);
    expect(JSON.stringify(bytes(100)).length).toBeLessThan(maxPolicyBytes);
    for (const policy of [bytes(100), JSON.stringify(bytes(100))]) {
      await fails(roomy, [policy], /policies\[0\] has 1\d+ bytes/, sending);
    }
  });

  test("what stands around a policy does not count", () =>
    passes(roomy, [{ policy: policyOf(1000), name: "n".repeat(500), other: "o" }], sending));
});

describe.each(eras)("max_request_bytes, by the sum of the policies (%s)", (era) => {
  const sending = { era };

  test("at the limit passes", () =>
    passes(target, [yamlOf(1000), yamlOf(1000), yamlOf(500)], sending));

  test("one byte more is refused with the sum", () =>
    fails(
      target,
      [yamlOf(1000), yamlOf(1000), yamlOf(501)],
      /2501 bytes; the limit is 2500 \(max_request_bytes\)/,
      sending,
    ));
});

test.each(eras)("a body over max_request_bytes is told so, and counted (%s)", (era) =>
  fails(target, [policyOf(900), policyOf(900), policyOf(900)], /2500 \(max_request_bytes\)/, {
    era,
  }),
);

describe("request_timeout_s", () => {
  test("ends a call on the main thread too, with one record in each era", async () => {
    const slow = await startInProcess({
      flags: { request_timeout_s: "1" },
      adjust: (runtime) => {
        // Reference data that never comes, as a remote that hangs would have it.
        const load = (_: Iterable<string>, signal?: AbortSignal) =>
          new Promise<void>((_resolve, reject) => {
            signal?.addEventListener("abort", () => reject(signal.reason));
          });
        const services = { ...runtime.services, load };
        return { ...runtime, engine: { ...runtime.engine, services } };
      },
    });
    try {
      for (const era of eras) {
        await fails(slow, [readOnly, readOnly], /the limit is 1 s \(request_timeout_s\)/, { era });
      }
    } finally {
      await slow.stop();
    }
  });

  test("ends a query that waits for a worker", async () => {
    const busy = await startInProcess({
      flags: { request_timeout_s: "1" },
      adjust: (runtime) => {
        // Workers that stay busy with other calls.
        const query = (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
          new Promise<never>((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
          });
        return { ...runtime, pool: { ...runtime.pool, query } };
      },
    });
    try {
      const patterns = Array.from({ length: 100 }, (_, index) => `s3:Get${index}*`);
      const { result } = await callOf(busy, "query", { kind: "expand_wildcard", patterns });
      expect(result).toMatchObject(
        toolError(
          "query ran out of time: the limit is 1 s (request_timeout_s). Send less per call.",
        ),
      );
    } finally {
      await busy.stop();
    }
  });
});

describe("nesting", () => {
  const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const forms: [string, (levels: number) => unknown][] = [
    ["an object", (levels) => ({ X: JSON.parse(nested(levels - 1)) })],
    ["JSON text", (levels) => `{"X":${nested(levels - 1)}}`],
    ["YAML text", (levels) => `X: ${nested(levels - 1)}`],
    [
      "YAML text in blocks",
      (levels) => Array.from({ length: levels }, (_, level) => `${" ".repeat(level)}X:`).join("\n"),
    ],
  ];

  describe.each([0, largeBody])("in a body of at least %i bytes", (bodyBytes) => {
    test.each(forms)("of 100 levels is read: %s", async (_, policy) => {
      const { output } = await validated(plain, { policies: [policy(100)] }, { bodyBytes });
      const [result] = output.results;
      expect(result?.issues).toContainEqual(
        expect.objectContaining({ issue_type: "unknown_policy_field", path: "/X" }),
      );
    });

    test.each(forms)(
      "of 101 levels is a finding, and the others are validated: %s",
      async (_, policy) => {
        const policies = [policy(101), readOnly];
        const { output } = await validated(plain, { policies }, { bodyBytes });
        const [deep, other] = output.results;
        expect(deep?.is_valid).toBe(false);
        expect(deep?.issues).toEqual([
          expect.objectContaining({
            check_id: "policy_structure",
            severity: "error",
            message: expect.stringContaining("100 levels"),
          }),
        ]);
        expect(other?.is_valid).toBe(true);
      },
    );
  });

  test("of thousands of levels is not a burden on the main thread", async () => {
    // Text: to write such a value is more than JSON.stringify can do.
    const params = { name: "validate_policies", arguments: { policies: ["HERE", readOnly] } };
    const { headers, body } = rpcRequest("tools/call", params);
    const response = await fetch(`${plain.url}/mcp`, {
      method: "POST",
      headers,
      body: body.replace('"HERE"', `{"Statement":${nested(30_000)}}`),
    });
    const { result } = (await response.json()) as { result: Record<string, unknown> };
    expect(result).toMatchObject({
      isError: false,
      structuredContent: { results: [{ is_valid: false }, { is_valid: true }] },
    });
  });

  test("of thousands of levels beside a name with an escape is a tool error, not a fault", async () => {
    const policy = `{"\\u0053tatement":${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}}`;
    const args = { policy: "HERE", policy_type: "IDENTITY_POLICY", engine: "local" };
    const { headers, body } = rpcRequest("tools/call", { name: "analyze_policy", arguments: args });
    plain.audit.all.length = 0;
    const response = await fetch(`${plain.url}/mcp`, {
      method: "POST",
      headers,
      body: body.replace('"HERE"', policy),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      result: toolError(expect.stringContaining("100 levels")),
    });
    expect(auditRecords(plain.audit.all)).toMatchObject([{ outcome: "tool_error" }]);
  });
});
