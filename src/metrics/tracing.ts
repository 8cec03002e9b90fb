import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { Outcome } from "../../spec/audit.ts";

const tracer = trace.getTracer("validator-mcp");

/** W3C allows at most 512 characters; longer values are ignored. */
const maxHeaderLength = 512;
const carried = ["traceparent", "tracestate"] as const;

/** Sources of the caller's trace context. The request's `_meta` overrides its headers. */
export interface TraceSource {
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Headers | undefined;
}

/** @returns `traceparent` and `tracestate` as given. Nothing else of the request is used. */
export function traceCarrier({ meta, headers }: TraceSource): Record<string, string> {
  const carrier: Record<string, string> = {};
  const inMeta = meta !== undefined && Object.hasOwn(meta, "traceparent");
  for (const name of carried) {
    const value = inMeta ? (Object.hasOwn(meta, name) ? meta[name] : null) : headers?.get(name);
    if (typeof value === "string" && value.length <= maxHeaderLength) carrier[name] = value;
  }
  return carrier;
}

/** If HTTP is instrumented, the active span already has the headers' trace context as its parent. */
function parentOf(source: TraceSource): Context {
  const fromMeta = source.meta !== undefined && Object.hasOwn(source.meta, "traceparent");
  const active = context.active();
  return !fromMeta && trace.getSpan(active)
    ? active
    : propagation.extract(ROOT_CONTEXT, traceCarrier(source));
}

/**
 * Runs a tool call inside a span, a child of the caller's span. Does nothing unless the process has
 * registered an OpenTelemetry SDK. Attributes contain names and outcomes, never content.
 * @param tool Name of a registered tool.
 * @param run Must not throw, and reports the outcome to the span.
 */
export function traceCall<Result>(
  tool: string,
  source: TraceSource,
  run: (span: CallSpan) => Promise<Result>,
): Promise<Result> {
  const parent = parentOf(source);
  const attributes: Attributes = {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool,
  };
  const options = { kind: SpanKind.SERVER, attributes };
  return tracer.startActiveSpan(`tools/call ${tool}`, options, parent, async (span) => {
    try {
      return await run(new CallSpan(span));
    } finally {
      span.end();
    }
  });
}

/** The span of a running call. */
export class CallSpan {
  readonly #span: Span;
  constructor(span: Span) {
    this.#span = span;
  }

  /** @param errorType A value of a fixed list, e.g. a kind of tool error. */
  settle(outcome: Outcome, errorType?: string): void {
    this.#span.setAttribute("validator.outcome", outcome);
    if (outcome === "success") return;
    this.#span.setAttribute("error.type", errorType ?? outcome);
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  /** @returns The trace id, for log lines; undefined without an SDK. */
  get traceId(): string | undefined {
    const id = this.#span.spanContext().traceId;
    return /^0*$/.test(id) ? undefined : id;
  }
}
