import { Agent } from "node:http";
import { setTimeout as after } from "node:timers/promises";
import { managedPolicies } from "../test/support/managed-policies.ts";
import { bundledCli, imageOptions, toolCall, withServer } from "./memory.ts";
import type { Section } from "./report.ts";
import { send } from "./servers.ts";

const policiesPerCall = 10;

/** Batches of managed policies, as one caller sends them that checks an account. */
function batches(count: number) {
  const documents = managedPolicies().map(({ document }) => document);
  return Array.from({ length: count }, (_, at) => {
    const policies = Array.from(
      { length: policiesPerCall },
      (_, place) => documents[(at * policiesPerCall + place) % documents.length],
    );
    return toolCall("validate_policies", { policies });
  });
}

async function untilReady(port: number): Promise<void> {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/ready`);
    await response.arrayBuffer();
    if (response.ok) return;
    await after(5);
  }
}

/** The first calls of a fresh process, and what it holds after many by one caller. */
export async function batchesSection(calls = 400): Promise<Section> {
  const cli = bundledCli();
  const figures = { first: 0, longest: 0, ready: 0, mb: 0 };
  await withServer(cli, imageOptions, async ({ port, rssMb }) => {
    await untilReady(port);
    figures.ready = rssMb();
    const agent = new Agent({ keepAlive: true });
    for (const [at, one] of batches(calls).entries()) {
      const began = performance.now();
      await send(port, one, agent);
      const tookMs = performance.now() - began;
      if (at === 0) figures.first = tookMs;
      figures.longest = Math.max(figures.longest, tookMs);
    }
    agent.destroy();
    figures.mb = rssMb();
  });
  return {
    id: "batches",
    title: "Batches by one caller",
    about: `A fresh process as in the container image (${imageOptions}); from the moment when /ready says yes one caller sends ${calls} calls of ${policiesPerCall} managed policies, one after the other.`,
    tables: [
      {
        title: "Single figures",
        rows: [
          { figure: "first call (ms)", value: figures.first, goal: "≤ 250" },
          { figure: "longest call (ms)", value: figures.longest, goal: "≤ 250" },
          { figure: "memory when ready (MB)", value: figures.ready, goal: "" },
          { figure: `memory after ${calls} calls (MB)`, value: figures.mb, goal: "≤ 200" },
        ],
      },
    ],
  };
}
