import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Outcome } from "../../spec/audit.ts";
import { createMetrics } from "../../src/metrics/metrics.ts";
import {
  accessAnalyzer,
  awsFinding,
  found,
  refusedByAws,
  stubAwsEnvironment,
} from "../support/access-analyzer.ts";
import { breakOff, canary, canaryLines, sendCanaries } from "../support/canary-traffic.ts";
import { configFolder } from "../support/config-folder.ts";
import { customCheckModule, publicImports } from "../support/custom-check.ts";
import { type FaultTools, faultTools } from "../support/fault-tools.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { type ServerProcess, startProcess } from "../support/process.ts";
import { type RecordedSpan, recordSpans } from "../support/recording-tracer.ts";
import { call, eras, rpc } from "../support/rpc.ts";
import { auditRecords, tokens, withTokens } from "../support/target.ts";

/** Throws with all it sees in the message, dressed up as a stack trace, and as the cause. */
const indiscreet = `*runStatement(statement) {
    const text = JSON.stringify(statement.raw);
    throw new Error(text + "\\n    at " + text + " (/x.ts:1:1)", { cause: new TypeError(text) });
  }`;

const folder = await configFolder();

/** A config whose every answer must be digested, with a check that throws. */
async function configWith(name: string, module: string): Promise<string> {
  await folder.write(`${name}.mjs`, module);
  return folder.write(`${name}.yaml`, `custom_checks: [{ module: ./${name}.mjs }]\n`);
}

afterAll(() => folder.remove());

describe("in one process", () => {
  const aws = accessAnalyzer();
  let target: InProcess;
  let faults: FaultTools;
  let spans: RecordedSpan[];
  let stopSpans: () => void;
  let metrics: Awaited<ReturnType<typeof createMetrics>>;
  beforeAll(async () => {
    stubAwsEnvironment();
    aws.server.listen({ onUnhandledFrame: "error" });
    // What AWS says may quote the policy.
    aws.answer(
      found(awsFinding(canary, canary)),
      refusedByAws(400, "ValidationException", canary),
      refusedByAws(403, "AccessDeniedException", canary),
      refusedByAws(500, "InternalServerException", canary),
    );
    ({ spans, stop: stopSpans } = recordSpans());
    metrics = await createMetrics({
      version: "1",
      pool: () => ({ running: 0, waiting: 0, threads: 0 }),
      dataDate: () => "2026-01-01",
      now: Date.now,
    });
    faults = faultTools();
    target = await startInProcess({
      flags: {
        auth: "token",
        log_level: "debug",
        analyze_rate_limit: "0",
        config_source: await configWith(
          "inside",
          // The outputs of workers are those of the test; the other half of this file looks at them.
          customCheckModule({
            id: "indiscreet",
            run: indiscreet.replace("{", "{ if (!isMainThread) return;"),
          }).concat('import { isMainThread } from "node:worker_threads";\n'),
        ),
      },
      environment: { ...withTokens.environment },
      extraTools: faults.tools,
      observer: metrics,
    });
  });
  afterAll(async () => {
    stopSpans();
    await target.stop();
    await target.runtime.pool.close();
    aws.server.close();
    vi.unstubAllEnvs();
  });

  test("nothing of any request is in a log line, an audit record, a span or a metric", {
    timeout: 120_000,
  }, async () => {
    const { answers, echoed } = await sendCanaries(target, tokens.all);
    for (const era of eras) {
      for (const name of ["explode", "answer_wrong", "refuse", "who_am_i", canary]) {
        await call(target, name, { text: canary }, { token: tokens.all, era });
      }
      await call(target, "query", { kind: canary }, { token: tokens.none, era });
      await rpc(target, "tools/list", {}, { token: canary, era });
    }
    const caller = new AbortController();
    const { signal } = caller;
    const waiting = call(target, "wait", { text: canary }, { signal, token: tokens.all });
    await faults.started.atLeast(1);
    caller.abort();
    await expect(waiting).rejects.toThrow();

    // The traffic went all the way: it was answered, validated, refused, and told of where it should.
    expect(answers).toBeGreaterThan(200);
    expect(echoed).toBeGreaterThan(100);
    expect(aws.sent.length).toBeGreaterThan(4);
    await expect.poll(() => target.audit.text).toContain("cancelled");
    const records = auditRecords(target.audit.all);
    expect(records.length).toBeGreaterThan(100);
    const outcomes = new Set(records.map(({ outcome }) => outcome));
    expect([...outcomes].sort()).toEqual(Outcome.options.toSorted());
    expect(target.log.text).toContain("Internal error");
    expect(spans.length).toBeGreaterThan(100);

    expect(canaryLines(target.log.text)).toEqual([]);
    expect(canaryLines(target.audit.text)).toEqual([]);
    expect(canaryLines(await metrics.text())).toEqual([]);
    // The parent is the caller's own trace context, as sent.
    expect(canaryLines(JSON.stringify(spans.map(({ parent: _, ...rest }) => rest)))).toEqual([]);
  });

  test("the subject of a record is the token's, whatever the request says of its sender", () => {
    const records = auditRecords(target.audit.all);
    expect(new Set(records.map(({ subject }) => subject))).toEqual(new Set(["subject-all"]));
  });
});

describe("as a separate process, with its workers", () => {
  let target: ServerProcess;
  let metricsUrl: string;
  beforeAll(async () => {
    target = await startProcess({
      flags: {
        auth: "token",
        log_level: "debug",
        config_source: await configWith(
          "outside",
          customCheckModule({ id: "indiscreet", run: indiscreet, imports: publicImports }),
        ),
      },
      environment: {
        ...withTokens.environment,
        VALIDATOR_MCP_METRICS_PORT: "0",
        AWS_EC2_METADATA_DISABLED: "true",
        AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
        AWS_CONFIG_FILE: "/dev/null",
      },
    });
    metricsUrl = /"url":"(http[^"]+\/metrics)"/.exec(target.log.text)?.[1] ?? "";
  });
  afterAll(() => target.stop());

  test("nothing of any request is on its outputs or in its metrics", {
    timeout: 120_000,
  }, async () => {
    const { answers, echoed } = await sendCanaries(target, tokens.all);
    await breakOff(target, tokens.all);
    expect(answers).toBeGreaterThan(200);
    expect(echoed).toBeGreaterThan(100);
    const scraped = await (await fetch(metricsUrl)).text();
    expect(scraped).toContain("validator_mcp_tool_calls_total");
    // Workers write to the same output.
    expect(target.log.text).toMatch(/worker\.(js|ts):/);
    auditRecords(target.audit.all);
    for (const token of Object.values(tokens)) {
      expect(target.log.text + target.audit.text + scraped).not.toContain(token);
    }

    expect(canaryLines(target.log.text)).toEqual([]);
    expect(canaryLines(target.audit.text)).toEqual([]);
    expect(canaryLines(scraped)).toEqual([]);
  });
});
