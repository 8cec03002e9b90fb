import { z } from "zod";
import { readCorpus } from "../make/corpus.ts";
import { Messages } from "../make/messages.ts";
import type { Outputs } from "../outputs.ts";
import type { Target } from "../target.ts";
import { twinOf, verifyTwins } from "../verify/twin.ts";
import { openWire, type WireOptions } from "../wire.ts";

const RpcCase = z.strictObject({
  method: z.string(),
  path: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string(),
  encoding: z.enum(["utf8", "latin1"]).optional(),
  /** Whether it is sent once more, so that the server takes another way to its answer. */
  twin: z.boolean(),
});
type RpcCase = z.infer<typeof RpcCase>;

export function open(outputs: Outputs): Promise<Target<RpcCase>> {
  return openRpc(outputs);
}

/** Requests to the real app, without a socket. */
export async function openRpc(
  _outputs: Outputs,
  options: WireOptions = {},
): Promise<Target<RpcCase>> {
  const wire = await openWire(options);
  const messages = new Messages(readCorpus());
  return {
    schema: RpcCase,
    generate: (random) => {
      const { headers, ...request } = messages.request(random);
      const twin = random.chance(0.3);
      return { ...request, headers: headers.map(([name, value]) => [name, value]), twin };
    },
    async run({ twin, ...request }) {
      const answer = await wire.exchange(request);
      const other = twin ? twinOf(request) : undefined;
      if (other) verifyTwins(answer, await wire.exchange(other));
    },
    close: () => wire.close(),
  };
}
