#!/usr/bin/env node
import { nodeFault } from "./cli/node-version.ts";

const fault = nodeFault(process.versions.node);
if (fault !== undefined) {
  process.stderr.write(`${fault}\n`);
  process.exit(2);
}
// Imported after the version check, because older Node releases cannot parse these modules.
const { runCommandLine } = await import("./cli/program.ts");
await runCommandLine(process.argv.slice(2), process.env);
