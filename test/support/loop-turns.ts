import { startTurn } from "./turn-time.ts";

/** What the turns of the event loop took while some work was under way. */
export interface LoopTurns {
  /** Processor time of this thread in the longest turn, in milliseconds. */
  readonly longestMs: number;
  readonly turns: number;
}

/**
 * Runs the work and measures each turn of the event loop. It counts the processor time of this thread
 * in place of the clock: other processes of the machine do not lengthen it.
 */
export async function loopTurnsOf(work: () => Promise<unknown>): Promise<LoopTurns> {
  let longestMs = 0;
  let turns = 0;
  let isDone = false;
  let took = startTurn();
  const turn = () => {
    longestMs = Math.max(longestMs, took());
    turns++;
    took = startTurn();
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  await new Promise((resolve) => setImmediate(resolve));
  return { longestMs, turns };
}
