import { shareOf } from "./budget.ts";
import { RoundRobin } from "./round-robin.ts";

/** Gives the turn back; a second time does nothing. */
export type EndTurn = () => void;

/** A call that waited was refused in favour of one of a caller who has fewer. */
export class Displaced extends Error {
  override name = "Displaced";
}

/** A caller with a turn, or waiting for one. */
interface Account {
  /** Time of its turns, in ms. */
  usedMs: number;
  /** Turns that it has or waits for. */
  open: number;
  /** Turns that it has. */
  held: number;
}

interface Waiting {
  readonly start: () => void;
  readonly displace: () => void;
}

/**
 * A number of turns at something scarce, a thread or the main thread. The next turn goes to the caller whose turns have
 * taken the least time, and among equals round robin: long calls of one caller cost another at most one turn, and do
 * not slow down short calls that come one after the other. One caller has no more turns at once than its share.
 */
export class Turns {
  readonly #now: () => number;
  readonly #waiting = new RoundRobin<Waiting>();
  readonly #accounts = new Map<string, Account>();
  readonly #share: number;
  #free: number;

  /** @param now Monotonic clock, in ms. */
  constructor(turns: number, now: () => number = () => performance.now()) {
    this.#free = turns;
    this.#share = shareOf(turns);
    this.#now = now;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a turn.
   * @param onDisplaced Called before it throws {@link Displaced}, while the caller who gets its place still asks.
   * @throws the signal's reason when it fires first.
   * @throws {Displaced}
   */
  async take(
    caller: string,
    signal?: AbortSignal,
    onDisplaced: () => void = () => {},
  ): Promise<EndTurn> {
    signal?.throwIfAborted();
    const account = this.#open(caller);
    if (this.#free > 0 && account.held < this.#share) {
      this.#free--;
      account.held++;
    } else {
      await this.#wait(caller, { account, signal, onDisplaced }).catch((error: unknown) => {
        this.#close(caller, account);
        throw error;
      });
    }
    const began = this.#now();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      account.usedMs += this.#now() - began;
      account.held--;
      this.#close(caller, account);
      const next = this.#waiting.nextOf((each) => this.#costOf(each));
      if (next) next.start();
      else this.#free++;
    };
  }

  /**
   * Makes room for a caller by refusing the newest waiting call of the one who has most, where that is more than the caller
   * would have then.
   * @returns false where no one has so many.
   */
  displaceFor(caller: string): boolean {
    const own = (this.#accounts.get(caller)?.open ?? 0) + 1;
    const most = this.#waiting.callers
      .map((each) => ({ each, open: this.#accounts.get(each)?.open ?? 0 }))
      .reduce((one, other) => (other.open > one.open ? other : one), { each: "", open: own });
    if (most.open <= own) return false;
    this.#waiting.newestOf(most.each)?.displace();
    return true;
  }

  /** @returns what decides whose turn is next; infinite: not that of a caller with its share of turns. */
  #costOf(caller: string): number {
    const { usedMs = 0, held = 0 } = this.#accounts.get(caller) ?? {};
    return held < this.#share ? usedMs : Number.POSITIVE_INFINITY;
  }

  /** A caller that comes anew has no claim on the time that the others have had without it. */
  #open(caller: string): Account {
    const known = this.#accounts.get(caller);
    if (known) {
      known.open++;
      return known;
    }
    const used = [...this.#accounts.values()].map(({ usedMs }) => usedMs);
    const account = { usedMs: used.length === 0 ? 0 : Math.min(...used), open: 1, held: 0 };
    this.#accounts.set(caller, account);
    return account;
  }

  #close(caller: string, account: Account): void {
    account.open--;
    if (account.open === 0) this.#accounts.delete(caller);
  }

  #wait(
    caller: string,
    {
      account,
      signal,
      onDisplaced,
    }: {
      readonly account: Account;
      readonly signal: AbortSignal | undefined;
      readonly onDisplaced: () => void;
    },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown) => {
        signal?.removeEventListener("abort", onAbort);
        this.#waiting.remove(caller, waiting);
        reject(reason);
      };
      const onAbort = () => leave(signal?.reason);
      const waiting: Waiting = {
        start: () => {
          signal?.removeEventListener("abort", onAbort);
          account.held++;
          resolve();
        },
        displace: () => {
          onDisplaced();
          leave(new Displaced());
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.add(caller, waiting);
    });
  }
}
