import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Agent } from "node:https";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentFetch, Unreachable } from "./client-document-fetch.ts";

/** Takes every host to one server, without TLS. */
class AgentTo extends Agent {
  readonly port: number;
  constructor(port: number) {
    super({ keepAlive: false });
    this.port = port;
  }
  override createConnection(): Duplex {
    return connect(this.port, "127.0.0.1");
  }
}

describe("a metadata document over the network", () => {
  const url = "https://client.example/metadata.json";
  let server: Server;
  let answer: (response: ServerResponse, request: IncomingMessage) => void;
  let open = 0;
  const fetchIt = (timeoutMs?: number) => {
    const { port } = server.address() as AddressInfo;
    return documentFetch(new AgentTo(port), timeoutMs)(url);
  };
  beforeAll(async () => {
    server = createServer((request, response) => answer(response, request));
    server.on("connection", (socket) => {
      open += 1;
      socket.on("close", () => {
        open -= 1;
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test("is asked for as JSON, and comes with what decides its use", async () => {
    let asked: IncomingMessage | undefined;
    answer = (response, request) => {
      asked = request;
      response.writeHead(201, { "content-type": "a/b", "cache-control": "no-store" }).end("{}");
    };
    expect(await fetchIt()).toEqual({
      status: 201,
      contentType: "a/b",
      cacheControl: "no-store",
      body: Buffer.from("{}"),
    });
    expect([asked?.method, asked?.url]).toEqual(["GET", "/metadata.json"]);
    expect(asked?.headers).toEqual({
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": "validator-mcp",
      host: "client.example",
      connection: "close",
    });
    await expect.poll(() => open).toBe(0);
  });

  test("may have 5,120 bytes and no more", async () => {
    answer = (response) => response.end("a".repeat(5_120));
    expect((await fetchIt()).body).toHaveLength(5_120);
    answer = (response) => response.end("a".repeat(5_121));
    const error = await fetchIt().catch((reason: unknown) => reason);
    expect([error, error instanceof Unreachable]).toMatchObject([{ message: "too long" }, false]);
    await expect.poll(() => open).toBe(0);
  });

  test.each([
    ["identity", (text: string) => Buffer.from(text)],
    ["gzip", gzipSync],
    ["GZIP", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("in the encoding %s is decoded, with the same bound", async (encoding, encode) => {
    const send = (text: string) => (response: ServerResponse) =>
      response.writeHead(200, { "content-encoding": encoding }).end(encode(text));
    answer = send("a".repeat(5_120));
    expect((await fetchIt()).body.toString()).toBe("a".repeat(5_120));
    answer = send("a".repeat(5_121));
    await expect(fetchIt()).rejects.not.toBeInstanceOf(Unreachable);
  });

  test.each(["zstd", "gzip, gzip", "constructor", "toString"])(
    "in the encoding %s is no good",
    async (encoding) => {
      answer = (response) => response.writeHead(200, { "content-encoding": encoding }).end("{}");
      await expect(fetchIt()).rejects.toThrow("unknown encoding");
    },
  );

  test("that leads elsewhere is not followed", async () => {
    answer = (response) => response.writeHead(302, { location: "/other" }).end();
    expect((await fetchIt()).status).toBe(302);
  });

  test("that does not come in time cannot be had now, also when only its end is late (A-12)", async () => {
    answer = () => undefined;
    await expect(fetchIt(50)).rejects.toThrow(new Unreachable("no answer"));
    answer = (response) => response.write("{");
    await expect(fetchIt(50)).rejects.toBeInstanceOf(Unreachable);
    await expect.poll(() => open).toBe(0);
  });

  test("that is cut cannot be had now", async () => {
    answer = (response) => response.socket?.destroy();
    await expect(fetchIt()).rejects.toBeInstanceOf(Unreachable);
    answer = (response) => {
      response.writeHead(200, { "content-length": "10" }).write("{");
      setTimeout(() => response.socket?.destroy(), 20);
    };
    const error = await fetchIt().catch((reason: unknown) => reason);
    expect([error, error instanceof Unreachable]).toMatchObject([{ message: "cut short" }, true]);
  });
});
