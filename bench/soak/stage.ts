/** What the soak runs against: two hardened replicas behind nginx, as deploy/compose.yaml has them. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { docker } from "../../test/support/images.ts";
import { countLines, type LogCount } from "./lines.ts";

const root = join(import.meta.dirname, "../..");
const label = `validator-mcp-soak=${process.pid}`;
const proxyImage = "validator-mcp-nginx:soak";
/** Longer than the 10 s in which a replica lets calls finish. */
const stopGraceS = 15;

/** Of the honest callers. */
export const honestTokens: readonly string[] = Array.from(
  { length: 12 },
  (_, at) => `soak-0b6e2f7d9c41a835e7d2-${at}`,
);
/** Of the first, with which requests are made. */
export const token = honestTokens[0] ?? "";
/** One for each attacker with a token. */
export const attackerTokens = ["soak-91c4d7e3a08f25b6c1d4", "soak-5d20e6b87f3ac914b2e8"] as const;
const honest = "honest-";
const tokens = Object.fromEntries([
  ...honestTokens.map((one, at) => [
    one,
    { client_id: `${honest}${at}`, scopes: ["iam:validate", "iam:query", "iam:config"] },
  ]),
  ...attackerTokens.map((one, at) => [
    one,
    { client_id: `attacker-${at}`, scopes: ["iam:validate"] },
  ]),
]);

/** One life of a replica, from its start to its end. */
export interface Life {
  /** `a1` is the first of replica `a`, `a2` the one that took its place. */
  readonly name: string;
  readonly address: string;
  readonly container: string;
  /** performance.now() when it was ready; absent before. */
  readyAt?: number;
  /** performance.now() before SIGTERM was sent; absent while it lives. */
  stoppedAt?: number;
  exitCode?: number;
}

export interface Stage {
  readonly proxyUrl: string;
  /** All there have been, in the order of their starts. */
  readonly lives: readonly Life[];
  readonly image: string;
  /**
   * Stops a replica as an operator would and starts another under its address.
   * @param onStop Called before SIGTERM.
   * @returns the new one, ready.
   */
  replace(life: Life, onStop: () => Promise<void>): Promise<Life>;
  /** Stops a replica for good. */
  stop(life: Life): Promise<void>;
  logOf(life: Life): Promise<LogCount>;
  /** Lines nginx complained with. */
  proxyLog(): string[];
}

function quietly(...args: readonly string[]): void {
  spawnSync("docker", args, { stdio: "ignore" });
}

/** Removes what this process has started, whatever state it is in. Synchronous: also for signals. */
export function strike(): void {
  const list = (...args: readonly string[]) =>
    String(spawnSync("docker", args, { encoding: "utf8" }).stdout ?? "")
      .split(/\s+/)
      .filter(Boolean);
  const containers = list("ps", "--all", "--quiet", "--filter", `label=${label}`);
  if (containers.length > 0) quietly("rm", "--force", "--volumes", ...containers);
  for (const network of list("network", "ls", "--quiet", "--filter", `label=${label}`)) {
    quietly("network", "rm", network);
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

let folder: string | undefined;

function filesFor(): { readonly tokenFile: string; readonly proxyExtra: string } {
  folder = mkdtempSync(join(tmpdir(), "validator-mcp-soak-"));
  const tokenFile = join(folder, "tokens.json");
  writeFileSync(tokenFile, JSON.stringify(tokens), { mode: 0o644 });
  const proxyExtra = join(folder, "soak.conf");
  // Which replica answered, so that its audit records can be counted against its answers.
  writeFileSync(proxyExtra, "add_header x-soak-upstream $upstream_addr always;\n", { mode: 0o644 });
  return { tokenFile, proxyExtra };
}

/** Addresses are fixed, hence a range of our own; the first that is free. */
async function network(): Promise<{ readonly name: string; readonly prefix: string }> {
  const name = `validator-mcp-soak-${process.pid}`;
  let refused: unknown;
  for (let third = 200; third < 220; third++) {
    const prefix = `10.213.${third}`;
    try {
      await docker("network", "create", "--label", label, "--subnet", `${prefix}.0/24`, name);
      return { name, prefix };
    } catch (error) {
      refused = error;
    }
  }
  throw new Error("No network could be made.", { cause: refused });
}

function buildImage(): string {
  const image = "validator-mcp:soak";
  const args = ["build", "--quiet", "--force-rm", "--target", "container", "--tag", image, root];
  execFileSync("docker", args, { stdio: ["ignore", "ignore", "inherit"] });
  return image;
}

async function untilOk(url: string, what: string): Promise<void> {
  const until = Date.now() + 30_000;
  while (Date.now() < until) {
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok) return;
    await after(50);
  }
  throw new Error(`${what} was not ready within 30 s.`);
}

/** @param given Image of the container; absent: built from this checkout. */
export async function setStage(given: string | undefined): Promise<Stage> {
  const image = given ?? buildImage();
  await docker("build", "--quiet", "--tag", proxyImage, join(root, "test/e2e/nginx"));
  const { name: net, prefix } = await network();
  const { tokenFile, proxyExtra } = filesFor();
  const config = join(root, "deploy/kubernetes/config.yaml");
  const lives: Life[] = [];

  const startReplica = async (name: string, address: string): Promise<Life> => {
    const container = await docker(
      ...[
        "run",
        "--detach",
        "--label",
        label,
        "--name",
        `validator-mcp-soak-${process.pid}-${name}`,
      ],
      ...["--network", net, "--ip", address, "--network-alias", "validator"],
      ...["--read-only", "--tmpfs", "/tmp:rw,noexec,nosuid,size=64m", "--cap-drop", "ALL"],
      ...["--security-opt", "no-new-privileges:true", "--memory", "1g", "--pids-limit", "256"],
      ...["--volume", `${config}:/app/config/config.yaml:ro`],
      ...["--volume", `${tokenFile}:/run/secrets/tokens:ro`],
      ...["--env", "VALIDATOR_MCP_HOST=0.0.0.0"],
      ...["--env", "VALIDATOR_MCP_CONFIG=/app/config/config.yaml"],
      ...["--env", "VALIDATOR_MCP_AUTH=token"],
      ...["--env", "VALIDATOR_MCP_AUTH_TOKEN_FILE=/run/secrets/tokens"],
      ...["--env", "VALIDATOR_MCP_METRICS_PORT=9090"],
      image,
    );
    const life: Life = { name, address, container };
    lives.push(life);
    await untilOk(`http://${address}:8000/ready`, name);
    life.readyAt = performance.now();
    return life;
  };
  const stop = async (life: Life) => {
    life.stoppedAt = performance.now();
    await docker("stop", "--time", String(stopGraceS), life.container);
    const code = await docker("inspect", "--format", "{{.State.ExitCode}}", life.container);
    life.exitCode = Number(code);
  };

  await Promise.all([startReplica("a1", `${prefix}.11`), startReplica("b1", `${prefix}.12`)]);
  // After the replicas: nginx resolves their name once, when it starts.
  const proxy = await docker(
    ...["run", "--detach", "--label", label, "--name", `validator-mcp-soak-${process.pid}-proxy`],
    ...["--network", net, "--ip", `${prefix}.10`],
    ...["--volume", `${join(root, "deploy/nginx.conf")}:/etc/nginx/conf.d/validator.conf:ro`],
    ...["--volume", `${proxyExtra}:/etc/nginx/conf.d/soak.conf:ro`],
    proxyImage,
  );
  const proxyUrl = `http://${prefix}.10:8080`;
  // Anything but /mcp is 404 there, which says that it listens.
  while ((await fetch(proxyUrl).catch(() => undefined))?.status !== 404) await after(50);

  return {
    proxyUrl,
    lives,
    image,
    async replace(life, onStop) {
      await onStop();
      await stop(life);
      // The address must be free before another container can have it.
      await docker("network", "disconnect", "--force", net, life.container);
      const [replica = "", generation = ""] = [life.name.slice(0, 1), life.name.slice(1)];
      return startReplica(`${replica}${Number(generation) + 1}`, life.address);
    },
    stop,
    logOf: (life) => countLines(life.container, honest),
    proxyLog() {
      const { stderr } = spawnSync("docker", ["logs", proxy], {
        encoding: "utf8",
        maxBuffer: 256 * 1_048_576,
      });
      return stderr.split("\n").filter((line) => line !== "");
    },
  };
}
