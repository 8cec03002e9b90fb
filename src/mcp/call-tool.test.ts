import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { defineToolContract } from "../../spec/contract.ts";
import type { ToolErrorKind } from "../../spec/errors.ts";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { recordSpans } from "../../test/support/recording-tracer.ts";
import { onlyCaller } from "../admission/call-pass.ts";
import { ToolError } from "../errors.ts";
import type { CallRecord, LimitKind } from "../metrics/observer.ts";
import type { Runtime } from "../runtime.ts";
import { implement, type Tool } from "../tools/tool.ts";
import type { AuditEntry } from "./audit.ts";
import { type Call, callTool } from "./call-tool.ts";

const text = z.strictObject({ text: z.string().default("none") });

type Run = Tool<typeof contract>["run"];
const contract = defineToolContract({
  name: "weigh",
  title: "Weigh",
  tag: "validate",
  description: "For tests.",
  input: text,
  output: text,
  errors: [],
});
const needsData = { needsReferenceData: true };
const echo: Run = async (input) => ({ output: input });
const forever: Run = () => new Promise(() => {});

interface Given extends Partial<Omit<Call, "tool">> {
  readonly tool?: Tool;
  readonly runtime?: Partial<Runtime>;
  readonly maxResultBytes?: number;
}

/** One call, and all that is told of it. */
async function settled({ tool = implement(contract, echo), ...given }: Given = {}) {
  const { runtime, logged } = bareRuntime({ request_timeout_s: 1 });
  const { runtime: adjusted, maxResultBytes = 10_000, ...rest } = given;
  const audited: AuditEntry[] = [];
  const counted: CallRecord[] = [];
  const limits: LimitKind[] = [];
  const answer = await callTool(
    {
      runtime: { ...runtime, ...adjusted },
      maxResultBytes,
      audit: (build) => audited.push(build()),
      observer: {
        call: (record) => counted.push(record),
        limit: (kind) => limits.push(kind),
        request: () => {},
        refusal: () => {},
      },
    },
    {
      tool,
      args: {},
      caller: { subject: "someone", clientId: "client", scopes: ["iam:query"], may: () => true },
      toolNames: ["weigh"],
      signal: new AbortController().signal,
      trace: {},
      ...rest,
    },
  );
  expect([audited.length, counted.length]).toEqual([1, 1]);
  const [entry] = audited;
  const [record] = counted;
  expect(record?.outcome).toBe(entry?.outcome);
  expect(record?.durationSeconds).toBe(entry?.duration_s);
  return { answer, entry, record, limits, logged };
}

function textOf({ answer }: Awaited<ReturnType<typeof settled>>): string {
  if (!("error" in answer)) throw new Error("the call succeeded");
  return answer.error;
}

describe("a call that succeeds", () => {
  test("is told to the audit and counted with all it has", async () => {
    const tool = implement(
      contract,
      async (input) => ({ output: input, severity_counts: { low: 2 } }),
      { policyCount: () => 3 },
    );
    const { answer, entry, record, limits } = await settled({ tool, args: { text: "é" } });
    expect(answer).toMatchObject({ prepared: { json: '{"text":"é"}', truncated: false } });
    expect("structured" in answer && answer.structured()).toEqual({ text: "é" });
    expect(entry).toEqual({
      tool: "weigh",
      subject: "someone",
      scopes: ["iam:query"],
      config_digest: "0".repeat(64),
      policy_count: 3,
      duration_s: expect.any(Number),
      outcome: "success",
      severity_counts: { low: 2 },
    });
    expect(record).toMatchObject({ tool: "weigh", outputBytes: 13 });
    expect(limits).toEqual([]);
  });

  test("may leave its arguments out, and have no findings", async () => {
    const { answer, entry } = await settled({ args: undefined });
    expect(answer).toMatchObject({ prepared: { json: '{"text":"none"}' } });
    expect(entry).toMatchObject({ policy_count: 0, severity_counts: {} });
  });

  test("takes as long as it takes, in seconds", async () => {
    const clock = vi.spyOn(performance, "now").mockReturnValueOnce(5_000).mockReturnValue(7_500);
    const { entry } = await settled();
    clock.mockRestore();
    expect(entry?.duration_s).toBe(2.5);
  });

  test("that was prepared in bytes by a worker can be read like any other", async () => {
    const json = new TextEncoder().encode('{"text":"é"}');
    const prepared = { json, text: json, truncated: true };
    const tool = implement(contract, async (input) => ({ output: input, prepared }));
    const { answer, record, limits } = await settled({ tool });
    expect("structured" in answer && answer.structured()).toEqual({ text: "é" });
    expect(record?.outputBytes).toBe(13);
    expect(limits).toEqual(["max_response_bytes"]);
  });

  test("knows what its caller sees and how large the answer may be", async () => {
    const seen: object[] = [];
    const tool = implement(contract, async (input, { runtime, signal, ...context }) => {
      seen.push(context);
      return { output: input };
    });
    await settled({ tool });
    const { turnKey, leaveMainThread } = onlyCaller;
    expect(seen).toEqual([
      { toolNames: ["weigh"], turnKey, leaveMainThread, maxResultBytes: 10_000 },
    ]);
  });
});

describe("arguments", () => {
  test("that do not fit are a tool error, and no tool runs", async () => {
    const run = vi.fn(echo);
    const call = await settled({ tool: implement(contract, run), args: { text: 5 } });
    expect(textOf(call)).toMatch(/^Invalid arguments: text: /);
    expect(call.entry).toMatchObject({ outcome: "tool_error", severity_counts: {} });
    expect(call.record?.outputBytes).toBeNull();
    expect(run).not.toHaveBeenCalled();
  });

  test("of a body over the limit are not read", async () => {
    const run = vi.fn(echo);
    const call = await settled({ tool: implement(contract, run), oversizeBytes: 9_000_000 });
    expect(textOf(call)).toBe(
      "The request has 9000000 bytes; the limit is 8388608 (max_request_bytes). " +
        "Send fewer policies per call.",
    );
    expect([call.entry?.outcome, call.limits]).toEqual(["tool_error", ["max_request_bytes"]]);
    expect(run).not.toHaveBeenCalled();
  });

  test("that stayed in the body go to the tool unread, with their own count of policies", async () => {
    const body = Buffer.from("body");
    const runDeferred: Tool<typeof contract>["runDeferred"] = async (bytes) => ({
      output: { text: Buffer.from(bytes).toString() },
    });
    const deferred = { body, policyCount: 7 };
    const tool = implement(contract, forever, { runDeferred });
    const { answer, entry } = await settled({ tool, args: { no: "args" }, deferred });
    expect(answer).toMatchObject({ prepared: { json: '{"text":"body"}' } });
    expect(entry?.policy_count).toBe(7);
    const read = await settled({ tool: implement(contract, echo, { runDeferred }) });
    expect(read.answer).toMatchObject({ prepared: { json: '{"text":"none"}' } });
  });
});

describe("a tool that fails", () => {
  const failing = (error: unknown) => implement(contract, () => Promise.reject(error));

  test.each<[ToolErrorKind, LimitKind[]]>([
    ["too_many_policies", ["max_policies"]],
    ["rate_limited", ["analyze_rate_limit"]],
    ["unknown_policy_type", []],
  ])("with a tool error shows its text and counts its limit: %s", async (kind, expected) => {
    const call = await settled({ tool: failing(new ToolError(kind, "Do this instead.")) });
    expect(textOf(call)).toBe("Do this instead.");
    expect([call.entry?.outcome, call.limits]).toEqual(["tool_error", expected]);
    expect(call.logged).toEqual([]);
  });

  test.each([new TypeError("secret"), "secret", undefined])(
    "unexpectedly shows an id that is in the log with the tool's name (%o)",
    async (thrown) => {
      const call = await settled({ tool: failing(thrown) });
      const [, id] =
        /^weigh failed because of a fault in this server\. Its operator can look for (\S{36}) in the log\.$/.exec(
          textOf(call),
        ) ?? [];
      expect(call.logged.map((line) => JSON.parse(line))).toMatchObject([
        { tool: "weigh", correlation_id: id },
      ]);
      expect(call.logged.join()).not.toContain("secret");
      expect([call.entry?.outcome, call.limits]).toEqual(["internal_error", []]);
    },
  );

  test("by an answer that breaks its contract is a fault too", async () => {
    const wrong = { text: 5 } as unknown as { text: string };
    const { entry } = await settled({ tool: implement(contract, async () => ({ output: wrong })) });
    expect(entry?.outcome).toBe("internal_error");
  });
});

test("a trace gets one span with the outcome, and the kind of a tool error", async () => {
  const { spans, stop } = recordSpans();
  await settled();
  await settled({ args: { text: 5 } });
  const cold = { isWarm: () => false, warm: Promise.reject(new Error("gone")) };
  await settled({ tool: implement(contract, echo, needsData), runtime: cold });
  stop();
  expect(
    spans.map(({ name, attributes }) => [
      name,
      attributes["validator.outcome"],
      attributes["error.type"],
    ]),
  ).toEqual([
    ["tools/call weigh", "success", undefined],
    ["tools/call weigh", "tool_error", "invalid_arguments"],
    ["tools/call weigh", "tool_error", "not_ready"],
  ]);
});

describe("a caller who goes away", () => {
  const gone = AbortSignal.abort();

  test("ends the call as cancelled, whatever the tool makes of that", async () => {
    const call = await settled({ signal: gone });
    expect(textOf(call)).toBe("weigh was cancelled.");
    expect([call.entry?.outcome, call.logged]).toEqual(["cancelled", []]);
    const controller = new AbortController();
    const tool = implement(contract, async () => {
      controller.abort();
      throw new TypeError("a defect");
    });
    const { entry } = await settled({ tool, signal: controller.signal });
    expect(entry?.outcome).toBe("cancelled");
  });

  test("ends the wait for reference data too", async () => {
    const runtime = { isWarm: () => false, warm: new Promise<void>(() => {}) };
    const tool = implement(contract, echo, needsData);
    const { entry } = await settled({ tool, runtime, signal: gone });
    expect(entry?.outcome).toBe("cancelled");
  });
});

describe("time", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const bounded = defineToolContract({ ...contract, errors: ["request_timeout"] });
  const cold = { isWarm: () => false, warm: new Promise<void>(() => {}) };

  /** Whether the call has ended just before that many milliseconds, and how it ends then. */
  async function endsAfter(ms: number, given: Given) {
    let ended = false;
    const call = settled(given).finally(() => {
      ended = true;
    });
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    return call;
  }

  test("is bounded by request_timeout_s for tools whose contract has that error", async () => {
    const call = await endsAfter(1_000, { tool: implement(bounded, forever) });
    expect(textOf(call)).toBe(
      "weigh ran out of time: the limit is 1 s (request_timeout_s). Send less per call.",
    );
    expect([call.entry?.outcome, call.limits]).toEqual(["tool_error", ["request_timeout_s"]]);
  });

  test("is bounded by the platform when that has less left, for every tool", async () => {
    for (const each of [bounded, contract]) {
      const call = await endsAfter(999, {
        tool: implement(each, forever),
        remainingMs: 999,
      });
      expect(textOf(call)).toBe(
        "weigh ran out of time: the platform's timeout came before request_timeout_s (1 s). " +
          "Send less per call.",
      );
    }
  });

  test("is bounded by request_timeout_s when the platform has as much or more", async () => {
    for (const remainingMs of [1_000, 2_000]) {
      const call = await endsAfter(1_000, {
        tool: implement(bounded, forever),
        remainingMs,
      });
      expect(textOf(call)).toContain("the limit is 1 s");
    }
  });

  test("has no bound for other tools where the platform has none", async () => {
    const { promise, resolve } = Promise.withResolvers<{ output: { text: string } }>();
    const call = settled({ tool: implement(contract, () => promise) });
    await vi.advanceTimersByTimeAsync(1_000_000);
    resolve({ output: { text: "late" } });
    expect((await call).entry?.outcome).toBe("success");
  });

  test("that went by while reference data was loading counts", async () => {
    const { promise: warm, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, 600);
    const call = await endsAfter(1_000, {
      tool: implement(bounded, forever, needsData),
      runtime: { isWarm: () => false, warm },
    });
    expect(textOf(call)).toContain("request_timeout_s");
  });

  test("ends the wait for reference data: the error says where to look", async () => {
    const call = await endsAfter(1_000, {
      tool: implement(contract, echo, needsData),
      runtime: cold,
    });
    expect(textOf(call)).toBe(
      "The AWS reference data is still loading (see GET /ready). Try again later.",
    );
    expect([call.entry?.outcome, call.limits]).toEqual(["tool_error", []]);
  });

  test("is not spent on reference data by tools that need none, nor when it is there", async () => {
    expect((await settled({ runtime: cold })).entry?.outcome).toBe("success");
    const warm = { ...cold, isWarm: () => true };
    const call = await settled({ tool: implement(contract, echo, needsData), runtime: warm });
    expect(call.entry?.outcome).toBe("success");
  });

  test("that is given up on reference data that fails is no fault of the call", async () => {
    const runtime = { isWarm: () => false, warm: Promise.reject(new Error("gone")) };
    const call = await settled({ tool: implement(contract, echo, needsData), runtime });
    expect(textOf(call)).toContain("still loading");
  });
});
