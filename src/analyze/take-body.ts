import type { ValidatePolicyCommand } from "@aws-sdk/client-accessanalyzer";
import { ToolError } from "../errors.ts";
import { readAtMost } from "../read-at-most.ts";

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
        const { bytes, isWhole } = await readAtMost(response.body, maxBodyBytes);
        if (!isWhole) {
          throw new ToolError(
            "cloud_api_error",
            `Access Analyzer in ${region} returned more than ${maxBodyBytes / 1_048_576} MiB of findings.`,
          );
        }
        taken = bytes;
        response.body = new TextEncoder().encode("{}");
      } else {
        response.body = (await readAtMost(response.body, maxErrorBytes)).bytes;
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
