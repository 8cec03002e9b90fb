import { readOnly } from "../test/support/rpc.ts";
import { analyzerStub } from "./access-analyzer.ts";
import { median } from "./measure.ts";
import type { Row, Section } from "./report.ts";
import { type BenchServer, type Prepared, prepared, sendMany, startServer } from "./servers.ts";

/** One typical call of each tool; the last asks a stand-in for AWS, through the AWS SDK. */
const calls: Readonly<Record<string, object>> = {
  validate_policies: { policies: [readOnly] },
  describe_checks: { check_ids: ["service_wildcard"] },
  get_config: {},
  query: { kind: "action_details", actions: ["s3:GetObject"] },
  analyze_policy: { policy: readOnly },
};
const eras = ["2026", "2025"] as const;
const connectionCounts = [1, 16];
const callsPerRound = 400;
/** The compiler is at work for about this many calls, and its threads count. */
const warmUpCalls = 12_000;

function toolCall(name: string, era: (typeof eras)[number]): Prepared {
  return prepared("tools/call", { name, arguments: calls[name] }, era);
}

/** Processor time of a server per call, in ms. */
async function costPerCall(
  server: BenchServer,
  request: Prepared,
  connections: number,
): Promise<number> {
  const before = await server.figures();
  await sendMany(server.port, request, { count: callsPerRound, connections });
  const after = await server.figures();
  return ((after.cpuS - before.cpuS) / callsPerRound) * 1e3;
}

/** What a tool call costs the server, beside a Hono server that gives the same request back. */
export async function callsSection(rounds = 5): Promise<Section> {
  const aws = await analyzerStub();
  const [product, echo, askingEcho] = await Promise.all([
    startServer("product", aws.environment),
    startServer("echo"),
    startServer("asking-echo", aws.environment),
  ]);
  const rows: Row[] = [];
  try {
    const validate = toolCall("validate_policies", "2026");
    const analyze = toolCall("analyze_policy", "2026");
    for (const [{ port }, request] of [
      [product, validate],
      [product, analyze],
      [echo, validate],
      [askingEcho, analyze],
    ] as const) {
      await sendMany(port, request, { count: warmUpCalls, connections: 4 });
    }
    for (const connections of connectionCounts) {
      for (const tool of Object.keys(calls)) {
        const requests = eras.map((era) => toolCall(tool, era));
        const least = tool === "analyze_policy" ? askingEcho : echo;
        const taken: { echo: number; cost: number }[][] = eras.map(() => []);
        for (let round = -1; round < rounds; round++) {
          for (const [at, request] of requests.entries()) {
            const echoed = await costPerCall(least, request, connections);
            const cost = await costPerCall(product, request, connections);
            if (round >= 0) taken[at]?.push({ echo: echoed, cost });
          }
        }
        const [modern = [], legacy = []] = taken;
        const ratio = (list: typeof modern) => median(list.map((one) => one.cost / one.echo));
        rows.push({
          tool,
          connections,
          "2026-07-28, ms": median(modern.map(({ cost }) => cost)),
          "2026-07-28, ratio": ratio(modern),
          "2025, ms": median(legacy.map(({ cost }) => cost)),
          "2025, ratio": ratio(legacy),
          "echo, ms": median([...modern, ...legacy].map((one) => one.echo)),
        });
      }
    }
  } finally {
    await Promise.all([product.stop(), echo.stop(), askingEcho.stop()]);
    aws.stop();
  }
  return {
    id: "calls",
    title: "Tool calls",
    about:
      "Processor time of the server process per tools/call, and over that of a Hono echo of the same request, taken in turn. For analyze_policy the echo asks the stand-in for AWS too, with the same SDK.",
    tables: [
      { title: "Goals: ratio ≤ 5.5 (2026-07-28), ≤ 4.5 (2025 revisions, JSON answer)", rows },
    ],
  };
}
