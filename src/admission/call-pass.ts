import type { Exceeded } from "./budget.ts";

/** What was decided about a call when it was let in. */
export interface CallPass {
  /** Where calls wait for something they take turns by this. */
  readonly turnKey: string;
  /** Set: the call is refused, because this share is used up. */
  readonly exceeded?: Exceeded | undefined;
  /** Another call may have this one's turn on the main thread. */
  readonly leaveMainThread: () => void;
  /** Tells that the caller is to come back later, because of what it or others have under way. */
  readonly refused: () => void;
}

/** For a process with one caller. */
export const onlyCaller: CallPass = {
  turnKey: "",
  leaveMainThread: () => {},
  refused: () => {},
};
