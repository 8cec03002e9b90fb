import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { command, folderWith } from "../support/local.ts";
import { readOnly } from "../support/rpc.ts";

const root = new URL("../../", import.meta.url).pathname;
const bad = '{"Statement": {"Effect": "Allow", "Action": "s3:GetObjct", "Resource": "*"}}';

const Action = z.looseObject({
  inputs: z.record(z.string(), z.looseObject({ default: z.string() })),
  runs: z.looseObject({
    steps: z.array(
      z.looseObject({
        id: z.string().optional(),
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
    output: "",
    summary: "",
  }));
});
afterAll(() => remove());

async function action() {
  return Action.parse(parse(await readFile(join(root, "action.yml"), "utf8")));
}

/** Runs the step that validates, as a runner does: bash, with the inputs filled in. */
async function validate(inputs: Record<string, string>) {
  const { inputs: declared, runs } = await action();
  const step = runs.steps.find(({ id }) => id === "validate");
  const env = Object.entries(step?.env ?? {}).map(([name, expression]) => {
    const [, input = ""] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression) ?? [];
    expect(declared).toHaveProperty([input]);
    return [name, inputs[input] ?? declared[input]?.default ?? ""];
  });
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step?.run ?? ""], {
    cwd: folder,
    env: {
      PATH: `${join(process.execPath, "..")}:${process.env.PATH}`,
      HOME: folder,
      GITHUB_ACTION_PATH: root,
      GITHUB_OUTPUT: join(folder, "output"),
      GITHUB_STEP_SUMMARY: join(folder, "summary"),
      ...Object.fromEntries(env),
    },
  });
  const [log, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  return { log, code };
}

const lastOutput = async () =>
  (await readFile(join(folder, "output"), "utf8")).trim().split("\n").at(-1);

describe("the GitHub Action", () => {
  test("validates, writes the report and the summary, and leaves the verdict for after the upload", async () => {
    const { log, code } = await validate({ paths: "policies\nfine/good.json\n" });
    expect(code).toBe(0);
    expect(await lastOutput()).toBe("status=1");
    expect(log).toContain("invalid_action");
    const sarif = JSON.parse(await readFile(join(folder, "validator-mcp.sarif"), "utf8"));
    expect(sarif.runs[0].artifacts).toHaveLength(3);
    expect(await readFile(join(folder, "summary"), "utf8")).toContain("IAM policy validation");
    await expect(readFile(join(folder, "pwned"))).rejects.toThrow("ENOENT");
  }, 60_000);

  test("passes valid policies", async () => {
    expect((await validate({ paths: "fine", "policy-type": "identity" })).code).toBe(0);
    expect(await lastOutput()).toBe("status=0");
  }, 60_000);

  test.each([{ paths: "none" }, { paths: "fine", "fail-on": "loud" }, { paths: "--help" }])(
    "fails at once when it could not validate: %j",
    async (inputs) => {
      expect((await validate(inputs)).code).toBe(2);
    },
    60_000,
  );

  test.each([
    { paths: "commands", code: 0 },
    { paths: "commands\nnone", code: 2 },
  ])(
    "lets nothing it reads speak to the runner: $paths",
    async ({ paths, code }) => {
      const judged = await validate({ paths });
      expect(judged.code).toBe(code);
      const lines = judged.log.trimEnd().split("\n");
      const [, token] = /^::stop-commands::([0-9a-f-]{36})$/.exec(lines[0] ?? "") ?? [];
      expect(lines.at(-1)).toBe(`::${token}::`);
      expect(lines.slice(1, -1).join("\n")).not.toContain(token);
    },
    60_000,
  );

  test("uses other actions by their commit only, and puts no input into a script", async () => {
    const { runs } = await action();
    for (const { uses, run } of runs.steps) {
      if (uses !== undefined) expect(uses).toMatch(/^[\w./-]+@[0-9a-f]{40}$/);
      expect(run ?? "").not.toContain("${{");
    }
  });
});

describe("the pre-commit hook", () => {
  const Hooks = z.array(z.looseObject({ entry: z.string(), files: z.string() }));

  test("takes files that are named as policies", async () => {
    const [hook] = Hooks.parse(parse(await readFile(join(root, ".pre-commit-hooks.yaml"), "utf8")));
    const files = new RegExp(hook?.files ?? "");
    const taken = [
      "policies/a.json",
      "iam/policy.yaml",
      "x/bucket-policy.yml",
      "policies/x/y.json",
    ];
    const left = ["package.json", "policies/readme.md", "src/polic.json"];
    expect(taken.filter((path) => !files.test(path))).toEqual([]);
    expect(left.filter((path) => files.test(path))).toEqual([]);
  });

  test("runs a command line that exists", async () => {
    const [hook] = Hooks.parse(parse(await readFile(join(root, ".pre-commit-hooks.yaml"), "utf8")));
    const [name, ...args] = (hook?.entry ?? "").split(" ");
    expect(name).toBe("validator-mcp");
    expect((await command([...args, "fine/good.json"], { cwd: folder })).code).toBe(0);
    const file = "policies/$(touch pwned) bad.json";
    expect((await command([...args, file], { cwd: folder })).code).toBe(1);
  });
});
