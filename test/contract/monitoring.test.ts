import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { type ServerProcess, startProcess } from "../support/process.ts";
import { call, readOnly } from "../support/rpc.ts";

const root = join(import.meta.dirname, "../..");
const read = (name: string) => readFile(join(root, name), "utf8");

const Dashboard = z.looseObject({
  panels: z.array(
    z.looseObject({
      id: z.int(),
      title: z.string(),
      targets: z.array(z.looseObject({ expr: z.string() })),
    }),
  ),
});
const Alerts = z.looseObject({
  kind: z.literal("PrometheusRule"),
  spec: z.strictObject({
    groups: z.array(
      z.strictObject({
        name: z.string(),
        rules: z.array(
          z.strictObject({
            alert: z.string(),
            expr: z.string(),
            for: z
              .string()
              .regex(/^\d+m$/)
              .optional(),
            labels: z.strictObject({ severity: z.enum(["critical", "warning"]) }),
            annotations: z.strictObject({ summary: z.string() }),
          }),
        ),
      }),
    ),
  }),
});

const alerts = Alerts.parse(parse(await read("deploy/monitoring/alerts.yaml")));
const rules = alerts.spec.groups.flatMap((group) => group.rules);
const dashboard = Dashboard.parse(JSON.parse(await read("deploy/monitoring/dashboard.json")));
const queries = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => [title, expr] as const),
  ),
];

/** Series of a metrics text, each with the values of its labels. */
function seriesOf(text: string): Map<string, Set<string>> {
  const series = new Map<string, Set<string>>();
  for (const [, name = "", labels = ""] of text.matchAll(/^([a-z_0-9]+)(?:\{([^}]*)\})? /gm)) {
    const known = series.get(name) ?? new Set();
    for (const [pair] of labels.matchAll(/\w+="[^"]*"/g)) known.add(pair);
    series.set(name, known);
  }
  return series;
}

let server: ServerProcess;
let series: Map<string, Set<string>>;
beforeAll(async () => {
  server = await startProcess({ environment: { VALIDATOR_MCP_METRICS_PORT: "0" } });
  const [, url = ""] = /"url":"(http[^"]+\/metrics)"/.exec(server.log.text) ?? [];
  await call(server, "validate_policies", { policies: [readOnly] });
  series = seriesOf(await (await fetch(url)).text());
}, 120_000);
afterAll(() => server?.stop());

describe("deploy/monitoring", () => {
  test.each(queries)("%s reads metrics and label values that the server has", (_, expr) => {
    const names = expr.match(/\b(validator_mcp|nodejs|process)_\w+/g) ?? [];
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect([...series.keys()]).toContain(name);
    for (const [, name = "", selector = ""] of expr.matchAll(/(\w+)\{([^}]*)\}/g)) {
      // The outcome of a defect has a series only once there was one.
      if (selector.includes("internal_error")) continue;
      expect([...(series.get(name) ?? [])]).toContain(selector);
    }
  });

  test("every alert is explained on the page for operators, and no other", async () => {
    const page = await read("docs/operations.md");
    const explained = [...page.matchAll(/^\| `(Validator\w+)` \|/gm)].map(([, name]) => name);
    expect(explained.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  });

  test("the monitor selects the pods and the port of the deployment", async () => {
    const { spec } = parse(await read("deploy/monitoring/pod-monitor.yaml"));
    const { template } = parse(await read("deploy/kubernetes/deployment.yaml")).spec;
    expect(spec.selector.matchLabels).toEqual(template.metadata.labels);
    const ports = template.spec.containers[0].ports.map(({ name }: { name: string }) => name);
    for (const { port } of spec.podMetricsEndpoints) expect(ports).toContain(port);
  });

  test("the panels of the dashboard have distinct ids", () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
