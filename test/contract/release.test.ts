import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const root = join(import.meta.dirname, "../..");
const read = (name: string) => readFile(join(root, name), "utf8");
const json = async (name: string) => JSON.parse(await read(name));
const repository = "https://github.com/validator-mcp/validator-mcp";

/**
 * The rules of the MCP registry's schema of 2025-12-11 for what our file uses, and those that the registry adds for
 * packages of npm.
 * @see https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json
 * @see https://modelcontextprotocol.io/registry/package-types
 */
const ServerJson = z.strictObject({
  $schema: z.literal(
    "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  ),
  name: z
    .string()
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    .min(3)
    .max(200),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
    .max(255),
  websiteUrl: z.url(),
  repository: z.strictObject({ url: z.url(), source: z.literal("github") }),
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal("npm"),
      identifier: z.string(),
      version: z.string(),
      runtimeHint: z.literal("npx"),
      transport: z.strictObject({ type: z.literal("stdio") }),
      packageArguments: z.array(
        z.strictObject({
          type: z.literal("named"),
          name: z.string().regex(/^--/),
          description: z.string(),
          format: z.enum(["string", "number", "boolean", "filepath"]),
        }),
      ),
    }),
  ]),
});

describe("the metadata of a release", () => {
  test("package.json names the repository as npm's provenance compares it", async () => {
    const { repository: given, homepage, bugs, author } = await json("package.json");
    // npm rejects a publication with provenance if this is not the repository of the workflow.
    expect(given).toEqual({ type: "git", url: `git+${repository}.git` });
    expect([homepage, bugs]).toEqual([`${repository}#readme`, `${repository}/issues`]);
    expect(author).toBeTruthy();
  });

  test("server.json fits the MCP registry and the package", async () => {
    const { name, version, mcpName } = await json("package.json");
    const server = ServerJson.parse(await json("server.json"));
    // The registry reads mcpName from the published package.
    expect(server.name).toBe(mcpName);
    expect(server.version).toBe(version);
    expect(server.packages[0]).toMatchObject({ identifier: name, version });
    expect(server.repository.url).toBe(repository);
  });

  test("every other place has the version of the package", async () => {
    const { version } = await json("package.json");
    expect((await json("plugin/.claude-plugin/plugin.json")).version).toBe(version);
    for (const file of ["README.md", "docs/local.md", "plugin/.mcp.json"]) {
      const found = [...(await read(file)).matchAll(/validator-mcp@(\d[\w.-]*)/g)];
      for (const [, named] of found) expect([file, named]).toEqual([file, version]);
    }
  });

  test("both images name source, page and documentation", async () => {
    const stages = (await read("Dockerfile"))
      .split(/^FROM /m)
      .filter((stage) => /AS (lambda|container)/.test(stage));
    expect(stages).toHaveLength(2);
    for (const stage of stages) {
      for (const label of ["source", "url"]) {
        expect(stage).toContain(`org.opencontainers.image.${label}="${repository}"`);
      }
      const [, page = ""] = /image\.documentation="[^"]*\/blob\/main\/([^"]+)"/.exec(stage) ?? [];
      expect((await read(page)).length).toBeGreaterThan(100);
    }
  });
});

describe("the release workflow", () => {
  const Job = z.looseObject({
    needs: z.union([z.string(), z.array(z.string())]).default([]),
    steps: z.array(
      z.looseObject({ run: z.string().optional(), with: z.looseObject({}).optional() }),
    ),
  });
  const jobs = async () =>
    z
      .looseObject({ jobs: z.record(z.string(), Job) })
      .parse(parse(await read(".github/workflows/release.yml"))).jobs;

  test("names images only when the package is published, and publishes it only when they are pushed", async () => {
    const { npm, tag, image, registry } = await jobs();
    expect(npm?.needs).toContain("image");
    expect(tag?.needs).toEqual(["image", "npm"]);
    expect(registry?.needs).toBe("npm");
    const outputs = image?.steps.flatMap((step) => step.with?.outputs ?? []) ?? [];
    expect(outputs).toEqual([expect.stringContaining("push-by-digest=true")]);
    expect(image?.steps.some((step) => step.with?.tags !== undefined)).toBe(false);
  });

  test("restores no cache that another run could have written", async () => {
    const text = (await read(".github/workflows/release.yml")).replaceAll(/^ *#.*$/gm, "");
    for (const step of text.split(/^ +- /m)) {
      if (step.startsWith("uses: actions/setup-node"))
        expect(step).toContain("package-manager-cache: false");
      if (step.startsWith("uses: docker/setup-buildx"))
        expect(step).toContain("cache-binary: false");
    }
    expect(text).not.toMatch(/(?<!package-manager-)cache: |cache-from|actions\/cache/);
  });
});

describe("install links of the README", () => {
  const command = { command: "npx", args: ["--yes", "validator-mcp@0.1.0"] };

  test("VS Code: the config is URL-encoded JSON", async () => {
    const [link = ""] =
      /https:\/\/insiders\.vscode\.dev\/redirect\/mcp\/install\?[^)\s]+/.exec(
        await read("README.md"),
      ) ?? [];
    const { searchParams } = new URL(link);
    expect(searchParams.get("name")).toBe("iam-validator");
    expect(JSON.parse(searchParams.get("config") ?? "")).toEqual({
      type: "stdio",
      command: "npx",
      args: [...command.args, "--root", "${workspaceFolder}"],
    });
  });

  test("Cursor: the config is base64 of JSON, URL-encoded", async () => {
    const [link = ""] =
      /https:\/\/cursor\.com\/en\/install-mcp\?[^)\s]+/.exec(await read("README.md")) ?? [];
    const { searchParams } = new URL(link);
    expect(searchParams.get("name")).toBe("iam-validator");
    expect(JSON.parse(Buffer.from(searchParams.get("config") ?? "", "base64").toString())).toEqual(
      command,
    );
    expect(/config=(.*)$/.exec(link)?.[1]).toMatch(/^[A-Za-z0-9%]+$/);
  });
});

describe("the Claude Code plugin", () => {
  test("is listed by the marketplace of the repository and starts this package", async () => {
    const { plugins, owner } = await json(".claude-plugin/marketplace.json");
    expect(owner.name).toBeTruthy();
    const { name, version } = await json("plugin/.claude-plugin/plugin.json");
    expect(plugins).toMatchObject([{ name, source: "./plugin" }]);
    const { mcpServers } = await json("plugin/.mcp.json");
    expect(mcpServers["iam-validator"].args).toEqual(["--yes", `validator-mcp@${version}`]);
  });

  test("has a skill of one page that says the same as the snippet for other agents", async () => {
    const skill = await read("plugin/skills/validate-iam-policies/SKILL.md");
    const [, head = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(skill) ?? [];
    const data = parse(head);
    const Skill = z.strictObject({
      name: z.literal("validate-iam-policies"),
      description: z.string().min(50).max(1024),
    });
    expect(Skill.safeParse(data).error).toBeUndefined();
    expect(body.split("\n").length).toBeLessThan(60);
    const rules = body.slice(body.indexOf("Validate every IAM policy"));
    expect(await read("docs/agents.md")).toContain(rules);
  });

  test("names only tools and effects that exist", async () => {
    const text = await read("plugin/skills/validate-iam-policies/SKILL.md");
    const schema = await read("spec/schemas/validate_policies.input.json");
    for (const word of ["equivalent", "repairs", "narrows", "changes"]) {
      expect(text).toContain(`\`${word}\``);
      expect(schema).toContain(`"${word}"`);
    }
  });
});
