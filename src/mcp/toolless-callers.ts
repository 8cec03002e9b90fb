import type { Caller } from "../auth/caller.ts";
import { lruCache } from "../lru-cache.ts";
import { escapeInvisible } from "../policy/escape-invisible.ts";

const hourMs = 3_600_000;
const mostSubjects = 1_000;
const mostScopes = 20;
const longest = 100;

/**
 * Logs callers whose token has no scope for any tool of this server, once an hour for each: their clients
 * show an empty server and no error, so otherwise neither side learns why.
 * @param now Monotonic clock, in ms.
 */
export class ToollessCallers {
  readonly #log: { info(fields: object, message: string): void };
  readonly #now: () => number;
  readonly #lastMs = lruCache<number>(mostSubjects);

  constructor(
    log: { info(fields: object, message: string): void },
    now: () => number = () => performance.now(),
  ) {
    this.#log = log;
    this.#now = now;
  }

  note({ subject, scopes }: Pick<Caller, "subject" | "scopes">): void {
    const key = subject.slice(0, longest);
    const now = this.#now();
    const last = this.#lastMs.get(key);
    if (last !== undefined && now - last < hourMs) return;
    this.#lastMs.set(key, now);
    const shown = scopes.slice(0, mostScopes).map((scope) => cut(scope));
    this.#log.info(
      {
        subject: cut(subject),
        scopes: shown,
        ...(scopes.length > shown.length && { left_out: scopes.length - shown.length }),
      },
      "A caller without a scope for any tool has connected.",
    );
  }
}

/** The text is the caller's or the provider's. */
const cut = (text: string) => escapeInvisible(text.slice(0, longest));
