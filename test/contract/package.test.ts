import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { CheckDescription } from "../../spec/tools/describe-checks.ts";
import { builtinChecks } from "../../src/checks/index.ts";
import { startProcess } from "../support/process.ts";
import { call } from "../support/rpc.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const Checks = z.strictObject({ checks: z.array(CheckDescription) });

/** Where the package was installed, as a user would have it. */
let home: string;
let installed: string;
let packedFiles: readonly string[];

/** Packs in a copy, so that nothing changes under a test that runs beside this one. */
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "package-"));
  const copy = join(home, "copy");
  const app = join(home, "app");
  await mkdir(app);
  const { files } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const sources = [
    "src",
    "scripts",
    "spec",
    "package.json",
    "tsconfig.json",
    "README.md",
    "LICENSE",
  ];
  const needed = [
    ...sources,
    "tsconfig.build.json",
    ...files.filter((name: string) => name !== "dist"),
  ];
  for (const name of needed) await cp(join(root, name), join(copy, name), { recursive: true });
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));

  const quiet = ["--silent", "--no-audit", "--no-fund"];
  const { stdout } = await run("npm", ["pack", "--json", ...quiet], { cwd: copy });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf("[")));
  packedFiles = packed.files.map(({ path }: { path: string }) => path);
  await writeFile(join(app, "package.json"), '{ "private": true, "type": "module" }\n');
  const tarball = join(copy, packed.filename);
  await run("npm", ["install", "--prefer-offline", "--ignore-scripts", ...quiet, tarball], {
    cwd: app,
  });
  installed = join(app, "node_modules/validator-mcp");
}, 400_000);
afterAll(() => rm(home, { recursive: true, force: true }));

const appFolder = () => join(home, "app");
/** Runs a module in the folder that the package is installed in, as a program that uses it. */
async function runModule(name: string, source: string, nodeArgs: readonly string[] = []) {
  const file = join(appFolder(), name);
  await writeFile(file, source);
  return run(process.execPath, [...nodeArgs, file], { cwd: appFolder(), env: {} });
}

const command = (...args: string[]) =>
  run(join(appFolder(), "node_modules/.bin/validator-mcp"), args, {
    cwd: appFolder(),
    env: { PATH: process.env.PATH },
  });

describe("the packed package", () => {
  test("holds what is run and what is published, and no sources or tests", () => {
    for (const name of ["dist/bundle/cli.js", "dist/bundle/awslambda.js", "iam_validator.mjs"]) {
      expect(packedFiles).toContain(name);
    }
    expect(
      packedFiles.filter((name) => /\.test\.|(?<!\.d)\.ts$|^src\/|^test\//.test(name)),
    ).toEqual([]);
  });

  test("installs a command that runs", async () => {
    expect((await command("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await command("serve", "--list-profiles")).stdout).toContain("read-only");
    const data = join(home, "data");
    await command("sync-services", "--output-dir", data);
    expect((await readdir(data)).length).toBeGreaterThan(400);
  });

  test("exports the library, its contract, the check API, the function and every schema", async () => {
    const schemas = (await readdir(join(installed, "spec/schemas"))).filter((name) =>
      name.endsWith(".json"),
    );
    expect(schemas.length).toBeGreaterThan(10);
    const script = `
      import { createRequire } from "node:module";
      const library = await import("validator-mcp");
      const spec = await import("validator-mcp/spec");
      const check = await import("validator-mcp/check");
      const lambda = await import("validator-mcp/awslambda");
      const module = await import("./node_modules/validator-mcp/iam_validator.mjs");
      const require = createRequire(import.meta.url);
      const ids = process.argv.slice(2).map((name) => require("validator-mcp/schemas/" + name).$id);
      console.log(JSON.stringify({
        createValidator: typeof library.createValidator,
        settings: typeof spec.Settings?.parse,
        defineCheck: typeof check.defineCheck,
        createHandler: typeof lambda.createHandler,
        module: Object.keys(module),
        ids,
      }));
    `;
    const file = join(appFolder(), "exports.mjs");
    await writeFile(file, script);
    const { stdout, stderr } = await run(process.execPath, [file, ...schemas], {
      cwd: appFolder(),
      env: {},
    });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      createValidator: "function",
      settings: "function",
      defineCheck: "function",
      createHandler: "function",
      module: ["mcp"],
      ids: schemas.map(() => expect.any(String)),
    });
  });

  test("keeps every check's documentation, and runs a custom check beside them", async () => {
    const config = join(appFolder(), "config.yaml");
    const check = "./node_modules/validator-mcp/examples/custom-checks/required-tag-on-assume.mjs";
    await writeFile(config, `custom_checks:\n  - module: ${check}\n`);
    const server = await startProcess(
      { flags: { config_source: config } },
      join(installed, "dist/bundle/cli.js"),
    );
    try {
      const check_ids = [
        ...builtinChecks.map(({ check_id }) => check_id),
        "required_tag_on_assume",
      ];
      const { body } = await call(server, "describe_checks", { check_ids });
      const { checks } = Checks.parse(body.result?.structuredContent);
      const builtin = checks.filter(({ source }) => source === "builtin");
      expect(builtin.map(({ check_id }) => check_id).toSorted()).toEqual(
        builtinChecks.map(({ check_id }) => check_id).toSorted(),
      );
      for (const { check_id, description, docstring } of builtin) {
        expect([check_id, description.trim(), docstring?.trim()]).not.toContain("");
        expect([check_id, docstring]).not.toContain(null);
      }
      expect(checks.filter(({ source }) => source !== "builtin")).toMatchObject([
        { check_id: "required_tag_on_assume", source: "config_module", enabled: true },
      ]);

      const Statement = {
        Effect: "Allow",
        Principal: { AWS: "arn:aws:iam::111122223333:root" },
        Action: "sts:AssumeRole",
      };
      const policies = [{ Version: "2012-10-17", Statement: [Statement] }];
      const found = await call(server, "validate_policies", { policies });
      expect(found.text).toContain("required_tag_on_assume");
    } finally {
      await server.stop();
    }
  });
});

describe("the library", () => {
  const page = readFileSync(join(root, "docs/library.md"), "utf8");
  const examples = [...page.matchAll(/^```ts example\n(.*?)\n```/gms)].map(
    ([, code = ""], index) => ({ code, name: `example-${index + 1}` }),
  );

  test("its page has examples", () => {
    expect(examples.length).toBeGreaterThan(3);
  });

  test.each(examples)("$name of docs/library.md runs", async ({ name, code }) => {
    await writeFile(join(appFolder(), "validator-mcp.yaml"), "wildcard_resource: false\n");
    const { stdout, stderr } = await runModule(`${name}.mjs`, code);
    expect(stderr).toBe("");
    expect(stdout).not.toBe("");
  });

  test.each([
    ["node16", "node16"],
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])(
    "its examples compile with module %s and moduleResolution %s",
    async (module, resolution) => {
      for (const { name, code } of examples) await writeFile(join(appFolder(), `${name}.ts`), code);
      await writeFile(join(appFolder(), "exports.ts"), everyExport);
      const files = [...examples.map(({ name }) => `${name}.ts`), "exports.ts"];
      const options = ["--noEmit", "--strict", "--noUncheckedIndexedAccess", "--target", "es2024"];
      const types = ["--types", "node", "--typeRoots", join(root, "node_modules/@types")];
      const resolving = ["--module", module, "--moduleResolution", resolution];
      const { stdout } = await run(
        join(root, "node_modules/.bin/tsc"),
        [...options, ...types, ...resolving, ...files],
        { cwd: appFolder() },
      ).catch((error: { readonly stdout: string }) => error);
      expect(stdout).toBe("");
    },
    120_000,
  );

  test("it opens no socket, thread or timer, and reads only its own package", async () => {
    const { stdout, stderr } = await runModule("quiet.mjs", quietProgram, [
      "--permission",
      `--allow-fs-read=${installed}`,
      `--allow-fs-read=${join(appFolder(), "quiet.mjs")}`,
      `--allow-fs-read=${join(appFolder(), "package.json")}`,
    ]);
    expect(stderr.split("\n").filter((line) => /denied|Error/.test(line))).toEqual([]);
    const { issues, opened, open } = JSON.parse(stdout);
    expect(issues).toBeGreaterThan(0);
    expect(opened).toEqual([]);
    expect(open).toEqual([]);
  });

  test("a CommonJS program can require it", async () => {
    const { stdout } = await runModule(
      "required.cjs",
      'const { createValidator } = require("validator-mcp"); console.log(typeof createValidator);',
    );
    expect(stdout).toBe("function\n");
  });
});

/** Types of every export resolve; the wrong ones do not compile. */
const everyExport = `
import { createValidator, type Finding, type LeanFinding, ValidatorError } from "validator-mcp";
import { compareAccess } from "validator-mcp/access";
import { createHandler } from "validator-mcp/awslambda";
import { defineCheck } from "validator-mcp/check";
import { Settings } from "validator-mcp/spec";

export const others = [compareAccess, createHandler, defineCheck, Settings, ValidatorError];
const validator = await createValidator();
export const lean: LeanFinding[] = (await validator.validate({})).issues;
export const full: Finding[] = (await validator.validate({}, { detail: "full" })).issues;
export const none: null = (await validator.validate({}, { detail: "summary" })).issues;
// @ts-expect-error The findings of the default level have no fingerprint.
export const fingerprint = lean[0]?.fingerprint;
// @ts-expect-error An unknown policy type.
await validator.validate({}, { policy_type: "identty" });
// @ts-expect-error The answer of another kind.
export const wrong = (await validator.query({ kind: "condition_keys", service: "s3" })).total;
`;

const quietProgram = `
import { createHook } from "node:async_hooks";
const opened = new Set();
createHook({ init: (_, type) => opened.add(type) }).enable();
const { createValidator } = await import("validator-mcp");
const validator = await createValidator({ config: "settings: { fail_on_severity: low }" });
const Statement = { Effect: "Allow", Action: ["s3:GetObjct", "iam:PassRole"], Resource: "*" };
const { issues } = await validator.validate(
  JSON.stringify({ Version: "2012-10-17", Statement }),
  { fix: ["repairs"], format: "sarif" },
);
await validator.expand("ec2:*");
// A turn of the event loop that the last call may have asked for.
for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
const watched = /TCP|UDP|TLS|PIPECONNECT|GETADDRINFO|WORKER|Timeout|PROCESS|FSEVENT/i;
console.log(JSON.stringify({
  issues: issues.length,
  opened: [...opened].filter((type) => watched.test(type)),
  open: process.getActiveResourcesInfo().filter((type) => !/^(TTY|Pipe|File)/.test(type)),
}));
`;
