import { execFile, spawn } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { chmod, cp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cli } from "../support/cli-file.ts";
import { type DocBlock, docBlocks } from "../support/doc-blocks.ts";
import { folderWith } from "../support/local.ts";
import { type ServerProcess, startProcess } from "../support/process.ts";
import { readOnly } from "../support/rpc.ts";

const root = join(import.meta.dirname, "../..");

/**
 * Why a block of commands is not run, as its page says in `<!-- not run: … -->` before the block, and the command in
 * the block that makes it so. A block that could run must not have a reason. What needs Docker is run by
 * test/e2e/docs-commands.test.ts.
 */
const reasons: Readonly<Record<string, RegExp>> = {
  "needs Docker": /^ *docker /m,
  "needs a cluster": /^ *kubectl /m,
  "needs a package registry": /\bnpm (ci|install)\b/,
  "needs an AWS account": /^ *(sam|aws) |\$ENDPOINT/m,
  "needs an identity provider": /serve .*--auth github/,
  "needs a published image": /^ *cosign /m,
  "needs Claude Code": /^ *claude /m,
  "needs Terraform": /^ *terraform /m,
  "needs the function's container": /127\.0\.0\.1:9000/,
  "takes minutes": /\bnpm (test|run (bench|soak|fuzz|mutation))\b/,
};

const blocks = docBlocks();
const runnable = blocks.filter(({ reason }) => reason === null);
const nameOf = ({ page, line }: DocBlock) => `${page}:${line}`;

/** What the pages take for granted: a repository with policies and templates. */
const bucket = {
  Type: "AWS::S3::BucketPolicy",
  Properties: { Bucket: "b", PolicyDocument: readOnly },
};
const files = {
  "policy.json": JSON.stringify(readOnly),
  "old.json": JSON.stringify(readOnly),
  "new.json": JSON.stringify(readOnly),
  "request.json": JSON.stringify({
    principal: { type: "AWS", arn: "arn:aws:iam::111122223333:role/app" },
    action: "s3:GetObject",
    resource: "arn:aws:s3:::reports/a",
    context: {},
  }),
  "template.yaml": JSON.stringify({ Resources: { Policy: bucket } }),
  "old-template.yaml": JSON.stringify({ Resources: { Policy: bucket } }),
  "old/policy.json": JSON.stringify(readOnly),
  "new/policy.json": JSON.stringify(readOnly),
  "cdk.out/app.template.json": JSON.stringify({ Resources: { Policy: bucket } }),
  "plan.json": '{ "format_version": "1.2", "planned_values": { "root_module": {} } }',
  "main.tf": 'resource "aws_s3_bucket" "b" {}\n',
  "bin/validator-mcp": `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`,
  "bin/npx":
    '#!/bin/sh\ncase "$1" in validator-mcp) exec "$@" ;; *) echo "npx $1" >&2; exit 127 ;; esac\n',
};

let folder: string;
let remove: () => Promise<void>;
let server: ServerProcess;
beforeAll(async () => {
  ({ folder, remove } = await folderWith(files));
  for (const name of ["validator-mcp", "npx"]) await chmod(join(folder, "bin", name), 0o755);
  await cp(join(root, "examples"), join(folder, "examples"), { recursive: true });
  cpSync(join(root, "examples/policies"), join(folder, "policies"), { recursive: true });
  const git =
    "git init -q -b main . && git add -A && git -c user.name=t -c user.email=t@example.com commit -qm x";
  expect((await bash(git)).code).toBe(0);
  server = await startProcess({ flags: { config_source: join(root, "examples/config.yaml") } });
}, 120_000);
afterAll(async () => {
  await server?.stop();
  await remove?.();
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function bash(script: string): Promise<Ran> {
  const env = {
    PATH: [join(folder, "bin"), join(process.execPath, ".."), process.env.PATH].join(":"),
    HOME: folder,
    VALIDATOR_URL: server ? `${server.url}/mcp` : "",
  };
  return new Promise((resolve) => {
    const child = execFile(
      "bash",
      ["-c", script],
      { cwd: folder, env, timeout: 150_000 },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/**
 * Runs each command of a block. Exit status 1 is an answer (a policy is invalid, a comparison finds more); 2 and above
 * say that the command itself is wrong.
 */
function runBlock({ script }: DocBlock): Promise<Ran> {
  const trap =
    'status=$?; if [ "$status" -ge 2 ]; then echo "exit $status: $BASH_COMMAND" >&2; exit "$status"; fi';
  const text = script.replaceAll("http://127.0.0.1:8000", server.url);
  return bash(`set -o pipefail\ntrap '${trap.replaceAll("'", "'\\''")}' ERR\n${text}\ntrue`);
}

describe("the commands of the pages", () => {
  test("are found, and most of them run", () => {
    expect(blocks.length).toBeGreaterThan(20);
    expect(runnable.length).toBeGreaterThan(10);
  });

  test("are left out only for a known reason that is true of them", () => {
    const wrong = blocks.filter(
      ({ reason, script }) => reason !== null && !reasons[reason]?.test(script),
    );
    expect(wrong.map((block) => `${nameOf(block)}: ${block.reason}`)).toEqual([]);
  });

  test("that take minutes or a registry name scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const named = blocks.flatMap(({ script }) =>
      [...script.matchAll(/\bnpm (?:run )?([a-z:]+)/g)].map(([, name = ""]) => name),
    );
    const npmOwn = ["ci", "install"];
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !npmOwn.includes(name) && !Object.hasOwn(scripts, name))).toEqual(
      [],
    );
  });

  test("that start a login at GitHub do so as written", async () => {
    const block = blocks.find(({ reason }) => reason === "needs an identity provider");
    const script = (block?.script ?? "")
      .replace("<id>", "Ov23liAbCdEf")
      .replace("<secret>", "s3cr3t")
      .replace("<your organization>", "example")
      .replace("/etc/validator-mcp.yaml", join(root, "examples/config.yaml"))
      .replace("validator-mcp serve", "exec validator-mcp serve --port 0");
    const env = { PATH: `${join(folder, "bin")}:${process.env.PATH}`, HOME: folder };
    const child = spawn("bash", ["-c", script], { env, stdio: ["ignore", "ignore", "pipe"] });
    try {
      let log = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        log += text;
      });
      await expect.poll(() => log, { timeout: 60_000 }).toContain('"msg":"Ready."');
      const [, url = ""] = /"url":"([^"]+)\/mcp"/.exec(log) ?? [];
      const found = await fetch(`${url}/.well-known/oauth-authorization-server`);
      expect(await found.json()).toMatchObject({
        issuer: "https://validator.example.com",
        authorization_endpoint: "https://validator.example.com/oauth/authorize",
      });
    } finally {
      child.kill();
    }
  }, 90_000);

  test.each(runnable.map((block) => [nameOf(block), block] as const))(
    "%s",
    async (_, block) => {
      const { code, stderr, stdout } = await runBlock(block);
      expect([code, stderr.match(/^exit .*$/m)?.[0] ?? ""], stderr).toEqual([0, ""]);
      // Over HTTP a wrong call has exit status 0, too.
      if (block.script.includes("curl")) expect(JSON.parse(stdout)).toHaveProperty("result");
    },
    180_000,
  );

  test("a wrong command is noticed", async () => {
    const block = {
      page: "",
      line: 0,
      reason: null,
      script: "validator-mcp validate --no-such-option policies/\n",
    };
    const { code, stderr } = await runBlock(block);
    expect(code).toBe(2);
    expect(stderr).toContain("exit 2: validator-mcp validate --no-such-option policies/");
  }, 180_000);
});
