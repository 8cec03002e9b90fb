import { Lines } from "./lines.ts";
import type { Target, TargetOptions } from "./target.ts";

/** A target, and what of the contract can be seen on it. */
export interface ChosenTarget extends Target {
  /** Holds streams open; a function cannot. */
  readonly streams: boolean;
  /** Its standard output can be read. */
  readonly audited: boolean;
}

type Start = (options: TargetOptions) => Promise<ChosenTarget>;

/** The code of a target is loaded only when it is chosen: some of it needs a container runtime. */
const kinds: Readonly<Record<string, Start>> = {
  "in-process": async (options) => {
    const { startInProcess } = await import("./in-process.ts");
    return { ...(await startInProcess(options)), streams: true, audited: true };
  },
  process: async (options) => {
    const { startProcess } = await import("./process.ts");
    return whenReady({ ...(await startProcess(options)), streams: true, audited: true });
  },
  container: async (options) => {
    const { startContainer } = await import("./container.ts");
    return whenReady({ ...(await startContainer(options)), streams: true, audited: true });
  },
  function: async (options) => {
    const { startFunction } = await import("./function-target.ts");
    const target = await startFunction(options);
    return { ...target, audit: new Lines(), log: new Lines(), streams: false, audited: false };
  },
  "function-image": async (options) => {
    const { startFunctionImage } = await import("./function-image.ts");
    const { functionUrl } = await import("./function-target.ts");
    const image = await startFunctionImage(options);
    const target = await functionUrl(image.invoke);
    const stop = async () => {
      await target.stop();
      await image.stop();
    };
    const { url } = target;
    return { url, stop, audit: new Lines(), log: new Lines(), streams: false, audited: false };
  },
};

/** Set `VALIDATOR_TARGET` to run the suites of the wire against something else than this process. */
const targetKind = process.env.VALIDATOR_TARGET ?? "in-process";

/** Whether the chosen target holds streams open; known before it starts, for choosing tests. */
export const targetStreams = !targetKind.startsWith("function");

export async function startTarget(options: TargetOptions = {}): Promise<ChosenTarget> {
  const start = kinds[targetKind];
  if (!start) throw new Error(`VALIDATOR_TARGET is one of ${Object.keys(kinds).join(", ")}.`);
  return start(options);
}

/** Tools wait for reference data by themselves; `/ready` does not. */
async function whenReady(target: ChosenTarget): Promise<ChosenTarget> {
  while ((await fetch(`${target.url}/ready`)).status !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return target;
}
