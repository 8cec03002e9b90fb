import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { cli } from "../support/cli-file.ts";
import { clientKinds } from "../support/clients.ts";
import { callLocal, command, connectLocal, folderWith } from "../support/local.ts";
import { readOnly } from "../support/rpc.ts";

const page = await readFile(new URL("../../docs/local.md", import.meta.url), "utf8");

const Server = z.strictObject({
  type: z.literal("stdio").optional(),
  command: z.string(),
  args: z.array(z.string()).default([]),
});
const Config = z.union([
  z.strictObject({ mcpServers: z.record(z.string(), Server) }),
  z.strictObject({ servers: z.record(z.string(), Server) }),
]);

/** Every client's config on the page, by the client's name in bold before it. */
const documented = [...page.matchAll(/\*\*([\w ]+)\*\*[^*]*?```json\n([\s\S]*?)```/g)].map(
  ([, client = "", json = ""]): [string, z.infer<typeof Server>] => {
    const config = Config.parse(JSON.parse(json));
    const servers = "servers" in config ? config.servers : config.mcpServers;
    const [server] = Object.values(servers);
    if (!server) throw new Error(`The config of ${client} has no server.`);
    return [client, server];
  },
);

let folder: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ folder, remove } = await folderWith({
    "policy.json": JSON.stringify(readOnly),
    // What an installation puts on the path.
    "bin/validator-mcp": `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`,
  }));
  await chmod(join(folder, "bin/validator-mcp"), 0o755);
});
afterAll(() => remove());

async function validateAs({ command: name, args }: z.infer<typeof Server>, cwd: string) {
  const client = await connectLocal("SDK 2 on 2025-11-25", {
    command: name,
    args: args.map((arg) => arg.replace(/\$\{workspaceFolder\}|\/path\/to\/policies/, folder)),
    cwd,
    env: { PATH: `${join(folder, "bin")}:${process.env.PATH}` },
  });
  const { tools } = await client.listTools();
  const { output } = await callLocal(client, "validate_policies", { path: "policy.json" });
  await client.close();
  return { tools: tools.length, results: output.results };
}

describe("the configs on the page", () => {
  test("are those of four clients", () => {
    expect(documented.map(([client]) => client)).toEqual([
      "Claude Code",
      "Claude Desktop",
      "VS Code",
      "Cursor",
    ]);
  });

  test.each(documented)(
    "%s: starts, lists its tools and reads a policy",
    async (client, server) => {
      // Claude Code starts servers in the project, the others wherever.
      const { tools, results } = await validateAs(server, client === "Claude Code" ? folder : "/");
      expect(tools).toBe(6);
      expect(results).toMatchObject([{ file: "policy.json", is_valid: true }]);
    },
  );

  test("the command line for Claude Code says the same as its file", () => {
    const [, line = ""] = /`claude mcp add iam-validator -- ([^`]+)`/.exec(page) ?? [];
    const [, server] = documented[0] ?? [];
    expect(line).toBe([server?.command, ...(server?.args ?? [])].join(" "));
  });

  test.each(clientKinds)("from a checkout: node and the script, %s", async (kind) => {
    const client = await connectLocal(kind, { command: process.execPath, args: [cli] });
    expect((await client.listTools()).tools).toHaveLength(6);
    await client.close();
  });
});

describe("the first use on the page", () => {
  test("goes as it is told there", async () => {
    const policies = new URL("../../examples/policies/", import.meta.url).pathname;
    const { folder: project, remove: clean } = await folderWith({
      "policies/ci-deploy.json": await readFile(join(policies, "ci-deploy.json"), "utf8"),
      "policies/read-reports.json": await readFile(join(policies, "read-reports.json"), "utf8"),
    });
    const [, transcript = ""] = /```console\n([\s\S]*?)```/.exec(page) ?? [];
    const told = transcript.split("\n").filter((line) => line !== "" && !/^\$|^ +…/.test(line));
    const { stdout, code } = await command(["validate", "policies"], { cwd: project });
    const query = await command(["query", "action_details", "iam:PassRole"], { cwd: project });
    await clean();
    expect(code).toBe(1);
    const shown = [...stdout.split("\n"), ...query.stdout.split("\n"), "1"];
    const missing = told.filter(
      (line) => !line.startsWith("validator-mcp: config: ") && !shown.includes(line),
    );
    expect(missing).toEqual([]);
  });
});
