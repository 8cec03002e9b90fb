import { shareOf } from "./budget.ts";
import { RoundRobin } from "./round-robin.ts";

export interface Turn {
  /** One beside the usual number, for a short call behind long ones of other callers. */
  readonly isExtra: boolean;
  /** Gives the turn back; a second time does nothing. */
  readonly end: () => void;
}

/** How a call asks for a turn. */
export interface TurnOptions {
  readonly signal?: AbortSignal;
  /** Called before `take` throws {@link Displaced}, while the caller who gets its place still asks. */
  readonly onDisplaced?: () => void;
  /** Whether the call may have an extra turn. */
  readonly mayOvertake?: boolean;
}

/** A call may overtake when all turns have lasted this long: most calls are over by then. */
const overtakeAfterMs = 30;
/**
 * A caller with more calls gets no extra turn. A flood of calls of 63 KB took it whenever the large call of another caller had the
 * usual turn, so that short calls of others waited for seconds on one core.
 */
const mostCallsToOvertake = 4;

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
  readonly start: (isExtra: boolean) => void;
  readonly displace: () => void;
  /** The turns of others have lasted long enough for an extra turn. */
  mayOvertake: boolean;
}

/**
 * A number of turns at something scarce, a thread or the main thread. The next turn goes to the caller whose turns have
 * taken the least time, and among equals round robin: long calls of one caller cost another at most one turn, and do
 * not slow down short calls that come one after the other. One caller has no more turns at once than its share.
 *
 * A turn can take seconds. An extra turn is for a caller who has none, where the turns of others have lasted for a while.
 */
export class Turns {
  readonly #now: () => number;
  readonly #waiting = new RoundRobin<Waiting>();
  readonly #accounts = new Map<string, Account>();
  readonly #share: number;
  /** When each usual turn that is taken began, in ms. */
  readonly #begun = new Set<{ readonly atMs: number }>();
  #free: number;
  #freeExtra: number;

  /**
   * @param extra Extra turns.
   * @param now Monotonic clock, in ms.
   */
  constructor(turns: number, extra = 0, now: () => number = () => performance.now()) {
    this.#free = turns;
    this.#freeExtra = extra;
    this.#share = shareOf(turns);
    this.#now = now;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a turn.
   * @throws the signal's reason when it fires first.
   * @throws {Displaced}
   */
  async take(caller: string, options: TurnOptions = {}): Promise<Turn> {
    options.signal?.throwIfAborted();
    const account = this.#open(caller);
    let isExtra = false;
    if (this.#free > 0 && account.held < this.#share) {
      this.#free--;
      account.held++;
    } else {
      isExtra = await this.#wait(caller, account, options).catch((error: unknown) => {
        this.#close(caller, account);
        throw error;
      });
    }
    const began = { atMs: this.#now() };
    if (!isExtra) this.#begun.add(began);
    let isOver = false;
    return {
      isExtra,
      end: () => {
        if (isOver) return;
        isOver = true;
        account.usedMs += this.#now() - began.atMs;
        this.#begun.delete(began);
        account.held--;
        this.#close(caller, account);
        if (isExtra) this.#freeExtra++;
        else this.#free++;
        this.#startWaiting();
      },
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

  /** Gives the free turns to those who wait for them. */
  #startWaiting(): void {
    while (this.#free > 0) {
      const next = this.#waiting.nextOf((each) => this.#costOf(each, this.#share));
      if (!next) return;
      this.#free--;
      next.start(false);
    }
    while (this.#freeExtra > 0) {
      const next = this.#waiting.nextOf(
        (each) => (this.#hasFewCalls(each) ? this.#costOf(each, 1) : Number.POSITIVE_INFINITY),
        ({ mayOvertake }) => mayOvertake,
      );
      if (!next) return;
      this.#freeExtra--;
      next.start(true);
    }
  }

  #hasFewCalls(caller: string): boolean {
    return (this.#accounts.get(caller)?.open ?? 0) <= mostCallsToOvertake;
  }

  /** @returns what decides whose turn is next; infinite: not that of a caller with as many turns as it may have. */
  #costOf(caller: string, most: number): number {
    const { usedMs = 0, held = 0 } = this.#accounts.get(caller) ?? {};
    return held < most ? usedMs : Number.POSITIVE_INFINITY;
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

  /** @returns whether the turn is an extra one. */
  #wait(
    caller: string,
    account: Account,
    { signal, onDisplaced, mayOvertake = false }: TurnOptions,
  ): Promise<boolean> {
    return new Promise((resolve, reject) => {
      let patience: NodeJS.Timeout | undefined;
      const stopListening = () => {
        clearTimeout(patience);
        signal?.removeEventListener("abort", onAbort);
      };
      const leave = (reason: unknown) => {
        stopListening();
        this.#waiting.remove(caller, waiting);
        reject(reason);
      };
      const onAbort = () => leave(signal?.reason);
      const waiting: Waiting = {
        mayOvertake: false,
        start: (isExtra) => {
          stopListening();
          account.held++;
          resolve(isExtra);
        },
        displace: () => {
          onDisplaced?.();
          leave(new Displaced());
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.add(caller, waiting);
      if (!mayOvertake) return;
      const overtake = () => {
        waiting.mayOvertake = true;
        this.#startWaiting();
      };
      const leftMs = overtakeAfterMs - this.#newestMs();
      if (leftMs > 0) patience = setTimeout(overtake, leftMs);
      else overtake();
    });
  }

  /** @returns how long the newest usual turn has lasted. */
  #newestMs(): number {
    const newest = Math.max(...Array.from(this.#begun, ({ atMs }) => atMs));
    return Number.isFinite(newest) ? this.#now() - newest : 0;
  }
}
