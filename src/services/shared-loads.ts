import { untilAborted } from "../deadline.ts";

/**
 * Shares one load among concurrent requests for the same key. Results are not cached. A caller that
 * aborts stops waiting; the load continues for the others.
 */
export class SharedLoads<Result> {
  readonly #underWay = new Map<string, Promise<Result>>();

  async load(key: string, start: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    let load = this.#underWay.get(key);
    if (!load) {
      load = start().finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, load);
    }
    return signal ? untilAborted(load, signal) : load;
  }
}

/** Runs at most `most` tasks at once; the others wait in order. */
export function concurrencyLimit(
  most: number,
): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let free = most;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
