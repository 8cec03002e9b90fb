import { constants, open } from "node:fs/promises";
import { extname } from "node:path";
import type { Finding } from "../../spec/finding.ts";
import type { PolicyType } from "../../spec/policy.ts";
import { isPolicyShaped as isBare, openText } from "../containers/open.ts";
import { type BatchResult, requestTooLarge } from "../engine/batch.ts";
import { fingerprintOf } from "../engine/fingerprint.ts";
import { countSeverities, validatePolicy } from "../engine/run.ts";
import type { Origin } from "../json/text-tree.ts";
import { parseDocument } from "../policy/document.ts";
import type { PolicyDocument } from "../policy/model.ts";
import { summarisePolicy } from "../policy/summary.ts";
import type { Runtime } from "../runtime.ts";
import { codeOf, type FoundFile } from "./collect-files.ts";
import { containerDocuments } from "./container-documents.ts";
import { decodeText } from "./decode-text.ts";
import { splitDocuments } from "./split-documents.ts";

/** The result for one document of a file. */
export interface ValidatedDocument extends Omit<BatchResult, "entry"> {
  /** Path as shown. Null: no file. */
  readonly file: string | null;
  /** Index in the file, from 0. Null: the file has only one document. */
  readonly document: number | null;
  /** Text of the whole file; locations of findings refer to it. Null: it could not be read. */
  readonly text: string | null;
  /** The file was read, and every check completed. */
  readonly was_checked: boolean;
}

/** The request has more documents than allowed. */
export class TooManyDocuments extends Error {
  override name = "TooManyDocuments";
}

export interface ValidateFilesOptions {
  readonly declaredType: PolicyType | null;
  /** Maximum size of one file; a larger file gets a finding. */
  readonly maxFileBytes: number;
  /** The same for templates, plans and answers that hold policies. Default: `maxFileBytes`. */
  readonly maxContainerBytes?: number;
  /** Maximum size of all files. Absent: no limit. */
  readonly maxTotalBytes?: number;
  readonly maxDocuments: number;
  readonly signal?: AbortSignal | undefined;
  /** Text of an earlier version of the file; null: there is none. */
  readonly baselineOf?: ((file: FoundFile) => Promise<string | null>) | undefined;
  /** Called after each file. */
  readonly onFile?: ((done: number) => void) | undefined;
}

/**
 * Reads and validates files one after another. If a file cannot be read or parsed, it gets a finding;
 * no file is skipped.
 * @throws {ToolError} If the files exceed `maxTotalBytes`.
 * @throws {TooManyDocuments}
 * @throws The signal's reason when it fires.
 */
export async function validateFiles(
  files: readonly FoundFile[],
  runtime: Runtime,
  options: ValidateFilesOptions,
): Promise<ValidatedDocument[]> {
  const validated: ValidatedDocument[] = [];
  const { maxTotalBytes = Number.POSITIVE_INFINITY } = options;
  let total = 0;
  for (const [index, file] of files.entries()) {
    options.signal?.throwIfAborted();
    const { label } = file;
    const { maxFileBytes, maxContainerBytes = maxFileBytes } = options;
    const read = await readText(file, Math.max(maxFileBytes, maxContainerBytes));
    if ("fault" in read) {
      validated.push(unread(label, read.fault, options.declaredType));
    } else {
      total += Buffer.byteLength(read.text);
      if (total > maxTotalBytes) throw requestTooLarge(total, maxTotalBytes, index + 1);
      const baseline = (await options.baselineOf?.(file)) ?? null;
      const input = { label, text: read.text, baseline };
      validated.push(...(await validateText(input, runtime, options)));
    }
    if (validated.length > options.maxDocuments) {
      throw new TooManyDocuments(`there are more than ${options.maxDocuments} documents`);
    }
    options.onFile?.(index + 1);
  }
  return validated;
}

/** Validates the text of one file, document by document. */
export async function validateText(
  { label, text, baseline = null }: FileText,
  runtime: Runtime,
  { declaredType, maxFileBytes, maxDocuments, signal }: ValidateFilesOptions,
): Promise<ValidatedDocument[]> {
  const parts = partsOf(label, text);
  if (parts.length > maxDocuments) {
    throw new TooManyDocuments(
      `${label} has ${parts.length} documents; the limit is ${maxDocuments}`,
    );
  }
  const earlier = baseline === null ? [] : partsOf(label, baseline);
  const validated: ValidatedDocument[] = [];
  for (const [index, part] of parts.entries()) {
    const document = await parseDocument(part.text, part.origin);
    const container = isBare(document.raw)
      ? null
      : await openText({ name: label, text: part.text, origin: part.origin });
    if (container) {
      const numbered = parts.length === 1 ? null : index;
      const about = { name: label, label, document: numbered, declaredType };
      for (const one of await containerDocuments(container, about, runtime.engine, signal)) {
        validated.push({ ...one, file: label, document: numbered, text });
      }
      continue;
    }
    if (Buffer.byteLength(part.text) > maxFileBytes) {
      validated.push(
        unread(label, tooLarge(Buffer.byteLength(part.text), maxFileBytes), declaredType),
      );
      continue;
    }
    // The nth document of a file is compared with the nth.
    const before = earlier[index];
    const { policy, findings, answers, was_checked, is_valid } = await validatePolicy(
      {
        document,
        name: label,
        declaredType,
        label,
        baseline: before ? await parseDocument(before.text) : null,
      },
      runtime.engine,
      signal,
    );
    const silent = document.raw === undefined && findings.length === 0;
    const all = silent ? unparsed(label, document) : findings;
    validated.push({
      name: label,
      label,
      file: label,
      document: parts.length === 1 ? null : index,
      text,
      was_checked,
      is_valid,
      severity_counts: countSeverities(all),
      policy_type: policy.type,
      policy_type_source: policy.typeSource,
      findings: all,
      answers,
      summary: summarisePolicy(policy),
    });
  }
  return validated;
}

/** The text of a file, and of its earlier version. */
export interface FileText {
  readonly label: string;
  readonly text: string;
  /** Null or absent: there is none. */
  readonly baseline?: string | null;
}

/** The documents of a file's text, with their positions. */
export function partsOf(label: string, text: string): ReturnType<typeof splitDocuments> {
  const isWhole = [".json", ".tf"].includes(extname(label).toLowerCase());
  return isWhole ? [{ text, origin: wholeFile }] : splitDocuments(text);
}

const wholeFile: Origin = { line: 0, offset: 0 };

/** The file may have been replaced since it was found, so no link is followed and opening a pipe does not block. */
const readAsFound = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function tooLarge(size: number, limit: number): string {
  return `The file has ${size} bytes; the limit is ${limit} (max_policy_bytes)`;
}

async function readText(
  { path, fault = "The file cannot be opened" }: FoundFile,
  maxBytes: number,
): Promise<{ readonly text: string } | { readonly fault: string }> {
  if (path === null) return { fault };
  try {
    const handle = await open(path, readAsFound);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return { fault: "Not a regular file" };
      const { size } = stats;
      if (size > maxBytes) {
        return {
          fault: tooLarge(size, maxBytes),
        };
      }
      return { text: decodeText(await handle.readFile()) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof TypeError) return { fault: "The file is not UTF-8 text" };
    return { fault: `The file cannot be read (${codeOf(error)})` };
  }
}

/** Reports an unparsable file even if `policy_structure` is off or ignored, so it never passes silently. */
function unparsed(label: string, { faults }: PolicyDocument): Finding[] {
  const fault = faults.find((one) => one.kind !== "duplicate");
  const message = fault?.message ?? "The text is not a policy.";
  return [faultOf(label, "invalid_syntax", message, { location: fault?.location ?? null })];
}

function unread(label: string, fault: string, declaredType: PolicyType | null): ValidatedDocument {
  const findings = [
    faultOf(label, "unreadable_file", `${fault}, so it was not validated.`, {
      location: null,
    }),
  ];
  return {
    name: label,
    label,
    file: label,
    document: null,
    text: null,
    was_checked: false,
    is_valid: false,
    severity_counts: countSeverities(findings),
    policy_type: declaredType ?? "IDENTITY_POLICY",
    policy_type_source: declaredType ? "cli-flag" : "default",
    findings,
    answers: [],
    summary: summarisePolicy({ statements: [] }),
  };
}

function faultOf(
  label: string,
  issue_type: string,
  message: string,
  { location }: Pick<Finding, "location">,
): Finding {
  const about = {
    check_id: "policy_structure",
    issue_type,
    action: null,
    resource: null,
    condition_key: null,
  };
  return {
    ...about,
    severity: "error",
    message,
    suggestion: "Fix the file, or exclude it.",
    statement_index: -1,
    statement_sid: null,
    path: "",
    location,
    fix: null,
    field_name: null,
    example: null,
    example_path: null,
    risk_explanation: "A policy that cannot be read has not been validated.",
    risk_category: null,
    documentation_url: null,
    remediation_steps: null,
    aws_issue_code: null,
    aws_finding_type: null,
    related: [],
    escalation_paths: null,
    fingerprint: fingerprintOf(label, null, about),
  };
}
