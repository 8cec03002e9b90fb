import type { ToolErrorKind } from "../../spec/errors.ts";
import type { Settings } from "../../spec/settings.ts";
import type { SeverityCounts } from "../../spec/severity.ts";
import type { AnswerPage, ReadPageTask, WritePagesTask } from "../analyze/aws-answer.ts";
import type { DocumentLimits } from "../analyze/document.ts";
import type { WriteAnalysisTask } from "../analyze/write-analysis.ts";
import type { WriteQueryTask } from "../query/run-query.ts";
import type { EncodedOutput, PreparedOutput } from "../results/prepared-output.ts";
import type { Environment } from "../settings.ts";

/** What a worker needs to validate as the main thread does. Plain data. */
export interface WorkerData {
  readonly settings: Settings;
  readonly environment: Environment;
  /** Content of the config file as read at start-up: a file changed since then changes nothing. */
  readonly configValue: unknown;
  /** A worker whose own digest differs would validate by other rules; it refuses to. */
  readonly digest: string;
}

/** A call of `validate_policies`. */
export interface ValidateTask {
  /** The whole body of the request. It is transferred and cannot be used afterwards. */
  readonly body: Uint8Array;
  readonly maxResultBytes: number;
}

/** A tool error on its way between threads. */
export interface RefusedTask {
  readonly kind: "tool_error";
  readonly error: ToolErrorKind;
  readonly message: string;
}

/** What a worker made of a task; errors cross threads as data. */
export type ValidateAnswer =
  | {
      readonly kind: "done";
      readonly prepared: EncodedOutput;
      readonly severity_counts: SeverityCounts;
    }
  | RefusedTask;

/** The long text of one policy, to be turned into the JSON that is sent to AWS. */
export interface DocumentTask {
  readonly text: string;
  readonly limits: DocumentLimits;
}

/** A written answer of `analyze_policy` or `query`. */
export type WrittenAnswer =
  | { readonly kind: "done"; readonly prepared: EncodedOutput }
  | RefusedTask;

export type DocumentAnswer = { readonly kind: "done"; readonly document: string } | RefusedTask;

/** A page of an answer of AWS. */
export type PageAnswer = ({ readonly kind: "done" } & AnswerPage) | RefusedTask;

/** A worker has its reference data in memory. */
export type LoadAnswer = { readonly kind: "done" } | RefusedTask;

/** What a large body holds, as far as the protocol must know. */
export type Envelope =
  | { readonly kind: "invalid" }
  | { readonly kind: "batch" }
  /** It was not parsed: that would take more memory than one body should have. */
  | { readonly kind: "too_many_values" }
  /** Anything but a large call of `validate_policies`: the message itself. */
  | { readonly kind: "message"; readonly message: unknown }
  /** A call of `validate_policies` whose arguments stay behind in the body, which comes back. */
  | {
      readonly kind: "deferred";
      readonly message: unknown;
      readonly policyCount: number;
      readonly body: Uint8Array;
    };

/** On whose behalf a thread works. */
export interface Work {
  /** Calls that wait take turns by this. */
  readonly caller: string;
  /** Ends the work: the thread stops it at its next step, and is killed and replaced where it does not. */
  readonly signal: AbortSignal;
  /** Bytes that the caller has sent; absent: the size of the task's body, else unknown. Only small calls may overtake. */
  readonly bytes?: number;
}

export interface Reading {
  readonly caller: string;
  /** Tools whose arguments stay in the body. */
  readonly deferrable: readonly string[];
  /** Tools whose arguments hold a policy. */
  readonly policyTools: readonly string[];
}

/** A body on its way to the thread that reads. */
export interface ReadTask {
  readonly parts: readonly Uint8Array[];
  /** Tools whose arguments stay in the body. */
  readonly deferrable: readonly string[];
  /** Tools whose arguments hold a policy. */
  readonly policyTools: readonly string[];
}

/** Threads for large calls. They start when first needed. */
export interface ValidationPool {
  /**
   * @param parts Of a body. They are transferred and cannot be used afterwards.
   * @throws {ReaderBusy} when as many bodies wait as may, of this caller or of all.
   */
  readEnvelope(parts: readonly Uint8Array[], reading: Reading): Promise<Envelope>;
  /**
   * @throws {ToolError} what the tool says, or `overloaded` when as many calls wait as may.
   */
  validate(task: ValidateTask, work: Work): Promise<Extract<ValidateAnswer, { kind: "done" }>>;
  /**
   * @returns what `documentToSend` makes of a long text.
   * @throws {ToolError} as it does, or `overloaded` when the queue is full.
   */
  readDocument(task: DocumentTask, work: Work): Promise<string>;
  /**
   * @returns the answer of the local analysis of one policy.
   * @throws {ToolError} as `writeAnalysis` does, or `overloaded` when the queue is full.
   */
  analyze(task: WriteAnalysisTask, work: Work): Promise<PreparedOutput>;
  /**
   * @param task Its body is transferred and cannot be used afterwards.
   * @throws {ToolError} as `readPage` does, or `overloaded` when the queue is full.
   */
  readAnswerPage(task: ReadPageTask, work: Work): Promise<AnswerPage>;
  /**
   * @param task Its pages are transferred and cannot be used afterwards.
   * @throws {ToolError} `overloaded` when the queue is full.
   */
  writeAnswerPages(task: WritePagesTask, work: Work): Promise<PreparedOutput>;
  /**
   * @returns the answer of a query.
   * @throws {ToolError} as `writeQuery` does, or `overloaded` when the queue is full.
   */
  query(task: WriteQueryTask, work: Work): Promise<PreparedOutput>;
  /** Starts a worker, with all its reference data, before anyone waits for it. */
  warmUp(): Promise<void>;
  /** For metrics. */
  figures(): { readonly running: number; readonly waiting: number; readonly threads: number };
  close(): Promise<void>;
}
