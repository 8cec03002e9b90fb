import { setTimeout as sleep } from "node:timers/promises";
import { readAtMost } from "../read-at-most.ts";

export interface FetchOptions {
  readonly maxBytes: number;
  /** Timeout of one attempt, headers and body. */
  readonly timeoutMs: number;
  readonly attempts: number;
  /** Delay before the second attempt; doubles with each further one. */
  readonly retryDelayMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A response that a retry would not change. */
export class Refusal extends Error {
  override name = "Refusal";
}

/**
 * Fetches a text, with retries. Redirects are not followed, because they could lead to any host.
 * @throws {Error} The error of the last attempt.
 */
export async function fetchDocument(url: URL, options: FetchOptions): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchOnce(url, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error instanceof Refusal || attempt >= options.attempts) throw error;
      await pause(backOff(options.retryDelayMs, attempt), options.signal);
    }
  }
}

/**
 * Exponential back-off with up to 50 % jitter, so that many servers do not retry at the same moment.
 * @param attempt Number of attempts so far.
 * @returns Milliseconds, at most a minute.
 */
export function backOff(firstMs: number, attempt: number): number {
  const full = Math.min(60_000, firstMs * 2 ** Math.min(attempt - 1, 30));
  return full * (0.5 + Math.random() / 2);
}

/** @throws the signal's reason. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal && { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

async function fetchOnce(url: URL, options: FetchOptions): Promise<string> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  const response = await fetch(url, {
    redirect: "manual",
    headers: { accept: "application/json" },
    signal,
  });
  try {
    const { status } = response;
    if (status >= 300 && status < 400) throw new Refusal(`a redirect (${status}) is not followed`);
    const mayPass = status === 408 || status === 429 || status >= 500;
    if (!response.ok) {
      throw mayPass ? new Error(`status ${status}`) : new Refusal(`status ${status}`);
    }
    return await readBody(response, options.maxBytes);
  } finally {
    // Frees the connection if the body was not read completely.
    if (response.body && !response.body.locked) await response.body.cancel().catch(() => {});
  }
}

async function readBody(response: Response, maxBytes: number): Promise<string> {
  const { bytes, isWhole } = await readAtMost(response.body, maxBytes);
  if (!isWhole) throw new Refusal(`more than ${maxBytes} bytes`);
  return Buffer.from(bytes.buffer).toString("utf8");
}
