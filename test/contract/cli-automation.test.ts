import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { cli } from "../support/cli-file.ts";
import { command, folderWith } from "../support/local.ts";
import { readOnly } from "../support/rpc.ts";

const root = new URL("../../", import.meta.url).pathname;
const bad = '{"Statement": {"Effect": "Allow", "Action": "s3:GetObjct", "Resource": "*"}}';

const Action = z.looseObject({
  inputs: z.record(z.string(), z.looseObject({ default: z.string() })),
  runs: z.looseObject({
    steps: z.array(
      z.looseObject({
        name: z.string().optional(),
        id: z.string().optional(),
        if: z.string().optional(),
        uses: z.string().optional(),
        run: z.string().optional(),
        env: z.record(z.string(), z.string()).default({}),
      }),
    ),
  }),
});

let folder: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ folder, remove } = await folderWith({
    "policies/good.json": JSON.stringify(readOnly),
    "policies/$(touch pwned) bad.json": bad,
    "commands/::error::forged.json": bad.replace("GetObjct", "##[stop-commands]x"),
    "fine/good.json": JSON.stringify(readOnly),
    "fine/package.json": '{ "name": "x" }',
    // The validator as the Action starts it, counting its runs.
    "action/src/cli.ts": [
      'import { appendFileSync } from "node:fs";',
      'appendFileSync(process.env.HOME + "/runs", "run\\n");',
      `await import(${JSON.stringify(cli)});`,
    ].join("\n"),
    "bin/reviewdog": '#!/bin/sh\ncat >"$HOME/reviewed"\necho "$SAYS" >&2\nexit "${STATUS:-0}"\n',
    output: "",
    summary: "",
  }));
  await chmod(join(folder, "bin/reviewdog"), 0o755);
});
afterAll(() => remove());

async function action() {
  return Action.parse(parse(await readFile(join(root, "action.yml"), "utf8")));
}

/** Runs a step, as a runner does: bash, with the inputs and the context filled in. */
async function step(
  name: string,
  inputs: Record<string, string>,
  more: Record<string, string> = {},
) {
  const { inputs: declared, runs } = await action();
  const found = runs.steps.find((one) => one.name === name);
  const env = Object.entries(found?.env ?? {}).map(([variable, expression]) => {
    const [, input = ""] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression) ?? [];
    if (input === "") return [variable, more[variable] ?? ""];
    expect(declared).toHaveProperty([input]);
    return [variable, inputs[input] ?? declared[input]?.default ?? ""];
  });
  const path = [join(process.execPath, ".."), join(folder, "bin"), process.env.PATH].join(":");
  const script = found?.run ?? "exit 99";
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
    cwd: folder,
    env: {
      PATH: path,
      HOME: folder,
      RUNNER_TEMP: join(folder, "temp"),
      GITHUB_ACTION_PATH: join(folder, "action"),
      GITHUB_OUTPUT: join(folder, "output"),
      GITHUB_STEP_SUMMARY: join(folder, "summary"),
      ...more,
      ...Object.fromEntries(env),
    },
  });
  const [log, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { log, errors, code };
}
const validate = (inputs: Record<string, string>) => step("Validate", inputs);

const lastOutputs = async () =>
  (await readFile(join(folder, "output"), "utf8")).trim().split("\n").slice(-2);

describe("the GitHub Action", () => {
  test("validates the whole repository without inputs, in one run, and annotates the lines", async () => {
    const { log, code } = await validate({});
    expect(code).toBe(0);
    expect(await lastOutputs()).toEqual(["status=1", "sarif-file="]);
    expect(await readFile(join(folder, "runs"), "utf8")).toBe("run\n");
    expect(log).toContain("invalid_action");
    expect(log).toContain("::error file=policies/$(touch pwned) bad.json,line=1,endLine=1,col=");
    expect(log).toContain("1 file skipped");
    expect(await readFile(join(folder, "summary"), "utf8")).toContain("IAM policy validation");
    for (const name of ["pwned", "validator-mcp.sarif", "temp/validator-mcp/review"]) {
      await expect(readFile(join(folder, name))).rejects.toThrow("ENOENT");
    }
  }, 90_000);

  test("passes valid policies, and annotates nothing without annotations", async () => {
    const { log, code } = await validate({ paths: "fine", "policy-type": "identity" });
    expect([code, (await lastOutputs())[0]]).toEqual([0, "status=0"]);
    expect(log).toContain("1 policy, none fails");
    expect((await validate({ paths: "policies", annotations: "false" })).log).not.toContain(
      "::error",
    );
  }, 90_000);

  test("keeps a SARIF report only if it is asked for", async () => {
    await validate({ paths: "policies\nfine/good.json\n", "sarif-file": "own.sarif" });
    expect(await lastOutputs()).toEqual(["status=1", "sarif-file=own.sarif"]);
    const sarif = JSON.parse(await readFile(join(folder, "own.sarif"), "utf8"));
    expect(sarif.runs[0].artifacts).toHaveLength(3);
    await validate({ paths: "fine", upload: "true" });
    const [, file = ""] = /^sarif-file=(.+)$/.exec((await lastOutputs())[1] ?? "") ?? [];
    expect(JSON.parse(await readFile(file, "utf8")).runs).toHaveLength(1);
  }, 90_000);

  test("lets the findings of a baseline pass, and no others", async () => {
    const baseline = "known findings.json";
    const written = spawnSync(
      process.execPath,
      [cli, "validate", "--baseline", baseline, "--update-baseline", "policies"],
      { cwd: folder },
    );
    expect(written.status).toBe(0);
    const known = await validate({ paths: "policies", baseline });
    expect([known.code, (await lastOutputs())[0]]).toEqual([0, "status=0"]);
    expect(known.log).toContain("left out");
    expect(known.log).not.toContain("::error");
    await validate({ paths: "policies\ncommands", baseline });
    expect((await lastOutputs())[0]).toBe("status=1");
    expect((await validate({ paths: "policies", baseline: "none.json" })).code).toBe(2);
  }, 120_000);

  test.each([{ paths: "none" }, { paths: "fine", "fail-on": "loud" }, { paths: "--help" }])(
    "fails at once when it could not validate: %j",
    async (inputs) => {
      expect((await validate(inputs)).code).toBe(2);
    },
    90_000,
  );

  test.each([
    { paths: "commands", code: 0 },
    { paths: "commands\nnone", code: 2 },
  ])(
    "lets nothing it reads speak to the runner: $paths",
    async ({ paths, code }) => {
      const validated = await validate({ paths });
      expect(validated.code).toBe(code);
      const lines = validated.log.trimEnd().split("\n");
      const [, token = ""] = /^::stop-commands::([0-9a-f-]{36})$/.exec(lines[0] ?? "") ?? [];
      const resumed = lines.indexOf(`::${token}::`);
      expect(resumed).toBeGreaterThan(0);
      expect(lines.slice(1, resumed).join("\n")).not.toContain(token);
      const commands = lines.slice(resumed + 1);
      expect(commands).toHaveLength(code === 0 ? 2 : 0);
      for (const line of commands) {
        expect(line).toMatch(
          /^::(error|warning|notice) file=commands\/%3A%3Aerror%3A%3Aforged\.json,/,
        );
      }
    },
    90_000,
  );

  test("hands a review with suggestions to reviewdog", async () => {
    await validate({ paths: "policies", review: "true" });
    const posted = await step("Review", {}, { EVENT: "pull_request" });
    expect([posted.code, posted.log]).toEqual([0, ""]);
    const { diagnostics } = JSON.parse(await readFile(join(folder, "reviewed"), "utf8"));
    expect(diagnostics[0].location.path).toBe("policies/$(touch pwned) bad.json");
    expect(diagnostics[0].suggestions[0].text).toContain("e");
    const skipped = await step("Review", {}, { EVENT: "push" });
    expect([skipped.code, skipped.log]).toEqual([
      0,
      "No review: the event push belongs to no pull request.\n",
    ]);
  }, 90_000);

  test.each([
    {
      SAYS: "reviewdog: This GitHub Token doesn't have write permission of Review API [1],",
      STATUS: "0",
    },
    { SAYS: "::error::403 Resource not accessible by integration", STATUS: "1" },
  ])(
    "fails with the missing permission if the review was not posted: $SAYS",
    async (more) => {
      await validate({ paths: "policies", review: "true" });
      const { log, code } = await step("Review", {}, { EVENT: "pull_request", ...more });
      expect(code).toBe(1);
      const [first, stop] = log.split("\n");
      expect(first).toMatch(/^::error title=validator-mcp::.*pull-requests: write/);
      expect(stop).toMatch(/^::stop-commands::/);
    },
    90_000,
  );

  test("fails with the missing permission if the upload failed", async () => {
    const { runs } = await action();
    const [upload, said] = ["Upload", "Say why the upload failed"].map((name) =>
      runs.steps.find((one) => one.name === name),
    );
    expect(upload).toMatchObject({ "continue-on-error": true, if: "inputs.upload == 'true'" });
    expect(said?.if).toContain("steps.upload.outcome == 'failure'");
    const { log, code } = await step("Say why the upload failed", {});
    expect([code, log]).toEqual([1, expect.stringMatching(/^::error .*security-events: write/)]);
  });

  test("refuses a Node that is too old before it installs anything", async () => {
    const old = join(folder, "old");
    await mkdir(old, { recursive: true });
    const script = `#!/bin/sh\n[ "$1" = --version ] && echo v20.20.2 && exit\nexit 1\n`;
    await writeFile(join(old, "node"), script, { mode: 0o755 });
    const { runs } = await action();
    const install = runs.steps.find(({ name }) => name === "Install")?.run ?? "";
    const result = await promisify(execFile)("bash", ["-eo", "pipefail", "-c", install], {
      env: { PATH: `${old}:${process.env.PATH}` },
    }).catch((error: { code: number; stdout: string }) => error);
    expect(result).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(
        /^::error .*Node 22\.18 or newer is needed and the job has v20/,
      ),
    });
  });

  test("uses other actions by their commit only, and puts no input into a script", async () => {
    const { runs } = await action();
    for (const { uses, run } of runs.steps) {
      if (uses !== undefined) expect(uses).toMatch(/^[\w./-]+@[0-9a-f]{40}$/);
      expect(run ?? "").not.toContain("${{");
    }
  });
});

function hookOf(id: string) {
  return z.looseObject({
    id: z.literal(id),
    entry: z.string(),
    files: z.string(),
    language: z.literal("node"),
  });
}

describe("the pre-commit hooks", () => {
  const Hooks = z.tuple([hookOf("validate-iam-policies"), hookOf("fix-iam-policies")]);
  const hooks = async () =>
    Hooks.parse(parse(await readFile(join(root, ".pre-commit-hooks.yaml"), "utf8")));
  const run = async ({ entry }: { readonly entry: string }, cwd: string, files: string[]) => {
    const [name, ...args] = entry.split(" ");
    expect(name).toBe("validator-mcp");
    return (await command([...args, ...files], { cwd })).code;
  };

  test("take files that can hold policies", async () => {
    for (const { files } of await hooks()) {
      const pattern = new RegExp(files);
      const taken = [
        "policies/a.json",
        "iam/policy.yaml",
        "main.tf",
        "x.json.tftpl",
        "sam.template",
      ];
      const left = ["readme.md", "src/policy.ts", "policy.json.bak"];
      expect(taken.filter((path) => !pattern.test(path))).toEqual([]);
      expect(left.filter((path) => pattern.test(path))).toEqual([]);
    }
  });

  test("run a command line that exists, and pass over files that are not policies", async () => {
    for (const hook of await hooks()) {
      expect(await run(hook, folder, ["fine/good.json", "fine/package.json"])).toBe(0);
      const bad = ["fine/package.json", "policies/$(touch pwned) bad.json"];
      expect(await run(hook, folder, bad)).toBe(1);
    }
  });

  test("fix policies only where the author asks for it", async () => {
    const policy = (effect: string) =>
      `{ "Version": "2012-10-17", "Statement": [{ "Effect": "${effect}", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::reports/*" }] }\n`;
    const { folder: repository, remove: clean } = await folderWith({ "a.json": policy("allow") });
    const [validating, fixing] = await hooks();
    const content = () => readFile(join(repository, "a.json"), "utf8");
    expect(await run(validating, repository, ["a.json"])).toBe(1);
    expect(await content()).toBe(policy("allow"));
    expect(await run(fixing, repository, ["a.json"])).toBe(0);
    expect(await content()).toBe(policy("Allow"));
    await clean();
  });

  test("is built where npm packs the repository, and nowhere else", async () => {
    const script = join(root, "scripts/prepare.mjs");
    const { folder: clone, remove: clean } = await folderWith({
      "node_modules/rolldown/package.json": "{}",
      "package.json": '{ "scripts": { "build": "node -p 1+1 > built" } }',
    });
    const prepare = (env: Record<string, string>) =>
      promisify(execFile)(process.execPath, [script], {
        cwd: clone,
        env: { PATH: process.env.PATH, ...env },
      });
    await prepare({});
    await expect(readFile(join(clone, "built"))).rejects.toThrow("ENOENT");
    await prepare({ npm_package_resolved: clone });
    expect(await readFile(join(clone, "built"), "utf8")).toBe("2\n");
    await clean();
  });
});
