import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import {
  GenericContainer,
  getContainerRuntimeClient,
  type StartedNetwork,
  type StartedTestContainer,
  Wait,
  type WaitStrategy,
} from "testcontainers";
import { settingSources } from "../../spec/settings.ts";
import type { Flags } from "../../src/settings.ts";
import { containerImage, docker } from "./images.ts";
import { Lines } from "./lines.ts";
import { hostedFlags, type Target, type TargetOptions } from "./target.ts";

const port = 8000;

export interface ContainerOptions extends TargetOptions {
  /** Folders of this machine that it may read: path here to path there. */
  readonly folders?: Readonly<Record<string, string>>;
  /** What to wait for; default: ready. */
  readonly wait?: WaitStrategy;
  /** Runs in the host's own network, where loopback is the test's loopback too. */
  readonly hostNetwork?: boolean;
  /** Limit on its memory, in GiB; absent: none. */
  readonly memoryGib?: number;
  /** A network shared with other containers, which reach it by this name. */
  readonly network?: { readonly of: StartedNetwork; readonly alias: string };
}

/** The built container image, as hardened as an operator can make it. */
export interface ContainerTarget extends Target {
  readonly container: StartedTestContainer;
  /** Sends SIGTERM and waits. @returns the exit code. */
  terminate(): Promise<number>;
}

class Hardened extends GenericContainer {
  constructor() {
    super(containerImage);
    this.hostConfig.ReadonlyRootfs = true;
    this.withTmpFs({ "/tmp": "rw,noexec,nosuid,size=16m" })
      .withDroppedCapabilities("ALL")
      .withSecurityOpt("no-new-privileges");
  }
}

/** @returns variables that say what the flags say. */
export function variablesOf(flags: Flags): Record<string, string> {
  return Object.fromEntries(
    Object.entries(flags).flatMap(([field, value]) => {
      const source = settingSources[field as keyof Flags];
      return value === undefined ? [] : [[source.variable, value]];
    }),
  );
}

export async function startContainer(options: ContainerOptions = {}): Promise<ContainerTarget> {
  const { config_source: config, port: _, ...flags } = hostedFlags(options.flags);
  const folder = config === undefined ? undefined : dirname(config);
  const { hostNetwork = false, folders = {} } = options;
  const image = new Hardened().withEnvironment({
    VALIDATOR_MCP_HOST: hostNetwork ? "127.0.0.1" : "0.0.0.0",
    ...(hostNetwork && { VALIDATOR_MCP_PORT: "0" }),
    ...variablesOf(flags),
    // Below /app, where the modules of custom checks find the packages they import.
    ...(config && folder && { VALIDATOR_MCP_CONFIG: config.replace(folder, "/app/config") }),
    ...options.environment,
  });
  const mounted = { ...(folder && { [folder]: "/app/config" }), ...folders };
  image.withBindMounts(
    Object.entries(mounted).map(([source, target]) => ({ source, target, mode: "ro" })),
  );
  const { network, memoryGib } = options;
  if (memoryGib !== undefined) image.withResourcesQuota({ memory: memoryGib });
  if (network) image.withNetwork(network.of).withNetworkAliases(network.alias);
  if (hostNetwork) image.withNetworkMode("host");
  else image.withExposedPorts(port);
  const ready = hostNetwork
    ? Wait.forLogMessage(/Ready/)
    : Wait.forHttp("/ready", port).forStatusCode(200);
  const container = await image
    .withWaitStrategy(options.wait ?? ready)
    .withStartupTimeout(30_000)
    .start();
  const { audit, log } = follow(container.getId());
  return {
    url: hostNetwork
      ? await listeningUrl(log)
      : `http://${container.getHost()}:${container.getMappedPort(port)}`,
    audit,
    log,
    container,
    async terminate() {
      await container.stop({ timeout: 20_000, remove: false });
      const { container: client } = await getContainerRuntimeClient();
      const { State } = await client.inspect(client.getById(container.getId()));
      return State.ExitCode;
    },
    async stop() {
      // Not through the library, which leaves a container behind that was terminated before.
      await docker("rm", "--force", "--volumes", container.getId());
    },
  };
}

/** The address in the line that says where the server listens; others may come before it. */
async function listeningUrl(log: Lines): Promise<string> {
  for (let count = 1; ; count += 1) {
    const [, url] = /"url":"([^"]+)\/mcp"/.exec((await log.atLeast(count))[count - 1] ?? "") ?? [];
    if (url !== undefined) return url;
  }
}

/** The two output streams of a container, line by line, apart. */
export function follow(id: string): { readonly audit: Lines; readonly log: Lines } {
  const audit = new Lines();
  const log = new Lines();
  const child = spawn("docker", ["logs", "--follow", id], { stdio: ["ignore", "pipe", "pipe"] });
  createInterface({ input: child.stdout }).on("line", (line) => audit.push(line));
  createInterface({ input: child.stderr }).on("line", (line) => log.push(line));
  void once(child, "close");
  return { audit, log };
}
