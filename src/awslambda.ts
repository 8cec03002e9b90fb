import type { FunctionHandler } from "./lambda/create.ts";
import type { Environment } from "./settings.ts";

export type { FunctionContext, FunctionHandler } from "./lambda/create.ts";
export type { FunctionResult } from "./lambda/result.ts";

/**
 * Starts the server of one execution environment.
 * @returns a function from an HTTP event to an HTTP result.
 * @throws {StartupError} naming what the operator must mend; no request is answered then.
 */
export async function createHandler({
  environment = process.env,
}: {
  readonly environment?: Environment;
} = {}): Promise<FunctionHandler> {
  // Loaded here, so that importing this module costs and does nothing.
  const { buildHandler } = await import("./lambda/create.ts");
  return buildHandler(environment);
}

/** The function of this execution environment. */
export interface FunctionEntry {
  /** Reading it starts the server; calling it waits for that. */
  readonly handler: FunctionHandler;
  /** Starts the server, if nothing has yet, and waits for it. Rejects with what keeps it from starting. */
  ready(): Promise<void>;
}

/**
 * An entry whose server is started once, on first use. A start that fails is tried again by the next
 * use: an identity provider that was out of reach need not stay so, and a wrong setting fails the same way.
 */
export function lazyEntry(create: () => Promise<FunctionHandler>): FunctionEntry {
  let started: Promise<FunctionHandler> | undefined;
  const start = (): Promise<FunctionHandler> => {
    started ??= create().catch((error: unknown) => {
      started = undefined;
      throw error;
    });
    return started;
  };
  const handler: FunctionHandler = async (event, context) => (await start())(event, context);
  return {
    get handler() {
      // Whoever calls the handler sees the failure; nobody calling it must not end the process.
      start().catch(() => undefined);
      return handler;
    },
    async ready() {
      await start();
    },
  };
}

/** Its `handler` is `iam_validator.mcp.awslambda.handler`; see `iam_validator.mjs`. */
export const awslambda: FunctionEntry = lazyEntry(createHandler);
