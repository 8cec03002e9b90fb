import { setTimeout as after } from "node:timers/promises";
import { type ServerProcess, startProcess } from "./process.ts";
import type { TargetOptions } from "./target.ts";

const probe = new URL("./loop-probe.ts", import.meta.url).href;

/** A server whose event loop can be measured from outside. */
export interface Probed extends ServerProcess {
  /** @returns the processor time of the longest turn of the event loop while the work lasted, in ms. */
  longestTurnOf(work: () => Promise<unknown>): Promise<number>;
}

export async function startProbed(options: TargetOptions = {}): Promise<Probed> {
  const environment = { ...options.environment, NODE_OPTIONS: `--import ${probe}` };
  const target = await startProcess({ ...options, environment });
  const flip = async (isOn: boolean): Promise<number> => {
    const before = target.log.all.length;
    target.child.kill("SIGUSR2");
    for (;;) {
      const line = target.log.all.slice(before).find((one) => one.startsWith('{"probe":'));
      if (line) {
        const { probe } = JSON.parse(line);
        if (probe.isOn !== isOn) throw new Error("A measurement was left open.");
        return probe.longestMs;
      }
      await after(2);
    }
  };
  return {
    ...target,
    async longestTurnOf(work) {
      await flip(true);
      await work();
      // What the answer has left behind runs, too.
      await after(5);
      return flip(false);
    },
  };
}
