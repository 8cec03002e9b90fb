/**
 * The bench: `node bench/run.ts [section …] [--all] [--write]`. Without sections, all that need nothing
 * but this checkout and a few minutes; `--all` adds the others. Markdown on standard output; `--write` keeps it, and the same as JSON, in bench/report/.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { accessSection } from "./access.ts";
import { batchesSection } from "./batches.ts";
import { callsSection } from "./calls.ts";
import { catalogueSection } from "./catalogue.ts";
import { engineSection } from "./engine.ts";
import { fixesSection } from "./fixes.ts";
import { growthSection, hostileSection } from "./growth.ts";
import { healthSection } from "./health.ts";
import { memorySection, plateauSection } from "./memory.ts";
import { poolSection } from "./pool.ts";
import { type Section, sectionText } from "./report.ts";
import { sharesSection } from "./shares.ts";
import { workersSection } from "./workers.ts";

type Sections = Readonly<Record<string, () => Promise<Section>>>;

const usual: Sections = {
  engine: () => engineSection(),
  fixes: () => fixesSection(),
  access: accessSection,
  shares: sharesSection,
  growth: growthSection,
  hostile: hostileSection,
  calls: () => callsSection(),
  health: () => healthSection(),
  pool: () => poolSection(),
  memory: () => memorySection(),
  batches: () => batchesSection(),
  workers: () => workersSection(),
  catalogue: catalogueSection,
};

/** Run when asked for only: it takes minutes, or needs the images. */
const unusual: Sections = {
  soak: () => plateauSection(),
  "cold-start": async () => (await import("./cold-start.ts")).coldStartSection(),
};
const sections: Sections = { ...usual, ...unusual };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const wanted = positionals.length > 0 ? positionals : Object.keys(values.all ? sections : usual);
const unknown = wanted.filter((id) => !Object.hasOwn(sections, id));
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown: ${unknown.join(", ")}. Sections: ${Object.keys(sections).join(", ")}.\n`,
  );
  process.exit(2);
}

const done: Section[] = [];
for (const id of wanted) {
  const started = performance.now();
  const section = await sections[id]?.();
  if (!section) continue;
  done.push(section);
  process.stdout.write(`${sectionText(section)}\n`);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  process.stderr.write(`${id}: ${seconds} s\n`);
}

if (values.write) {
  const directory = join(import.meta.dirname, "report");
  mkdirSync(directory, { recursive: true });
  const head = `# Bench\n\nNode ${process.version}. See docs/performance.md for what the figures mean.\n`;
  writeFileSync(
    join(directory, "report.md"),
    `${head}\n${done.map(sectionText).join("\n")}`.trimEnd().concat("\n"),
  );
  const report = { node: process.version, sections: done };
  writeFileSync(join(directory, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
}
