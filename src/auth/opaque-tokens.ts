import { createHash } from "node:crypto";
import { opaqueTokenLifetimeS } from "../../spec/auth.ts";
import { Budget, shareOf } from "../admission/budget.ts";
import { lruCache } from "../lru-cache.ts";
import { ageFrom, type Clocks, steady } from "./clocks.ts";
import type { AuthLog } from "./context.ts";
import { ProviderProblem } from "./http-json.ts";
import type { Verdict } from "./identity.ts";
import { ProviderCrowded } from "./key-source.ts";

const maxGood = 10_000;
const maxBad = 10_000;
const badLifetimeMs = 5_000;
/** Checks under way at once, of which one address has a share; so that a flood of invented tokens does not use up the provider's quota and the memory. */
const maxUnderWay = 64;
const shortestPauseMs = 1_000;
const longestPauseMs = 60_000;

const unchecked = { refused: "The access token cannot be checked at the moment." };

/** The provider cannot answer now, and asks for a pause of `pauseMs`. */
export class ProviderBusy extends ProviderProblem {
  readonly pauseMs: number;
  constructor(message: string, pauseMs: number) {
    super(message);
    this.pauseMs = pauseMs;
  }
}

export interface OpaqueTokens extends Clocks {
  /** Asks the provider about one token. @throws {ProviderProblem} If it cannot answer. */
  ask(token: string): Promise<Verdict>;
  readonly log: AuthLog;
}

interface Known {
  readonly verdict: Verdict;
  readonly isValid: () => boolean;
}

/**
 * Wraps a provider's token check: a good answer counts for five minutes at most and never past expiry, a bad one for
 * seconds; both stores are bounded and keep digests, not tokens. Checks of one token are shared. After a failure, the
 * provider is not asked for a while; until then only callers with cached tokens are accepted.
 * The function rejects with {@link ProviderCrowded} if too many checks are under way.
 */
export function opaqueTokens(
  options: OpaqueTokens,
): (token: string, from?: string) => Promise<Verdict> {
  const { ask, log, now } = options;
  const ticks = steady(options);
  const good = lruCache<Known>(maxGood);
  const bad = lruCache<Known>(maxBad);
  const underWay = new Map<string, Promise<Verdict>>();
  const checks = new Budget({ process: maxUnderWay, caller: shareOf(maxUnderWay) });
  let pausedUntil = Number.NEGATIVE_INFINITY;

  const check = async (token: string, digest: string): Promise<Verdict> => {
    try {
      const verdict = await ask(token);
      const ageMs = ageFrom(options);
      if ("identity" in verdict) {
        const expires = verdict.identity.expiresAtMs ?? Number.POSITIVE_INFINITY;
        if (expires <= now()) return { refused: "The access token has expired." };
        const isValid = () => ageMs() < opaqueTokenLifetimeS * 1000 && now() < expires;
        good.set(digest, { verdict, isValid });
      } else {
        bad.set(digest, { verdict, isValid: () => ageMs() < badLifetimeMs });
      }
      return verdict;
    } catch (error) {
      if (!(error instanceof ProviderProblem)) throw error;
      const wanted = error instanceof ProviderBusy ? error.pauseMs : shortestPauseMs;
      if (ticks() >= pausedUntil) {
        log.warn({ reason: error.message }, "The identity provider cannot check tokens.");
      }
      const pause = Math.min(Math.max(wanted, shortestPauseMs), longestPauseMs);
      pausedUntil = Math.max(pausedUntil, ticks() + pause);
      return unchecked;
    }
  };

  return async (token, from = "") => {
    const digest = createHash("sha256").update(token).digest("base64");
    // Both, because a revoked token has an outdated good answer beside its bad one.
    for (const known of [good.get(digest), bad.get(digest)]) {
      if (known?.isValid()) return known.verdict;
    }
    const shared = underWay.get(digest);
    if (shared) return shared;
    if (ticks() < pausedUntil) return unchecked;
    if (checks.take(from, 1)) throw new ProviderCrowded();
    const started = check(token, digest).finally(() => {
      underWay.delete(digest);
      checks.release(from, 1);
    });
    underWay.set(digest, started);
    return started;
  };
}

/** @returns ms a provider asks to wait by `Retry-After` in seconds, or undefined when it does not say. */
export function retryAfterMs(headers: Headers): number | undefined {
  const seconds = headers.get("retry-after");
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

/** Whether a 403 of GitHub is a rate limit: none remaining for the primary one, a pause for the secondary. */
export function isGithubLimit(headers: Headers): boolean {
  return headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after");
}
