/**
 * Preloaded into a server (`node --import`): measures what the turns of its event loop take. SIGUSR2 begins a measurement
 * and, sent again, writes its result to standard error as `{"probe":{…}}`. Processor time of this thread, not the
 * clock: other processes of the machine do not lengthen it.
 */
import { isMainThread } from "node:worker_threads";
import { startTurn } from "./turn-time.ts";

if (isMainThread) {
  let isOn = false;
  let longestMs = 0;
  let turns = 0;
  let took = startTurn();
  const turn = () => {
    if (!isOn) return;
    longestMs = Math.max(longestMs, took());
    turns++;
    took = startTurn();
    setImmediate(turn);
  };
  process.on("SIGUSR2", () => {
    isOn = !isOn;
    if (isOn) {
      longestMs = 0;
      turns = 0;
      took = startTurn();
      setImmediate(turn);
    }
    process.stderr.write(`${JSON.stringify({ probe: { isOn, longestMs, turns } })}\n`);
  });
}
