import { setTimeout as after } from "node:timers/promises";
import type { Client } from "./client.ts";
import type { Share, Visit } from "./mix.ts";
import { honestTokens } from "./stage.ts";
import type { Tally } from "./tally.ts";

/** Part of the visits that open a separate connection. */
const freshShare = 0.1;
/**
 * With this many visits under way the server is left behind for good, by some ten seconds; what is due then counts as
 * failed. Fewer would take a slow moment of the machine for that.
 */
const mostUnderWay = 10_000;

/** The same sequence in every run (mulberry32). @returns numbers in [0, 1). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Chooses visits by weight, those of one share in turn. */
export class Chooser {
  readonly random = seeded(8);
  readonly #shares: readonly (Share & { readonly upTo: number })[];
  readonly #turns = new Map<Share, number>();
  readonly #total: number;

  constructor(shares: readonly Share[]) {
    let upTo = 0;
    this.#shares = shares.map((share) => {
      upTo += share.weight;
      return { ...share, upTo };
    });
    this.#total = upTo;
  }

  /** Requests of an average visit. */
  get meanLength(): number {
    const lengths = this.#shares.map(
      ({ weight, visits }) =>
        (weight * visits.reduce((sum, visit) => sum + visit.length, 0)) / visits.length,
    );
    return lengths.reduce((sum, length) => sum + length, 0) / this.#total;
  }

  /** One of the honest callers, by chance. */
  get caller(): string {
    return honestTokens[Math.floor(this.random() * honestTokens.length)] ?? "";
  }

  next(): Visit {
    const point = this.random() * this.#total;
    const share = this.#shares.find(({ upTo }) => point < upTo);
    if (!share) return [];
    const turn = this.#turns.get(share) ?? 0;
    this.#turns.set(share, turn + 1);
    return share.visits[turn % share.visits.length] ?? [];
  }
}

/** One visit of one caller; its later requests are due when the one before is answered. */
async function make(
  visit: Visit,
  { client, tally, fresh, caller }: Visitor,
  dueAt: number,
): Promise<void> {
  let due = dueAt;
  for (const ask of visit) {
    tally.requests++;
    if (fresh) tally.fresh++;
    try {
      tally.answered(ask, due, await client.send(ask, fresh, caller));
    } catch (error) {
      tally.broken(ask, due, error);
      return;
    }
    due = performance.now();
  }
}

interface Visitor {
  readonly client: Client;
  readonly tally: Tally;
  readonly fresh: boolean;
  /** Token. */
  readonly caller: string;
}

export interface LoadOptions {
  readonly client: Client;
  readonly tally: Tally;
  readonly chooser: Chooser;
  readonly seconds: number;
}

/** So many clients, each asking as soon as it has been answered. @returns requests per second. */
export async function closedLoop(
  { client, tally, chooser, seconds }: LoadOptions,
  clients: number,
): Promise<number> {
  const before = tally.requests;
  const started = performance.now();
  const until = started + seconds * 1000;
  const one = async () => {
    while (performance.now() < until) {
      const fresh = chooser.random() < freshShare;
      const { caller } = chooser;
      await make(chooser.next(), { client, tally, fresh, caller }, performance.now());
    }
  };
  await Promise.all(Array.from({ length: clients }, one));
  return ((tally.requests - before) / (performance.now() - started)) * 1000;
}

/**
 * Visits at random moments (Poisson) at a fixed mean rate, whether or not earlier ones have been
 * answered: what a slow answer delays is counted, not left out.
 * @param rate Requests per second.
 */
export async function openLoop(
  { client, tally, chooser, seconds }: LoadOptions,
  rate: number,
): Promise<void> {
  const meanGapMs = (1000 * chooser.meanLength) / rate;
  const until = performance.now() + seconds * 1000;
  const underWay = new Set<Promise<void>>();
  let due = performance.now();
  for (;;) {
    due -= Math.log(1 - chooser.random()) * meanGapMs;
    if (due >= until) break;
    const wait = due - performance.now();
    if (wait > 0.5) await after(wait);
    const fresh = chooser.random() < freshShare;
    const { caller } = chooser;
    const asked = chooser.next();
    if (underWay.size >= mostUnderWay) {
      tally.unsent(asked, due);
      continue;
    }
    const visit = make(asked, { client, tally, fresh, caller }, due);
    underWay.add(visit);
    void visit.finally(() => underWay.delete(visit));
  }
  await Promise.all(underWay);
}
