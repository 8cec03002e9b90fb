import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StartupErrorKind } from "../../spec/errors.ts";
import { cli } from "../support/cli-file.ts";

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the real command in a separate folder, with no environment but what is given. */
function run(args: readonly string[], environment: Record<string, string> = {}, cwd = folder) {
  return new Promise<Ended>((resolve) => {
    const env = { PATH: process.env.PATH ?? "", HOME: folder, ...environment };
    const child = execFile(
      process.execPath,
      [cli, ...args],
      { cwd, env, timeout: 20_000 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

let folder: string;
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "startup-"));
  await writeFile(file("good.yaml"), "settings: {}\n");
  await writeFile(file("validator-mcp.yaml"), "settings: {}\n");
  await writeFile(file("not-yaml.yaml"), "settings: [1,\n");
  await writeFile(file("endless.yaml"), "settings: &all { more: [*all] }\n");
  await writeFile(
    file("wrong.yaml"),
    "settings:\n  fail_on_severity: [dreadful]\nwildcard_acton:\n  enabled: true\n",
  );
  await writeFile(
    file("custom.yaml"),
    "custom_checks:\n  - module: ./missing.mjs\n  - severity: low\n",
  );
  await mkdir(file("broken-checks"));
  await writeFile(file("broken-checks/broken.mjs"), "export const = ;\n");
  await writeFile(file("tokens.json"), '{"s3cr3t-value": {"scopes": []}}');
  await writeFile(file("a-file"), "");
  await mkdir(file("no-list"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const hosted = (...more: string[]) => ["--mode", "hosted", "--port", "0", ...more];
const good = () => ["--config", file("good.yaml")];

interface Row {
  readonly name: string;
  readonly args: () => string[];
  readonly environment?: () => Record<string, string>;
  readonly says: RegExp;
  readonly code?: number;
  readonly lines?: number;
}

/** Rows by the kind of error they provoke; kinds of other suites say where. */
const rows: Partial<Record<StartupErrorKind, readonly Row[]>> = {
  auth_not_explicit: [
    { name: "nothing said about it", args: () => hosted(...good()), says: /--auth none/ },
    {
      name: "a blank variable is not an explicit choice",
      args: () => hosted(...good()),
      environment: () => ({ VALIDATOR_MCP_AUTH: " " }),
      says: /--auth none/,
    },
  ],
  config_required: [
    {
      name: "though a config lies in the working directory",
      args: () => hosted("--auth", "none"),
      says: /explicit config file.*--config/,
    },
  ],
  config_missing: [
    {
      name: "no such file",
      args: () => hosted("--auth", "none", "--config", file("none.yaml")),
      says: /none\.yaml does not exist/,
    },
  ],
  config_unreadable: [
    {
      name: "not YAML",
      args: () => hosted("--auth", "none", "--config", file("not-yaml.yaml")),
      says: /not-yaml\.yaml is not valid YAML: line \d+/,
    },
    {
      name: "an alias within its own anchor",
      args: () => hosted("--auth", "none", "--config", file("endless.yaml")),
      says: /endless\.yaml cannot be read: an alias refers to a value that contains it/,
    },
    {
      name: "a device, which has no end",
      args: () => hosted("--auth", "none", "--config", "/dev/zero"),
      says: /cannot be read: it is not a regular file/,
    },
    {
      name: "a directory",
      args: () => hosted("--auth", "none", "--config", folder),
      says: /cannot be read: it is a directory/,
    },
  ],
  config_invalid: [
    {
      name: "every fault with its line",
      args: () => hosted("--auth", "none", "--config", file("wrong.yaml")),
      says: /wrong\.yaml is not valid:\n {2}line 2: settings\.fail_on_severity\.0: .*\n {2}line 3: wildcard_acton: .*wildcard_action\?/,
      lines: 3,
    },
  ],
  custom_check: [
    {
      name: "modules of the config",
      args: () => hosted("--auth", "none", "--config", file("custom.yaml")),
      says: /\.\/missing\.mjs: .*; custom_checks\[1\]\.module/,
    },
    {
      name: "files of the directory",
      args: () => hosted("--auth", "none", ...good(), "--custom-checks-dir", file("broken-checks")),
      says: /broken\.mjs/,
    },
  ],
  cache_directory: [
    {
      name: "a folder inside a file",
      args: () => hosted("--auth", "none", ...good(), "--cache-directory", file("a-file/inside")),
      says: /a-file\/inside is not writable/,
    },
    {
      name: "where the system can hold no folder",
      args: () => hosted("--auth", "none", ...good(), "--cache-directory", "/proc/cache"),
      says: /\/proc\/cache is not writable/,
    },
  ],
  aws_services_dir: [
    {
      name: "missing",
      args: () => hosted("--auth", "none", ...good(), "--aws-services-dir", file("nowhere")),
      says: /nowhere/,
    },
    {
      name: "without its list",
      args: () => hosted("--auth", "none", ...good(), "--aws-services-dir", file("no-list")),
      says: /no-list/,
    },
  ],
  config_is_url: [
    "https://user:s3cr3t@example.com/c.yaml?signature=s3cr3t",
    " S3://bucket/c.yaml",
    "file:/etc/c.yaml",
  ].map((url) => ({
    name: url,
    args: () => hosted("--auth", "none", "--config", url),
    says: /not a URL \((?:https|S3|file):…\)\.$/m,
  })),
  instructions_conflict: [
    {
      name: "text and file at once",
      args: () =>
        hosted("--auth", "none", ...good(), "--instructions", "a", "--instructions-file", "b"),
      says: /--instructions .*--instructions-file/,
    },
  ],
  invalid_setting: [
    {
      name: "a number",
      args: () => hosted("--auth", "none", ...good(), "--max-policies", "0"),
      says: /--max-policies/,
    },
    {
      name: "a choice given by variable",
      args: () => hosted("--auth", "none", ...good()),
      environment: () => ({ VALIDATOR_MCP_PROFILE: "everything" }),
      says: /VALIDATOR_MCP_PROFILE/,
    },
    {
      name: "a transport that was removed",
      args: () => hosted("--auth", "none", ...good(), "--transport", "sse"),
      says: /removed.*http/,
    },
  ],
  unknown_auth: [
    {
      name: "an unknown way",
      args: () => hosted("--auth", "kerberos", ...good()),
      says: /kerberos/,
    },
  ],
  auth_token: [
    {
      name: "no source",
      args: () => hosted("--auth", "token", ...good()),
      says: /VALIDATOR_MCP_AUTH_TOKEN_FILE.*VALIDATOR_MCP_AUTH_TOKENS/,
    },
    {
      name: "an entry without client_id is named by fingerprint",
      args: () => hosted("--auth", "token", ...good()),
      environment: () => ({ VALIDATOR_MCP_AUTH_TOKEN_FILE: file("tokens.json") }),
      says: /client_id.*[0-9a-f]{8}|[0-9a-f]{8}.*client_id/,
    },
  ],
  auth_jwt: [
    {
      name: "no issuer",
      args: () => hosted("--auth", "jwt", ...good()),
      says: /VALIDATOR_MCP_AUTH_JWT_ISSUER/,
    },
  ],
  auth_provider: [
    {
      name: "github without a client id",
      args: () => hosted("--auth", "github", ...good()),
      says: /VALIDATOR_MCP_AUTH_GITHUB_CLIENT_ID/,
    },
    {
      name: "azure with OIDC scopes only",
      args: () => hosted("--auth", "azure", ...good()),
      environment: () => ({
        VALIDATOR_MCP_AUTH_AZURE_CLIENT_ID: "app",
        VALIDATOR_MCP_AUTH_AZURE_TENANT_ID: "tenant",
        VALIDATOR_MCP_AUTH_REQUIRED_SCOPES: "openid,profile",
      }),
      says: /non-OIDC/,
    },
  ],
  gateway_outside_function: [
    {
      name: "in a separate process",
      args: () => hosted("--auth", "gateway", ...good()),
      says: /serverless/,
    },
  ],
  auth0_discovery: [
    {
      name: "no server there",
      args: () => hosted("--auth", "auth0", ...good()),
      environment: () => ({
        VALIDATOR_MCP_AUTH_AUTH0_CONFIG_URL: "http://127.0.0.1:9/.well-known/openid-configuration",
        VALIDATOR_MCP_AUTH_AUTH0_CLIENT_ID: "app",
        VALIDATOR_MCP_AUTH_AUTH0_CLIENT_SECRET: "s3cr3t-value",
        VALIDATOR_MCP_AUTH_AUTH0_AUDIENCE: "aud",
      }),
      says: /http:\/\/127\.0\.0\.1:9\/\.well-known/,
    },
  ],
  instructions_file: [
    {
      name: "no such file",
      args: () => hosted("--auth", "none", ...good(), "--instructions-file", file("none.md")),
      says: /none\.md cannot be read/,
    },
  ],
  secret_in_flag: [
    {
      name: "a flag and its value",
      args: () => hosted("--auth-tokens", "s3cr3t-value", ...good()),
      says: /--auth-tokens.*VALIDATOR_MCP_AUTH_/,
    },
    {
      name: "joined by an equals sign",
      args: () => hosted("--auth-github-client-secret=s3cr3t-value", ...good()),
      says: /--auth-github-client-secret/,
    },
  ],
  hosted_stdio: [
    {
      name: "by setting",
      args: () => hosted("--auth", "none", ...good(), "--transport", "stdio"),
      says: /HTTP/,
    },
  ],
};

describe("start-up errors", () => {
  for (const [kind, cases] of Object.entries(rows)) {
    test.each(cases)(`${kind}: $name`, async ({ args, environment, says, code = 1, lines = 1 }) => {
      const ended = await run(args(), environment?.() ?? {});
      expect(ended.stderr).toMatch(says);
      expect(ended.stderr).toMatch(/^validator-mcp: /);
      expect(ended.stderr.trimEnd().split("\n")).toHaveLength(lines);
      expect(ended.code).toBe(code);
      expect(ended.stdout).toBe("");
      expect(ended.stderr).not.toMatch(/s3cr3t-value|^\s+at /m);
    });
  }

  test("listen: an address that is taken", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const ended = await run(["--mode", "hosted", "--auth", "none", ...good(), "--port", `${port}`]);
    taken.close();
    expect(ended.stderr).toMatch(
      new RegExp(`cannot listen on .*:${port}: EADDRINUSE; .* set --port`),
    );
    expect(ended.code).toBe(1);
  });

  test.each([
    ["an unknown flag", ["serve", "--no-such-flag"]],
    ["an unknown flag that is like a known one", ["serve", "--nope"]],
    ["an unknown command", ["destroy"]],
    ["a flag without its value", ["serve", "--port"]],
  ])("%s ends with exit code 2 and one line", async (_, args) => {
    const ended = await run(args);
    expect(ended.code).toBe(2);
    expect(ended.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  test("a config that cannot be read for lack of permission says so", async () => {
    // Root reads everything; the case exists for everyone else.
    await chmod(file("a-file"), 0o000);
    const ended = await run(hosted("--auth", "none", "--config", file("a-file/c.yaml")));
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/^validator-mcp: config file .* (cannot be read|does not exist)/);
  });
});

describe("the command line", () => {
  test("--list-profiles prints the profiles and ends", async () => {
    const ended = await run(["serve", "--list-profiles"]);
    expect(ended.code).toBe(0);
    for (const profile of ["full", "validate-only", "validate-and-query", "read-only"]) {
      expect(ended.stdout).toContain(profile);
    }
  });

  test("--version prints the build version", async () => {
    expect((await run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("--help names every flag with its variable, and no flag takes a secret", async () => {
    const { stdout } = await run(["serve", "--help"]);
    expect(stdout).toMatch(/--max-policies <value>[\s\S]*VALIDATOR_MCP_MAX_POLICIES/);
    expect(stdout).not.toMatch(/--\S*(secret|token|key)/);
    const text = stdout.replaceAll(/\s+/g, " ");
    expect(text).toMatch(/--profile <value> [^[]*One of full, validate-only, .*Default: full\./);
    expect(text).toMatch(/--port <value> [^[]*Default: 8000\./);
  });
});
