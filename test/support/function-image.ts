import { dirname } from "node:path";
import { GenericContainer, type StartedTestContainer, Wait } from "testcontainers";
import { z } from "zod";
import type { FunctionResult } from "../../src/awslambda.ts";
import { follow, variablesOf } from "./container.ts";
import { functionImage } from "./images.ts";
import type { Lines } from "./lines.ts";
import { hostedFlags, type TargetOptions } from "./target.ts";

/** How the platform reports that an invocation had no result. */
const Failure = z.object({
  errorType: z.string(),
  errorMessage: z.string(),
  trace: z.array(z.string()).optional(),
});
type Failure = z.infer<typeof Failure>;

const Result = z.looseObject({ statusCode: z.number(), body: z.string() });

/** The built function image behind the emulator of its platform. */
export interface FunctionImage {
  readonly container: StartedTestContainer;
  /** Standard output and standard error of function and emulator. */
  readonly out: Lines;
  readonly err: Lines;
  /** One event at a time, as an execution environment takes them. Fails where the function fails. */
  invoke(event: unknown): Promise<FunctionResult>;
  /** @returns how an invocation failed. */
  failure(event: unknown): Promise<Failure>;
  stop(): Promise<void>;
}

class ReadOnly extends GenericContainer {
  constructor() {
    super(functionImage);
    this.hostConfig.ReadonlyRootfs = true;
    // As the platform runs it: one writable path, its own user.
    this.withTmpFs({ "/tmp": "rw,size=512m" }).withUser("993:990");
  }
}

export async function startFunctionImage(options: TargetOptions = {}): Promise<FunctionImage> {
  const { config_source: config, port: _, ...flags } = hostedFlags(options.flags);
  const folder = config === undefined ? undefined : dirname(config);
  const image = new ReadOnly()
    .withEnvironment({
      ...variablesOf(flags),
      ...(config && folder && { VALIDATOR_MCP_CONFIG: config.replace(folder, "/var/task/config") }),
      ...options.environment,
    })
    .withExposedPorts(8080)
    .withExtraHosts([{ host: "host.docker.internal", ipAddress: "host-gateway" }])
    .withWaitStrategy(Wait.forListeningPorts());
  if (folder) image.withBindMounts([{ source: folder, target: "/var/task/config", mode: "ro" }]);
  const container = await image.start();
  const { audit: out, log: err } = follow(container.getId());
  const url = `http://${container.getHost()}:${container.getMappedPort(8080)}/2015-03-31/functions/function/invocations`;
  let last: Promise<unknown> = Promise.resolve();
  const send = async (event: unknown): Promise<unknown> => {
    const response = await fetch(url, { method: "POST", body: JSON.stringify(event) });
    const text = await response.text();
    try {
      return JSON.parse(text);
    } catch {
      return { errorType: "not JSON", errorMessage: text };
    }
  };
  const inTurn = (event: unknown): Promise<unknown> => {
    const answer = last.then(() => send(event));
    last = answer.catch(() => undefined);
    return answer;
  };
  return {
    container,
    out,
    err,
    async invoke(event) {
      const answer = await inTurn(event);
      if (!Result.safeParse(answer).success)
        throw new Error(JSON.stringify(answer).slice(0, 2_000));
      // Its shape was just looked at, as far as tests rely on it.
      return answer as FunctionResult;
    },
    failure: async (event) => Failure.parse(await inTurn(event)),
    async stop() {
      await container.stop({ timeout: 0, remove: true }).catch(() => undefined);
    },
  };
}
