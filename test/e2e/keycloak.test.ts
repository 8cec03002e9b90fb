import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { GenericContainer, type StartedTestContainer, Wait } from "testcontainers";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { keyOne, prefixed } from "../support/login/variables.ts";
import { encode, pkce, Visitor } from "../support/login/visitor.ts";
import { startProcess } from "../support/process.ts";
import type { Target } from "../support/target.ts";

const noEngine = inject("noEngine");
const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
const admin = {
  KC_BOOTSTRAP_ADMIN_USERNAME: "admin",
  KC_BOOTSTRAP_ADMIN_PASSWORD: "admin-password",
};

describe.skipIf(noEngine !== null)("a real Keycloak", () => {
  let keycloak: StartedTestContainer;
  let realm: string;
  let origin: string;
  let browser: Browser;
  let front: Target;
  let resourceServer: Target;
  let base: string;
  let client: Server;
  let redirect: string;
  const answers: URL[] = [];

  beforeAll(async () => {
    const [frontPort, resourcePort, keycloakPort] = [
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    base = `http://127.0.0.1:${frontPort}`;
    const resource = `http://127.0.0.1:${resourcePort}`;
    keycloak = await new GenericContainer("quay.io/keycloak/keycloak:26.4")
      .withCommand(["start-dev", "--import-realm"])
      .withEnvironment({
        ...admin,
        JAVA_OPTS_APPEND: "-XX:TieredStopAtLevel=1",
        VALIDATOR_AUDIENCE: `${resource}/mcp`,
      })
      .withCopyFilesToContainer([
        {
          source: join(import.meta.dirname, "keycloak/realm.json"),
          target: "/opt/keycloak/data/import/validator-realm.json",
        },
      ])
      // A fixed port, so that the issuer stays the same through a restart.
      .withExposedPorts({ container: 8080, host: keycloakPort })
      .withWaitStrategy(
        Wait.forHttp("/realms/validator/.well-known/openid-configuration", 8080).forStatusCode(200),
      )
      .withStartupTimeout(240_000)
      .start();
    origin = `http://localhost:${keycloakPort}`;
    realm = `${origin}/realms/validator`;
    front = await startProcess({
      flags: { auth: "jwt", port: String(frontPort) },
      environment: prefixed({
        BASE_URL: base,
        OAUTH_KEYS: keyOne,
        OAUTH_CLIENT_ID: "front",
        OAUTH_CLIENT_SECRET: "front-s3cr3t",
        JWT_ISSUER: realm,
        JWT_AUDIENCE: `${base}/mcp`,
        SCOPE_MAP: '{"group:reviewers":["iam:validate","iam:query"]}',
      }),
    });
    resourceServer = await startProcess({
      flags: { auth: "keycloak", port: String(resourcePort) },
      environment: prefixed({
        KEYCLOAK_REALM_URL: realm,
        KEYCLOAK_AUDIENCE: `${resource}/mcp`,
        BASE_URL: resource,
        ADVERTISED_SCOPES: "iam:validate,iam:query",
        REQUIRED_SCOPES: "iam:validate",
      }),
    });
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    client = createServer((request, response) => {
      const url = new URL(request.url ?? "/", redirect);
      if (url.pathname === "/callback") answers.push(url);
      response.end("Back in the app.");
    });
    await new Promise<void>((resolve) => client.listen(0, "127.0.0.1", resolve));
    redirect = `http://127.0.0.1:${(client.address() as AddressInfo).port}/callback`;
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    client?.close();
    await front?.stop();
    await resourceServer?.stop();
    await keycloak?.stop();
  });

  const signIn = async (page: Page) => {
    await page.locator("#username").fill("alice");
    await page.locator("#password").fill("alice-password");
    await page.locator("#kc-login").click();
  };

  /** A person logs in at the front and at Keycloak's form. @returns the client, and what it got. */
  const login = async () => {
    const visitor = new Visitor({ url: base, base, signIn: () => new URL(base) });
    visitor.redirect = redirect;
    await visitor.register();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${base}/oauth/authorize?${visitor.authorizeQuery()}`);
    await page.getByRole("button", { name: "Allow" }).click();
    await signIn(page);
    await page.waitForURL(`${redirect}?**`);
    await context.close();
    const code = answers.at(-1)?.searchParams.get("code") ?? "";
    const tokens = await visitor.token(code);
    return { visitor, tokens, code };
  };

  const call = (url: string, token: string) =>
    fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });

  const asAdmin = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${origin}/realms/master/protocol/openid-connect/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "password",
        client_id: "admin-cli",
        username: admin.KC_BOOTSTRAP_ADMIN_USERNAME,
        password: admin.KC_BOOTSTRAP_ADMIN_PASSWORD,
      }),
    });
    const { access_token } = (await answer.json()) as { access_token: string };
    const response = await fetch(`${origin}/admin/realms/validator${path}`, {
      ...init,
      headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
    });
    expect(response.ok, `${path}: ${response.status}`).toBe(true);
    return response;
  };

  test("as provider of the login: from the address alone to a tool, and through refreshes", async () => {
    const { visitor, tokens, code } = await login();
    expect(tokens).toMatchObject({ status: 200, body: { scope: "iam:validate iam:query" } });
    const called = await call(base, String(tokens.body.access_token));
    expect(await called.text()).toContain("validate_policies");
    const first = await visitor.refresh(String(tokens.body.refresh_token));
    expect(first).toMatchObject({ status: 200, body: { scope: "iam:validate iam:query" } });
    const second = await visitor.refresh(String(first.body.refresh_token));
    expect(second.status).toBe(200);
    expect(await visitor.token(code)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
  });

  test("a revoked login ends at the next refresh", async () => {
    const { visitor, tokens } = await login();
    const token = String(tokens.body.refresh_token);
    const revoked = await visitor.post("/oauth/revoke", { token, client_id: visitor.clientId });
    expect(revoked.status).toBe(200);
    expect(await visitor.refresh(token)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
  });

  test("a group that is taken away counts at the next refresh", async () => {
    const { visitor, tokens } = await login();
    const [alice] = (await (await asAdmin("/users?username=alice")).json()) as { id: string }[];
    const [group] = (await (await asAdmin("/groups")).json()) as { id: string }[];
    const membership = `/users/${alice?.id}/groups/${group?.id}`;
    await asAdmin(membership, { method: "DELETE" });
    const refused = await visitor.refresh(String(tokens.body.refresh_token));
    await asAdmin(membership, { method: "PUT" });
    expect(refused).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  test("keys that Keycloak changes in flight are found", async () => {
    const { visitor, tokens } = await login();
    await asAdmin("/components", {
      method: "POST",
      body: JSON.stringify({
        name: "rsa-new",
        providerId: "rsa-generated",
        providerType: "org.keycloak.keys.KeyProvider",
        config: { priority: ["200"], algorithm: ["RS256"] },
      }),
    });
    expect((await visitor.refresh(String(tokens.body.refresh_token))).status).toBe(200);
    expect((await login()).tokens.status).toBe(200);
  });

  test("a restart of Keycloak in flight: clients keep their tokens and try again", async () => {
    const { visitor, tokens } = await login();
    const token = String(tokens.body.refresh_token);
    const restarted = keycloak.restart({ timeout: 10_000 });
    const during: number[] = [];
    const until = Date.now() + 20_000;
    while (Date.now() < until && !during.includes(503)) {
      during.push((await visitor.refresh(token)).status);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    expect(during).toContain(503);
    await restarted;
    await expect
      .poll(async () => (await visitor.refresh(token)).status, { timeout: 60_000, interval: 1_000 })
      .toBe(200);
    expect((await login()).tokens.status).toBe(200);
  }, 240_000);

  test("as `--auth keycloak`: the client registers itself there and logs in at its form", async () => {
    const metadata = (await (
      await fetch(`${resourceServer.url}/.well-known/oauth-protected-resource/mcp`)
    ).json()) as { authorization_servers: string[] };
    expect(metadata.authorization_servers).toEqual([realm]);
    const discovery = (await (
      await fetch(`${realm}/.well-known/openid-configuration`)
    ).json()) as Record<string, string>;
    const registered = (await (
      await fetch(discovery.registration_endpoint ?? "", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          client_name: "Trial",
          redirect_uris: [redirect],
          token_endpoint_auth_method: "none",
          grant_types: ["authorization_code", "refresh_token"],
        }),
      })
    ).json()) as { client_id: string };
    const { verifier, challenge } = pkce();
    const context = await browser.newContext();
    const page = await context.newPage();
    const query = encode({
      response_type: "code",
      client_id: registered.client_id,
      redirect_uri: redirect,
      scope: "openid iam:validate",
      state: "s",
      code_challenge: challenge,
      code_challenge_method: "S256",
    });
    await page.goto(`${discovery.authorization_endpoint}?${query}`);
    await signIn(page);
    // Clients that registered themselves must ask for consent there.
    await page.locator("#kc-login").click();
    await page.waitForURL(`${redirect}?**`);
    await context.close();
    const tokens = (await (
      await fetch(discovery.token_endpoint ?? "", {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "authorization_code",
          code: answers.at(-1)?.searchParams.get("code") ?? "",
          redirect_uri: redirect,
          client_id: registered.client_id,
          code_verifier: verifier,
        }),
      })
    ).json()) as { access_token: string; refresh_token: string };
    const called = await call(resourceServer.url, tokens.access_token);
    expect(await called.text()).toContain("validate_policies");
    // A token of the realm is not one of the login in front of it.
    expect((await call(base, tokens.access_token)).status).toBe(401);
  });
});
