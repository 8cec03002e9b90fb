import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";

type Parser = typeof import("@actions/workflow-parser");

/** GitHub's own parser imports JSON as only bundlers can (0.3), so it is bundled first. */
async function loadParser(): Promise<Parser> {
  const folder = await mkdtemp(join(tmpdir(), "workflow-parser-"));
  try {
    const bundle = await rolldown({ input: "@actions/workflow-parser", platform: "node" });
    const { output } = await bundle.write({ dir: folder, format: "esm" });
    return await import(join(folder, output[0].fileName));
  } finally {
    await rm(folder, { recursive: true });
  }
}

let parser: Promise<Parser> | undefined;

/** @returns what GitHub would say is wrong with a workflow file. */
export async function workflowFaults(name: string, content: string): Promise<string[]> {
  parser ??= loadParser();
  const { parseWorkflow, NoOperationTraceWriter } = await parser;
  const { context } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}
