import { providerMaxBytes, providerTimeoutMs } from "../../../spec/auth.ts";
import { isGithubLimit, retryAfterMs } from "../../auth/opaque-tokens.ts";
import { readAtMost } from "../../read-at-most.ts";

/** Why a request to the provider failed. `grant`: the code or token is invalid or has ended. */
export type UpstreamFailure = "grant" | "refuses_us" | "down" | "answer";

/** A request to the provider failed. The message has no secret. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
  readonly failure: UpstreamFailure;
  /** The provider's own word, `[a-z_]{1,40}`, for the log. */
  readonly word: string | undefined;
  readonly retryAfterS: number | undefined;
  constructor(
    failure: UpstreamFailure,
    details: { word?: unknown; retryAfterS?: number | undefined; cause?: unknown } = {},
  ) {
    super(failure, { cause: details.cause });
    this.failure = failure;
    this.word = errorWord(details.word);
    this.retryAfterS = details.retryAfterS;
  }
}

/** @returns the text when it is a plain error word, which is all of a provider's answer that is logged. */
export function errorWord(text: unknown): string | undefined {
  return typeof text === "string" && /^[a-z_]{1,40}$/.test(text) ? text : undefined;
}

const maxUnderWay = 64;
const longestPauseS = 60;
/** `Retry-After` for clients if the provider gives none. */
export const standardRetryS = 5;

export interface Calls {
  /**
   * One request to the provider, with the answer's body read: 10 s, 1 MiB, no redirects, 64 at once.
   * @throws {UpstreamError} `down` for no answer, 429 and 5xx; `answer` for redirects and what is too long.
   */
  fetch(url: string, init: RequestInit): Promise<Response>;
}

/** @param ticks ms of a monotonic clock. */
export function createCalls(ticks: () => number, took: (seconds: number) => void): Calls {
  let underWay = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;

  const pauseFor = (headers: Headers, isLimit: boolean): number | undefined => {
    const asked = retryAfterMs(headers);
    if (asked === undefined && !isLimit) return undefined;
    const seconds = Math.min(longestPauseS, Math.max(1, (asked ?? standardRetryS * 1000) / 1000));
    pausedUntil = Math.max(pausedUntil, ticks() + seconds * 1000);
    return Math.ceil(seconds);
  };

  return {
    async fetch(url, init) {
      const left = pausedUntil - ticks();
      if (left > 0) throw new UpstreamError("down", { retryAfterS: Math.ceil(left / 1000) });
      if (underWay >= maxUnderWay) throw new UpstreamError("down");
      underWay++;
      const started = ticks();
      try {
        const response = await bounded(url, init);
        const { status, headers } = response;
        const isOfGithub = url.startsWith("https://api.github.com/");
        const isLimit = status === 429 || (status === 403 && isOfGithub && isGithubLimit(headers));
        if (isLimit || status >= 500) {
          throw new UpstreamError("down", { retryAfterS: pauseFor(headers, isLimit) });
        }
        if (status >= 300 && status < 400) throw new UpstreamError("answer");
        return response;
      } finally {
        underWay--;
        took((ticks() - started) / 1000);
      }
    },
  };
}

async function bounded(url: string, init: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(providerTimeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  const headers = new Headers(init.headers);
  headers.set("user-agent", "validator-mcp");
  try {
    const response = await fetch(url, { ...init, headers, redirect: "manual", signal });
    const { bytes, isWhole } = await readAtMost(response.body, providerMaxBytes);
    if (!isWhole) throw new UpstreamError("answer");
    const { status } = response;
    const body = [204, 205, 304].includes(status) ? null : bytes;
    return new Response(body, { status, headers: response.headers });
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    throw new UpstreamError("down", { cause: error });
  }
}
