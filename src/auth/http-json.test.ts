import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { localServer, sendJson } from "../../test/support/issuer.ts";
import { fetchJson, ProviderProblem } from "./http-json.ts";

async function served(answer: (response: ServerResponse) => void) {
  const seen: { headers?: IncomingHttpHeaders; method?: string | undefined } = {};
  const server = await localServer((request, response) => {
    seen.headers = request.headers;
    seen.method = request.method;
    answer(response);
  });
  return { ...server, seen, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const bounds = { timeoutMs: 10_000, maxBytes: 100 };

test("an answer is its status, its headers and its JSON", async () => {
  await using at = await served((response) => sendJson(response, { a: 1 }, 418));
  const { status, headers, body } = await fetchJson(at.url);
  expect([status, headers.get("content-type"), body]).toEqual([418, "application/json", { a: 1 }]);
  expect(at.seen).toMatchObject({
    method: "GET",
    headers: { accept: "application/json", "user-agent": "validator-mcp" },
  });
});

test("headers of the caller come before our own", async () => {
  await using at = await served((response) => sendJson(response, {}));
  await fetchJson(at.url, { method: "PUT", headers: { accept: "text/x", "x-own": "1" } });
  expect(at.seen).toMatchObject({
    method: "PUT",
    headers: { accept: "text/x", "user-agent": "validator-mcp", "x-own": "1" },
  });
});

test.each([
  ["no body", (response: ServerResponse) => response.writeHead(204).end()],
  ["an empty body", (response: ServerResponse) => response.end()],
  ["no JSON", (response: ServerResponse) => response.end("{")],
])("%s is not JSON, and not a problem of the connection", async (_, answer) => {
  await using at = await served(answer);
  expect((await fetchJson(at.url)).body).toBeUndefined();
});

test("an answer may have as many bytes as allowed and no more", async () => {
  let bytes = 100;
  await using at = await served((response) => response.end(`"${"x".repeat(bytes - 2)}"`));
  expect((await fetchJson(at.url, {}, bounds)).body).toBe("x".repeat(98));
  bytes = 101;
  await expect(fetchJson(at.url, {}, bounds)).rejects.toThrow(
    "its answer is larger than 100 bytes",
  );
});

test("a text in several parts is one", async () => {
  await using at = await served((response) => {
    const bytes = Buffer.from('"\u00e4\u20ac"');
    response.write(bytes.subarray(0, 2));
    setImmediate(() => response.end(bytes.subarray(2)));
  });
  expect((await fetchJson(at.url)).body).toBe("\u00e4\u20ac");
});

test.each([
  ["no server there", "http://127.0.0.1:2/", {}, "the request failed (ECONNREFUSED)"],
  ["no address", "issuer", {}, "the request failed (ERR_INVALID_URL)"],
  ["nothing to send", "http://127.0.0.1:2/", { "x-own": "\n\0" }, "the request failed"],
])(
  "%s is a problem that is told, with its cause for the reader of the log",
  async (_, url, headers, message) => {
    const error: unknown = await fetchJson(url, { headers }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProviderProblem);
    expect(error).toMatchObject({ name: "ProviderProblem", message, cause: expect.any(Error) });
  },
);
