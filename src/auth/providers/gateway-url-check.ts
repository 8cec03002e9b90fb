import { StartupError } from "../../errors.ts";
import type { AuthLog } from "../context.ts";

const verify =
  "make sure that no function URL of auth type NONE reaches this function, or anyone may call it";

/**
 * Refuses to trust an authorizer when the function can be called without one. Best effort: whatever keeps the check
 * from being made is a warning.
 * @param functionName value of `AWS_LAMBDA_FUNCTION_NAME`.
 * @throws {StartupError} `gateway_public_url` when the function's URL has auth type NONE.
 */
export async function checkFunctionUrl(
  functionName: string | undefined,
  log: AuthLog,
): Promise<void> {
  if (!functionName?.trim()) {
    log.warn({}, `AWS_LAMBDA_FUNCTION_NAME is not set, so no URL was checked: ${verify}.`);
    return;
  }
  const authType = await readAuthType(functionName).catch((error: unknown) => {
    const reason = error instanceof Error ? error.name : "unknown error";
    log.warn({ reason }, `The function URL could not be checked (${reason}): ${verify}.`);
    return undefined;
  });
  if (authType !== "NONE") return;
  throw new StartupError(
    "gateway_public_url",
    "Auth gateway must not be paired with a function URL of auth type NONE: such a URL has no authorizer. Change the URL to AWS_IAM, remove it, or choose --auth jwt (VALIDATOR_MCP_AUTH=jwt).",
  );
}

/** @returns the auth type of the function's URL; undefined when it has none. */
async function readAuthType(functionName: string): Promise<string | undefined> {
  // Loaded here, because no other way to authenticate needs it and it is the largest module of all.
  const { GetFunctionUrlConfigCommand, LambdaClient, ResourceNotFoundException } = await import(
    "@aws-sdk/client-lambda"
  );
  const client = new LambdaClient({ maxAttempts: 2 });
  try {
    const command = new GetFunctionUrlConfigCommand({ FunctionName: functionName });
    // Within the ten seconds that the platform gives a function to start.
    const answer = await client.send(command, { abortSignal: AbortSignal.timeout(3_000) });
    return answer.AuthType;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}
