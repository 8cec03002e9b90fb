import type { CommandStreams } from "./streams.ts";

/** The bar appears after this time. */
const patienceMs = 1000;

export interface Progress {
  step(done: number): void;
  stop(): void;
}

/**
 * A progress bar on standard error, shown after one second, only on a terminal.
 * @param now Monotonic clock, in ms.
 */
export function progressOf(
  total: number,
  { stderr }: Pick<CommandStreams, "stderr">,
  now: () => number = () => performance.now(),
): Progress {
  if (!stderr.isTTY) return { step: () => undefined, stop: () => undefined };
  const started = now();
  let latest = 0;
  let bar: import("cli-progress").SingleBar | undefined;
  let asked = false;
  let stopped = false;
  const open = async () => {
    const { SingleBar } = await import("cli-progress");
    if (stopped) return;
    bar = new SingleBar({
      stream: stderr,
      format: "{bar} {value}/{total} files",
      hideCursor: true,
      clearOnComplete: true,
    });
    bar.start(total, latest);
  };
  return {
    step(done) {
      latest = done;
      bar?.update(done);
      if (asked || now() - started < patienceMs) return;
      asked = true;
      void open();
    },
    stop() {
      stopped = true;
      bar?.stop();
    },
  };
}
