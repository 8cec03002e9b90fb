/**
 * One attacker in a separate process: `node attack.ts '{"kind":"pipeline","port":8000,…}'`. It speaks HTTP/1.1 on
 * bare sockets, as fast as the server lets it, until it is killed or has sent what it was asked for. The last line on
 * standard output counts the answers by status.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import type { AnyRequest, AttackPlan } from "./attack-plan.ts";

const plan: AttackPlan = JSON.parse(process.argv[2] ?? "");
const { port, host = "127.0.0.1", connections, rounds, token } = plan;
const authorization = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
const answers = new Map<string, number>();
let sent = 0;

function count(what: string): void {
  answers.set(what, (answers.get(what) ?? 0) + 1);
}

function head(length: number | "chunked", credentials = authorization): string {
  const framing = length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
  return (
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
    `Accept: application/json, text/event-stream\r\n${credentials}${framing}\r\n\r\n`
  );
}

function message(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}

function call(args: object, name = "validate_policies"): string {
  return message("tools/call", { name, arguments: args });
}

const emptyStatements = (count: number) => ({
  Statement: Array.from({ length: count }, () => ({})),
});

/** A token of twelve kilobytes whose key is unknown. */
function unknownKeyToken(index: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const kid = `${process.pid}-${index}`;
  return `${part({ alg: "RS256", kid })}.${part({ pad: "x".repeat(8_800) })}.${"A".repeat(342)}`;
}

function textOf({ method, path, headers = {}, body }: AnyRequest, index: number): string {
  const content = body.map(([text, times]) => text.repeat(times)).join("");
  const fill = (text: string) => text.replaceAll("{i}", String(index));
  const filled = fill(content);
  const framing =
    filled === ""
      ? ""
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(filled)}\r\n`;
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${fill(value)}\r\n`);
  return (
    `${method} ${fill(path)} HTTP/1.1\r\nHost: localhost\r\n` +
    `Accept: application/json, text/event-stream\r\n${fill(authorization)}${framing}${more.join("")}\r\n${filled}`
  );
}

/** What one connection sends in one round, as pieces that are written one after the other. */
function* piecesOf(index: number): Generator<string> {
  switch (plan.kind) {
    case "one_byte_chunks": {
      yield head("chunked");
      const some = "1\r\n \r\n".repeat(1_024);
      for (let done = 0; done < plan.size; done += 1_024) yield some;
      yield "0\r\n\r\n";
      return;
    }
    case "empty_statements": {
      const body = call({ policies: [emptyStatements(plan.size)], ...plan.more });
      yield head(Buffer.byteLength(body)) + body;
      return;
    }
    case "actions": {
      const Action = Array.from({ length: plan.size }, (_, at) => `s3:Get${at.toString(36)}`);
      const Statement = [{ Effect: "Allow", Action, Resource: "*" }];
      const body = call({ policies: [{ Statement }], ...plan.more });
      yield head(Buffer.byteLength(body)) + body;
      return;
    }
    case "small_calls": {
      const body = call({ policies: [emptyStatements(1)] });
      yield head(body.length) + body;
      return;
    }
    case "unknown_keys": {
      yield `${head(2, `Authorization: Bearer ${unknownKeyToken(index)}\r\n`)}{}`;
      return;
    }
    case "gets": {
      yield `GET /health HTTP/1.1\r\nHost: a\r\n\r\n`;
      return;
    }
    case "streams": {
      yield `GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n${authorization}\r\n`;
      return;
    }
    case "headers": {
      const some = Array.from({ length: plan.size }, (_, at) => `X-${at}: ${"x".repeat(100)}\r\n`);
      yield `${head(2, `${authorization}${some.join("")}`)}{}`;
      return;
    }
    case "sessions": {
      const clientInfo = { name: "n".repeat(plan.size), version: "1" };
      const body = message("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo,
      });
      yield head(body.length) + body;
      return;
    }
    case "queries": {
      const patterns = Array.from({ length: plan.size }, (_, at) => `ec2:*${at % 10}*`);
      const body = call({ kind: "expand_wildcard", patterns }, "query");
      yield head(body.length) + body;
      return;
    }
    case "cancels":
    case "resets": {
      const body = call({ policies: [emptyStatements(plan.size)] });
      yield head(body.length) + body;
      return;
    }
    case "chunk_extensions": {
      yield head("chunked");
      const some = `1;${"e".repeat(plan.size)}\r\n \r\n`;
      for (let chunk = 0; chunk < 40; chunk++) yield some;
      yield "0\r\n\r\n";
      return;
    }
    case "expectations": {
      yield "POST /mcp HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\nContent-Length: 0\r\n\r\n";
      return;
    }
    case "nested_names": {
      const policy = `${'{"a":'.repeat(plan.size)}1${"}".repeat(plan.size)}`;
      const body = call({ policy: "HERE", engine: "local" }, "analyze_policy")
        .replace('"HERE"', policy)
        .replace('"policy"', '"\\u0070olicy"');
      yield head(body.length) + body;
      return;
    }
    case "unknown_methods": {
      const body = message(`unknown/${"x".repeat(plan.size)}`, {});
      yield head(body.length) + body;
      return;
    }
    case "batches": {
      const ping = message("ping", {});
      const body = `[${Array.from({ length: plan.size }, () => ping).join()}]`;
      yield head(body.length) + body;
      return;
    }
    case "slow_bodies": {
      yield head(plan.size);
      yield " ".repeat(Math.floor(plan.size / 2));
      return;
    }
    case "any": {
      if (plan.request) yield textOf(plan.request, index);
      return;
    }
    case "noise": {
      const body = "x".repeat(plan.size);
      yield head(body.length) + body;
      return;
    }
  }
}

function follow(socket: Socket): { readonly answered: () => Promise<void> } {
  let waiting = Promise.withResolvers<void>();
  let left = "";
  socket.on("data", (data) => {
    const text = left + data.toString("latin1");
    const statuses = text.match(/HTTP\/1\.1 \d{3}/g) ?? [];
    for (const status of statuses) count(status.slice(-3));
    if (text.includes('"isError":true')) count("tool error");
    left = text.slice(-11).replace(/HTTP\/1\.1 \d{3}/, "");
    if (statuses.length > 0) {
      waiting.resolve();
      waiting = Promise.withResolvers<void>();
    }
  });
  const end = () => waiting.resolve();
  socket.on("close", end);
  return { answered: () => (socket.destroyed ? Promise.resolve() : waiting.promise) };
}

async function write(socket: Socket, text: string): Promise<void> {
  if (socket.destroyed || socket.writableEnded) return;
  if (socket.write(text)) return;
  const over = new AbortController();
  const { signal } = over;
  const events = ["drain", "close"].map((event) => once(socket, event, { signal }));
  await Promise.race(events).catch(() => undefined);
  // Takes the listeners of the other event away.
  over.abort();
}

async function attackOn(index: number): Promise<void> {
  for (let turn = 0; turn < (plan.reconnects ?? 1); turn++) {
    const socket = connect({ port, host });
    socket.on("error", () => count("reset"));
    await Promise.race([once(socket, "connect"), once(socket, "close")]).catch(() => undefined);
    if (plan.reads === false) socket.pause();
    const { answered } = follow(socket);
    if (plan.reads === false) socket.removeAllListeners("data").pause();
    for (let round = 0; round < rounds && !socket.destroyed; round++) {
      for (const piece of piecesOf(index * rounds + round)) await write(socket, piece);
      sent++;
      if (plan.kind === "cancels") socket.destroy();
      if (plan.kind === "resets") {
        await after(1);
        socket.resetAndDestroy();
      }
      if (!plan.pipelined) await answered();
    }
    if (plan.pipelined || plan.kind === "slow_bodies" || plan.reads === false) {
      if (!socket.destroyed) await once(socket, "close").catch(() => undefined);
    }
    socket.destroy();
  }
}

function tell(): void {
  process.stdout.write(`${JSON.stringify({ sent, ...Object.fromEntries(answers) })}\n`);
}

process.on("SIGTERM", () => {
  tell();
  process.exit(0);
});
const attacks: Promise<void>[] = [];
for (let index = 0; index < connections; index++) {
  attacks.push(attackOn(index));
  if (index % 100 === 99) await after(1);
}
await Promise.all(attacks);
tell();
