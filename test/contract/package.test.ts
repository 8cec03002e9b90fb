import { execFile } from "node:child_process";
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
}, 240_000);
afterAll(() => rm(home, { recursive: true, force: true }));

const appFolder = () => join(home, "app");
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

  test("exports its contract, the check API, the function and every schema", async () => {
    const schemas = (await readdir(join(installed, "spec/schemas"))).filter((name) =>
      name.endsWith(".json"),
    );
    expect(schemas.length).toBeGreaterThan(10);
    const script = `
      import { createRequire } from "node:module";
      const spec = await import("validator-mcp/spec");
      const check = await import("validator-mcp/check");
      const lambda = await import("validator-mcp/awslambda");
      const module = await import("./node_modules/validator-mcp/iam_validator.mjs");
      const require = createRequire(import.meta.url);
      const ids = process.argv.slice(2).map((name) => require("validator-mcp/schemas/" + name).$id);
      console.log(JSON.stringify({
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
