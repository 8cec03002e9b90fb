/** What each request must be answered with, found out before the load and from two sides. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { toolContracts } from "../../spec/tools/index.ts";
import { startInProcess } from "../../test/support/in-process.ts";
import { call } from "../../test/support/rpc.ts";
import { Client } from "./client.ts";
import type { Ask } from "./mix.ts";

/** Moments in reports; nothing else differs between two answers to the same request. */
const moment = /\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z| \d\d:\d\d UTC)/g;

const RpcResult = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.literal(1),
  result: z.looseObject({}),
});
const CallResult = z.looseObject({
  isError: z.boolean(),
  content: z.tuple([z.looseObject({ type: z.literal("text"), text: z.string() })]),
  structuredContent: z.looseObject({}).optional(),
});

function withoutMoments(body: Buffer): Buffer {
  return Buffer.from(body.toString().replace(moment, "then"));
}

/** Answers by request. */
export class Expected {
  readonly #bodies = new Map<Ask, Buffer>();
  readonly #dated = new Set<Ask>();

  learn(ask: Ask, body: Buffer): void {
    if (ask.kind === "report") this.#dated.add(ask);
    this.#bodies.set(ask, this.#comparable(ask, body));
  }

  /** Whether an answer is, byte for byte, the right one. */
  matches(ask: Ask, body: Buffer): boolean {
    return this.#bodies.get(ask)?.equals(this.#comparable(ask, body)) ?? false;
  }

  /** @returns both answers from where they part. */
  differenceOf(ask: Ask, body: Buffer): string {
    const [wanted, got] = [this.#bodies.get(ask) ?? Buffer.of(), this.#comparable(ask, body)];
    const at = Math.max(0, wanted.findIndex((byte, index) => byte !== got[index]) - 40);
    const part = (all: Buffer) => JSON.stringify(all.toString("utf8", at, at + 120));
    return `${part(wanted)} is ${part(got)}`;
  }

  #comparable(ask: Ask, body: Buffer): Buffer {
    return this.#dated.has(ask) ? withoutMoments(body) : body;
  }
}

function resultOf(body: Buffer): unknown {
  const text = body.toString();
  const data = text.startsWith("event: message\n") ? text.slice(text.indexOf("data: ") + 6) : text;
  return RpcResult.parse(JSON.parse(data)).result;
}

/** @throws {Error} When an answer is not a right answer to that request. */
async function check(ask: Ask, body: Buffer, source: { readonly url: string }): Promise<void> {
  if (ask.status !== 200) {
    if (ask.status === 202 && body.length > 0) throw new Error("a notification has a body");
    return;
  }
  const result = resultOf(body);
  if (!ask.call) return;
  const { isError, content, structuredContent } = CallResult.parse(result);
  if (isError !== ask.refused) throw new Error(`isError is ${isError}: ${content[0].text}`);
  if (ask.refused) return;
  const { tool, args } = ask.call;
  const contract = toolContracts.find(({ name }) => name === tool);
  contract?.output.parse(structuredContent);
  if (!isDeepStrictEqual(JSON.parse(content[0].text), structuredContent)) {
    throw new Error("the text is not the structured content");
  }
  if (tool !== "validate_policies" || ask.kind === "report") return;
  const { body: own } = await call(source, tool, args);
  const { structuredContent: validated } = CallResult.parse(own.result);
  if (!isDeepStrictEqual(structuredContent?.results, validated?.results)) {
    throw new Error("the verdict differs from that of the sources");
  }
}

/**
 * Asks every replica everything once. Each answer must fit the protocol and the tool's contract, every
 * verdict must be the one that this checkout's own server gives in this process, and the replicas must agree.
 * @param config The config file of the replicas.
 */
export async function learnAnswers(
  asks: Iterable<Ask>,
  urls: readonly string[],
  config: string,
): Promise<Expected> {
  const expected = new Expected();
  const source = await startInProcess({ flags: { config_source: config } });
  const clients = urls.map((url) => new Client(url));
  try {
    for (const ask of asks) {
      for (const [at, client] of clients.entries()) {
        const { status, body } = await client.send(ask, false);
        if (status !== ask.status) throw new Error(`${ask.kind}: status ${status}: ${body}`);
        if (at > 0) {
          if (expected.matches(ask, body)) continue;
          throw new Error(`${ask.kind}: two replicas answer differently`);
        }
        await check(ask, body, source).catch((error: unknown) => {
          throw new Error(`${ask.kind}: a wrong answer`, { cause: error });
        });
        expected.learn(ask, body);
      }
    }
  } finally {
    for (const client of clients) client.close();
    await source.stop();
  }
  return expected;
}
