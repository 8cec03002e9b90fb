import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { AttackPlan } from "./attack-plan.ts";

const attackModule = new URL("./attack.ts", import.meta.url).pathname;

export interface Attack {
  /** The attacker has sent all that it was to send. */
  readonly over: Promise<void>;
  /** Ends it. @returns how often each status was answered, `sent` and `reset` beside them. */
  stop(): Promise<Readonly<Record<string, number>>>;
}

/**
 * Linux shares processor time between sessions first, and applies the niceness of a process within its session only
 * (sched(7), "The autogroup feature"). So a nice process needs a session to itself, which gets the same niceness.
 */
function makeSessionNice(leader: number | undefined, niceness: number): void {
  const autogroup = `/proc/${leader}/autogroup`;
  if (existsSync(autogroup)) writeFileSync(autogroup, String(niceness));
}

/**
 * Starts an attacker in a separate process, which may have as many open files as that takes.
 * @param niceness 0 to 19; the higher, the less processor time it gets where others want it.
 */
export function startAttack(plan: AttackPlan, niceness = 0): Attack {
  const script = 'ulimit -n 20000 2>/dev/null || ulimit -n "$(ulimit -Hn)"; exec "$@"';
  const node = ["nice", "-n", String(niceness), process.execPath];
  const command = [...node, attackModule, JSON.stringify(plan)];
  const child = spawn("bash", ["-c", script, "bash", ...command], {
    stdio: ["ignore", "pipe", "inherit"],
    detached: niceness > 0,
  });
  if (niceness > 0) {
    makeSessionNice(child.pid, niceness);
    // Ctrl-C in a terminal does not reach another session.
    const kill = () => child.kill("SIGKILL");
    process.on("exit", kill);
    child.once("exit", () => process.off("exit", kill));
  }
  const said = text(child.stdout);
  const exited = once(child, "exit");
  return {
    over: exited.then(() => undefined),
    async stop() {
      child.kill("SIGTERM");
      await exited;
      return JSON.parse((await said).trim().split("\n").at(-1) || "{}");
    },
  };
}
