import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { type RecordedSpan, recordSpans } from "../support/recording-tracer.ts";
import { call, readOnly, rpc } from "../support/rpc.ts";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const other = "00-1bf7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const canary = "CanarySpanText";

let target: InProcess;
beforeAll(async () => {
  target = await startInProcess({ flags: { max_policies: "1" } });
});
afterAll(() => target.stop());

let spans: RecordedSpan[];
let stop: () => void;
beforeEach(() => {
  ({ spans, stop } = recordSpans());
});
afterEach(() => stop());

test("a tool call is one span under the trace of its headers", async () => {
  await call(target, "describe_checks", {}, { headers: { traceparent } });
  expect(spans).toMatchObject([
    { name: "tools/call describe_checks", parent: traceparent, ended: true },
  ]);
});

test("the trace in `_meta` wins over the headers", async () => {
  const params = { name: "describe_checks", arguments: {}, _meta: { traceparent: other } };
  await rpc(target, "tools/call", params, { headers: { traceparent } });
  expect(spans).toMatchObject([{ parent: other }]);
});

test("a tool error is told by its kind", async () => {
  await call(target, "validate_policies", { policies: [readOnly, readOnly] });
  expect(spans[0]?.attributes).toMatchObject({
    "validator.outcome": "tool_error",
    "error.type": "too_many_policies",
  });
});

test("nothing of a request stands in a span; lists and unknown tools have none", async () => {
  await call(target, "validate_policies", { policies: [{ Id: canary }] });
  await call(target, "query", { kind: canary });
  await call(target, canary, {});
  await rpc(target, "tools/list");
  expect(spans.map(({ name }) => name)).toEqual([
    "tools/call validate_policies",
    "tools/call query",
  ]);
  expect(JSON.stringify(spans)).not.toContain(canary);
});
