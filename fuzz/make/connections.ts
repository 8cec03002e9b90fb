import { deflateSync, gzipSync } from "node:zlib";
import { canary } from "../../test/support/canary-traffic.ts";
import type { Random } from "../random.ts";
import { headerNames, headerValue } from "./headers.ts";
import type { Messages } from "./messages.ts";
import { mutateText } from "./mutate.ts";
import { oddText } from "./odd.ts";

/** What one client does: bytes, one character each, piece by piece. */
export interface Connection {
  readonly pieces: string[];
  /** Complete requests among them, as far as the generator knows: worth waiting for answers. */
  readonly complete: number;
}

const requestLines: readonly string[] = [
  "POST /mcp HTTP/1.0",
  "POST /mcp HTTP/0.9",
  "POST /mcp HTTP/2.0",
  "POST /mcp HTTP/1.10",
  "POST /mcp",
  "post /mcp HTTP/1.1",
  "POST  /mcp HTTP/1.1",
  "POST /mcp\tHTTP/1.1",
  "POST http://localhost/mcp HTTP/1.1",
  "POST http://evil.example/mcp HTTP/1.1",
  "POST //evil.example/mcp HTTP/1.1",
  "POST ///mcp HTTP/1.1",
  "POST /%6dcp HTTP/1.1",
  "POST /mcp%00 HTTP/1.1",
  "POST /mcp/../mcp HTTP/1.1",
  "POST /mcp#x HTTP/1.1",
  "POST /%ff%fe HTTP/1.1",
  "POST /%zz HTTP/1.1",
  "POST \\mcp HTTP/1.1",
  "POST * HTTP/1.1",
  "OPTIONS * HTTP/1.1",
  "CONNECT localhost:1 HTTP/1.1",
  "GET /health HTTP/1.1",
  "GET /ready HTTP/1.1",
  "GET /mcp HTTP/1.1",
  "HEAD /health HTTP/1.1",
  "TRACE /mcp HTTP/1.1",
  "M-SEARCH * HTTP/1.1",
  `${canary.toUpperCase()} /mcp HTTP/1.1`,
  `GET /${canary} HTTP/1.1`,
  `GET /${"a".repeat(17_000)} HTTP/1.1`,
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
  "",
];

const oddLines: readonly string[] = [
  "",
  ":",
  ": x",
  "x",
  "x y: z",
  " folded",
  "\tfolded",
  "a\u0000b: c",
  "a: b\u0000c",
  "a: b\rc",
  "a: \u00ff\u00fe",
  "Content-Length: 0",
  "Content-Length: -1",
  "Content-Length: +5",
  "Content-Length: 0x10",
  "Content-Length: 5, 5",
  "Content-Length: 1e3",
  "Content-Length: 99999999999999999999",
  "Content-Length : 5",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: chunked, identity",
  "Transfer-Encoding: identity",
  "Transfer-Encoding: xchunked",
  "Transfer-Encoding : chunked",
  "Transfer-Encoding: gzip, chunked",
  "Expect: 100-continue",
  `Expect: ${canary}`,
  "Upgrade: websocket",
  "Upgrade: h2c",
  "Connection: upgrade",
  "Connection: close",
  "Connection: keep-alive, close",
  "Host: localhost",
  "Host: evil.example",
  "Host:",
  "Host: a@localhost",
  "Host: [::1",
  "Host: localhost:99999999",
  "Trailer: x",
  "TE: trailers",
  "Content-Encoding: gzip",
  "Content-Encoding: br",
  "Content-Type: application/json",
  "Accept-Encoding: gzip;q=0, *;q=0",
  "Range: bytes=0-",
  `X-${canary}: ${canary}`,
];

/** Small until somebody takes it apart. */
const bomb = gzipSync(Buffer.alloc(5_000_000));

/** Makes what goes over one socket. */
export function makeConnection(messages: Messages, random: Random): Connection {
  const made = random.list(random.chance(0.8) ? 1 : 1 + random.small(8), () =>
    oneRequest(messages, random),
  );
  const bytes = made.map(({ bytes }) => bytes).join(random.chance(0.95) ? "" : "\r\n");
  const complete = made.every((one) => one.complete) ? made.length : 0;
  const changed = random.chance(0.12);
  const sent = changed ? mutateText(bytes, random) : bytes;
  const cut = random.chance(0.05) ? random.below(sent.length + 1) : sent.length;
  return {
    pieces: inPieces(sent.slice(0, cut), random),
    complete: changed || cut < sent.length ? 0 : complete,
  };
}

function inPieces(bytes: string, random: Random): string[] {
  if (!random.chance(0.2)) return [latin1(bytes)];
  const pieces: string[] = [];
  for (let from = 0; from < bytes.length && pieces.length < 40; ) {
    const to = pieces.length === 39 ? bytes.length : from + 1 + random.small(bytes.length);
    pieces.push(latin1(bytes.slice(from, to)));
    from = to;
  }
  return pieces;
}

/** Characters above 0xff are not bytes. */
function latin1(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}

function oneRequest(messages: Messages, random: Random): { bytes: string; complete: boolean } {
  const { method, path, headers, body, encoding = "utf8" } = messages.request(random);
  const [packed, packing] = packedBody(Buffer.from(body, encoding), random);
  const isPlain = random.chance(0.5);
  const line =
    isPlain || random.chance(0.6) ? `${method} ${path} HTTP/1.1` : random.pick(requestLines);
  const lines = [
    "Host: localhost",
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...packing,
  ];
  const isChunked = !isPlain && random.chance(0.25);
  const [framing, framed] = isChunked
    ? chunked(packed, random)
    : [contentLength(packed, isPlain, random), packed];
  lines.push(framing);
  if (!isPlain) for (let left = random.small(4); left > 0; left--) spoil(lines, random);
  const lineBreak = isPlain || random.chance(0.97) ? "\r\n" : random.pick(["\n", "\r", "\r\r\n"]);
  const bytes = [line, ...lines, "", framed].join(lineBreak);
  return { bytes, complete: isPlain };
}

function packedBody(body: Buffer, random: Random): [body: string, headers: string[]] {
  const [packed, name] = random.weighted<[Buffer, string | undefined]>([
    [30, () => [body, undefined]],
    [1, () => [gzipSync(body), "gzip"]],
    [1, () => [deflateSync(body), "deflate"]],
    [1, () => [body, "gzip"]],
    [1, () => [bomb, "gzip"]],
  ]);
  return [packed.toString("latin1"), name === undefined ? [] : [`Content-Encoding: ${name}`]];
}

function contentLength(body: string, isRight: boolean, random: Random): string {
  const wrong = () =>
    random.pick([0, body.length - 1, body.length + 1, 2 ** 31, 64 * 1024 * 1024, -1]);
  return `Content-Length: ${isRight || random.chance(0.8) ? body.length : wrong()}`;
}

function chunked(body: string, random: Random): [header: string, body: string] {
  const size = 1 + random.below(body.length + 1);
  let framed = "";
  for (let from = 0; from < body.length; from += size) {
    const part = body.slice(from, from + size);
    const length = random.chance(0.97)
      ? part.length.toString(16)
      : random.pick([
          "-1",
          "zz",
          "ffffffffffffffff",
          "0x5",
          " 5",
          "5;a=b",
          `5;${"x".repeat(20_000)}`,
          "",
        ]);
    framed += `${length}\r\n${part}\r\n`;
    if (framed.length > 100_000) break;
  }
  const end = random.chance(0.9)
    ? "0\r\n\r\n"
    : random.pick(["0\r\n", "", `0\r\nX-Trailer: ${canary}\r\n\r\n`, "00000\r\n\r\n"]);
  return ["Transfer-Encoding: chunked", framed + end];
}

/** Does something to the header lines. */
function spoil(lines: string[], random: Random): void {
  const at = random.below(lines.length + 1);
  random.weighted<unknown>([
    [6, () => lines.splice(at, 0, random.pick(oddLines))],
    [3, () => lines.splice(at, 0, `${random.pick(headerNames)}: ${headerValue(random)}`)],
    [2, () => lines.splice(at, 1)],
    [2, () => lines.splice(at, 0, lines[random.below(lines.length)] ?? "")],
    [
      1,
      () =>
        lines.splice(at, 0, ...random.list(random.small(3_000), () => `X-A: ${random.below(10)}`)),
    ],
    [1, () => lines.splice(at, 0, `X-Long: ${"a".repeat(random.small(20_000))}`)],
    [1, () => lines.splice(at, 0, mutateText(lines[0] ?? "", random))],
    [1, () => lines.splice(at, 0, `${oddText(random)}: ${oddText(random)}`)],
  ]);
}
