import { extname, relative, sep } from "node:path";
import type { Finding } from "../../spec/finding.ts";
import type { PolicyType } from "../../spec/policy.ts";
import { isBarePolicy, type Opened, openText } from "../containers/open.ts";
import { splitDocuments } from "../containers/split-documents.ts";
import { type BatchResult, requestTooLarge } from "../engine/batch.ts";
import { fingerprintOf } from "../engine/fingerprint.ts";
import type { FixCounts } from "../engine/fix-policy.ts";
import { countSeverities, validatePolicy } from "../engine/run.ts";
import type { Engine } from "../engine/types.ts";
import type { Origin } from "../json/text-tree.ts";
import { parseDocument } from "../policy/document.ts";
import type { PolicyDocument } from "../policy/model.ts";
import { summarisePolicy } from "../policy/summary.ts";
import type { Runtime } from "../runtime.ts";
import { type FoundFile, isWithin } from "./collect-files.ts";
import { containerDocuments } from "./container-documents.ts";
import { isPolicyShaped, mentionsPolicy } from "./policy-shape.ts";
import { readText, tooLarge } from "./read-text.ts";
import { TerraformFolder } from "./terraform-folder.ts";

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
  /** Absolute path of the file as named. Null: no file. */
  readonly place: string | null;
}

/** A file, or one document of it, that a search found and that is not a policy. */
export interface SkippedFile {
  readonly file: string;
  /** Index in the file, from 0. Null: the file has only one document. */
  readonly document: number | null;
  /** Why, as in "it is not a policy". */
  readonly reason: string;
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
  /** Edits the text of a file; the edited text is validated. Absent: the text is validated as it is. */
  readonly edit?:
    | ((file: FileText) => Promise<{ readonly text: string; readonly counts: FixCounts }>)
    | undefined;
  /** Called after each file. */
  readonly onFile?: ((done: number) => void) | undefined;
  /**
   * Called for each file, or document, that was found in a directory or by a glob and is not a policy;
   * it is not validated. Absent: all files are validated.
   */
  readonly onSkip?: ((skipped: SkippedFile) => void) | undefined;
  /**
   * Folder to which the names are relative that patterns of the config and fingerprints use, so that
   * they are the same from every working directory. Default: the label.
   */
  readonly base?: string | undefined;
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
  const folder = new TerraformFolder();
  let total = 0;
  for (const [index, file] of files.entries()) {
    options.signal?.throwIfAborted();
    const { label, place, named } = file;
    const { maxFileBytes, maxContainerBytes = maxFileBytes } = options;
    const read = await readText(file, Math.max(maxFileBytes, maxContainerBytes));
    if ("fault" in read) {
      if (!named && read.skip && options.onSkip) {
        options.onSkip({ file: label, document: null, reason: read.skip });
      } else {
        validated.push(unread(file, read.fault, options.declaredType));
      }
    } else {
      const baseline = (await options.baselineOf?.(file)) ?? null;
      const name = nameIn(options.base, place) ?? label;
      const neighbours = await folder.neighboursOf(file.path);
      const input = { label, name, place, text: read.text, baseline, named, neighbours };
      const edited = await options.edit?.(input);
      const text = edited?.text ?? read.text;
      const documents = withEdit(
        await validateText({ ...input, text }, runtime, options),
        edited && { policy: text === read.text ? null : text, counts: edited.counts },
      );
      // Skipped files do not count: a repository may have any number of them.
      if (documents.length > 0) total += Buffer.byteLength(read.text);
      if (total > maxTotalBytes) throw requestTooLarge(total, maxTotalBytes, index + 1);
      validated.push(...documents);
    }
    if (validated.length > options.maxDocuments) {
      throw new TooManyDocuments(`there are more than ${options.maxDocuments} documents`);
    }
    options.onFile?.(index + 1);
  }
  return validated;
}

/** The first document of a file has the edited text of the whole file, as that of a template has the template. */
function withEdit(
  documents: ValidatedDocument[],
  fixed: ValidatedDocument["fixed"],
): ValidatedDocument[] {
  if (!fixed) return documents;
  return documents.map((one, index) => ({
    ...one,
    fixed: index === 0 ? fixed : { policy: null, counts: {} },
  }));
}

/** @returns The path of a file relative to a folder, with `/`; undefined if it is not below the folder. */
export function nameIn(base: string | undefined, place: string): string | undefined {
  if (base === undefined || !isWithin(base, place)) return undefined;
  return relative(base, place).replaceAll(sep, "/");
}

/** Validates the text of one file, document by document. */
export async function validateText(
  {
    label,
    name = label,
    place = null,
    text,
    baseline = null,
    named = true,
    neighbours = [],
  }: FileText,
  runtime: Runtime,
  { declaredType, maxFileBytes, maxDocuments, signal, onSkip }: ValidateFilesOptions,
): Promise<ValidatedDocument[]> {
  const parts = partsOf(label, text);
  if (parts.length > maxDocuments) {
    throw new TooManyDocuments(
      `${label} has ${parts.length} documents; the limit is ${maxDocuments}`,
    );
  }
  const earlier = baseline === null ? [] : partsOf(label, baseline);
  const engine = place === null ? runtime.engine : trustingNames(runtime.engine);
  const read: ReadPart[] = [];
  for (const part of parts) {
    const about = { name: label, neighbours, ...part };
    // A text over the limit for policies can only be a container: it is parsed once, as 10 MB take time.
    const large = part.text.length > maxFileBytes ? await openText(about) : null;
    if (large) {
      read.push({ container: large, document: null, text: part.text });
      continue;
    }
    const document = await parseDocument(part.text, part.origin);
    const isBare = isBarePolicy(document.raw, part.text, label);
    const container = isBare ? null : await openText(about);
    read.push({ container, document, text: part.text });
  }
  const reasons = named || !onSkip ? [] : reasonsToSkip(read);
  const validated: ValidatedDocument[] = [];
  for (const [index, part] of read.entries()) {
    const { text: own } = part;
    const numbered = parts.length === 1 ? null : index;
    const reason = reasons[index] ?? null;
    if (reason !== null) {
      onSkip?.({ file: label, document: numbered, reason });
      continue;
    }
    if (part.container) {
      const about = { name, label, document: numbered, declaredType };
      for (const one of await containerDocuments(part.container, about, engine, signal)) {
        validated.push({ ...one, file: label, document: numbered, place, text });
      }
      continue;
    }
    const { document } = part;
    const bytes = Buffer.byteLength(own);
    if (bytes > maxFileBytes) {
      validated.push(unread({ label, place }, tooLarge(bytes, maxFileBytes), declaredType));
      continue;
    }
    // The nth document of a file is compared with the nth.
    const before = earlier[index];
    const { policy, findings, suppressed, answers, was_checked, is_valid } = await validatePolicy(
      {
        document,
        name,
        declaredType,
        label: name,
        baseline: before ? await parseDocument(before.text) : null,
      },
      engine,
      signal,
    );
    const silent = document.raw === undefined && findings.length === 0;
    const all = silent ? unparsed(label, document) : findings;
    validated.push({
      name: label,
      label,
      file: label,
      document: numbered,
      place,
      text,
      was_checked,
      is_valid,
      severity_counts: countSeverities(all),
      policy_type: policy.type,
      policy_type_source: policy.typeSource,
      findings: all,
      suppressed,
      answers,
      summary: summarisePolicy(policy),
    });
  }
  return validated;
}

/** The name of a file is not a caller's claim, so the config's `filepath` patterns apply to it. */
export function trustingNames(engine: Engine): Engine {
  return { ...engine, settings: { ...engine.settings, trust_policy_names: true } };
}

/** One document of a file: a template, plan or answer that holds policies, or anything else. */
type ReadPart = { readonly text: string } & (
  | { readonly container: Opened; readonly document: PolicyDocument | null }
  | { readonly container: null; readonly document: PolicyDocument }
);

/**
 * @returns Why each document of a file that a search found is not validated; null: it is a policy or
 * holds some. In a file with policies, a document that does not parse may be one.
 */
function reasonsToSkip(read: readonly ReadPart[]): (string | null)[] {
  const hasPolicy = read.some(({ document }) => isPolicyShaped(document?.raw));
  return read.map(({ document, container, text }) => {
    if (container) return container.places.length > 0 ? null : "it holds no policy";
    if (document.raw !== undefined) {
      return isPolicyShaped(document.raw) ? null : "it is not a policy";
    }
    return hasPolicy || mentionsPolicy(text) ? null : "it is not JSON or YAML";
  });
}

/** The text of a file, and of its earlier version. */
export interface FileText {
  readonly label: string;
  /** Name for patterns of the config and for fingerprints. Default: the label. */
  readonly name?: string;
  /** Absolute path of the file as named. Null or absent: no file. */
  readonly place?: string | null;
  /** Texts of the other Terraform files of its folder. */
  readonly neighbours?: readonly string[];
  /** False: the text is skipped if it is not a policy. */
  readonly named?: boolean;
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

/** Reports an unparsable file even if `policy_structure` is off or ignored, so it never passes silently. */
function unparsed(label: string, { faults }: PolicyDocument): Finding[] {
  const fault = faults.find((one) => one.kind !== "duplicate");
  const message = fault?.message ?? "The text is not a policy.";
  return [faultOf(label, "invalid_syntax", message, { location: fault?.location ?? null })];
}

function unread(
  { label, place }: { readonly label: string; readonly place: string | null },
  fault: string,
  declaredType: PolicyType | null,
): ValidatedDocument {
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
    place,
    text: null,
    was_checked: false,
    is_valid: false,
    severity_counts: countSeverities(findings),
    policy_type: declaredType ?? "IDENTITY_POLICY",
    policy_type_source: declaredType ? "cli-flag" : "default",
    findings,
    suppressed: [],
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
