import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AuthWorld, authWorld, publicUrl, type ServerName } from "../support/auth-servers.ts";
import { raw } from "../support/http.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { rpcRequest } from "../support/rpc.ts";

let world: AuthWorld;
let issuer: string;
beforeAll(async () => {
  world = await authWorld();
  issuer = world.server("jwt").options.environment?.VALIDATOR_MCP_AUTH_JWT_ISSUER ?? "";
});
afterAll(() => world[Symbol.asyncDispose]());

/** A server of the table, for one test. */
async function started(name: ServerName, variables: Record<string, string> = {}) {
  const { flags, environment } = world.server(name).options;
  const target = await startInProcess({
    ...(flags && { flags }),
    environment: { ...environment, ...variables },
  });
  return { target, [Symbol.asyncDispose]: () => target.stop() };
}

const suffixed = "/.well-known/oauth-protected-resource/mcp";
const root = "/.well-known/oauth-protected-resource";
const list = (authorization?: string | string[]) => {
  const { headers, body } = rpcRequest("tools/list");
  return {
    method: "POST",
    headers: { ...headers, ...(authorization !== undefined && { authorization }) },
    body,
  };
};

/** What tokens can carry is published by default (without a scope map). */
const all = ["iam:validate", "iam:query", "iam:analyze", "iam:config"];
const application = "api://11112222-bbbb-3333-cccc-4444dddd5555";

const published: Readonly<
  Partial<Record<ServerName, { issuer: () => string; scopes?: readonly string[] }>>
> = {
  jwt: { issuer: () => issuer, scopes: ["iam:validate", "iam:query"] },
  "jwt, scope required": { issuer: () => issuer, scopes: all },
  "jwt, step-up": { issuer: () => issuer, scopes: all },
  azure: {
    issuer: () => "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
    scopes: [`${application}/access`, ...all.map((scope) => `${application}/${scope}`)],
  },
  google: { issuer: () => "https://accounts.google.com", scopes: ["openid"] },
  github: { issuer: () => "https://github.com/login/oauth", scopes: ["user"] },
  keycloak: { issuer: () => `${issuer}/realms/corp`, scopes: ["openid", ...all] },
  auth0: { issuer: () => `${issuer}/`, scopes: ["openid", ...all] },
  workos: { issuer: () => issuer, scopes: all },
};

describe("the metadata document", () => {
  test.each(Object.entries(published))("%s, whole, at both URLs", async (name, expected) => {
    await using at = await started(name as ServerName);
    for (const path of [suffixed, root]) {
      const { status, headers, text } = await raw(at.target.url + path);
      expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
      expect(JSON.parse(text)).toEqual({
        resource: `${publicUrl}/mcp`,
        authorization_servers: [expected.issuer()],
        ...(expected.scopes && { scopes_supported: expected.scopes }),
        bearer_methods_supported: ["header"],
        resource_name: "IAM Policy Validator",
      });
    }
  });

  test.each([
    ["https://validator.example.com/", "https://validator.example.com/mcp"],
    ["https://validator.example.com:8443", "https://validator.example.com:8443/mcp"],
    ["https://example.com/tools/validator", "https://example.com/tools/validator/mcp"],
    ["http://127.0.0.1:8000", "http://127.0.0.1:8000/mcp"],
  ])("base URL %s makes the resource %s", async (base, resource) => {
    await using at = await started("jwt", { VALIDATOR_MCP_AUTH_BASE_URL: base });
    const { text } = await raw(at.target.url + suffixed);
    expect(JSON.parse(text).resource).toBe(resource);
    const { headers } = await raw(`${at.target.url}/mcp`, list());
    const url = `${base.replace(/\/$/, "")}${suffixed}`;
    expect(headers["www-authenticate"]).toContain(`resource_metadata="${url}"`);
  });

  test("is not there without a base URL, and the log says why", async () => {
    await using at = await started("jwt", { VALIDATOR_MCP_AUTH_BASE_URL: " " });
    for (const path of [suffixed, root]) {
      expect((await raw(at.target.url + path)).status).toBe(404);
    }
    expect(at.target.log.text).toContain("VALIDATOR_MCP_AUTH_BASE_URL is not set");
    const { headers } = await raw(`${at.target.url}/mcp`, list());
    expect(headers["www-authenticate"]).toBe('Bearer scope="iam:validate iam:query"');
  });

  test("names the scopes of ADVERTISED_SCOPES instead of the default", async () => {
    await using at = await started("keycloak", {
      VALIDATOR_MCP_AUTH_ADVERTISED_SCOPES: "iam:query",
    });
    const { text } = await raw(at.target.url + suffixed);
    expect(JSON.parse(text).scopes_supported).toEqual(["openid", "iam:query"]);
  });

  test("does not list scopes that a scope map grants", async () => {
    await using at = await started("keycloak", {
      VALIDATOR_MCP_AUTH_SCOPE_MAP: '{"group:/security":["iam:validate"]}',
    });
    const { text } = await raw(at.target.url + suffixed);
    expect(JSON.parse(text).scopes_supported).toEqual(["openid"]);
  });

  test("never names offline_access, which is a matter between client and issuer", async () => {
    for (const name of Object.keys(published)) {
      await using at = await started(name as ServerName);
      expect((await raw(at.target.url + suffixed)).text).not.toContain("offline_access");
    }
  });
});

describe("from a refusal to the document", () => {
  const reasons = {
    none: 401,
    "scheme alone": 400,
    "no JWT at all": 401,
    expired: 401,
    "lacking the scope": 403,
  } as const;

  test.each(Object.entries(reasons))("token %s: %i shows the way", async (token, status) => {
    // The base URL has to be known before the port is.
    await using first = await started("jwt, scope required");
    const credentials = await world.credentials(
      "jwt, scope required",
      token as keyof typeof reasons,
    );
    const refused = await raw(`${first.target.url}/mcp`, list([...credentials]));
    expect(refused.status).toBe(status);
    const [, url = ""] =
      /resource_metadata="([^"]+)"/.exec(refused.headers["www-authenticate"] ?? "") ?? [];
    expect(url).toBe(publicUrl + suffixed);
    const document = await raw(url.replace(publicUrl, first.target.url));
    expect(JSON.parse(document.text)).toMatchObject({
      resource: `${publicUrl}/mcp`,
      authorization_servers: [issuer],
    });
  });
});

describe("a challenge and a success exclude each other", () => {
  let target: InProcess;
  beforeAll(async () => {
    target = await startInProcess(world.server("token, scopes required").options);
  });
  afterAll(() => target.stop());

  const fragments = fc.constantFrom(
    "Bearer",
    "bearer",
    "Basic",
    "token-all",
    "token-query",
    "token-none",
    "token-expired",
    " ",
    "  ",
    ",",
    "\t",
    "=",
    '"',
    "a",
    "\u00e4",
  );
  const header = fc.array(fragments, { maxLength: 6 }).map((parts) => parts.join(""));

  test("whatever the Authorization headers say", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(header, { maxLength: 2 }), async (headers) => {
        const { status, headers: got } = await raw(
          `${target.url}/mcp`,
          list(headers.length > 0 ? headers : undefined),
        );
        expect([200, 400, 401, 403]).toContain(status);
        expect(got["www-authenticate"] !== undefined).toBe(status !== 200);
        // Only one well-formed header with the one token that holds all scopes opens this server.
        const good =
          headers.length === 1 && /^[ \t]*bearer +token-all[ \t]*$/i.test(headers[0] ?? "");
        expect(status === 200).toBe(good);
      }),
      { numRuns: 300 },
    );
  });
});
