import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FaultTools, faultTools } from "../support/fault-tools.ts";
import { open as openRequest } from "../support/http.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { call, eras, readOnly, rpc, rpcRequest, toolError } from "../support/rpc.ts";
import { auditRecords, tokens, withTokens } from "../support/target.ts";

const canary = "CanaryPolicyText";

let target: InProcess;
let faults: FaultTools;
beforeAll(async () => {
  faults = faultTools();
  target = await startInProcess({
    ...withTokens,
    flags: { auth: "token", request_timeout_s: "1", log_level: "debug" },
    extraTools: faults.tools,
  });
});
afterAll(() => target.stop());
beforeEach(() => {
  target.audit.all.length = 0;
});

const all = { token: tokens.all };

function onlyRecord() {
  const records = auditRecords(target.audit.all);
  expect(records).toHaveLength(1);
  return records[0];
}

test("a record has nine keys in order, on one line", async () => {
  await call(target, "validate_policies", { policies: [readOnly, "not JSON: ["] }, all);
  expect(Object.keys(JSON.parse(target.audit.all[0] ?? ""))).toEqual([
    "config_digest",
    "duration_s",
    "outcome",
    "policy_count",
    "scopes",
    "severity_counts",
    "subject",
    "timestamp",
    "tool",
  ]);
  expect(onlyRecord()).toEqual({
    config_digest: target.runtime.digest,
    duration_s: expect.any(Number),
    outcome: "success",
    policy_count: 2,
    scopes: ["iam:analyze", "iam:config", "iam:query", "iam:validate"],
    severity_counts: expect.objectContaining({ error: 1 }),
    subject: "subject-all",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|\+00:00)$/),
    tool: "validate_policies",
  });
});

describe.each(eras)("every call leaves exactly one record (%s)", (era) => {
  const options = { ...all, era };
  const rows = [
    ["get_config", {}, "success", 0],
    ["query", { kind: "service_actions", service: "s3" }, "success", 0],
    ["describe_checks", {}, "success", 0],
    ["validate_policies", { policies: [readOnly] }, "success", 1],
    ["refuse", {}, "tool_error", 0],
    ["query", { kind: "service_actions", service: "nonsense" }, "tool_error", 0],
    ["validate_policies", { policies: Array(51).fill(readOnly) }, "tool_error", 51],
    ["validate_policies", { policies: [] }, "tool_error", 0],
    ["validate_policies", { policies: "text" }, "tool_error", 0],
    ["validate_policies", { policies: [1, 2, 3] }, "tool_error", 3],
    ["analyze_policy", {}, "tool_error", 1],
    ["get_config", { surprise: true }, "tool_error", 0],
    ["explode", { text: canary }, "internal_error", 0],
    ["answer_wrong", { text: canary }, "internal_error", 0],
    ["wait_politely", {}, "tool_error", 3],
    ["wait", {}, "tool_error", 3],
  ] as const;

  test.each(rows)("%s %o: %s", async (tool, args, outcome, policy_count) => {
    const { status, body } = await call(target, tool, args, options);
    expect(status).toBe(200);
    expect(body.result?.isError).toBe(outcome !== "success");
    expect(onlyRecord()).toMatchObject({ tool, outcome, policy_count });
  });

  test("when the caller goes away before the answer: cancelled, at once", async () => {
    for (const tool of ["wait", "wait_politely"]) {
      target.audit.all.length = 0;
      const begun = faults.started.all.length + 1;
      const { headers, body } = rpcRequest("tools/call", { name: tool, arguments: {} }, options);
      const request = openRequest(`${target.url}/mcp`, { method: "POST", headers });
      request.on("error", () => undefined);
      request.end(body);
      await faults.started.atLeast(begun);
      request.destroy();
      await target.audit.atLeast(1);
      expect(onlyRecord()).toMatchObject({ tool, outcome: "cancelled", severity_counts: {} });
    }
  });
});

test("what is not a call of a visible tool leaves none", async () => {
  const query = { token: tokens.query };
  await rpc(target, "tools/list", {}, all);
  await rpc(target, "resources/list", {}, all);
  await rpc(target, "resources/read", { uri: "iam://checks" }, all);
  await rpc(target, "prompts/get", { name: "review_policy_security" }, all);
  await rpc(target, "initialize", { protocolVersion: "2025-11-25" }, all);
  await call(target, "no_such_tool", {}, all);
  await call(target, "validate_policies", { policies: [readOnly] }, query);
  await call(target, "validate_policies", { policies: [readOnly] }, { token: "nonsense" });
  expect(target.audit.all).toEqual([]);
});

test("without authentication the subject is anonymous, with no scopes", async () => {
  const open = await startInProcess();
  await call(open, "get_config");
  await open.stop();
  expect(auditRecords(open.audit.all)).toMatchObject([{ subject: "anonymous", scopes: [] }]);
});

test("without a subject the client id is the subject", async () => {
  await call(target, "query", { kind: "service_actions", service: "s3" }, { token: tokens.query });
  expect(onlyRecord()).toMatchObject({ subject: "client-query", scopes: ["iam:query"] });
});

test("calls at the same time keep their identities apart", async () => {
  const callers = [
    [tokens.all, "subject-all"],
    [tokens.validate, "client-validate"],
    [tokens.other, "client-other"],
  ] as const;
  const calls = Array.from({ length: 60 }, async (_, index) => {
    const [token, subject] = callers[index % callers.length] ?? callers[0];
    const era = eras[index % eras.length] ?? "2025";
    const { body } = await call(target, "who_am_i", {}, { token, era });
    expect(body.result?.structuredContent).toEqual({ text: subject });
    return subject;
  });
  const subjects = await Promise.all(calls);
  const recorded = auditRecords(target.audit.all).map(({ subject }) => subject);
  expect(recorded.sort()).toEqual(subjects.sort());
});

describe("an unexpected exception", () => {
  test("shows the tool's name and an id that is in the log, and nothing of the exception", async () => {
    const { body, text } = await call(target, "explode", { text: canary }, all);
    const expected = expect.stringMatching(/^explode failed .* [0-9a-f-]{36} /);
    expect(body.result).toEqual(toolError(expected));
    expect(text).not.toContain(canary);
    const [id = "missing"] = /[0-9a-f-]{36}/.exec(text) ?? [];
    const line = target.log.all.find((each) => each.includes(id)) ?? "{}";
    expect(JSON.parse(line)).toMatchObject({
      tool: "explode",
      error: { name: "Error", cause: { name: "TypeError" } },
    });
    expect(line).toContain("fault-tools.ts");
  });
});

test("a deadline is a tool error that names the setting and the limit", async () => {
  const { body } = await call(target, "wait", {}, all);
  const text = expect.stringMatching(/1 s.*request_timeout_s/);
  expect(body.result).toEqual(toolError(text));
});

test("reference data that does not come in time is a tool error", async () => {
  const cold = await startInProcess({
    flags: { request_timeout_s: "1" },
    extraTools: faults.tools,
    adjust: (runtime) => ({ ...runtime, isWarm: () => false, warm: new Promise(() => undefined) }),
  });
  const { body } = await call(cold, "needs_data");
  const { body: other } = await call(cold, "get_config");
  await cold.stop();
  expect(body.result).toEqual(toolError(expect.stringMatching(/still loading/)));
  expect(other.result?.isError).toBe(false);
  expect(auditRecords(cold.audit.all).map(({ outcome }) => outcome)).toEqual([
    "tool_error",
    "success",
  ]);
});

test("a call waits for reference data that does come", async () => {
  const warm = Promise.withResolvers<void>();
  const cold = await startInProcess({
    extraTools: faults.tools,
    adjust: (runtime) => ({ ...runtime, isWarm: () => false, warm: warm.promise }),
  });
  const waiting = call(cold, "needs_data", { text: "here" });
  await rpc(cold, "tools/list");
  warm.resolve();
  const { body } = await waiting;
  await cold.stop();
  expect(body.result?.structuredContent).toEqual({ text: "here" });
});

test("a record that cannot be written is a warning without content; the call succeeds", async () => {
  const broken = await startInProcess({
    sink: (line) => {
      throw Object.assign(new Error(`cannot write ${line}`), { code: "ENOSPC" });
    },
  });
  const { body } = await call(broken, "get_config");
  await broken.stop();
  expect(body.result?.isError).toBe(false);
  const warnings = broken.log.all.filter((line) => line.includes("audit record"));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain("ENOSPC");
  expect(warnings[0]).not.toContain("config_digest");
});

test("no policy text is in any log line at any level, nor in an audit record", async () => {
  const policy = {
    Version: "2012-10-17",
    Statement: [
      {
        Sid: canary,
        Effect: "Allow",
        Action: `s3:${canary}`,
        Resource: `arn:aws:s3:::${canary}/*`,
      },
      { Sid: canary, Effect: canary, Action: 5, NotResource: [{ [canary]: 1 }] },
    ],
  };
  const inputs = [policy, JSON.stringify(policy), `{"${canary}": [`, `- ${canary}: &a [*a]`];
  for (const input of inputs) {
    await call(target, "validate_policies", { policies: [{ policy: input, name: canary }] }, all);
    await call(target, "validate_policies", { policies: [input], policy_type: canary }, all);
    await call(target, "validate_policies", { policies: [input], [canary]: canary }, all);
    await call(target, "explode", { text: JSON.stringify(input) }, all);
    await call(target, "answer_wrong", { text: canary }, all);
    await call(target, canary, { policies: [input] }, all);
  }
  expect(target.audit.text).not.toContain(canary);
  expect(target.log.text).not.toContain(canary);
});
