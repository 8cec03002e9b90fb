import { setTimeout as sleep } from "node:timers/promises";

export interface FetchOptions {
  readonly maxBytes: number;
  /** For one attempt, headers and body. */
  readonly timeoutMs: number;
  readonly attempts: number;
  /** Before the second attempt; doubles with each further one. */
  readonly retryDelayMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** An answer that the next attempt would meet again. */
export class Refusal extends Error {
  override name = "Refusal";
}

/**
 * Fetches a text. No redirect is followed: it could lead anywhere.
 * @throws {Error} What the last attempt met.
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
 * Exponential, with up to half of it left to chance so that many servers do not come back at once.
 * @param attempt Attempts so far, from 1.
 * @returns milliseconds, a minute at most.
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
    // Frees the connection when the body was not read to its end.
    if (response.body && !response.body.locked) await response.body.cancel().catch(() => {});
  }
}

async function readBody(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Counted after decompression; leaving the loop cancels the rest.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Refusal(`more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
