import type { CommandStreams } from "./streams.ts";

/** Work that is done sooner needs no bar. */
const patienceMs = 1000;

export interface Progress {
  step(done: number): void;
  stop(): void;
}

/** A bar on standard error once the work has taken a second; nothing where that is no terminal. */
export function progressOf(total: number, { stderr }: CommandStreams): Progress {
  if (!stderr.isTTY) return { step: () => undefined, stop: () => undefined };
  const started = performance.now();
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
    bar.start(total, 0);
  };
  return {
    step(done) {
      bar?.update(done);
      if (asked || performance.now() - started < patienceMs) return;
      asked = true;
      void open();
    },
    stop() {
      stopped = true;
      bar?.stop();
    },
  };
}
