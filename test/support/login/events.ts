import { createHandler, type FunctionHandler } from "../../../src/awslambda.ts";
import { answerOf, type EventShape, eventShapes } from "../lambda-events.ts";
import { configPath } from "../target.ts";
import { prefixed, type Variables } from "./variables.ts";
import type { Transport } from "./visitor.ts";

/** Builds the function of a front. */
export function frontFunction(auth: string, variables: Variables): Promise<FunctionHandler> {
  return createHandler({
    environment: {
      VALIDATOR_MCP_AUTH: auth,
      VALIDATOR_MCP_CONFIG: configPath,
      VALIDATOR_MCP_LOG_LEVEL: "error",
      ...prefixed(variables),
    },
  });
}

/** Carries HTTP requests to a function as events of one form, and its results back. */
export function eventTransport(handler: FunctionHandler, shape: EventShape): Transport {
  return async (target, init) => {
    const [path = "/", ...query] = target.split("?");
    const body = init.body === undefined || init.body === null ? undefined : String(init.body);
    const event = eventShapes[shape]({
      method: init.method ?? "GET",
      path,
      query: query.join("?"),
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(body !== undefined && { body, base64: true }),
    });
    const { status, headers, bytes } = answerOf(await handler(event));
    const empty = [204, 303, 304].includes(status) || init.method === "HEAD";
    return new Response(empty ? null : new Uint8Array(bytes), { status, headers });
  };
}
