import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type DocBlock, docBlocks } from "../support/doc-blocks.ts";
import { freePort } from "../support/free-port.ts";
import { containerImage } from "../support/images.ts";
import { folderWith } from "../support/local.ts";

const noEngine = inject("noEngine");
const root = join(import.meta.dirname, "../..");
const blocks = docBlocks();

function blockOf(page: string, reason: string | null, word: string): DocBlock {
  const found = blocks.find(
    (block) => block.page === page && block.reason === reason && block.script.includes(word),
  );
  if (!found) throw new Error(`${page} has no block with ${word}`);
  return found;
}

describe.skipIf(noEngine !== null)("the commands of the pages that need Docker", () => {
  let folder: string;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    ({ folder, remove } = await folderWith({}));
    cpSync(join(root, "examples/policies"), join(folder, "policies"), { recursive: true });
  });
  afterAll(() => remove());

  const run = (script: string) => promisify(execFile)("bash", ["-ec", script], { cwd: folder });
  const start = (script: string): ChildProcess =>
    spawn("bash", ["-ec", script], { cwd: folder, stdio: "ignore", detached: true });
  /** The build takes the checkout, and the port is one that is free. */
  const here = (script: string, port: string, free: number) =>
    script
      .replace(/^(docker build .*) \.$/m, `$1 '${root}'`)
      .replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${free}`);

  test.each([
    ["docs/deploy-container.md", "8000", null],
    ["docs/deploy-lambda.md", "9000", "needs the function's container"],
  ] as const)(
    "%s builds, starts and is asked",
    async (page, port, reason) => {
      const free = await freePort();
      const server = start(here(blockOf(page, "needs Docker", "docker run").script, port, free));
      try {
        const asked = here(blockOf(page, reason, `127.0.0.1:${port}`).script, port, free);
        const answer = async () => {
          const { stdout } = await run(asked).catch(() => ({ stdout: "{}" }));
          return JSON.parse(stdout === "" ? "{}" : stdout);
        };
        const wanted = page.includes("lambda") ? { statusCode: 200 } : { result: {} };
        await expect.poll(answer, { timeout: 250_000, interval: 1_000 }).toMatchObject(wanted);
      } finally {
        const ended = once(server, "exit");
        if (server.pid) process.kill(-server.pid, "SIGTERM");
        await ended;
      }
    },
    300_000,
  );

  test("docs/ci.md validates a mounted folder without a network", async () => {
    const { script } = blockOf("docs/ci.md", "needs Docker", "docker run");
    const local = script.replace(/ghcr\.io\/\S+/, containerImage);
    expect(local).not.toBe(script);
    const ended = await run(local).catch((error: { code: number; stdout: string }) => error);
    expect(ended).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("3 policies, 2 failing"),
    });
  });
});
