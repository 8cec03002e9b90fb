import type { RefusalReason } from "./refusal-reason.ts";

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
const mostForwarded = 200;
/** Of a proxy or a platform; anything else could be content. */
const plainId = /^[\w.:=/+-]{1,128}$/;

export interface RefusedRequest {
  readonly request: Request;
  readonly status: number;
  /** Of the other end of the connection; absent: there is none. */
  readonly address?: string | undefined;
  /** Of the platform; absent: the header `X-Request-Id`. */
  readonly requestId?: string | undefined;
}

interface Recent {
  lastMs: number;
  leftOut: number;
}

/**
 * Writes a line for each refused request, at most one a second for each reason. A line has no token, no
 * name and nothing of a body: operators send their logs to places that must not have them.
 * @param now A steady clock, in ms.
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
  note({ request, status, address, requestId }: RefusedRequest, reason?: RefusalReason): void {
    if (!Object.hasOwn(reasonOf, status)) return;
    const word = reason ?? reasonOf[status as Status];
    const leftOut = this.#turn(word);
    if (leftOut === undefined) return;
    const { headers, method, url } = request;
    const forwarded = headers.get("x-forwarded-for");
    const id = requestId ?? headers.get("x-request-id");
    this.#log.info(
      {
        reason: word,
        status,
        method,
        path: new URL(url).pathname,
        address: address || null,
        ...(forwarded !== null && { forwarded_for: forwarded.slice(0, mostForwarded) }),
        ...(id !== null && plainId.test(id) && { request_id: id }),
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
