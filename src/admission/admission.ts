import { Budget, shareOf } from "./budget.ts";
import { Turns } from "./turns.ts";

/** Callers that can use up their share of calls before others are refused, too. */
const fullShares = 4;
/** Small calls that are parsed and under way on the main thread at once. */
const mainThreadCalls = 32;

export interface AdmissionBounds {
  /** Calls of one caller, accepted and not yet answered. */
  readonly maxCallsPerCaller: number;
  /** Memory for bodies over 64 KiB of all callers together, in bytes. */
  readonly bodyBytes: number;
  /** The largest body there may be; a caller's share has room for one. */
  readonly largestBody: number;
}

/** All that is accepted and not yet answered, in one place. */
export class Admission {
  /** Requests of authenticated callers, from their head until the answer is taken. */
  readonly calls: Budget;
  /** Bytes of bodies over 64 KiB, from their arrival until the call is over. */
  readonly bodies: Budget;
  /** Parsing and running small calls. */
  readonly mainThread = new Turns(mainThreadCalls);

  constructor({ maxCallsPerCaller, bodyBytes, largestBody }: AdmissionBounds) {
    this.calls = new Budget({
      process: maxCallsPerCaller * fullShares,
      caller: maxCallsPerCaller,
    });
    this.bodies = new Budget({
      process: bodyBytes,
      caller: Math.max(largestBody, shareOf(bodyBytes)),
    });
  }
}
