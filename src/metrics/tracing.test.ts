import {
  type ContextManager,
  context,
  INVALID_SPAN_CONTEXT,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  parentKey,
  type RecordedSpan,
  recordedTraceId,
  recordSpans,
} from "../../test/support/recording-tracer.ts";
import { traceCall, traceCarrier } from "./tracing.ts";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

describe("the caller's trace context", () => {
  const headers = new Headers({ traceparent, tracestate: "a=1", baggage: "user=alice" });

  test("comes from the headers", () => {
    expect(traceCarrier({ headers })).toEqual({ traceparent, tracestate: "a=1" });
  });

  test("comes from `_meta` where it is there, and then wholly", () => {
    const other = traceparent.replace("0af7", "1bf7");
    expect(traceCarrier({ meta: { traceparent: other }, headers })).toEqual({ traceparent: other });
    expect(traceCarrier({ meta: { traceparent: other, tracestate: "b=2" }, headers })).toEqual({
      traceparent: other,
      tracestate: "b=2",
    });
  });

  test("is nothing but these two values", () => {
    expect(
      traceCarrier({ meta: { traceparent, baggage: "user=alice", progressToken: 1 } }),
    ).toEqual({
      traceparent,
    });
  });

  test.each([
    ["no text", { traceparent: 7 }],
    ["too long", { traceparent: "x".repeat(513) }],
    ["absent", {}],
  ])("is left out when it is %s", (_, meta) => {
    expect(traceCarrier({ meta })).toEqual({});
  });
});

test("without an OpenTelemetry SDK a call runs as if there were no tracing", async () => {
  const result = await traceCall("query", { meta: { traceparent } }, async (span) => {
    span.settle("success");
    return [span.traceId, 42];
  });
  expect(result).toEqual([undefined, 42]);
});

describe("with an SDK", () => {
  let recorded: RecordedSpan[];
  let stop: () => void;
  beforeEach(() => {
    ({ spans: recorded, stop } = recordSpans());
  });
  afterEach(() => stop());

  test("a call is one server span, a child of the caller's, with names and outcome only", async () => {
    await traceCall("query", { meta: { traceparent } }, async (span) => span.settle("success"));
    expect(recorded).toEqual([
      {
        name: "tools/call query",
        kind: SpanKind.SERVER,
        parent: traceparent,
        attributes: {
          "mcp.method.name": "tools/call",
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "query",
          "validator.outcome": "success",
        },
        status: SpanStatusCode.UNSET,
        ended: true,
      },
    ]);
  });

  test("a failed call tells the kind of its error", async () => {
    await traceCall("query", {}, async (span) => span.settle("tool_error", "unknown_service"));
    await traceCall("query", {}, async (span) => span.settle("cancelled"));
    expect(recorded.map(({ attributes, status }) => [attributes["error.type"], status])).toEqual([
      ["unknown_service", SpanStatusCode.ERROR],
      ["cancelled", SpanStatusCode.ERROR],
    ]);
  });

  test("the span ends even if the call breaks", async () => {
    const broken = traceCall("query", {}, () => Promise.reject(new Error("defect")));
    await expect(broken).rejects.toThrow("defect");
    expect(recorded).toMatchObject([{ ended: true }]);
  });

  test("log lines can carry the trace's id", async () => {
    expect(await traceCall("query", {}, async (span) => span.traceId)).toBe(recordedTraceId);
  });

  describe("where HTTP is instrumented", () => {
    const active = trace.setSpan(
      ROOT_CONTEXT.setValue(parentKey, "the HTTP span"),
      trace.wrapSpanContext(INVALID_SPAN_CONTEXT),
    );
    const manager: ContextManager = {
      active: () => active,
      with: (_, run, self, ...args) => run.call(self, ...args),
      bind: (_, target) => target,
      enable: () => manager,
      disable: () => manager,
    };
    beforeEach(() => void context.setGlobalContextManager(manager));

    test("the call is a child of the HTTP span, which has read the headers", async () => {
      await traceCall("query", { headers: new Headers({ traceparent }) }, async () => undefined);
      expect(recorded).toMatchObject([{ parent: "the HTTP span" }]);
    });

    test("but of the caller's own span where `_meta` names it", async () => {
      await traceCall("query", { meta: { traceparent } }, async () => undefined);
      expect(recorded).toMatchObject([{ parent: traceparent }]);
    });
  });
});
