import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startLoginFront } from "../support/login/front.ts";
import type { LoginIssuer } from "../support/login/issuer.ts";
import { allowAndSignIn } from "../support/login/person.ts";
import type { Target } from "../support/target.ts";

// Clients that people have, from the address of the server alone to a tool, and through a refresh. They are
// installed into a folder of the test, or into LOGIN_CLIENTS_DIR, which keeps them between runs.
const fromNpm = ["@modelcontextprotocol/inspector@2.12.0", "mcp-remote@0.15.1", "mcporter@0.12.3"];
const fromPypi = ["mcp==2.3.0", "fastmcp==4.1.2"];

const run = promisify(execFile);
const kept = process.env.LOGIN_CLIENTS_DIR;
let home: string;
let clients: string;
let base: string;
let issuer: LoginIssuer;
let front: Target;
let person: Server;
/** Redirects that the person's browser has been sent to. */
const redirects: URL[] = [];
/** Why a client could not be had, by the name of its registry. */
const missing = new Map<"npm" | "PyPI", string>();

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
};
const succeeds = (command: Promise<unknown>): Promise<boolean> =>
  command.then(
    () => true,
    () => false,
  );
const inNpm = (name: string) => join(clients, "npm/node_modules/.bin", name);
const python = () => join(clients, "python/bin/python");

async function install(): Promise<void> {
  const npm = join(clients, "npm");
  await mkdir(npm, { recursive: true });
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  const npmInstall = async () => {
    await writeFile(join(npm, "package.json"), "{}");
    await run("npm", ["install", "--prefix", npm, ...options, ...fromNpm]);
  };
  const pip = async () => {
    if (!(await succeeds(run(python(), ["--version"])))) {
      await run("python3", ["-m", "venv", join(clients, "python")]);
    }
    await run(python(), ["-m", "pip", "install", "--quiet", ...fromPypi]);
  };
  await Promise.all([
    npmInstall().catch((error: Error) => missing.set("npm", error.message)),
    pip().catch((error: Error) => missing.set("PyPI", error.message)),
  ]);
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "login-clients-"));
  clients = kept ?? join(home, "clients");
  await install();

  ({ base, issuer, front } = await startLoginFront());

  // In place of the browser that a client opens.
  person = createServer((request, response) => {
    const address = new URL(request.url ?? "/", base).searchParams.get("address") ?? "";
    response.end();
    allowAndSignIn(new URL(address), base)
      .then(async (redirect) => {
        redirects.push(redirect);
        // FastMCP opens the browser before it listens; a person is slower than that.
        for (
          let triesLeft = 100;
          !(await succeeds(fetch(redirect))) && triesLeft > 0;
          triesLeft--
        ) {
          await setTimeout(100);
        }
      })
      .catch((error: unknown) => front.log.push(`The person cannot log in: ${error}`));
  });
  const browser = `http://127.0.0.1:${await listen(person)}/?address=`;
  const script = `#!/bin/sh\nexec "${process.execPath}" -e 'fetch("${browser}" + encodeURIComponent(process.argv[1]))' "$1"\n`;
  await mkdir(join(home, "bin"));
  await writeFile(join(home, "bin/xdg-open"), script, { mode: 0o755 });
}, 600_000);
afterAll(async () => {
  person?.close();
  await front?.stop();
  await issuer?.[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

const environment = (): Record<string, string> => ({
  PATH: [join(home, "bin"), dirname(process.execPath), process.env.PATH].join(delimiter),
  HOME: home,
  BROWSER: join(home, "bin/xdg-open"),
  MCP_AUTO_OPEN_ENABLED: "true",
});

/** Runs a client to its end. @returns what it wrote. */
async function start(command: string, ...args: string[]): Promise<string> {
  const running = run(command, args, { env: environment(), cwd: home, timeout: 100_000 });
  // Some clients read what is piped to them.
  running.child.stdin?.end();
  const failed = (error: Error & { stderr?: string }) => {
    throw new Error(`${error.message}\n${error.stderr}\n${front.log.text}`);
  };
  return (await running.catch(failed)).stdout;
}

/** Makes the access tokens in the files that clients keep invalid, as those are that have ended. */
async function endTokens(): Promise<void> {
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !entry.name.endsWith(".json") || file.startsWith(clients)) continue;
    const text = await readFile(file, "utf8");
    const ended = text
      .replace(/("access_token":\s*"[\w-]+\.[\w-]+\.)[\w-]{8}/g, "$1AAAAAAAA")
      .replace(/("expires_at":\s*)\d+/g, "$11");
    if (ended !== text) await writeFile(file, ended);
  }
}

const refreshes = () => front.log.all.filter((line) => line.includes('"event":"refresh"')).length;

test("MCP Inspector CLI calls a tool", async ({ skip }) => {
  skip(missing.has("npm"), missing.get("npm"));
  const before = redirects.length;
  const target = [`${base}/mcp`, "--transport", "http", "--method", "tools/call"];
  const args = ["--cli", ...target, "--tool-name", "describe_checks"];
  const output = await start(inNpm("mcp-inspector"), ...args);
  expect(JSON.parse(output)).toMatchObject({ isError: false });
  // It keeps tokens in the keyring of the system only, so a second run without one logs in again.
  expect(redirects.length).toBe(before + 1);
});

test("mcporter calls a tool, and refreshes", async ({ skip }) => {
  skip(missing.has("npm"), missing.get("npm"));
  const before = [redirects.length, refreshes()] as const;
  const server = {
    url: `${base}/mcp`,
    allowHttp: true,
    auth: "oauth",
    oauthRedirectUrl: "http://127.0.0.1:33420/callback",
  };
  const config = join(home, "mcporter-config.json");
  await writeFile(config, JSON.stringify({ mcpServers: { validator: server } }));
  const call = () =>
    start(inNpm("mcporter"), "--config", config, "call", "validator.describe_checks");
  expect(await call()).toContain("wildcard_resource");
  await endTokens();
  expect(await call()).toContain("wildcard_resource");
  expect([redirects.length, refreshes()]).toEqual([before[0] + 1, before[1] + 1]);
});

test("mcp-remote calls a tool, and refreshes", async ({ skip }) => {
  skip(missing.has("npm"), missing.get("npm"));
  const before = [redirects.length, refreshes()] as const;
  const transport = new StdioClientTransport({
    command: inNpm("mcp-remote"),
    args: [`${base}/mcp`, "33421", "--allow-http"],
    env: environment(),
    stderr: "ignore",
  });
  const client = new Client({ name: "login-clients", version: "1" });
  await client.connect(transport, { timeout: 100_000 });
  try {
    const call = () => client.callTool({ name: "describe_checks", arguments: {} });
    expect((await call()).isError).not.toBe(true);
    await endTokens();
    expect((await call()).isError).not.toBe(true);
  } finally {
    await client.close();
  }
  expect([redirects.length, refreshes()]).toEqual([before[0] + 1, before[1] + 1]);
});

test.for(["mcp", "fastmcp"])("Python's %s calls a tool, and refreshes", async (name, { skip }) => {
  skip(missing.has("PyPI"), missing.get("PyPI"));
  const before = [redirects.length, refreshes()] as const;
  const output = await start(python(), join(import.meta.dirname, "client.py"), name, `${base}/mcp`);
  expect(output).toBe("called\ncalled after the end of the token\n");
  expect([redirects.length, refreshes()]).toEqual([before[0] + 1, before[1] + 1]);
});
