import type { Exceeded } from "./budget.ts";

/** What admission decided about a call. */
export interface CallPass {
  /** Calls with different keys take turns when they wait. */
  readonly turnKey: string;
  /** Set: the call is refused, because this share is used up. */
  readonly exceeded?: Exceeded | undefined;
  /** Gives the turn on the main thread to another call. */
  readonly leaveMainThread: () => void;
  /** Called if the caller is told to retry later, because too many calls are in progress. */
  readonly refused: () => void;
}

/** For a process with one caller. */
export const onlyCaller: CallPass = {
  turnKey: "",
  leaveMainThread: () => {},
  refused: () => {},
};
