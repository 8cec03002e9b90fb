import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  type Span,
  type SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  type Tracer,
  trace,
} from "@opentelemetry/api";

export interface RecordedSpan {
  name: string;
  kind: SpanKind | undefined;
  /** What the propagator found in the carrier. */
  parent: unknown;
  attributes: Attributes;
  status: SpanStatusCode;
  ended: boolean;
}

export const parentKey = Symbol("parent");
export const recordedTraceId = "ab".repeat(16);

// Tracers keep the first provider they find, so that all recordings of a worker share one.
const spans: RecordedSpan[] = [];
let recording = false;

/** Stands in for an OpenTelemetry SDK, as far as this product uses one. Registered for the process. */
export function recordSpans(): { readonly spans: RecordedSpan[]; stop(): void } {
  spans.length = 0;
  recording = true;
  const tracer = {
    startSpan() {
      throw new Error("not used");
    },
    startActiveSpan(name: string, ...rest: unknown[]) {
      const [options, parent, run] = rest as [
        { kind?: SpanKind; attributes: Attributes },
        Context,
        (span: Span) => unknown,
      ];
      // As the API does without an SDK.
      if (!recording) return run(trace.wrapSpanContext(INVALID_SPAN_CONTEXT));
      const record: RecordedSpan = {
        name,
        kind: options.kind,
        parent: parent.getValue(parentKey),
        attributes: { ...options.attributes },
        status: SpanStatusCode.UNSET,
        ended: false,
      };
      spans.push(record);
      const span = trace.wrapSpanContext({ ...INVALID_SPAN_CONTEXT, traceId: recordedTraceId });
      span.setAttribute = (key, value) => {
        record.attributes[key] = value;
        return span;
      };
      span.setStatus = ({ code }) => {
        record.status = code;
        return span;
      };
      span.end = () => {
        record.ended = true;
      };
      return run(span);
    },
  } as Tracer;
  const propagator: TextMapPropagator = {
    inject() {},
    extract: (onto, carrier, getter) =>
      onto.setValue(parentKey, getter.get(carrier, "traceparent")),
    fields: () => [],
  };
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  propagation.setGlobalPropagator(propagator);
  return {
    spans,
    stop() {
      recording = false;
      trace.disable();
      propagation.disable();
      context.disable();
    },
  };
}
