import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createHandler } from "../../src/awslambda.ts";
import { eventTransport } from "../support/login/events.ts";
import { keyOne } from "../support/login/variables.ts";
import { configPath } from "../support/target.ts";

const root = join(import.meta.dirname, "../..");
const read = (name: string) => readFile(join(root, name), "utf8");
const base = "https://validator.example.com";
const map = '{"group:acme":["iam:validate","iam:query"]}';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "deploy-login-"));
  await writeFile(join(folder, "login-keys"), `${keyOne}\n`);
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts the server with the variables of an example, and asks it as a client and a browser do. */
async function answers(environment: Readonly<Record<string, string>>) {
  const handler = await createHandler({
    environment: {
      ...environment,
      VALIDATOR_MCP_CONFIG: configPath,
      VALIDATOR_MCP_LOG_LEVEL: "error",
    },
  });
  const ask = eventTransport(handler, "function URL");
  const metadata = await ask("/.well-known/oauth-authorization-server", {});
  const refused = await ask("/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: "{}",
  });
  return { metadata: await metadata.json(), status: refused.status };
}
const loggedOut = { metadata: { issuer: base, registration_endpoint: `${base}/oauth/register` } };

describe("deploy/compose-login.yaml", () => {
  const given: Readonly<Record<string, string>> = {
    BASE_URL: base,
    GITHUB_CLIENT_ID: "client",
    GITHUB_CLIENT_SECRET: "s3cr3t",
    GITHUB_ORGANIZATION: "acme",
  };
  const substitute = (text: string) =>
    text.replace(/\$\{(\w+):[?-][^}]*\}/g, (whole, name: string) => given[name] ?? whole);

  test("switches both replicas of compose.yaml from tokens to login, with the same keys", async () => {
    const plain = parse(await read("deploy/compose.yaml"), { merge: true });
    const login = parse(await read("deploy/compose-login.yaml"), {
      merge: true,
      customTags: [
        { tag: "!reset", resolve: () => null },
        { tag: "!override", collection: "seq" },
      ],
    });
    expect(Object.keys(login.services)).toEqual(["validator-1", "validator-2"]);
    for (const name of Object.keys(login.services)) {
      expect(login.services[name].secrets).toEqual(["login-keys"]);
      const variables = {
        ...plain.services[name].environment,
        ...login.services[name].environment,
      };
      const { VALIDATOR_MCP_AUTH_OAUTH_KEYS_FILE: keys, ...others } = variables;
      expect(keys).toBe("/run/secrets/login-keys");
      const environment = Object.fromEntries(
        Object.entries<string>(others).map(([key, text]) => [key, substitute(text)]),
      );
      expect(environment.VALIDATOR_MCP_AUTH_SCOPE_MAP).toBe(map);
      environment.VALIDATOR_MCP_AUTH_OAUTH_KEYS_FILE = join(folder, "login-keys");
      expect(await answers(environment)).toMatchObject({ ...loggedOut, status: 401 });
    }
    expect(login.secrets).toMatchObject({ tokens: null, "login-keys": { file: "./login-keys" } });
    expect(await read(".gitignore")).toContain("deploy/login-keys\n");
  });
});

describe("deploy/aws-sam with login", () => {
  const parameters: Readonly<Record<string, string>> = {
    Front: "login",
    BaseUrl: base,
    GitHubClientId: "client",
    ScopeMap: map,
  };
  const secrets: Readonly<Record<string, string>> = {
    github_client_secret: "s3cr3t",
    keys: keyOne,
  };
  const conditions = {
    BehindHttpApi: false,
    BehindFunctionUrl: true,
    WithLogin: true,
    WithTokens: false,
  };

  /** A value as CloudFormation makes it of the parameters and the secret; lists are those of `!If`. */
  function resolved(value: unknown): string {
    if (Array.isArray(value)) {
      const [condition, one, other] = value as [keyof typeof conditions, unknown, unknown];
      return resolved(conditions[condition] ? one : other);
    }
    const text = String(value);
    const [, secret = ""] =
      /^\{\{resolve:secretsmanager:login:SecretString:(\w+)\}\}$/.exec(text) ?? [];
    return secrets[secret] ?? text;
  }

  test("starts a function at which people log in", async () => {
    const template = parse(await read("deploy/aws-sam/template.yaml"), {
      customTags: [
        { tag: "!Ref", resolve: (name: string) => parameters[name] ?? "" },
        { tag: "!Sub", resolve: (text: string) => text.replace("${LoginSecret}", "login") },
        { tag: "!GetAtt", resolve: (name: string) => name },
        ...["!And", "!Equals", "!If", "!Not"].map((tag) => ({ tag, collection: "seq" as const })),
      ],
    });
    expect(template.Conditions).toEqual({
      BehindHttpApi: ["login", "http-api"],
      BehindFunctionUrl: [["login", "http-api"]],
      WithLogin: ["login", "login"],
      WithTokens: ["login", "function-url"],
    });
    const { Variables } = template.Resources.Validator.Properties.Environment;
    const environment = Object.fromEntries(
      Object.entries(Variables).map(([name, value]) => [name, resolved(value)]),
    );
    expect(environment.VALIDATOR_MCP_AUTH).toBe("github");
    expect(await answers(environment)).toMatchObject({ ...loggedOut, status: 401 });
  });
});
