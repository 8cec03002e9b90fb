import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { StartupErrorKind } from "../../spec/errors.ts";
import { containerImage, docker, dockerRun, functionImage } from "../support/images.ts";

const noEngine = inject("noEngine");

interface Row {
  readonly name: string;
  /** Without the prefix VALIDATOR_MCP_. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Arguments of the command in the image. */
  readonly args?: readonly string[];
  /** Options of `docker run`. */
  readonly options?: readonly string[];
  readonly says: RegExp;
  readonly code?: number;
  readonly lines?: number;
}

const none = { AUTH: "none", CONFIG: "/app/config/good.yaml" };
const secret = "s3cr3t-value";

/** Every start-up error, where an operator of the image can cause it. */
const rows = {
  auth_not_explicit: [
    {
      name: "nothing said about it",
      variables: { CONFIG: "/app/config/good.yaml" },
      says: /VALIDATOR_MCP_AUTH.*--auth none/,
    },
  ],
  config_required: [
    {
      name: "the image alone names all that is missing",
      says: /VALIDATOR_MCP_CONFIG.*VALIDATOR_MCP_AUTH/,
    },
    {
      name: "though a config lies in the working directory",
      variables: { AUTH: "none" },
      options: ["-w", "/app/config"],
      says: /explicit config file/,
    },
  ],
  config_missing: [
    {
      name: "no such file",
      variables: { ...none, CONFIG: "/app/config/no.yaml" },
      says: /no\.yaml does not/,
    },
  ],
  config_unreadable: [
    {
      name: "not YAML",
      variables: { ...none, CONFIG: "/app/config/not-yaml.yaml" },
      says: /not-yaml\.yaml is not valid YAML/,
    },
    {
      name: "not readable by the image's user",
      variables: { ...none, CONFIG: "/app/config/private.yaml" },
      says: /private\.yaml cannot be read/,
    },
  ],
  config_invalid: [
    {
      name: "with the line of the fault",
      variables: { ...none, CONFIG: "/app/config/wrong.yaml" },
      says: /wrong\.yaml is not valid:\n {2}line 2: /,
      lines: 3,
    },
  ],
  custom_check: [
    {
      name: "named in the config",
      variables: { ...none, CONFIG: "/app/config/custom.yaml" },
      says: /missing\.mjs/,
    },
    {
      name: "in a directory",
      variables: { ...none, CUSTOM_CHECKS_DIR: "/app/config/broken" },
      says: /broken\.mjs/,
    },
  ],
  cache_directory: [
    {
      name: "a read-only root without a tmpfs",
      variables: none,
      options: ["--read-only"],
      says: /\/tmp\/iam-validator-cache is not writable/,
    },
  ],
  aws_services_dir: [
    {
      name: "no such folder",
      variables: { ...none, AWS_SERVICES_DIR: "/nowhere" },
      says: /\/nowhere/,
    },
  ],
  config_is_url: [
    {
      name: "of a bucket",
      variables: { ...none, CONFIG: "s3://bucket/c.yaml" },
      says: /not a URL/,
    },
  ],
  instructions_conflict: [
    {
      name: "text and file at once",
      variables: { ...none, INSTRUCTIONS: "a", INSTRUCTIONS_FILE: "/app/config/good.yaml" },
      says: /VALIDATOR_MCP_INSTRUCTIONS .*VALIDATOR_MCP_INSTRUCTIONS_FILE/,
    },
  ],
  invalid_setting: [
    {
      name: "a number that is none",
      variables: { ...none, MAX_POLICIES: "many" },
      says: /VALIDATOR_MCP_MAX_POLICIES/,
    },
    { name: "by flag", variables: none, args: ["--port", "70000"], says: /--port/ },
    { name: "transport sse", variables: { ...none, TRANSPORT: "sse" }, says: /removed.*http/ },
  ],
  unknown_auth: [
    { name: "an unknown way", variables: { ...none, AUTH: "kerberos" }, says: /kerberos/ },
  ],
  auth_token: [
    {
      name: "no source",
      variables: { ...none, AUTH: "token" },
      says: /AUTH_TOKEN_FILE.*AUTH_TOKENS/,
    },
    {
      name: "an entry without client_id",
      variables: { ...none, AUTH: "token", AUTH_TOKENS: `{"${secret}": {}}` },
      says: /client_id/,
    },
  ],
  auth_jwt: [
    { name: "no issuer", variables: { ...none, AUTH: "jwt" }, says: /AUTH_JWT_ISSUER/ },
    {
      name: "a shared secret beside a key set",
      variables: {
        ...none,
        AUTH: "jwt",
        AUTH_JWT_ISSUER: "https://issuer.example.com",
        AUTH_JWT_AUDIENCE: "a",
        AUTH_JWT_ALGORITHM: "HS256",
        AUTH_JWT_JWKS_URI: "https://issuer.example.com/jwks",
      },
      says: /AUTH_JWT_/,
    },
  ],
  auth_provider: [
    {
      name: "github without a client id",
      variables: { ...none, AUTH: "github" },
      says: /AUTH_GITHUB_CLIENT_ID/,
    },
  ],
  gateway_outside_function: [
    { name: "in a container", variables: { ...none, AUTH: "gateway" }, says: /serverless/ },
  ],
  // The container cannot select `gateway`: see function.test.ts.
  gateway_public_url: [],
  auth_login: [
    {
      name: "login without a scope map",
      variables: {
        ...none,
        AUTH: "github",
        AUTH_GITHUB_CLIENT_ID: "app",
        AUTH_GITHUB_CLIENT_SECRET: secret,
        AUTH_BASE_URL: "https://tools.example.com",
        AUTH_OAUTH_KEYS: "3q2+7wQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
      },
      says: /AUTH_SCOPE_MAP is not set/,
    },
  ],
  auth_discovery: [
    {
      name: "login at an issuer without a network",
      variables: {
        ...none,
        AUTH: "jwt",
        AUTH_JWT_ISSUER: "https://idp.example.com",
        AUTH_JWT_AUDIENCE: "aud",
        AUTH_OAUTH_CLIENT_ID: "app",
        AUTH_OAUTH_CLIENT_SECRET: secret,
        AUTH_SCOPE_MAP: '{"*":["iam:validate"]}',
        AUTH_BASE_URL: "https://tools.example.com",
        AUTH_OAUTH_KEYS: "3q2+7wQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
      },
      options: ["--network", "none"],
      says: /https:\/\/idp\.example\.com\/\.well-known/,
    },
  ],
  auth0_discovery: [
    {
      name: "without a network",
      variables: {
        ...none,
        AUTH: "auth0",
        AUTH_AUTH0_CONFIG_URL: "https://t.example.com/.well-known/openid-configuration",
        AUTH_AUTH0_CLIENT_ID: "app",
        AUTH_AUTH0_CLIENT_SECRET: secret,
        AUTH_AUTH0_AUDIENCE: "aud",
      },
      options: ["--network", "none"],
      says: /https:\/\/t\.example\.com\/\.well-known/,
    },
  ],
  instructions_file: [
    {
      name: "no such file",
      variables: { ...none, INSTRUCTIONS_FILE: "/app/no.md" },
      says: /no\.md cannot/,
    },
  ],
  secret_in_flag: [
    {
      name: "joined by an equals sign",
      variables: none,
      args: [`--auth-tokens=${secret}`],
      says: /--auth-tokens.*VALIDATOR_MCP_AUTH_/,
    },
  ],
  hosted_stdio: [{ name: "by setting", variables: { ...none, TRANSPORT: "stdio" }, says: /HTTP/ }],
  listen: [
    {
      name: "an address that is not ours",
      variables: { ...none, HOST: "192.0.2.1" },
      says: /listen/,
    },
  ],
} satisfies Record<StartupErrorKind, readonly Row[]>;

describe.skipIf(noEngine !== null)("the container image refuses to start", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "e2e-startup-"));
    // The image runs as its own user.
    await chmod(folder, 0o755);
    const files = {
      "good.yaml": "settings: {}\n",
      "validator-mcp.yaml": "settings: {}\n",
      "private.yaml": "settings: {}\n",
      "not-yaml.yaml": "settings: [1,\n",
      "wrong.yaml": "settings:\n  fail_on_severity: [dreadful]\nwildcard_acton: {}\n",
      "custom.yaml": "custom_checks:\n  - module: ./missing.mjs\n",
      "broken/broken.mjs": "export const = ;\n",
    };
    await mkdir(join(folder, "broken"));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await chmod(join(folder, "private.yaml"), 0o600);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const environmentOf = (variables: Readonly<Record<string, string>> = {}) =>
    Object.entries(variables).flatMap(([name, value]) => ["-e", `VALIDATOR_MCP_${name}=${value}`]);

  for (const [kind, cases] of Object.entries<readonly Row[]>(rows)) {
    if (cases.length === 0) continue;
    test.concurrent.for(cases)(`${kind}: $name`, async (row, { expect }) => {
      const ended = await dockerRun(
        ...["-v", `${folder}:/app/config:ro`, ...(row.options ?? [])],
        ...environmentOf(row.variables),
        containerImage,
        ...(row.args ?? []),
      );
      expect(ended.stderr).toMatch(row.says);
      expect(ended.stderr).toMatch(/^validator-mcp: /);
      expect(ended.stderr.trimEnd().split("\n")).toHaveLength(row.lines ?? 1);
      expect(ended.code).toBe(row.code ?? 1);
      expect(ended.stdout).toBe("");
      expect(ended.stderr).not.toContain(secret);
    });
  }

  test("with an unknown flag, as a command line that is wrong", async () => {
    const ended = await dockerRun(containerImage, "--no-such-flag");
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(/^validator-mcp: /)]);
  });
});

describe.skipIf(noEngine !== null)("the container image", () => {
  const inside = (...command: string[]) =>
    dockerRun("--entrypoint", command[0] ?? "", containerImage, ...command.slice(1));

  test("runs as user and group 1000", async () => {
    expect((await inside("sh", "-c", "id -u; id -g")).stdout).toBe("1000\n1000\n");
  });

  test("holds the package as npm packs it, and neither sources nor development tools", async () => {
    const { stdout } = await inside(
      ...["sh", "-c", "cd /app; ls; ls node_modules/validator-mcp; ls node_modules"],
    );
    const words = stdout.split("\n");
    expect(words).toEqual(expect.arrayContaining(["dist", "data", "aws_services", "hono"]));
    for (const absent of ["src", "test", "typescript", "vitest", "@biomejs", "rolldown"]) {
      expect(words).not.toContain(absent);
    }
  });

  test("is not built on a partial set of reference data", async () => {
    const remote = ["REFERENCE_DATA=remote", "REFERENCE_DATA_URL=http://127.0.0.1:9/list.json"];
    const args = remote.flatMap((argument) => ["--build-arg", argument]);
    const root = join(import.meta.dirname, "../..");
    await expect(docker("build", "--force-rm", "--target", "data", ...args, root)).rejects.toThrow(
      /sync-services/,
    );
  });

  test("has the whole set of reference data", async () => {
    const { stdout } = await inside("cat", "/app/aws_services/_manifest.json");
    const manifest = JSON.parse(stdout);
    expect(manifest.failed_downloads).toBe(0);
    expect(manifest.successful_downloads).toBe(manifest.total_services);
    expect(manifest.total_services).toBeGreaterThan(400);
  });

  test("leaves host, auth and config to the operator", async () => {
    const { stdout } = await inside("env");
    expect(stdout).toMatch(/^VALIDATOR_MCP_MODE=hosted$/m);
    expect(stdout).toMatch(/^VALIDATOR_MCP_AWS_SERVICES_DIR=\/app\/aws_services$/m);
    expect(stdout).toMatch(/^VALIDATOR_MCP_CACHE_DIRECTORY=\/tmp\/iam-validator-cache$/m);
    expect(stdout).not.toMatch(/^VALIDATOR_MCP_(HOST|AUTH|CONFIG|TRANSPORT)/m);
  });

  test("prints its version and its profiles without a config", async () => {
    expect((await dockerRun(containerImage, "--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await dockerRun(containerImage, "--list-profiles")).stdout).toContain("read-only");
  });
});

describe.skipIf(noEngine !== null)("the function image", () => {
  test("can be read by any user and leaves auth and config to the operator", async () => {
    const { stdout } = await dockerRun(
      ...["--user", "993:990", "--entrypoint", "sh", functionImage, "-c"],
      "env; ls /var/task; head -c 30 /var/task/aws_services/_services.json /var/task/iam_validator.mjs",
    );
    expect(stdout).toMatch(/^VALIDATOR_MCP_AWS_SERVICES_DIR=\/var\/task\/aws_services$/m);
    expect(stdout).not.toMatch(/^VALIDATOR_MCP_(HOST|PORT|AUTH|CONFIG|TRANSPORT)/m);
    expect(stdout).toContain("import { awslambda");
  });
});
