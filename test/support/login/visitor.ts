import { createHash, randomBytes } from "node:crypto";

/** What the front answered. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Of a JSON body; empty for others. */
  readonly body: Record<string, unknown>;
}

export const loopbackRedirect = "http://127.0.0.1:4711/callback";

/** Cookies as a browser keeps them: by name, until they are deleted. */
export class Jar {
  readonly values = new Map<string, string>();

  read(reply: Reply): void {
    for (const line of reply.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/;\s*max-age=0/i.test(line)) this.values.delete(name);
      else this.values.set(name, value);
    }
  }

  get header(): string {
    return [...this.values].map(([name, value]) => `${name}=${value}`).join("; ");
  }
}

export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** @returns an encoded query or form; undefined members are left out, lists repeat. */
export function encode(parameters: Parameters): string {
  const encoded = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) encoded.append(name, each);
    }
  }
  return encoded.toString();
}

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function pkce(): Pkce {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

export interface VisitorOptions {
  /** Where the front answers. */
  url: string;
  /** What it calls itself. */
  readonly base: string;
  /** Signs the person in at the provider. @returns the callback's address. */
  readonly signIn: (authorizationUrl: string) => Promise<URL> | URL;
  /** Carries requests in place of the network. */
  readonly transport?: Transport | undefined;
}

export type Transport = (path: string, init: RequestInit) => Promise<Response>;

/** An MCP client, and the browser of the person in front of it. */
export class Visitor {
  readonly jar = new Jar();
  readonly options: VisitorOptions;
  redirect = loopbackRedirect;
  clientId = "";
  pkce = pkce();

  constructor(options: VisitorOptions) {
    this.options = options;
  }

  /** @param path of the front, with its query. */
  async send(path: string, init: RequestInit = {}, url = this.options.url): Promise<Reply> {
    const { transport } = this.options;
    const response = transport
      ? await transport(path, init)
      : await fetch(url + path, { ...init, redirect: "manual" });
    const text = await response.text();
    const isJson =
      response.headers.get("content-type")?.startsWith("application/json") && text !== "";
    return {
      status: response.status,
      headers: response.headers,
      text,
      // Bodies of our own server; the tests say what they expect in them.
      body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
    };
  }

  async register(
    metadata: object = { client_name: "Trial", redirect_uris: [this.redirect] },
  ): Promise<Reply> {
    const reply = await this.send("/oauth/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(metadata),
    });
    if (reply.status === 201) this.clientId = String(reply.body.client_id);
    return reply;
  }

  authorizeQuery(changes: Parameters = {}): string {
    return encode({
      response_type: "code",
      client_id: this.clientId,
      redirect_uri: this.redirect,
      code_challenge: this.pkce.challenge,
      code_challenge_method: "S256",
      state: "client-state",
      resource: `${this.options.base}/mcp`,
      scope: "iam:validate iam:query",
      ...changes,
    });
  }

  async authorize(changes: Parameters = {}, headers: Record<string, string> = {}): Promise<Reply> {
    return this.browse(`/oauth/authorize?${this.authorizeQuery(changes)}`, headers);
  }

  /** Goes somewhere with the browser's cookies, and keeps those that come back. */
  async browse(path: string, headers: Record<string, string> = {}, url?: string): Promise<Reply> {
    const cookie = this.jar.header;
    const reply = await this.send(
      path,
      { headers: { ...(cookie && { cookie }), ...headers } },
      url,
    );
    this.jar.read(reply);
    return reply;
  }

  async consent(
    page: Reply,
    changes: Parameters = {},
    headers: Record<string, string> = {},
    url?: string,
  ): Promise<Reply> {
    const reply = await this.send(
      "/oauth/consent",
      {
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          origin: new URL(this.options.base).origin,
          cookie: this.jar.header,
          ...headers,
        },
        body: encode({ request: sealedOf(page), decision: "allow", ...changes }),
      },
      url,
    );
    this.jar.read(reply);
    return reply;
  }

  /** Up to the provider's answer. @returns the callback's path and query. */
  async toCallback(changes: Parameters = {}): Promise<string> {
    if (this.clientId === "") await this.register();
    const allowed = await this.consent(await this.authorize(changes));
    const callback = await this.options.signIn(allowed.headers.get("location") ?? "");
    return `/oauth/callback${callback.search}`;
  }

  /** Up to a code of the front. */
  async toCode(changes: Parameters = {}): Promise<string> {
    const reply = await this.browse(await this.toCallback(changes));
    const code = new URL(reply.headers.get("location") ?? "").searchParams.get("code");
    if (code === null) throw new Error(`no code: ${reply.status} ${reply.headers.get("location")}`);
    return code;
  }

  tokenForm(code: string, changes: Parameters = {}): Parameters {
    return {
      grant_type: "authorization_code",
      code,
      code_verifier: this.pkce.verifier,
      client_id: this.clientId,
      redirect_uri: this.redirect,
      resource: `${this.options.base}/mcp`,
      ...changes,
    };
  }

  async post(
    path: string,
    form: Parameters | string,
    headers: Record<string, string> = {},
    url?: string,
  ): Promise<Reply> {
    return this.send(
      path,
      {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body: typeof form === "string" ? form : encode(form),
      },
      url,
    );
  }

  async token(
    code: string,
    changes: Parameters = {},
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    return this.post("/oauth/token", this.tokenForm(code, changes), headers);
  }

  async refresh(token: string, changes: Parameters = {}): Promise<Reply> {
    const form = { grant_type: "refresh_token", refresh_token: token, client_id: this.clientId };
    return this.post("/oauth/token", { ...form, ...changes });
  }

  /** The whole login. */
  async login(changes: Parameters = {}): Promise<Reply> {
    return this.token(await this.toCode(changes));
  }
}

/** @returns the sealed value in the form of a consent page. */
export function sealedOf(page: Reply): string {
  return /name="request" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
}
