import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Failure, signatureOf } from "./broken.ts";
import { lastCase, type RunningCase, runningNumber } from "./case-file.ts";
import { type Finding, saveFinding } from "./findings.ts";
import { type Orders, Report } from "./messages.ts";
import { reduce } from "./reduce.ts";

const childFile = new URL("child.ts", import.meta.url).pathname;

/** Processes of one target that may die before it is given up. */
const maxDeaths = 20;
/** Reproducers kept of one signature: two defects may look alike, and hangs do. */
const maxAlike = 3;
/** A process that has not begun its first case may still load. */
const startMs = 60_000;
/** One that is done may still close what it opened. */
const closeMs = 5_000;
const pollMs = 200;
/** A process that has not worked for so long waits for something that does not come. */
const idleMs = 5_000;

export interface Plan {
  readonly target: string;
  readonly module: string;
  readonly seed: string;
  readonly forMs: number;
  readonly maxCases?: number;
  /** Whether to end with the first failure. */
  readonly untilFound?: boolean;
  /** A case that takes longer hangs. */
  readonly hangMs: number;
  /** How long a case may be made smaller. */
  readonly reduceMs?: number;
  /** Where reproducers go. */
  readonly folder: string;
  readonly onProgress?: (cases: number, failures: number) => void;
  readonly onFinding?: (finding: Finding, path: string) => void;
}

export interface Summary {
  readonly target: string;
  readonly cases: number;
  readonly failures: number;
  readonly seconds: number;
  /** By signature: how often, and where the reproducers are. */
  readonly found: ReadonlyMap<string, { count: number; readonly paths: string[] }>;
}

/** How a process ended. */
interface Ending {
  readonly end: "done" | "hang" | "died";
  readonly detail: string;
  readonly last: RunningCase | undefined;
}

/** Only what the product needs to run: nothing of this machine, no credentials, no way out. */
const environment = {
  PATH: "/usr/bin:/bin",
  AWS_EC2_METADATA_DISABLED: "true",
  AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
  AWS_SECRET_ACCESS_KEY: "not-a-secret",
  AWS_REGION: "eu-west-1",
  AWS_CONFIG_FILE: "/dev/null",
  AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
  AWS_MAX_ATTEMPTS: "1",
  // A third of a process is loading the product, and each case that ends one takes another.
  NODE_COMPILE_CACHE: join(import.meta.dirname, "../node_modules/.cache/compiled"),
};

/** Runs one process until it is done, hangs or dies. */
async function runChild(
  orders: Omit<Orders, "caseFile">,
  hangMs: number,
  onReport: (report: Report) => void,
): Promise<Ending> {
  const folder = mkdtempSync(join(tmpdir(), "validator-fuzz-"));
  const path = (name: string) => join(folder, name);
  writeFileSync(path("case"), "");
  const files = ["output", "errors"].map((name) => openSync(path(name), "a+"));
  const running = openSync(path("case"), "r");
  const child = spawn(
    process.execPath,
    [
      "--max-old-space-size=1024",
      "--disable-warning=ExperimentalWarning",
      childFile,
      JSON.stringify({ ...orders, caseFile: path("case") } satisfies Orders),
    ],
    { stdio: ["ignore", ...files, "ipc"], env: environment },
  );
  try {
    let done = false;
    child.on("message", (message) => {
      const report = Report.parse(message);
      done ||= report.kind === "done";
      onReport(report);
    });
    const exited = once(child, "exit");
    const hung = await watch(child, running, hangMs, () => done);
    const [code, signal] = await exited;
    const last = lastCase(running);
    if (done) return { end: "done", detail: "", last };
    if (hung !== undefined) return { end: "hang", detail: hung, last };
    const errors = readFileSync(path("errors"), "utf8").slice(-4_000);
    return { end: "died", detail: `exit ${code ?? signal}\n${errors}`, last };
  } finally {
    for (const file of [...files, running]) closeSync(file);
    rmSync(folder, { recursive: true });
  }
}

/**
 * Waits for the end of a process.
 * @returns why it had to be ended: its case took too long, either working or waiting for nothing. One
 * that only waits for its turn on a busy machine does neither. Undefined: it ended by itself.
 */
async function watch(
  child: ChildProcess,
  running: number,
  hangMs: number,
  isDone: () => boolean,
): Promise<string | undefined> {
  let number = -1;
  let began = { atMs: performance.now(), cpuMs: 0 };
  let worked = began;
  while (child.exitCode === null && child.signalCode === null) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    const now = { atMs: performance.now(), cpuMs: cpuMsOf(child.pid) };
    const at = runningNumber(running);
    if (at !== number) {
      number = at;
      began = now;
    }
    if (now.cpuMs > worked.cpuMs) worked = now;
    const boundMs = isDone() ? closeMs : number < 0 ? startMs : hangMs;
    if (now.atMs - began.atMs < boundMs) continue;
    const works = now.cpuMs - began.cpuMs > boundMs / 2;
    const waits = now.atMs - worked.atMs > Math.min(boundMs, idleMs);
    if (!works && !waits && now.atMs - began.atMs < boundMs * 10) continue;
    child.kill("SIGKILL");
    const what = Number.isInteger(at) || at % 1 < 0.4 ? "The case" : "Making the case";
    return `${what} ${works ? "works" : "waits"} for over ${boundMs} ms.`;
  }
  return undefined;
}

/** @returns processor time of a process so far; what only Linux tells, elsewhere the clock. */
function cpuMsOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    // User and system time in hundredths of a second (proc_pid_stat(5), fields 14 and 15).
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return performance.now();
  }
}

/** Fuzzes one target for its time, starting over after each hang and each death. */
export async function fuzzTarget(plan: Plan): Promise<Summary> {
  const { target, module, seed, forMs, maxCases = Infinity, hangMs, folder } = plan;
  const { untilFound = false, reduceMs = 20_000 } = plan;
  const started = performance.now();
  const found = new Map<string, { count: number; readonly paths: string[] }>();
  const entryOf = (signature: string) => {
    const entry = found.get(signature) ?? { count: 0, paths: [] };
    found.set(signature, entry);
    return entry;
  };
  const save = (signature: string, finding: Finding) => {
    const path = saveFinding(finding, folder);
    entryOf(signature).paths.push(path);
    plan.onFinding?.(finding, path);
  };
  let failures = 0;
  let ran = 0;
  for (let deaths = 0; deaths < maxDeaths; deaths++) {
    const leftMs = forMs - (performance.now() - started);
    if (leftMs <= 0 || ran >= maxCases) break;
    const from = ran;
    const orders = { target, module, seed, from, forMs: leftMs, untilFound, reduceMs };
    const limit = Number.isFinite(maxCases) ? { maxCases: maxCases - ran } : {};
    const { end, detail, last } = await runChild({ ...orders, ...limit }, hangMs, (report) => {
      if (report.kind === "finding") {
        if (entryOf(report.signature).paths.length < maxAlike) {
          save(report.signature, report.finding);
        }
        return;
      }
      ran = from + report.cases;
      if (report.kind === "failure") {
        failures++;
        entryOf(report.signature).count++;
      }
      plan.onProgress?.(ran, failures);
    });
    if (end === "done") break;
    if (!last) throw new Error(`The target ${target} did not start: ${detail}`);
    // Between cases the number is that of the next one less a half.
    const number = Math.round(last.number);
    ran = number + 1;
    failures++;
    const isMaking = number - last.number > 0.4;
    const what = end === "hang" ? "hang" : "the process died";
    const failure = { kind: isMaking ? "the fuzzer failed" : what, detail };
    const signature = signatureOf(failure);
    const entry = entryOf(signature);
    entry.count++;
    if (entry.paths.length >= maxAlike) continue;
    const whole: Finding = {
      target,
      module,
      seed,
      case: number,
      alone: true,
      ...failure,
      input: JSON.parse(last.text),
    };
    save(signature, isMaking ? whole : await reducedByReplay(whole, failure, hangMs, reduceMs));
    if (untilFound) break;
  }
  return { target, cases: ran, failures, seconds: (performance.now() - started) / 1000, found };
}

/** Each try takes a separate process, so there are few. */
async function reducedByReplay(
  finding: Finding,
  failure: Failure,
  hangMs: number,
  maxMs: number,
): Promise<Finding> {
  const patience = Math.min(hangMs, 3_000);
  const isSame = async (input: unknown) =>
    (await replay({ ...finding, input }, patience))?.kind === failure.kind;
  if (!(await isSame(finding.input))) return { ...finding, alone: false };
  const input = await reduce(finding.input, isSame, { maxTries: 40, maxMs });
  return { ...finding, input };
}

/** Runs the input of a reproducer once. @returns what broke; undefined: nothing. */
export async function replay(finding: Finding, hangMs: number): Promise<Failure | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "validator-replay-"));
  try {
    const path = saveFinding(finding, folder);
    const { target, module, seed } = finding;
    let failure: Failure | undefined;
    const once = { from: 0, forMs: 0, untilFound: true, reduceMs: 0 };
    const orders = { target, module, seed, ...once, replay: path };
    const { end, detail } = await runChild(orders, hangMs, (report) => {
      if (report.kind === "finding") failure = report.finding;
    });
    if (end === "done") return failure;
    return { kind: end === "hang" ? "hang" : "the process died", detail };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
