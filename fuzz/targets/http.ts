import { connect } from "node:net";
import { z } from "zod";
import { schemaErrors } from "../../test/support/published-schemas.ts";
import { holds } from "../broken.ts";
import { type Connection, makeConnection } from "../make/connections.ts";
import { readCorpus } from "../make/corpus.ts";
import { Messages } from "../make/messages.ts";
import type { Outputs } from "../outputs.ts";
import type { Target } from "../target.ts";
import { verifyAnswer, verifyAudit, verifyOutput } from "../verify/answer.ts";
import { readAnswers } from "../verify/http.ts";
import { openWire, type WireOptions } from "../wire.ts";

const HttpCase = z.strictObject({
  /** At the same time. */
  connections: z.array(z.strictObject({ pieces: z.array(z.string()), complete: z.int().min(0) })),
});
type HttpCase = z.infer<typeof HttpCase>;

/** An answer that is waited for comes within this time. */
const answerMs = 5_000;
/** Bytes without a known meaning are answered within this time, or get none here. */
const quietMs = 10;

export function open(outputs: Outputs): Promise<Target<HttpCase>> {
  return openHttp(outputs);
}

/** Bytes over sockets to the real server. */
export async function openHttp(
  _outputs: Outputs,
  options: WireOptions = {},
): Promise<Target<HttpCase>> {
  const wire = await openWire(options);
  const messages = new Messages(readCorpus());
  const port = Number(new URL(wire.server.url).port);
  // Over all cases: a call may end after the client that sent it has left, and its case with it.
  let sentCalls = 0;
  let recorded = 0;
  let answered = 0;
  return {
    schema: HttpCase,
    generate: (random) => ({
      connections: random.list(1 + random.small(6), () => makeConnection(messages, random)),
    }),
    async run({ connections }) {
      for (const { pieces } of connections) {
        sentCalls += pieces.join("").split(/tools.{0,12}call/).length - 1;
      }
      const all = await Promise.all(connections.map((connection) => talk(port, connection)));
      const records = verifyAudit(wire.takeAudit());
      recorded += records.length;
      for (const bytes of all) {
        for (const answer of readAnswers(bytes)) {
          const { toolResult } = verifyAnswer(answer);
          if (!toolResult) continue;
          answered++;
          const output = toolResult.output;
          const fits = toolResult.isError || records.some(({ tool }) => fitsTool(tool, output));
          holds(fits, "an output off its schema", () => JSON.stringify(output).slice(0, 2_000));
        }
      }
      const shown = () => `${answered} answered, ${recorded} recorded, ${sentCalls} sent`;
      holds(answered <= recorded, "a missing audit record", shown);
      holds(recorded <= sentCalls, "one audit record too many", shown);
      await verifyHealth(wire.server.url);
    },
    close: () => wire.close(),
  };
}

function fitsTool(tool: string, output: unknown): boolean {
  try {
    verifyOutput(tool, output);
    return true;
  } catch {
    return false;
  }
}

/** Whatever came before, the server is there for the next one. */
async function verifyHealth(url: string): Promise<void> {
  const response = await fetch(`${url}/health`);
  const errors = schemaErrors("health", await response.json());
  holds(response.status === 200 && errors.length === 0, "no health", () => errors.join("; "));
}

/** @returns all bytes that came back, one character each. */
async function talk(port: number, { pieces, complete }: Connection): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const { promise, resolve } = Promise.withResolvers<void>();
  let received = "";
  let answers = 0;
  let timer = setTimeout(resolve, answerMs);
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(resolve, answers < complete ? answerMs : quietMs);
  };
  socket.on("data", (part) => {
    received += part.toString("latin1");
    answers = received.split("HTTP/1.1 ").length - 1;
    wait();
  });
  socket.on("error", () => resolve());
  socket.on("close", () => resolve());
  socket.on("connect", () => {
    for (const piece of pieces) socket.write(Buffer.from(piece, "latin1"));
    wait();
  });
  await promise;
  clearTimeout(timer);
  socket.destroy();
  return received;
}
