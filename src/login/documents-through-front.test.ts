import { describe, expect, test } from "vitest";
import type { Authenticator } from "../auth/caller.ts";
import { type FetchDocument, Unreachable } from "./client-document-fetch.ts";
import { createLogin, type Login } from "./create.ts";

const base = "https://validator.example.com";
const redirect = "http://127.0.0.1:4711/callback";
const url = "https://client.example/metadata.json";

let login: Login;
let fetched: string[];
let answer: FetchDocument;
const documentOf = (changes: object = {}) => ({
  client_id: url,
  client_name: "Editor",
  redirect_uris: [redirect],
  ...changes,
});
type Fetched = Awaited<ReturnType<FetchDocument>>;
const served = (body: unknown, changes: Partial<Fetched> = {}): FetchDocument => {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const whole = { status: 200, contentType: "application/json", cacheControl: undefined };
  return async () => ({ ...whole, body: bytes, ...changes });
};

async function start(): Promise<void> {
  const environment = {
    VALIDATOR_MCP_AUTH_BASE_URL: base,
    VALIDATOR_MCP_AUTH_OAUTH_KEYS: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    VALIDATOR_MCP_AUTH_OAUTH_METADATA_HOSTS: "client.example",
    VALIDATOR_MCP_AUTH_GITHUB_CLIENT_ID: "Ov23liAbCdEf",
    VALIDATOR_MCP_AUTH_GITHUB_CLIENT_SECRET: "s3cr3t",
    VALIDATOR_MCP_AUTH_SCOPE_MAP: '{"login:octocat":["iam:validate"]}',
  };
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  fetched = [];
  login = await createLogin({
    context: {
      provider: "github",
      environment,
      log: silent,
      defaultBaseUrl: undefined,
      now: () => 1_000_000,
    },
    stepUp: false,
    log: silent,
    observer: { login: () => undefined, loginProvider: () => undefined },
    defect: (error) => {
      throw error;
    },
    providerAuthenticator: async (): Promise<Authenticator> => {
      throw new Error("GitHub's tokens are not accepted beside login");
    },
    fetchDocument: (address) => {
      fetched.push(address);
      return answer(address);
    },
  });
}

/** A client asks whose id is the address of its document. */
async function authorize(
  client = url,
): Promise<{ status: number; text: string; retry: string | null }> {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: client,
    redirect_uri: redirect,
    code_challenge: "c".repeat(43),
    code_challenge_method: "S256",
  });
  const response = await login.routes.app.request(`${base}/oauth/authorize?${query}`);
  const retry = response.headers.get("retry-after");
  return { status: response.status, text: await response.text(), retry };
}

describe("a client that names its document", () => {
  test("A-8, A-13: is asked about with its host, and fetched once", async () => {
    await start();
    answer = served(documentOf());
    const { status, text } = await authorize();
    expect(status).toBe(200);
    expect(text).toContain("<h1>Allow “<bdi>Editor</bdi>” to use the IAM policy validator?</h1>");
    expect(text).toContain("(checked: client.example)");
    answer = () => Promise.reject(new Unreachable());
    expect((await authorize()).status).toBe(200);
    expect(fetched).toEqual([url]);
  });

  test.each<[string, FetchDocument]>([
    ["A-9: another id", served(documentOf({ client_id: "https://client.example/other" }))],
    ["A-9: its id in capitals", served(documentOf({ client_id: url.replace("client", "Client") }))],
    ["A-9: its id with a slash", served(documentOf({ client_id: `${url}/` }))],
    ["A-9: its id encoded", served(documentOf({ client_id: url.replace("json", "jso%6e") }))],
    ["A-9: no name", served(documentOf({ client_name: undefined }))],
    ["A-9: no redirects", served(documentOf({ redirect_uris: undefined }))],
    ["A-9: a secret", served(documentOf({ client_secret: "s" }))],
    ["A-9: only a key", served(documentOf({ token_endpoint_auth_method: "private_key_jwt" }))],
    ["A-10: another status", served(documentOf(), { status: 201 })],
    ["A-10: a redirect", served(documentOf(), { status: 302 })],
    ["A-10: another media type", served(documentOf(), { contentType: "text/plain" })],
    ["A-10: bytes that are not UTF-8", served(Buffer.from([0x7b, 0xff, 0x7d]))],
    ["A-10: a list", served([])],
    ["A-10: more than may be read", () => Promise.reject(new Error("too long"))],
  ])("%s: gets a page and nothing else", async (_name, document) => {
    await start();
    answer = document;
    const reply = await authorize();
    expect(reply).toMatchObject({ status: 400, retry: null });
    expect(reply.text).toContain(`description at <strong>${url}</strong> could not be used`);
  });

  test("A-7: is not fetched from a host that is not listed", async () => {
    await start();
    answer = served(documentOf());
    expect((await authorize("https://stranger.example/metadata.json")).status).toBe(400);
    expect(fetched).toEqual([]);
  });

  test("A-12: is asked to come back when its document cannot be had now", async () => {
    await start();
    answer = () => Promise.reject(new Unreachable());
    const reply = await authorize();
    expect(reply).toMatchObject({ status: 503, retry: "5" });
    expect(reply.text).toContain("could not be used");
  });

  test("A-12: is asked to come back after too many fetches", async () => {
    await start();
    answer = served({});
    for (let count = 0; count < 60; count += 1) await authorize(`${url}${count}`);
    expect(await authorize()).toMatchObject({ status: 503, retry: "5" });
    expect(fetched).toHaveLength(60);
  });
});
