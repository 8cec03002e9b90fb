/**
 * Tries the packed package as a user has it: installs it into an empty folder, then runs the command and imports every
 * export on the oldest Node that is supported and on the newest. `node scripts/try-package.ts [file.tgz]` packs it first
 * if no file is named. Prints and skips a Node version that cannot be downloaded.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");
const { name, exports, engines } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const oldest = `${/\d+\.\d+/.exec(engines.node)?.[0]}.0`;
const quiet = ["--silent", "--no-audit", "--no-fund"];
const home = await mkdtemp(join(tmpdir(), "try-package-"));

try {
  const file = process.argv[2] ?? (await pack());
  const app = join(home, "app");
  await mkdir(app);
  await writeFile(join(app, "package.json"), '{ "private": true, "type": "module" }\n');
  await run("npm", ["install", "--ignore-scripts", ...quiet, resolve(file)], { cwd: app });
  await writeFile(join(app, "import.mjs"), await importAll(join(app, "node_modules", name)));
  await writeFile(
    join(app, "policy.json"),
    '{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:GetObjct","Resource":"arn:aws:s3:::a/*"}}',
  );
  for (const version of [oldest, "24"]) await tryOn(version, app);
} finally {
  await rm(home, { recursive: true, force: true });
}

async function pack(): Promise<string> {
  await run("npm", ["pack", "--pack-destination", home, ...quiet], { cwd: root });
  const [file = ""] = (await readdir(home)).filter((entry) => entry.endsWith(".tgz"));
  return join(home, file);
}

/** A module that imports each export, patterns by every file that they match. */
async function importAll(installed: string): Promise<string> {
  const lines = [
    'import { createRequire } from "node:module";',
    "const require = createRequire(import.meta.url);",
  ];
  for (const [path, target] of Object.entries<string | { default: string }>(exports)) {
    const file = typeof target === "string" ? target : target.default;
    const names = path.includes("*")
      ? (await readdir(join(installed, file.replace("*", "")))).map((entry) =>
          path.replace("*", entry),
        )
      : [path];
    for (const specifier of names.map((one) => JSON.stringify(name + one.slice(1)))) {
      lines.push(
        file.endsWith("*") || file.endsWith(".json")
          ? `require(${specifier});`
          : `await import(${specifier});`,
      );
    }
  }
  return `${lines.join("\n")}\nconsole.log("imported");\n`;
}

/** @throws if a command does not do what it should on that version of Node. */
async function tryOn(version: string, app: string): Promise<void> {
  const prefix = join(home, `node-${version}`);
  await mkdir(prefix);
  const downloaded = await run("npm", [
    "install",
    "--prefix",
    prefix,
    ...quiet,
    `node@${version}`,
  ]).then(
    () => true,
    () => false,
  );
  if (!downloaded) {
    console.log(`try-package: Node ${version} was NOT TRIED, because it cannot be downloaded`);
    return;
  }
  const bin = join(prefix, "node_modules/node/bin");
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home };
  const node = (...args: string[]) => run(join(bin, "node"), args, { cwd: app, env });
  const command = (...args: string[]) =>
    run(join(app, "node_modules/.bin", name), args, { cwd: app, env }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
    );
  const actual = (await node("--version")).stdout.trim();
  expect((await command("--version")).stdout, /^\d+\.\d+\.\d+\n$/);
  const { code, stdout } = await command("validate", "policy.json");
  expect(`${code} ${stdout}`, /^1 .*invalid_action/s);
  expect((await node("import.mjs")).stdout, /^imported\n$/);
  console.log(
    `try-package: the command and ${Object.keys(exports).length} exports work on Node ${actual}`,
  );
}

function expect(text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`expected ${pattern}, got: ${text.slice(0, 400)}`);
}
