import type { Finding } from "../../spec/finding.ts";
import type { PolicyType, PolicyTypeSource } from "../../spec/policy.ts";
import type { SeverityCounts } from "../../spec/severity.ts";
import type { Summary } from "../../spec/tools/validate-policies.ts";
import { ToolError } from "../errors.ts";
import { parseDocument } from "../policy/document.ts";
import type { PolicyDocument } from "../policy/model.ts";
import { summarisePolicy } from "../policy/summary.ts";
import { declaredType } from "./policy-type-word.ts";
import { type Engine, validatePolicy } from "./run.ts";

/** One policy of a batch, as submitted. Plain data, so that it can cross to a worker. */
export interface BatchEntry {
  /** The document, or its text. */
  readonly policy: unknown;
  readonly name: string | null;
  /** The entry's own policy-type word, as given; not looked at before the sizes are. */
  readonly typeWord: unknown;
}

export interface Batch {
  readonly entries: readonly BatchEntry[];
  /** Policy-type word for entries that have none. */
  readonly typeWord: unknown;
}

export interface BatchLimits {
  readonly max_policy_bytes: number;
  readonly max_request_bytes: number;
}

/** What the engine says of one policy. Plain data. */
export interface BatchResult {
  readonly name: string | null;
  /** `name`, else `policy-<index>`. */
  readonly label: string;
  readonly is_valid: boolean;
  readonly severity_counts: SeverityCounts;
  readonly policy_type: PolicyType;
  readonly policy_type_source: PolicyTypeSource;
  readonly findings: readonly Finding[];
  readonly summary: Summary;
}

const grouped = new Intl.NumberFormat("en-US");

/** Sizes count the larger of what was sent and what it means: neither white space nor YAML gets round. */
function bytesOf(document: PolicyDocument): number {
  const sent = document.text === null ? 0 : Buffer.byteLength(document.text);
  return Math.max(sent, document.compactBytes);
}

async function parseEntries(
  entries: readonly BatchEntry[],
  limits: BatchLimits,
): Promise<PolicyDocument[]> {
  let total = 0;
  const documents: PolicyDocument[] = [];
  for (const [index, { policy }] of entries.entries()) {
    // Text over the limit is not worth parsing.
    const sent = typeof policy === "string" ? Buffer.byteLength(policy) : 0;
    const document = sent > limits.max_policy_bytes ? null : await parseDocument(policy);
    const bytes = document ? bytesOf(document) : sent;
    if (!document || bytes > limits.max_policy_bytes) {
      throw new ToolError(
        "policy_too_large",
        `policies[${index}] has ${grouped.format(bytes)} bytes; the limit is ${grouped.format(limits.max_policy_bytes)} (max_policy_bytes). Split the policy.`,
      );
    }
    total += bytes;
    documents.push(document);
  }
  // After the last entry: one that is too large by itself is the plainer error.
  if (total > limits.max_request_bytes) {
    throw requestTooLarge(total, limits.max_request_bytes, entries.length);
  }
  return documents;
}

/** T5. @param upTo Number of entries that the sum counts; absent: the whole body was measured. */
export function requestTooLarge(bytes: number, limit: number, upTo?: number): ToolError {
  const what = upTo === undefined ? "The request has" : `The first ${upTo} policies together have`;
  return new ToolError(
    "request_too_large",
    `${what} ${grouped.format(bytes)} bytes; the limit is ${grouped.format(limit)} (max_request_bytes). Send fewer policies per call.`,
  );
}

/**
 * Parses and judges the policies of one call, in order.
 * @throws {ToolError} T4, T5, T11.
 * @throws the signal's reason when it fires.
 */
export async function validateBatch(
  { entries, typeWord }: Batch,
  limits: BatchLimits,
  engine: Engine,
  signal?: AbortSignal,
): Promise<BatchResult[]> {
  const documents = await parseEntries(entries, limits);
  const types = entries.map(
    (entry, index) =>
      declaredType(entry.typeWord, `policies[${index}].policy_type`) ??
      declaredType(typeWord, `policy_type (for policies[${index}])`),
  );
  const results: BatchResult[] = [];
  for (const [index, document] of documents.entries()) {
    const { name = null } = entries[index] ?? {};
    const label = name ?? `policy-${index}`;
    const { policy, findings, severity_counts, is_valid } = await validatePolicy(
      { document, name, declaredType: types[index] ?? null, label },
      engine,
      signal,
    );
    results.push({
      name,
      label,
      is_valid,
      severity_counts,
      policy_type: policy.type,
      policy_type_source: policy.typeSource,
      findings,
      summary: summarisePolicy(policy),
    });
  }
  return results;
}
