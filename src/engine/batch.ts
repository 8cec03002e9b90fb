import type { AccessAnswer } from "../../spec/access.ts";
import type { Unwrapped } from "../../spec/container.ts";
import type { Finding, FixEffect, LeanFinding } from "../../spec/finding.ts";
import type { PolicyType, PolicyTypeSource } from "../../spec/policy.ts";
import type { SeverityCounts } from "../../spec/severity.ts";
import type { Summary } from "../../spec/tools/validate-policies.ts";
import { isBarePolicy, type Opened, openAll } from "../containers/open.ts";
import { isOfModule } from "../containers/source.ts";
import { ToolError } from "../errors.ts";
import { parseDocument } from "../policy/document.ts";
import type { PolicyDocument } from "../policy/model.ts";
import { summarisePolicy } from "../policy/summary.ts";
import { isRecord, type JsonObject } from "../record.ts";
import { Yielder } from "../yielder.ts";
import type { Suppressed } from "./exceptions.ts";
import { fixEntry } from "./fix-entry.ts";
import { type FixCounts, fixPolicy } from "./fix-policy.ts";
import { declaredType } from "./policy-type-word.ts";
import type { Engine, PolicyToValidate, ValidatedPolicy } from "./types.ts";
import { validateContainer } from "./validate-container.ts";

/** One policy of a call, as submitted. Plain data, so that it can be sent to a worker. */
export interface BatchEntry {
  /** The document, or its text. */
  readonly policy: unknown;
  readonly name: string | null;
  /** The policy type of this entry, as given; checked after the sizes. */
  readonly typeWord: unknown;
  /** What to compare with, or its text; null: nothing. */
  readonly baseline: unknown;
}

export interface Batch {
  readonly entries: readonly BatchEntry[];
  /** The policy type for entries that have none. */
  readonly typeWord: unknown;
  /** Effects of the fixes to apply; absent or empty: none. */
  readonly fix?: readonly FixEffect[];
  /** False: findings get no fixes, because none is shown. */
  readonly showsFixes?: boolean;
}

export interface BatchLimits {
  /** Maximum number of policies, those in templates included. */
  readonly max_policies: number;
  readonly max_policy_bytes: number;
  readonly max_request_bytes: number;
}

/** The result for one policy. Plain data. */
export interface BatchResult<Shown extends LeanFinding = Finding> {
  readonly name: string | null;
  /** `name`, else `policy-<index>`. */
  readonly label: string;
  readonly is_valid: boolean;
  readonly severity_counts: SeverityCounts;
  readonly policy_type: PolicyType;
  readonly policy_type_source: PolicyTypeSource;
  readonly findings: readonly Shown[];
  /** Findings that were left out. */
  readonly suppressed: readonly Suppressed[];
  readonly answers: readonly AccessAnswer[];
  readonly summary: Summary;
  /** What fixes have made of the policy; absent: none were asked for. */
  readonly fixed?: {
    /** Its text if it was given as text; null: no fix was applied. */
    readonly policy: string | JsonObject | null;
    readonly counts: FixCounts;
  };
  /** Its place in a template, plan or answer; absent for a bare policy. */
  readonly unwrapped?: Unwrapped;
}

/** How a batch is validated, and what is kept of each result. */
export interface BatchWork<Shown extends LeanFinding, Kept> {
  /** `validatePolicy`, or `validatePolicyLean` if there are no exceptions: those of containers match all fields. */
  validate(
    input: PolicyToValidate,
    engine: Engine,
    signal?: AbortSignal,
  ): Promise<ValidatedPolicy<Shown>>;
  /**
   * Called with each result, in order, and the index of its entry; returns what is kept. Findings can need a hundred times as many
   * bytes as the policy, so everything else should be garbage-collected.
   */
  keep(result: BatchResult<Shown>, index: number): Kept;
  readonly signal?: AbortSignal | undefined;
}

/** A document in the form in which it was submitted. */
function submitted(document: PolicyDocument | null): string | JsonObject | null {
  if (!document) return null;
  // Only objects have fixes.
  return document.text ?? (isRecord(document.raw) ? document.raw : null);
}

/** The size of a policy is the larger of its text and its compact JSON, so neither white space nor YAML evades the limit. */
function bytesOf(document: PolicyDocument): number {
  const sent = document.text === null ? 0 : Buffer.byteLength(document.text);
  return Math.max(sent, document.compactBytes);
}

interface ParsedEntry {
  readonly document: PolicyDocument;
  readonly baseline: PolicyDocument | null;
}

/** @param at The place of the value in the arguments. */
async function parseBounded(
  value: unknown,
  at: string,
  { max_policy_bytes }: BatchLimits,
): Promise<{ readonly document: PolicyDocument; readonly bytes: number }> {
  // Reject text over the limit before parsing it.
  const sent = typeof value === "string" ? Buffer.byteLength(value) : 0;
  const document = sent > max_policy_bytes ? null : await parseDocument(value);
  const bytes = document ? bytesOf(document) : sent;
  if (document && bytes <= max_policy_bytes) return { document, bytes };
  throw new ToolError(
    "policy_too_large",
    `${at} has ${bytes} bytes; the limit is ${max_policy_bytes} (max_policy_bytes). Split the policy.`,
  );
}

async function parseEntries(
  entries: readonly BatchEntry[],
  limits: BatchLimits,
  signal: AbortSignal | undefined,
): Promise<ParsedEntry[]> {
  const yielder = new Yielder(signal);
  let total = 0;
  const parsed: ParsedEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    if (yielder.shouldYield) await yielder.yieldNow();
    const { document, bytes } = await parseBounded(entry.policy, `policies[${index}]`, limits);
    total += bytes;
    if (entry.baseline === null || entry.baseline === undefined) {
      parsed.push({ document, baseline: null });
      continue;
    }
    const at = `policies[${index}].baseline`;
    const baseline = await parseBounded(entry.baseline, at, limits);
    total += baseline.bytes;
    parsed.push({ document, baseline: baseline.document });
  }
  // Checked last: the error for a single policy over its limit is more helpful.
  if (total > limits.max_request_bytes) {
    throw requestTooLarge(total, limits.max_request_bytes, entries.length);
  }
  return parsed;
}

/** @param upTo Number of policies in the sum. */
export function requestTooLarge(bytes: number, limit: number, upTo: number): ToolError {
  return new ToolError(
    "request_too_large",
    `The first ${upTo} policies together have ${bytes} bytes; the limit is ${limit} (max_request_bytes). Send fewer policies per call.`,
  );
}

/**
 * Parses and validates the policies of one call, in order.
 * @returns What `keep` returned for each.
 * @throws {ToolError} For a policy or a request over its limit, or an unknown policy type.
 * @throws The signal's reason when it fires.
 */
export async function validateBatch<Shown extends LeanFinding, Kept>(
  { entries, typeWord, fix = [], showsFixes = true }: Batch,
  limits: BatchLimits,
  engine: Engine,
  { validate, keep, signal }: BatchWork<Shown, Kept>,
): Promise<Kept[]> {
  const documents = await parseEntries(entries, limits, signal);
  const types = entries.map(
    (entry, index) =>
      declaredType(entry.typeWord, `policies[${index}].policy_type`) ??
      declaredType(typeWord, `policy_type (for policies[${index}])`),
  );
  const opened = await openEntries(entries, documents, limits);
  const kept: Kept[] = [];
  for (const [index, { name }] of entries.entries()) {
    // Removed from the list, so that it can be garbage-collected once it has been validated.
    const parsed = documents.shift();
    if (!parsed) break;
    const label = name ?? `policy-${index}`;
    const about = { name, label, declaredType: types[index] ?? null };
    const containers = opened[index] ?? [];
    if (fix.length > 0 && containers.length > 0) {
      const { results, policy } = await fixEntry(containers, { ...about, entry: index }, engine, {
        submitted: entries[index]?.policy,
        maxBytes: limits.max_policy_bytes,
        effects: new Set(fix),
        validate,
        signal,
      });
      for (const [at, { validated, unwrapped, counts }] of results.entries()) {
        // The first result has the whole entry, so that a large template is not repeated for each policy.
        const fixed = { policy: at === 0 ? policy : null, counts };
        kept.push(keep({ ...resultOf(validated, { name, label }), unwrapped, fixed }, index));
      }
      continue;
    }
    for (const container of containers) {
      const input = { ...about, opened: container, entry: index, fixes: showsFixes };
      for await (const one of validateContainer(input, engine, validate, signal)) {
        const { unwrapped } = one;
        kept.push(keep({ ...resultOf(one.validated, { name, label }), unwrapped }, index));
      }
    }
    if (containers.length > 0) continue;
    const input = { ...parsed, ...about, fixes: showsFixes || fix.length > 0 };
    const { validated, ...fixed } =
      fix.length > 0
        ? await fixPolicy(input, engine, {
            effects: new Set(fix),
            validate,
            fits: (document) => bytesOf(document) <= limits.max_policy_bytes,
            signal,
          })
        : { validated: await validate(input, engine, signal) };
    const result = {
      ...resultOf(validated, { name, label }),
      ...("counts" in fixed && {
        fixed: { policy: submitted(fixed.document), counts: fixed.counts },
      }),
    };
    kept.push(keep(result, index));
  }
  return kept;
}

/** @returns the result of a document for reports. */
export function resultOf<Shown extends LeanFinding>(
  { policy, findings, suppressed, answers, severity_counts, is_valid }: ValidatedPolicy<Shown>,
  { name, label }: Pick<BatchResult, "name" | "label">,
): BatchResult<Shown> {
  return {
    name,
    label,
    is_valid,
    severity_counts,
    policy_type: policy.type,
    policy_type_source: policy.typeSource,
    findings,
    suppressed,
    answers,
    summary: summarisePolicy(policy),
  };
}

/** @returns for each entry the templates, plans or answers in it; none for a policy. */
async function openEntries(
  entries: readonly BatchEntry[],
  documents: readonly ParsedEntry[],
  { max_policies }: BatchLimits,
): Promise<(readonly Opened[])[]> {
  const opened: (readonly Opened[])[] = [];
  let policies = 0;
  for (const [index, { policy, name }] of entries.entries()) {
    const isBare = isBarePolicy(documents[index]?.document.raw, policy, name);
    const containers = isBare ? [] : await openAll(policy, name, neighboursIn(entries, index));
    opened.push(containers);
    policies += containers.reduce((sum, { places }) => sum + places.length, 0) || 1;
    if (policies > max_policies) {
      throw new ToolError(
        "too_many_policies",
        `The first ${index + 1} entries have more than ${max_policies} policies (max_policies), those in templates included. Send them in several calls.`,
      );
    }
  }
  return opened;
}

/** Other Terraform files are read with one up to this size, in characters. */
const maxNeighbours = 1_000_000;

/** @returns The Terraform files of the call that are in the folder of one of them. */
function neighboursIn(entries: readonly BatchEntry[], index: number): readonly string[] {
  const { name = null } = entries[index] ?? {};
  if (!isOfModule(name)) return [];
  let left = maxNeighbours;
  return entries.flatMap((entry, at) => {
    const { policy } = entry;
    if (at === index || typeof policy !== "string" || !isOfModule(entry.name)) return [];
    if (folderOf(entry.name) !== folderOf(name) || policy.length > left) return [];
    left -= policy.length;
    return [policy];
  });
}

function folderOf(name: string | null): string {
  return name?.slice(0, name.lastIndexOf("/") + 1) ?? "";
}
