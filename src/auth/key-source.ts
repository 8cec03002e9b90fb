import type { KeyObject } from "node:crypto";
import { type JwtAlgorithm, keySetCooldownS, keySetLifetimeS } from "../../spec/auth.ts";
import { Budget, shareOf } from "../admission/budget.ts";
import { ageFrom, type Clocks, steady } from "./clocks.ts";
import type { AuthLog } from "./context.ts";
import { type FetchBounds, fetchJson, ProviderProblem } from "./http-json.ts";
import { type KeySet, parseKeySet } from "./verification-key.ts";

/** Finds the key that a token names. */
export interface KeySource {
  /**
   * @param from Network of the request; each has a share of the requests that may wait.
   * @throws {ProviderProblem} If the keys are not available now.
   * @throws {ProviderCrowded}
   */
  find(kid: string | undefined, from?: string): Promise<KeyObject | undefined>;
}

/** One key for every token, whatever `kid` says. */
export function fixedKey(key: KeyObject): KeySource {
  return { find: async () => key };
}

/**
 * Requests that may wait for the keys at once. Each holds its token, and while the provider hangs anyone can send
 * more of them. One address has a share.
 */
const mostWaiting = 256;

/** Too many requests wait for the provider. The caller is refused with 503. */
export class ProviderCrowded extends Error {
  override name = "ProviderCrowded";
}

/** Minimum time between attempts while there is no key set. */
const retryMs = 1_000;

export interface RemoteKeys extends Clocks {
  readonly url: string;
  readonly algorithm: JwtAlgorithm;
  readonly log: AuthLog;
  readonly bounds?: FetchBounds;
}

/**
 * Keys of a JWKS URI. A set is used for one hour from its fetch and never longer, so that a withdrawn key ends also
 * while the provider is down. An unknown `kid` causes a fetch, at most every 30 s; fetches under way are shared.
 */
export function remoteKeys(options: RemoteKeys): KeySource {
  const { url, algorithm, log, bounds } = options;
  const ticks = steady(options);
  let current: { readonly keys: KeySet; readonly ageMs: () => number } | undefined;
  let underWay: Promise<KeySet> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  let searchedAt = Number.NEGATIVE_INFINITY;

  const download = async (): Promise<KeySet> => {
    try {
      const { status, body } = await fetchJson(url, {}, bounds);
      if (status !== 200) throw new ProviderProblem(`it answered with status ${status}`);
      const keys = parseKeySet(body, algorithm);
      if (!keys) throw new ProviderProblem("its answer is not a JWK Set");
      if (keys.size === 0) {
        log.warn({ url, skipped: keys.skipped }, `The key set has no usable key for ${algorithm}.`);
      }
      current = { keys, ageMs: ageFrom(options) };
      return keys;
    } catch (error) {
      failedAt = ticks();
      const reason = error instanceof ProviderProblem ? error.message : "unexpected error";
      log.warn({ url, reason }, "The key set could not be fetched.");
      throw error;
    }
  };
  const waiting = new Budget({ process: mostWaiting, caller: shareOf(mostWaiting) });
  const fetchOnce = async (from = ""): Promise<KeySet> => {
    if (waiting.take(from, 1)) throw new ProviderCrowded();
    underWay ??= download().finally(() => {
      underWay = undefined;
    });
    try {
      return await underWay;
    } finally {
      waiting.release(from, 1);
    }
  };

  return {
    async find(kid, from) {
      const fresh = current && current.ageMs() < keySetLifetimeS * 1000 ? current.keys : undefined;
      if (!fresh) {
        if (!underWay && ticks() - failedAt < retryMs) {
          throw new ProviderProblem("the last attempt has just failed");
        }
        const key = (await fetchOnce(from)).find(kid);
        // That fetch was a search for this id too: a flood of invented ids gets no second one.
        if (!key) searchedAt = ticks();
        return key;
      }
      const known = fresh.find(kid);
      if (known || kid === undefined) return known;
      if (!underWay && ticks() - searchedAt < keySetCooldownS * 1000) return undefined;
      searchedAt = ticks();
      return (await fetchOnce(from)).find(kid);
    },
  };
}
