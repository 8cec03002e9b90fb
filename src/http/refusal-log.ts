import type { RefusalReason } from "./refusal-reason.ts";
import { type AnsweredRequest, requestFields } from "./request-fields.ts";

/** Statuses of requests that the server refuses; other failures are defects or answers of a call. */
const reasonOf = {
  400: "bad_request",
  401: "invalid_token",
  403: "forbidden",
  406: "not_acceptable",
  413: "too_large",
  415: "content_type",
  421: "host",
  503: "busy",
} as const;

type Status = keyof typeof reasonOf;
type Reason = RefusalReason | (typeof reasonOf)[Status];

/** Lines of one reason are this far apart. */
const intervalMs = 1_000;

interface Recent {
  lastMs: number;
  leftOut: number;
}

/**
 * Writes a line for each refused request, at most one a second for each reason. A line has no token, no
 * name and nothing of a body: operators send their logs to places that must not have them.
 * @param now Monotonic clock, in ms.
 */
export class RefusalLog {
  readonly #log: { info(fields: object, message: string): void };
  readonly #now: () => number;
  /** Bounded by the number of reasons. */
  readonly #recent = new Map<Reason, Recent>();

  constructor(
    log: { info(fields: object, message: string): void },
    now: () => number = () => performance.now(),
  ) {
    this.#log = log;
    this.#now = now;
  }

  /**
   * Writes nothing for a status that is not a refusal.
   * @param reason Absent: that of the status.
   */
  note(answered: AnsweredRequest, reason?: RefusalReason): void {
    const { status } = answered;
    if (!Object.hasOwn(reasonOf, status)) return;
    const word = reason ?? reasonOf[status as Status];
    const leftOut = this.#turn(word);
    if (leftOut === undefined) return;
    this.#log.info(
      {
        reason: word,
        ...requestFields(answered),
        ...(leftOut > 0 && { left_out: leftOut }),
      },
      "request refused",
    );
  }

  /** @returns Refusals since the last line of this reason; undefined: too early for another line. */
  #turn(reason: Reason): number | undefined {
    const now = this.#now();
    const recent = this.#recent.get(reason);
    if (!recent) {
      this.#recent.set(reason, { lastMs: now, leftOut: 0 });
      return 0;
    }
    if (now - recent.lastMs < intervalMs) {
      recent.leftOut++;
      return undefined;
    }
    const { leftOut } = recent;
    recent.lastMs = now;
    recent.leftOut = 0;
    return leftOut;
  }
}
