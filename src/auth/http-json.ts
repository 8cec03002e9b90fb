import { providerMaxBytes, providerTimeoutMs } from "../../spec/auth.ts";
import { tryParseJson } from "../json/parse.ts";
import { readAtMost } from "../read-at-most.ts";

/** An identity provider that could not be asked, or whose answer cannot be used. The message holds no secret. */
export class ProviderProblem extends Error {
  override name = "ProviderProblem";
}

export interface JsonAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined when the body is not JSON. */
  readonly body: unknown;
}

export interface FetchBounds {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

const defaultBounds: FetchBounds = { timeoutMs: providerTimeoutMs, maxBytes: providerMaxBytes };

/**
 * One request to an identity provider: bounded in time and size, redirects are answers and not followed.
 * @throws {ProviderProblem} When there is no complete answer within the bounds.
 */
export async function fetchJson(
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  { timeoutMs, maxBytes }: FetchBounds = defaultBounds,
): Promise<JsonAnswer> {
  try {
    const response = await fetch(url, {
      ...init,
      headers: { accept: "application/json", "user-agent": "validator-mcp", ...init.headers },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await readText(response, maxBytes);
    return { status: response.status, headers: response.headers, body: tryParseJson(text) };
  } catch (error) {
    throw new ProviderProblem(reasonOf(error, timeoutMs), { cause: error });
  }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const { bytes, isWhole } = await readAtMost(response.body, maxBytes);
  if (!isWhole) throw new ProviderProblem(`its answer is larger than ${maxBytes} bytes`);
  return Buffer.from(bytes.buffer).toString("utf8");
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof ProviderProblem) return error.message;
  if (error instanceof Error && error.name === "TimeoutError") {
    return `no answer within ${timeoutMs} ms`;
  }
  // Where fetch puts what the system says.
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return `the request failed${code}`;
}
