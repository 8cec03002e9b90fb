import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reportFormats } from "../../spec/report-formats.ts";
import { version } from "../../src/version.ts";
import { faulty, faultyJson, faultyYaml } from "../support/faulty-policy.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { schemaErrors } from "../support/published-schemas.ts";
import { type Era, eras, readOnly } from "../support/rpc.ts";
import { largeBody, type Validated, validated } from "../support/validate.ts";

let roomy: InProcess;
const servers: InProcess[] = [];
beforeAll(async () => {
  roomy = await startInProcess();
  servers.push(roomy);
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await roomy.runtime.pool.close();
});

const limited = new Map<number, Promise<InProcess>>();

/** The server with this `max_response_bytes`. */
function serverWith(limit: number): Promise<InProcess> {
  let server = limited.get(limit);
  if (!server) {
    server = startInProcess({
      runtime: roomy.runtime,
      adjust: (runtime) => ({
        ...runtime,
        settings: { ...runtime.settings, max_response_bytes: limit },
      }),
    });
    void server.then((started) => servers.push(started));
    limited.set(limit, server);
  }
  return server;
}

/** Bytes of the complete result with this output, as clients of that era get it. */
function bytesOf(output: object, era: Era): number {
  const modern = {
    resultType: "complete",
    _meta: {
      "io.modelcontextprotocol/serverInfo": {
        name: "validator-mcp",
        title: "IAM Policy Validator",
        version,
      },
    },
  };
  const result = {
    content: [{ type: "text", text: JSON.stringify(output) }],
    structuredContent: output,
    isError: false,
    ...(era === "2026" && modern),
  };
  return Buffer.byteLength(JSON.stringify(result));
}

type Entry = Validated["results"][number];

function without(entry: Entry, ...keys: ("issues" | "summary")[]): Entry {
  const copy = { ...entry };
  for (const key of keys) delete copy[key];
  return copy;
}

/** The answer, and what degrading makes of it step by step, up to the report. */
function steps(full: Validated): [step: string, output: Validated][] {
  const cut = { ...full, truncated: true };
  const bare = full.results.map((entry) => without(entry, "issues", "summary"));
  const both = full.results.every(({ issues, summary }) => issues && summary);
  const shorter = { ...cut, results: full.results.map((entry) => without(entry, "summary")) };
  return [
    ["nothing goes", full],
    ...(both ? [["the summaries go", shorter] as [string, Validated]] : []),
    ["the issues go too", { ...cut, results: bare }],
    ...bare.map((_, index): [string, Validated] => {
      const results = bare.slice(0, bare.length - 1 - index);
      const truncated_count = index + 1;
      return [`${truncated_count} from the end go`, { ...cut, results, truncated_count }];
    }),
  ];
}

/** Also text that costs more than its bytes: quotes, controls, characters of four bytes. */
const policies = [
  { policy: faultyJson, name: 'a "quoted" \\ \n label' },
  { policy: faultyYaml, name: "🙂 ü \u0001 \ud800" },
  faulty,
  readOnly,
];

const moment = /\d{4}-\d\d-\d\dT[\d:.]{12}Z/;

/** Whether a text begins a report, whenever either was made; a cut may go through the moment, which is always as long. */
function begins(report: string, kept: string): boolean {
  const at = report.search(moment);
  const undated = (text: string) => (at < 0 ? text : text.slice(0, at) + text.slice(at + 24));
  return undated(report).startsWith(undated(kept));
}

describe.each(eras)("%s", (era) => {
  const sending = { era };

  test.each(["full", "findings", "summary"])(
    "detail %s: each step is taken when what came before is one byte too large",
    async (detail) => {
      const args = { policies, detail };
      const { output: full, record } = await validated(roomy, args, sending);
      const ladder = steps(full);
      expect(ladder.length).toBe(policies.length + (detail === "full" ? 3 : 2));
      for (const [index, [step, expected]] of ladder.entries()) {
        const limit = bytesOf(expected, era);
        const fits = await validated(await serverWith(limit), args, sending);
        expect([step, fits.output]).toEqual([step, expected]);
        expect(fits.resultBytes).toBe(limit);
        expect(schemaErrors("validate_policies.output", fits.result.structuredContent)).toEqual([]);
        expect(fits.record).toEqual({
          ...record,
          duration_s: expect.any(Number),
          timestamp: expect.any(String),
        });

        const [next, shorter] = ladder[index + 1] ?? [];
        if (!shorter) continue;
        const cut = await validated(await serverWith(limit - 1), args, sending);
        expect([next, cut.output]).toEqual([next, shorter]);
        expect(cut.resultBytes).toBeLessThan(limit);
      }
    },
  );

  test.each(reportFormats.map(({ id }) => id))(
    "format %s: then the report is cut, and at last it goes",
    async (format) => {
      const args = { policies, detail: "full", format };
      const { output: full } = await validated(roomy, args, sending);
      const { report = "" } = full;
      const [, empty] = steps(full).at(-1) ?? [];
      if (!empty) throw new Error("no last step");
      const { report: _report, ...bare } = empty;
      const notice = "\n[The report ends here: the rest does not fit max_response_bytes.]";
      const largest = bytesOf(empty, era);
      const smallest = bytesOf({ ...bare, report: notice }, era);

      for (const part of [1, 0.5, 0.1, 0]) {
        // What follows is needed once at each end, and between them anywhere.
        const limit = Math.max(smallest, Math.floor(smallest + (largest - 1 - smallest) * part));
        const cut = await validated(await serverWith(limit), args, sending);
        const kept = (cut.output.report ?? "").slice(0, -notice.length);
        expect(cut.output).toEqual({ ...empty, report: kept + notice });
        expect(begins(report, kept)).toBe(true);
        expect(kept.isWellFormed()).toBe(report.slice(0, kept.length).isWellFormed());
        expect(cut.resultBytes).toBeLessThanOrEqual(limit);
        // One more character would have been too much; the dearest takes thirteen bytes.
        expect(cut.resultBytes).toBeGreaterThan(limit - 13);
        expect(schemaErrors("validate_policies.output", cut.result.structuredContent)).toEqual([]);
      }
      const gone = await validated(await serverWith(smallest - 1), args, sending);
      expect(gone.output).toEqual(bare);
    },
  );

  test("a limit that not even an empty answer keeps leaves an empty answer", async () => {
    const { output: full, record } = await validated(roomy, { policies }, sending);
    const smallest = await validated(await serverWith(1), { policies }, sending);
    expect(smallest.output).toEqual({
      ...full,
      results: [],
      truncated: true,
      truncated_count: policies.length,
    });
    expect(smallest.record?.severity_counts).toEqual(record?.severity_counts);
    expect(smallest.record?.outcome).toBe("success");
  });
});

test("a worker cuts in the same way", async () => {
  for (const args of [
    { policies, detail: "full" },
    { policies, detail: "full", format: "markdown" },
  ]) {
    const { output: full } = await validated(roomy, args);
    const [, shorter = full] = steps(full)[2] ?? [];
    const limit = bytesOf(shorter, "2026") - 1;
    const server = await serverWith(limit);
    const inline = await validated(server, args, { era: "2026" });
    const pooled = await validated(server, args, { era: "2026", bodyBytes: largeBody });
    expect(server.runtime.pool.figures().threads).toBeGreaterThan(0);
    expect(pooled.output.truncated).toBe(true);
    const dateless = ({ report = "", ...rest }: Validated) => ({
      ...rest,
      report: report.replace(moment, ""),
    });
    expect(dateless(pooled.output)).toEqual(dateless(inline.output));
    expect(pooled.resultBytes).toBeLessThanOrEqual(limit);
    const counts = [inline, pooled].map(({ record }) => record?.severity_counts);
    expect(counts[0]).toEqual(counts[1]);
  }
});

test("what survives as long as its entry does", async () => {
  const { output: full } = await validated(roomy, { policies });
  const limit = bytesOf(steps(full)[1]?.[1] ?? {}, "2025");
  const { output } = await validated(await serverWith(limit), { policies });
  for (const entry of output.results) {
    expect(Object.keys(entry)).toEqual([
      "name",
      "is_valid",
      "fails_policy",
      "severity_counts",
      "policy_type",
      "policy_type_source",
      "answers",
    ]);
  }
});
