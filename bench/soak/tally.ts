import type { Answer } from "./client.ts";
import type { Expected } from "./expected.ts";
import type { Ask, Visit } from "./mix.ts";

export interface Failure {
  readonly kind: string;
  /** ms of performance.now(). */
  readonly at: number;
  readonly what: string;
  /** It overlapped the replacement of a replica. */
  readonly inWindow: boolean;
}

/** A span in which a replica was being replaced: SIGTERM to the readiness of the next. */
export interface Window {
  readonly from: number;
  to: number;
}

/** Latencies of one kind of request, in ms from the moment it was due; `inside`: of a window or its 10 s after. */
export interface Latencies {
  readonly outside: number[];
  readonly inside: number[];
}

/** After a replacement the calls that have piled up are answered, and the new replica is still cold. */
const settleMs = 10_000;
const busy = "The server is busy with other large requests";

/** Counts what became of every request. */
export class Tally {
  readonly failures: Failure[] = [];
  readonly latencies = new Map<string, Latencies>();
  /** Latencies of all kinds by the minute in which the request was due. */
  readonly byMinute: number[][] = [];
  readonly windows: Window[] = [];
  /** Tool calls answered, by address and then by the life it had at that moment. */
  readonly answeredCalls = new Map<string, number>();
  requests = 0;
  fresh = 0;
  /** Requests that nginx handed to a second replica because the first did not take them. */
  passedOn = 0;
  readonly #expected: Expected;
  readonly #lifeAt: (address: string) => string;
  #countsFrom = performance.now();

  constructor(expected: Expected, lifeAt: (address: string) => string) {
    this.#expected = expected;
    this.#lifeAt = lifeAt;
  }

  answered(ask: Ask, due: number, answer: Answer): void {
    const now = performance.now();
    const hops = answer.upstream.split(", ");
    if (hops.length > 1) this.passedOn++;
    const right = answer.status === ask.status && this.#expected.matches(ask, answer.body);
    if (ask.call && answer.status === 200) {
      const life = this.#lifeAt(hops.at(-1) ?? "");
      this.answeredCalls.set(life, (this.answeredCalls.get(life) ?? 0) + 1);
    }
    if (right) this.#note(ask.kind, due, now);
    else this.#fail(ask, due, wrong(ask, answer, this.#expected.differenceOf(ask, answer.body)));
  }

  unsent([first]: Visit, due: number): void {
    if (first) this.#fail(first, due, "not sent: too many under way");
  }

  broken(ask: Ask, due: number, error: unknown): void {
    const code = error instanceof Error && "code" in error ? `${error.code}: ` : "";
    this.#fail(ask, due, `${code}${error instanceof Error ? error.message : String(error)}`);
  }

  /** Whether anything was being replaced between two moments, or had just been. */
  disturbed(from: number, to: number, settled = settleMs): boolean {
    return this.windows.some((window) => from <= window.to + settled && to >= window.from);
  }

  #note(kind: string, due: number, now: number): void {
    let all = this.latencies.get(kind);
    if (!all) {
      all = { outside: [], inside: [] };
      this.latencies.set(kind, all);
    }
    (this.disturbed(due, now) ? all.inside : all.outside).push(now - due);
    const minute = Math.max(0, Math.floor((due - this.#countsFrom) / 60_000));
    this.byMinute[minute] ??= [];
    this.byMinute[minute].push(now - due);
  }

  #fail({ kind }: Ask, due: number, what: string): void {
    const at = performance.now();
    this.failures.push({ kind, at, what, inWindow: this.disturbed(due, at, 0) });
  }

  /** Starts the latencies anew; failures and counts stay. */
  forgetLatencies(): void {
    this.latencies.clear();
    this.byMinute.length = 0;
    this.#countsFrom = performance.now();
  }
}

function wrong(ask: Ask, { status, body, upstream }: Answer, difference: string): string {
  const text = body.toString("utf8", 0, 2_000);
  if (text.includes(busy)) return `shed: ${busy}`;
  const refusal = /"text":"([^"\\]{1,200})".*"isError":true/s.exec(text)?.[1];
  if (refusal) return `refused: ${refusal}`;
  if (status !== ask.status) return `status ${status} from ${upstream}: ${text.slice(0, 120)}`;
  return `another answer than expected from ${upstream}: ${difference}`;
}
