import { createApp } from "../app.ts";
import { createAuthentication } from "../authentication.ts";
import { createAudit, standardOutput } from "../mcp/audit.ts";
import { components } from "../mcp/components.ts";
import { instructionsFor } from "../mcp/instructions.ts";
import { type Environment, readSettings } from "../settings.ts";
import { start } from "../startup.ts";
import { tools } from "../tools/index.ts";
import { readEvent } from "./event.ts";
import { type FunctionResult, writeResult } from "./result.ts";

/** The members used of the context that the Lambda runtime passes with the event. */
export interface FunctionContext {
  getRemainingTimeInMillis(): number;
}

export type FunctionHandler = (
  event: unknown,
  context?: FunctionContext,
) => Promise<FunctionResult>;

const notHttp: FunctionResult = {
  statusCode: 400,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ error: "invalid_event" }),
  isBase64Encoded: false,
};

/**
 * Starts the server for one execution environment and adapts it to function events.
 * @param environment Settings come only from its `VALIDATOR_MCP_*` variables. A function is always hosted.
 * @throws {StartupError} Says what the operator must fix.
 */
export async function buildHandler(environment: Environment): Promise<FunctionHandler> {
  const read = readSettings({ mode: "hosted" }, environment);
  const { settings, authExplicit } = read;
  const runtime = await start({ ...read, environment, lazyData: true });
  const { authenticator, login } = await createAuthentication({
    auth: settings.auth,
    explicit: authExplicit,
    mode: "hosted",
    unknownNames: settings.unknown_names,
    serverless: true,
    environment,
    log: runtime.log,
  });
  const app = createApp({
    runtime,
    authenticator,
    login,
    tools,
    components,
    instructions: instructionsFor(runtime),
    audit: createAudit(standardOutput(), runtime.log),
    serverless: true,
  });

  return async (event, lambdaContext) => {
    const invocation = readEvent(event);
    if (!invocation) {
      runtime.log.warn(
        "The event is not an HTTP request of a function URL, an API or a load balancer.",
      );
      return notHttp;
    }
    const { request, sender } = invocation;
    const response = await app.fetch(request, { event, lambdaContext });
    return writeResult(response, sender, request.headers.get("accept-encoding"));
  };
}
