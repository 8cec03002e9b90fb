import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AuthErrorBody, ProtectedResourceMetadata } from "../../spec/auth.ts";
import { Health, Ready } from "../../spec/health.ts";
import {
  type Authorizer,
  type AuthServer,
  type AuthWorld,
  authorizers,
  authWorld,
  publicUrl,
  reachOf,
  type ServerName,
} from "../support/auth-servers.ts";
import { authorizerHeader, functionUrl, startFunction } from "../support/function-target.ts";
import { open, type RawAnswer } from "../support/http.ts";
import { startInProcess } from "../support/in-process.ts";
import { startProcess } from "../support/process.ts";
import { rpcRequest } from "../support/rpc.ts";
import { type AuthRow, authRows } from "./auth.table.ts";

/** One way of running the servers of the table. */
interface TableTarget {
  readonly kind: "server" | "function";
  /** Where the outside world of the table can be reached from; `internet` is played inside this process. */
  readonly reaches: readonly ReturnType<typeof reachOf>[];
  start(server: AuthServer): Promise<{ readonly url: string; stop(): Promise<void> }>;
}

const here = ["nothing", "loopback", "internet"] as const;
/** Chosen by `VALIDATOR_AUTH_TARGETS`, a comma list of names. */
const targets: Readonly<Record<string, TableTarget>> = {
  "in-process": { kind: "server", reaches: here, start: ({ options }) => startInProcess(options) },
  function: {
    kind: "function",
    reaches: [...here, "event"],
    start: ({ options }) => startFunction(options),
  },
  process: {
    kind: "server",
    reaches: ["nothing", "loopback"],
    start: ({ options }) => startProcess(options),
  },
  container: {
    kind: "server",
    reaches: ["nothing", "loopback"],
    start: async ({ options }) => {
      const { startContainer } = await import("../support/container.ts");
      return startContainer({ ...options, hostNetwork: true });
    },
  },
  "function-image": {
    kind: "function",
    reaches: ["nothing", "event"],
    start: async ({ options }) => {
      const { startFunctionImage } = await import("../support/function-image.ts");
      const image = await startFunctionImage(options);
      const { url, stop } = await functionUrl(image.invoke);
      return {
        url,
        stop: async () => {
          await stop();
          await image.stop();
        },
      };
    },
  },
};
const chosen = process.env.VALIDATOR_AUTH_TARGETS?.split(",") ?? ["in-process", "function"];

describe.each(chosen)("%s", (title) => {
  const target = targets[title.trim()];
  if (!target) throw new Error(`VALIDATOR_AUTH_TARGETS: no target ${title}`);
  let world: AuthWorld;
  const running = new Map<ServerName, Promise<{ readonly url: string; stop(): Promise<void> }>>();
  const urlOf = async (name: ServerName) => {
    const started = running.get(name) ?? target.start(world.server(name));
    running.set(name, started);
    return (await started).url;
  };
  beforeAll(async () => {
    world = await authWorld();
  });
  afterAll(async () => {
    for (const started of running.values()) await (await started).stop();
    await world[Symbol.asyncDispose]();
  });

  const rows = authRows.filter(
    ({ server, on = target.kind }) =>
      on === target.kind && target.reaches.includes(reachOf(server)),
  );
  test.each(rows)("$name", async (row) => {
    const url = await urlOf(row.server);
    const credentials = await world.credentials(row.server, row.token);
    const answer = await ask(url, row, credentials);
    expect({ status: answer.status, ...kept(answer) }).toEqual(expectedOf(row));
    if (row.method === "HEAD") expect(answer.text).toBe("");
    else bodyChecks[row.answer.body](answer, row.answer);
    for (const secret of credentials.flatMap((header) => header.split(/\s+/).slice(1))) {
      if (secret.length > 8) expect(answer.text).not.toContain(secret);
    }
  });
});

test("the table has more than 200 rows, each its own", () => {
  expect(authRows.length).toBeGreaterThanOrEqual(200);
  expect(new Set(authRows.map(({ name }) => name)).size).toBe(authRows.length);
});

/** Sends what the row says; an event stream is left after its first chunk. */
function ask(url: string, row: AuthRow, credentials: readonly string[]): Promise<RawAnswer> {
  const { method, path, accept, contentType, text, host, token } = row;
  const { headers, body } = message(row);
  const origin = originOf(row, url);
  const authorizer = Object.hasOwn(authorizers, token)
    ? authorizers[token as Authorizer]
    : undefined;
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const request = open(url + path, {
    method,
    headers: {
      ...(method === "POST" || method === "PUT" ? headers : onlyRevision(headers)),
      ...(accept !== undefined && { accept }),
      ...(contentType !== undefined && { "content-type": contentType }),
      ...(origin !== undefined && { origin }),
      ...(host !== undefined && { host }),
      ...(authorizer && { [authorizerHeader]: JSON.stringify(authorizer) }),
      ...(credentials.length > 0 && { authorization: [...credentials] }),
    },
  });
  request.on("error", reject);
  request.on("response", (response) => {
    const parts: Buffer[] = [];
    const done = () => {
      const { statusCode: status = 0, headers } = response;
      resolve({ status, headers, text: Buffer.concat(parts).toString("utf8") });
    };
    response.on("data", (part: Buffer) => {
      parts.push(part);
      if (response.headers["content-type"] !== "text/event-stream") return;
      done();
      request.destroy();
    });
    response.on("error", () => undefined);
    response.on("end", done);
  });
  request.end(method === "POST" || method === "PUT" ? (text ?? body) : undefined);
  return promise;
}

/** Headers and body as a client of that revision writes them. */
function message({ revision, calls, reads }: AuthRow) {
  const modern = revision === "2026-07-28";
  const version = revision === "unknown" ? "2019-01-01" : revision;
  const options = {
    era: modern ? "2026" : "2025",
    headers: { "mcp-protocol-version": version },
  } as const;
  if (calls !== undefined) return rpcRequest("tools/call", { name: calls, arguments: {} }, options);
  if (reads !== undefined) return rpcRequest("resources/read", { uri: reads }, options);
  return rpcRequest("tools/list", {}, options);
}

function onlyRevision(headers: Readonly<Record<string, string>>): Record<string, string> {
  return { "mcp-protocol-version": headers["mcp-protocol-version"] ?? "" };
}

function originOf({ origin }: AuthRow, url: string): string | undefined {
  return {
    none: undefined,
    own: url,
    loopback: "http://localhost:5173",
    foreign: "https://attacker.example",
    opaque: "null",
    listed: "https://tools.example.com",
  }[origin];
}

/** Of the connection or the clock, and no part of the answer. */
const hopHeaders = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

function kept({ headers }: RawAnswer): object {
  const names = Object.keys(headers).filter((name) => !hopHeaders.has(name));
  return { headers: Object.fromEntries(names.map((name) => [name, headers[name]])) };
}

const json = { "content-type": "application/json" };
const noStore = { "cache-control": "no-store" };
const headersOfBody: Readonly<Record<AuthRow["answer"]["body"], Record<string, string>>> = {
  bare: {},
  nothing: noStore,
  tools: json,
  result: json,
  contents: json,
  error: json,
  "oauth error": { ...json, ...noStore },
  health: { ...json, ...noStore },
  readiness: { ...json, ...noStore },
  metadata: { ...json, "access-control-allow-origin": "*" },
  "not found": json,
  stream: {
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  },
  text: { "content-type": "text/plain; charset=utf-8" },
};

/** Status and all headers: what is not named here must not be there, a challenge above all. */
function expectedOf({ answer: { status, body, challenge, headers } }: AuthRow): object {
  const all = {
    ...headersOfBody[body],
    ...(challenge !== undefined && { "www-authenticate": challenge }),
    ...headers,
  };
  return { status, headers: all };
}

type BodyCheck = (received: RawAnswer, expected: AuthRow["answer"]) => void;

const bodyChecks: Readonly<Record<AuthRow["answer"]["body"], BodyCheck>> = {
  bare: ({ text }) => expect(text).toBe(""),
  nothing: ({ text }) => expect(text).toBe(""),
  tools({ text }, { tools }) {
    const { result } = JSON.parse(text) as { result: { tools: { name: string }[] } };
    expect(result.tools.map(({ name }) => name)).toEqual(tools);
  },
  result: ({ text }) =>
    expect(JSON.parse(text)).toMatchObject({ id: 1, result: { isError: false } }),
  contents: ({ text }) =>
    expect(JSON.parse(text).result.contents).toEqual([
      { uri: expect.any(String), mimeType: expect.any(String), text: expect.stringMatching(/./) },
    ]),
  error: ({ text }, { code }) => expect(JSON.parse(text)).toMatchObject({ error: { code } }),
  "oauth error"({ text, headers }) {
    // Body and challenge say the same, so that either will do for a client.
    const { error, error_description } = AuthErrorBody.parse(JSON.parse(text));
    const said = `Bearer error="${error}", error_description="${error_description}"`;
    expect(headers["www-authenticate"]).toContain(said);
  },
  health: ({ text }) => expect(Health.safeParse(JSON.parse(text)).error).toBeUndefined(),
  readiness: ({ text }) => expect(Ready.safeParse(JSON.parse(text)).error).toBeUndefined(),
  metadata({ text }) {
    const { resource } = ProtectedResourceMetadata.parse(JSON.parse(text));
    expect(resource).toBe(`${publicUrl}/mcp`);
  },
  "not found": ({ text }) => expect(JSON.parse(text)).toEqual({ error: "not_found" }),
  stream: ({ text }) => expect(text).toMatch(/^:/),
  text: ({ text }) => expect(text).toMatch(/^Misdirected/),
};
