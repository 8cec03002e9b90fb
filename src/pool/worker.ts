/** Thread that validates large calls. It builds a separate runtime from the same config. */
import { workerData } from "piscina";
import { validatePolicies } from "../../spec/tools/validate-policies.ts";
import {
  type ReadPageTask,
  readPage,
  type WritePagesTask,
  writePages,
} from "../analyze/aws-answer.ts";
import { documentToSend } from "../analyze/document.ts";
import { type WriteAnalysisTask, writeAnalysis } from "../analyze/write-analysis.ts";
import { ToolError } from "../errors.ts";
import { invalidArguments } from "../protocol/invalid-arguments.ts";
import { type WriteQueryTask, writeQuery } from "../query/run-query.ts";
import { encodeOutput, writeFitting } from "../results/prepared-output.ts";
import type { Runtime } from "../runtime.ts";
import { start } from "../startup.ts";
import { runValidation } from "../tools/run-validation.ts";
import { type Cancellable, untilCancelled } from "./cancel.ts";
import { argumentsOf, parseBody, transferred } from "./reader.ts";
import type {
  DocumentAnswer,
  DocumentTask,
  LoadAnswer,
  PageAnswer,
  RefusedTask,
  ValidateAnswer,
  ValidateTask,
  WorkerData,
  WrittenAnswer,
} from "./types.ts";

async function startWorker(): Promise<Runtime> {
  // The pool hands over what it was created with.
  const { settings, environment, configValue, digest } = workerData as WorkerData;
  const runtime = await start({
    settings,
    environment,
    authExplicit: true,
    worker: { configValue },
  });
  if (runtime.digest !== digest) throw new Error("the worker's config differs from the server's");
  return runtime;
}

let started: Promise<Runtime> | undefined;

/** The runtime of this thread; a start that failed is tried again by the next task. */
function runtimeOf(): Promise<Runtime> {
  started ??= startWorker().catch((error: unknown) => {
    started = undefined;
    throw error;
  });
  return started;
}

/** Task of the pool: reads the reference data that needs no network, all at once. */
export function loadData(task: Cancellable): Promise<LoadAnswer> {
  return answering(task, async () => {
    const { services } = await runtimeOf();
    if (services.source === "embedded") await services.load(services.prefixes);
    return { kind: "done" };
  });
}

/** Task of the pool. @returns a {@link ValidateAnswer}. */
export function validate(task: ValidateTask & Cancellable): Promise<unknown> {
  return answering(task, async (signal) => {
    const runtime = await runtimeOf();
    const input = validatePolicies.input.safeParse(argumentsOf(parseBody(task.body)));
    if (!input.success) throw invalidArguments(input.error);
    const { maxResultBytes } = task;
    const validated = await runValidation(input.data, { runtime, maxResultBytes, signal });
    const prepared = encodeOutput(writeFitting(validatePolicies.output, validated, maxResultBytes));
    const { severity_counts = {} } = validated;
    const answer: ValidateAnswer = { kind: "done", prepared, severity_counts };
    return transferred(answer, [prepared.json, prepared.text]);
  });
}

/** Task of the pool. @returns an {@link WrittenAnswer}. */
export function analyze(task: WriteAnalysisTask & Cancellable): Promise<unknown> {
  return answering(task, async (signal) => {
    const { services } = await runtimeOf();
    const prepared = encodeOutput(await writeAnalysis(task, services, signal));
    const answer: WrittenAnswer = { kind: "done", prepared };
    return transferred(answer, [prepared.json, prepared.text]);
  });
}

/** Task of the pool. @returns a {@link WrittenAnswer}. */
export function query(task: WriteQueryTask & Cancellable): Promise<unknown> {
  return answering(task, async (signal) => {
    const { services } = await runtimeOf();
    const prepared = encodeOutput(await writeQuery(task, services, signal));
    const answer: WrittenAnswer = { kind: "done", prepared };
    return transferred(answer, [prepared.json, prepared.text]);
  });
}

/** Task of the pool. @returns a {@link PageAnswer}. */
export function readAnswerPage(task: ReadPageTask & Cancellable): Promise<unknown> {
  return answering(task, async () => {
    const page = readPage(task);
    const answer: PageAnswer = { kind: "done", ...page };
    return transferred(answer, [page.findings]);
  });
}

/** Task of the pool. @returns an {@link WrittenAnswer}. */
export function writeAnswerPages(task: WritePagesTask & Cancellable): Promise<unknown> {
  return answering(task, async () => {
    const prepared = encodeOutput(writePages(task));
    const answer: WrittenAnswer = { kind: "done", prepared };
    return transferred(answer, [prepared.json, prepared.text]);
  });
}

/** Task of the pool. */
export function readDocument(task: DocumentTask & Cancellable): Promise<DocumentAnswer> {
  const { text, limits } = task;
  return answering(task, async () => ({
    kind: "done",
    document: await documentToSend(text, limits),
  }));
}

async function answering<Done>(
  task: Cancellable,
  work: (signal: AbortSignal) => Promise<Done>,
): Promise<Done | RefusedTask> {
  try {
    return await untilCancelled(task, work);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { kind: "tool_error", error: error.kind, message: error.message };
  }
}
