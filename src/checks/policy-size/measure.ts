import { z } from "zod";
import type { CheckContext } from "../../engine/check.ts";
import { memo } from "../../memo.ts";
import type { Policy } from "../../policy/model.ts";
import { policyTypeFacts, type SizeWord } from "../../policy/type-facts.ts";
import { joinWords } from "../shared/quote.ts";
import { looksLikeRcp } from "../shared/rcp-shape.ts";
import {
  identityQuotaCode,
  resourcePolicyLimits,
  type SizeLimit,
  type SizeRow,
  sizeLimits,
} from "../shared/size-limits.ts";

export const options = z.strictObject({
  policy_type: z
    .string()
    .nullable()
    .default(null)
    .describe(
      `Measure against this limit whatever the type of the policy: ${joinWords(Object.keys(sizeLimits), 0, "or")}. Any other word is ignored.`,
    ),
  size_limits: z
    .record(z.string(), z.int().min(1).max(Number.MAX_SAFE_INTEGER))
    .nullable()
    .default(null)
    .describe("Limit to bytes; replaces the whole built-in table. Null: the built-in table."),
  organizations_measurement: z
    .string()
    .default("as_written")
    .describe(
      "How SCPs and RCPs submitted as text are measured: as_written, with their white space, or compact. Any other word means as_written.",
    ),
});
type Options = z.output<typeof options>;

/** A limit, and what the policy measures in its terms. */
export interface Measured extends SizeLimit {
  readonly size: number;
  readonly asWritten: boolean;
  readonly code: string | null;
  readonly note: string;
}

/** By the options, which live as long as the process. */
const tableOf = memo(
  ({ size_limits }: Options): ReadonlyMap<string, number> =>
    new Map(
      size_limits
        ? Object.entries(size_limits)
        : Object.entries(sizeLimits).map(([key, { bytes }]) => [key, bytes]),
    ),
);

/** @returns undefined for a word of the option `size_limits` that the table does not have. */
function rowOf(key: string): SizeRow | undefined {
  return Object.hasOwn(sizeLimits, key) ? sizeLimits[key as SizeWord] : undefined;
}

function labelOf(key: string): string {
  return rowOf(key)?.label ?? `the configured limit \`${key}\``;
}

/** The option's word, if it is one of the table. */
function chosenKey(options: Options, table: ReadonlyMap<string, number>): string | null {
  return options.policy_type !== null && table.has(options.policy_type)
    ? options.policy_type
    : null;
}

/** @returns the limit that the options or the type of the policy name; null: the policy has none. */
export function limitFor({ policy, options }: CheckContext<Options>): Measured | null {
  const table = tableOf(options);
  const key = chosenKey(options, table) ?? sizeWordOf(policy);
  if (key === "none") return null;
  if (key === null) return resourceLimit(policy);
  return measured(key, policy, options, table);
}

function sizeWordOf({ type, document }: Policy): SizeWord | "none" | null {
  const { size } = policyTypeFacts[type];
  return type === "IDENTITY_POLICY" ? (document.identityQuota ?? size) : size;
}

function measured(
  key: string,
  policy: Policy,
  options: Options,
  table: ReadonlyMap<string, number>,
): Measured | null {
  const bytes = table.get(key);
  if (bytes === undefined) return null;
  const { text, isJsonText, compactBytes } = policy.document;
  const organizations = key === "scp" || key === "rcp";
  const compact = organizations && options.organizations_measurement === "compact";
  // AWS never receives YAML, so only JSON is measured as it was written.
  const asWritten = text !== null && isJsonText && countsWhiteSpace(key) && !compact;
  const size = asWritten ? writtenBytes(text) : compactBytes;
  return { label: labelOf(key), bytes, size, asWritten, code: codeOf(key, size), note: "" };
}

function countsWhiteSpace(key: string): boolean {
  return rowOf(key)?.asWritten === true;
}

/** UTF-8 bytes without a byte-order mark, which is not a part of the policy. */
export function writtenBytes(text: string): number {
  return Buffer.byteLength(text) - (text.startsWith("\uFEFF") ? 3 : 0);
}

function codeOf(key: string, size: number): string | null {
  const row = rowOf(key);
  const code = row ? row.code : identityQuotaCode;
  return code === identityQuotaCode && size <= sizeLimits.inline_role.bytes ? null : code;
}

function resourceLimit(policy: Policy): Measured | null {
  const service = onlyService(policy);
  const limit = service === null ? undefined : resourcePolicyLimits.get(service);
  if (!limit) return null;
  return {
    ...limit,
    size: policy.document.compactBytes,
    asWritten: false,
    code: "POLICY_SIZE_EXCEEDS_RESOURCE_POLICY_QUOTA",
    note: limit.whiteSpaceCounts ? " The service counts white space on top of that." : "",
  };
}

/** The service prefix that all actions of all statements share; null when they do not. */
function onlyService({ statements }: Policy): string | null {
  let only: string | null = null;
  for (const { actions, notActions } of statements) {
    for (const { text } of [...actions, ...notActions]) {
      const colon = text.indexOf(":");
      const service = colon < 0 ? "" : text.slice(0, colon).toLowerCase();
      if (only !== null && only !== service) return null;
      only = service;
    }
  }
  return only;
}

/** The SCP or RCP that a policy of guessed type may really be. */
export function lookAlikeOf({ policy, options }: CheckContext<Options>): Measured | null {
  const guessed = policy.typeSource === "auto-detect" || policy.typeSource === "default";
  const table = tableOf(options);
  if (!guessed || chosenKey(options, table) !== null) return null;
  if (policy.type === "IDENTITY_POLICY") return measured("scp", policy, options, table);
  if (policy.type === "RESOURCE_POLICY" && looksLikeRcp(policy)) {
    return measured("rcp", policy, options, table);
  }
  return null;
}
