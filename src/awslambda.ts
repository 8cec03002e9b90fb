import type { FunctionHandler } from "./lambda/create.ts";
import type { Environment } from "./settings.ts";

export type { FunctionContext, FunctionHandler } from "./lambda/create.ts";
export type { FunctionResult } from "./lambda/result.ts";

/**
 * Starts the server of one execution environment.
 * @returns A function from an HTTP event to an HTTP result.
 * @throws {StartupError} Says what the operator must fix. No request is answered then.
 */
export async function createHandler({
  environment = process.env,
}: {
  readonly environment?: Environment;
} = {}): Promise<FunctionHandler> {
  // Loaded here, so that importing this module is fast and has no side effects.
  const { buildHandler } = await import("./lambda/create.ts");
  return buildHandler(environment);
}

/** The Lambda entry point of this execution environment. */
export interface FunctionEntry {
  /** Reading it starts the server. Calling it waits until the server has started. */
  readonly handler: FunctionHandler;
  /** Starts the server if necessary and waits for it. Rejects with the error that prevents the start. */
  ready(): Promise<void>;
}

/**
 * An entry point whose server is started once, on first use. If that fails, the next use tries again:
 * an identity provider may be reachable by then. An invalid setting fails the same way again.
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
      // A caller of the handler gets the error. Without a caller, it must not end the process.
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
