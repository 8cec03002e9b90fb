import { RoundRobin } from "./round-robin.ts";

/** Longest stretch of work on what connections sent without letting the event loop turn, in ms. */
const stretchMs = 4;
/**
 * Node accepts one connection in each turn of the event loop (libuv 1.52, measured), and hundreds may wait for that, a health
 * check among them. So turns that accept one do nothing else, for at most this long. Accepting takes some 60 microseconds.
 */
const arrivalsMs = 24;
/**
 * While more connections than this wait to be set up, turns do their usual work. With over a thousand, the oldest are closed
 * for newer ones before they are set up.
 */
const mostAccepted = 400;
/** Time for other work between two such periods, as a part of what the last one took. */
const workAfterArrivals = 1 / 2;
/** Callbacks that wait for the same turn of the event loop; far more than one stretch has time for. */
const mostScheduled = 64;

/**
 * Senders that have been authenticated get as much time as four other standings together. With equal shares, the first seconds of
 * an attack by 260 connections made their calls wait for a second on a core that the workers need as well.
 * Setting connections up gets as much: a health check may be among them.
 */
const knownWeight = 4;

/** What is known about the sender of a piece of work. Of two with equal claims, the first of these goes first. */
const standings = ["arrival", "probe", "known", "new", "stranger"] as const;

/**
 * Of several connections of one address the newest has a client that still waits. Connections are set up in their order: one
 * between the oldest and the newest would wait for twice as long.
 */
const newestFirst: ReadonlySet<Standing> = new Set(["probe", "new"]);

/**
 * `arrival`: a connection that has been accepted and is to be set up. `probe`: a single request for `/health` or `/ready`.
 * `known`: authenticated before. `new`: a connection whose first request has not been answered. `stranger`: every other.
 */
export type Standing = (typeof standings)[number];

interface Lane {
  /** Whether its newest piece of work is next. */
  isNewestNext: boolean;
  readonly waiting: RoundRobin<() => void>;
  readonly weight: number;
  /** Time it has used, in ms by weight; one that was empty has no claim on what it did not use. */
  usedMs: number;
}

/**
 * Runs the work that connections cause (set one up, parse a piece of what it sent, start a request) as it comes while
 * the event loop has time for it. Past that the standings share the time, and within each its senders
 * take turns: a flood costs another caller one turn, and a flood of strangers does not delay those who have been
 * authenticated.
 */
export class FairLoop {
  readonly #now: () => number;
  readonly #lanes: Readonly<Record<Standing, Lane>> = {
    arrival: newLane(knownWeight),
    probe: newLane(),
    known: newLane(knownWeight),
    new: newLane(),
    stranger: newLane(),
  };
  /** When this turn of the event loop began to work; undefined: not yet. */
  #began: number | undefined;
  #hasArrived = false;
  /** When the period began in which turns only accept connections; undefined: there is none. */
  #arrivalsBegan: number | undefined;
  /** Time of work that is due before the next such period, in ms. */
  #dueMs = 0;
  #scheduled = 0;
  /** The last piece of work; what it led to is still to be added to the time that it took. */
  #last: { readonly lane: Lane; readonly began: number; readonly ended: number } | undefined;

  /** @param now Monotonic clock, in ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get waiting(): number {
    return standings.reduce((sum, standing) => sum + this.#lanes[standing].waiting.size, 0);
  }

  /** A connection has been accepted: others probably wait for that. */
  arrived(): void {
    this.#hasArrived = true;
  }

  /** @returns whether this turn has time left and no other sender is waiting. */
  hasTimeNow(): boolean {
    return this.waiting === 0 && this.#hasTime();
  }

  /** Runs the work: now if there is time for it, else when it is its sender's turn. */
  run(standing: Standing, sender: string, work: () => void): void {
    if (this.hasTimeNow()) {
      work();
      return;
    }
    const lane = this.#lanes[standing];
    if (lane.waiting.size === 0) this.#rejoin(lane);
    lane.waiting.add(sender, work);
    this.#schedule();
  }

  #hasTime(): boolean {
    const now = this.#now();
    if (this.#began === undefined) this.#beginTurn(now);
    return this.#arrivalsBegan === undefined && now - (this.#began ?? now) < stretchMs;
  }

  #beginTurn(now: number): void {
    this.#began = now;
    this.#decideOnArrivals(now);
    setImmediate(() => {
      const until = this.#now();
      if (this.#arrivalsBegan === undefined) this.#dueMs -= until - now;
      this.#began = undefined;
      this.#charge(until);
    });
  }

  #decideOnArrivals(now: number): void {
    const hasArrived = this.#hasArrived && this.#lanes.arrival.waiting.size < mostAccepted;
    this.#hasArrived = false;
    if (this.#arrivalsBegan === undefined) {
      if (hasArrived && this.#dueMs <= 0) this.#arrivalsBegan = now;
      return;
    }
    const tookMs = now - this.#arrivalsBegan;
    if (hasArrived && tookMs < arrivalsMs) return;
    this.#arrivalsBegan = undefined;
    this.#dueMs = Math.max(stretchMs, tookMs * workAfterArrivals);
  }

  /**
   * One callback for each piece, since what it leads to runs between two of them and counts too. While connections
   * arrive, one is enough to see when that is over.
   */
  #schedule(): void {
    const wanted = this.#arrivalsBegan === undefined ? Math.min(this.waiting, mostScheduled) : 1;
    while (this.#scheduled < wanted) {
      this.#scheduled++;
      setImmediate(() => {
        this.#scheduled--;
        const now = this.#now();
        this.#charge(now);
        if (this.#hasTime()) this.#runNext(now);
        if (this.waiting > 0) this.#schedule();
      });
    }
  }

  #runNext(began: number): void {
    const [standing] = standings
      .filter((each) => this.#lanes[each].waiting.size > 0)
      .sort((left, right) => this.#lanes[left].usedMs - this.#lanes[right].usedMs);
    if (!standing) return;
    const lane = this.#lanes[standing];
    const work = lane.isNewestNext ? lane.waiting.nextNewest() : lane.waiting.next();
    lane.isNewestNext = newestFirst.has(standing) && !lane.isNewestNext;
    work?.();
    this.#last = { lane, began, ended: this.#now() };
  }

  #charge(until = 0): void {
    if (!this.#last) return;
    this.#last.lane.usedMs += (until - this.#last.began) / this.#last.lane.weight;
    this.#last = undefined;
  }

  #rejoin(lane: Lane): void {
    const others = Object.values(this.#lanes).filter(({ waiting }) => waiting.size > 0);
    const least = Math.min(...others.map(({ usedMs }) => usedMs));
    if (Number.isFinite(least)) lane.usedMs = Math.max(lane.usedMs, least);
  }
}

function newLane(weight = 1): Lane {
  return { isNewestNext: false, waiting: new RoundRobin(), weight, usedMs: 0 };
}
