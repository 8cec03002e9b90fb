import type { ValidatePolicyCommand } from "@aws-sdk/client-accessanalyzer";
import { ToolError } from "../errors.ts";

/** Most bytes of one response: a policy of 32 KiB with a finding for each of its entries has far less. */
const maxBodyBytes = 8 * 1_048_576;
/** Of an error only the message is used. */
const maxErrorBytes = 65_536;

type Middlewares = ValidatePolicyCommand["middlewareStack"];

/**
 * Takes the body of a successful response before the SDK (3.1080) parses it, which it would do on this
 * thread, and gives the SDK an empty one. An error stays with the SDK, in at most 64 KiB.
 * @returns the body, once the call has been answered.
 */
export function takeBody(middlewares: Middlewares, region: string): () => Uint8Array {
  let taken = new Uint8Array();
  middlewares.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as { statusCode: number; body: unknown };
      if (!isBody(response.body)) return result;
      if (response.statusCode === 200) {
        taken = await readAtMost(response.body, maxBodyBytes, () => {
          throw new ToolError(
            "cloud_api_error",
            `Access Analyzer in ${region} returned more than ${maxBodyBytes / 1_048_576} MiB of findings.`,
          );
        });
        response.body = new TextEncoder().encode("{}");
      } else {
        response.body = await readAtMost(response.body, maxErrorBytes, () => {});
      }
      return result;
    },
    { name: "takeBody", step: "deserialize", priority: "low" },
  );
  return () => taken;
}

function isBody(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

/**
 * Copies each chunk as it comes: kept, one of a single byte takes the memory of hundreds. Leaving the loop early ends
 * the stream, and with it the connection.
 */
async function readAtMost(
  body: AsyncIterable<Uint8Array>,
  most: number,
  onMore: () => void,
): Promise<Uint8Array<ArrayBuffer>> {
  let room = new Uint8Array(16 * 1024);
  let bytes = 0;
  for await (const part of body) {
    const end = bytes + part.length;
    if (end > most) {
      onMore();
      break;
    }
    if (end > room.length) {
      const longer = new Uint8Array(Math.min(most, Math.max(end, 2 * room.length)));
      longer.set(room.subarray(0, bytes));
      room = longer;
    }
    room.set(part, bytes);
    bytes = end;
  }
  return room.slice(0, bytes);
}
