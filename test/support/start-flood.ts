import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Lines } from "./lines.ts";

const floodModule = new URL("./flood.ts", import.meta.url).pathname;

export interface Flood {
  /** One line when all connections are open, another when all are closed. */
  readonly lines: Lines;
  stop(): Promise<void>;
}

/** Opens connections in a separate process, which may have as many open files as that takes. */
export function startFlood(port: string, count: number): Flood {
  const script = 'ulimit -n 20000 2>/dev/null || ulimit -n "$(ulimit -Hn)"; exec "$@"';
  const command = [process.execPath, floodModule, port, String(count)];
  const child = spawn("bash", ["-c", script, "bash", ...command], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const lines = new Lines();
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  return {
    lines,
    async stop() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
