import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { expect, test } from "vitest";

/**
 * The layers of the code, lowest first: a file imports from its own folder and from layers below, types included.
 * A file of `src/` itself counts as a folder. Biome's `noImportCycles` finds circles of files; this test guards the
 * order of the folders.
 * dependency-cruiser would do both, but it needs the compiler API that TypeScript 7 does not have.
 */
const layers: readonly (readonly string[])[] = [
  ["spec"],
  ["ascii.ts", "closed-braces.ts", "edit-distance.ts", "turn-queue.ts"],
  [
    "deadline.ts",
    "errors.ts",
    "line-writer.ts",
    "lru-cache.ts",
    "memo.ts",
    "memory.ts",
    "nearest.ts",
    "package-root.ts",
    "read-at-most.ts",
    "record.ts",
    "schema-problems.ts",
    "yielder.ts",
  ],
  ["admission", "log.ts", "variable-names.ts", "version.ts"],
  ["defect.ts", "json", "settings.ts"],
  ["policy"],
  ["services"],
  ["access", "access-analyzer"],
  ["containers"],
  ["fixes"],
  ["engine"],
  ["config", "checks", "reports"],
  ["results"],
  ["analyze", "auth", "protocol", "query"],
  ["pool"],
  ["runtime.ts"],
  ["http", "startup.ts"],
  ["login"],
  ["local", "metrics"],
  ["authentication.ts", "tools"],
  ["mcp"],
  ["post.ts"],
  ["app.ts"],
  ["lambda", "serve.ts", "serve-stdio.ts"],
  ["check.ts"],
  ["cli", "library"],
  ["awslambda.ts", "cli.ts", "health-check.ts"],
];

/** Files that import upwards, with the reason; docs/architecture.md names them, too. */
const exceptions: Readonly<Record<string, string>> = {
  "src/pool/worker.ts":
    "the code of a thread: it builds a runtime and calls a tool, like an entry point",
};

const root = resolve(import.meta.dirname, "..");
const files = globSync(["src/**/*.ts", "spec/**/*.ts"], { cwd: root }).filter(
  // The generator is a script; it reads the options of the checks.
  (file) => !file.endsWith(".test.ts") && file !== join("spec", "generate.ts"),
);

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const specifiers = [...text.matchAll(/\bimport\("(\.[^"]+)"\)/g)].map(([, found = ""]) => found);
  for (const statement of parseAst(text, { lang: "ts" }).body) {
    if (!("source" in statement) || !statement.source) continue;
    const { value } = statement.source;
    if (typeof value === "string" && value.startsWith(".")) specifiers.push(value);
  }
  return specifiers.map((one) => relative(root, resolve(root, dirname(file), one)));
}

/** @returns `engine` for `src/engine/run.ts`, `app.ts` for `src/app.ts`, `spec` for all of `spec/`. */
function folderOf(file: string): string {
  const [first = "", second = ""] = file.split("/");
  return first === "src" ? second : first;
}

const layerOf = (file: string) => layers.findIndex((names) => names.includes(folderOf(file)));

const architecture = readFileSync(join(root, "docs/architecture.md"), "utf8");

test("every folder has a layer, and a row in docs/architecture.md", () => {
  const without = files.filter((file) => layerOf(file) < 0);
  expect(without, "add the folder to `layers` above and to docs/architecture.md").toEqual([]);
  const folders = new Set(files.filter((file) => file.split("/").length > 2).map(folderOf));
  const untold = [...folders].filter((folder) => !architecture.includes(`\`${folder}/\``));
  expect(untold, "name them in the table of docs/architecture.md").toEqual([]);
});

test("no file imports from another folder of its layer or above, except the listed ones", () => {
  const climbs = new Map<string, string[]>();
  for (const file of files) {
    const up = importsOf(file).filter(
      (target) => folderOf(target) !== folderOf(file) && layerOf(target) >= layerOf(file),
    );
    if (up.length > 0) climbs.set(file, up);
  }
  for (const file of Object.keys(exceptions)) {
    expect(climbs.delete(file), `${file} is no longer an exception`).toBe(true);
    expect(architecture).toContain(`\`${file}\``);
  }
  expect(Object.fromEntries(climbs)).toEqual({});
});
