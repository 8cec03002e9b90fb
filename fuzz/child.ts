/** A process that runs cases of one target. It may hang or die; its supervisor watches. */
import { setImmediate } from "node:timers/promises";
import { type Failure, failureOf, holds, signatureOf } from "./broken.ts";
import { CaseWriter } from "./case-file.ts";
import { type Finding, readFinding } from "./findings.ts";
import { Orders, type Report } from "./messages.ts";
import { Outputs } from "./outputs.ts";
import { Random } from "./random.ts";
import { reduce } from "./reduce.ts";
import type { OpenTarget, Target } from "./target.ts";

/** Reproducers of one signature: two defects may look alike. */
const maxAlike = 2;

const mostTries = 5_000;

/** Exceptions that were not caught and unhandled rejections, since the last case. */
const stray: unknown[] = [];
process.on("uncaughtException", (error) => void stray.push(error));

function report(message: Report): void {
  process.send?.(message);
}

async function attempt(target: Target, input: unknown, outputs: Outputs): Promise<Failure | null> {
  let failure: Failure | null = null;
  try {
    await target.run(input);
    const [line] = outputs.takeOutput();
    holds(line === undefined, "standard output holds unexpected text", () => line ?? "");
  } catch (error) {
    failure = failureOf(error);
  }
  // Rejections count as unhandled when the turn of the event loop ends.
  await setImmediate();
  if (failure) outputs.takeOutput();
  try {
    outputs.verifyErrors();
  } catch (error) {
    failure ??= failureOf(error);
  }
  const [error] = stray.splice(0);
  if (error !== undefined) failure = { ...failureOf(error), kind: "uncaught exception" };
  return failure;
}

class Fuzzer {
  readonly #orders: Orders;
  readonly #target: Target;
  readonly #outputs: Outputs;
  readonly #running: CaseWriter;
  /** Reproducers so far, by signature. */
  readonly #told = new Map<string, number>();

  constructor(orders: Orders, target: Target, outputs: Outputs) {
    this.#orders = orders;
    this.#target = target;
    this.#outputs = outputs;
    this.#running = new CaseWriter(orders.caseFile);
  }

  async run(): Promise<void> {
    const { target, seed, from, forMs, maxCases = Infinity, untilFound } = this.#orders;
    const end = performance.now() + forMs;
    let reported = performance.now();
    let cases = 0;
    for (; cases < maxCases && performance.now() < end; cases++) {
      const number = from + cases;
      // So that a generator that hangs is told from the case before.
      this.#running.write(number - 0.5, "null");
      const input = this.#target.generate(new Random(seed, target, number));
      const failure = await this.#attempt(number, input);
      if (failure) await this.#found(number, input, failure, cases);
      if (failure && untilFound) break;
      if (performance.now() - reported < 1_000) continue;
      report({ kind: "progress", cases });
      reported = performance.now();
    }
    report({ kind: "done", cases });
  }

  async replay({ input }: Finding): Promise<void> {
    const failure = await this.#attempt(0, input);
    if (failure) this.#tell(0, input, failure, true);
    report({ kind: "done", cases: 1 });
  }

  #attempt(number: number, input: unknown): Promise<Failure | null> {
    this.#running.write(number, JSON.stringify(input));
    return attempt(this.#target, input, this.#outputs);
  }

  async #found(number: number, input: unknown, failure: Failure, cases: number): Promise<void> {
    const signature = signatureOf(failure);
    report({ kind: "failure", cases, signature });
    const told = this.#told.get(signature) ?? 0;
    if (told >= maxAlike) return;
    this.#told.set(signature, told + 1);
    let tries = 0;
    // Each try has a separate number, or the supervisor would take them for one long case.
    const again = (candidate: unknown) => this.#attempt(number + ++tries / 1e6, candidate);
    const isSame = async (candidate: unknown) =>
      this.#target.schema.safeParse(candidate).success &&
      (await again(candidate))?.kind === failure.kind;
    if (!(await isSame(input))) return this.#tell(number, input, failure, false);
    const bounds = { maxTries: mostTries, maxMs: this.#orders.reduceMs };
    const least = await reduce(input, isSame, bounds);
    const last = await again(least);
    this.#tell(number, least, last ?? failure, last !== null, signature);
  }

  #tell(
    number: number,
    input: unknown,
    failure: Failure,
    alone: boolean,
    signature = signatureOf(failure),
  ): void {
    const { target, module, seed } = this.#orders;
    const finding = { target, module, seed, case: number, alone, input, ...failure };
    report({ kind: "finding", signature, finding });
  }
}

async function main(): Promise<void> {
  const orders = Orders.parse(JSON.parse(process.argv[2] ?? ""));
  const outputs = new Outputs({ output: 1, errors: 2 });
  // The module is named by the parent process; what it exports is checked by using it.
  const { open } = (await import(orders.module)) as { open: OpenTarget };
  const target = await open(outputs);
  const fuzzer = new Fuzzer(orders, target, outputs);
  await (orders.replay === undefined ? fuzzer.run() : fuzzer.replay(readFinding(orders.replay)));
  await target.close();
  process.disconnect?.();
}

main().catch((error: unknown) => {
  // Not a case that broke, but the fuzzer.
  console.error(error);
  process.exit(70);
});
