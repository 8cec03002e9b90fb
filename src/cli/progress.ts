import type { CommandStreams } from "./streams.ts";

/** Work that is done sooner needs no bar. */
const patienceMs = 1000;

export interface Progress {
  step(done: number): void;
  stop(): void;
}

/**
 * A bar on standard error once the work has taken a second; nothing where that is no terminal.
 * @param now A clock that never goes back, in ms.
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
