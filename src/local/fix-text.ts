import type { FixEffect } from "../../spec/finding.ts";
import type { PolicyType } from "../../spec/policy.ts";
import { isBarePolicy, openText } from "../containers/open.ts";
import { fixContainer } from "../engine/fix-container.ts";
import { type FixCounts, fixPolicy } from "../engine/fix-policy.ts";
import { validatePolicyLean } from "../engine/run.ts";
import { parseDocument } from "../policy/document.ts";
import type { Runtime } from "../runtime.ts";
import { isPolicyShaped, mentionsPolicy } from "./policy-shape.ts";
import { partsOf } from "./read-parts.ts";
import { engineOfFile, type FileText } from "./validate-text.ts";

export interface FixTextOptions {
  readonly declaredType: PolicyType | null;
  readonly effects: ReadonlySet<FixEffect>;
  readonly signal?: AbortSignal | undefined;
}

export interface FixedText {
  /** The same text if nothing changes. */
  readonly text: string;
  /** Fixes that were applied, by effect. */
  readonly counts: FixCounts;
}

/**
 * Applies the fixes of the policies in a file's text, document by document; those of a template at their
 * places in it. Documents without policies stay as they are.
 */
export async function fixText(
  { label, name = label, place = null, neighbours = [], usedAs = null, text }: FileText,
  { engine: given, settings }: Pick<Runtime, "engine" | "settings">,
  { declaredType, effects, signal }: FixTextOptions,
): Promise<FixedText> {
  // As in the validation, so that the same patterns and exceptions apply.
  const engine = place === null ? given : engineOfFile(given);
  let fixed = text;
  const counts: FixCounts = {};
  // The last one first, so that the places of those before it stay the same.
  for (const part of partsOf(label, text).reverse()) {
    const document = await parseDocument(part.text);
    const about = { name, declaredType, label: name, usedAs };
    const fits = (one: string | null) => Buffer.byteLength(one ?? "") <= settings.max_policy_bytes;
    const options = { effects, validate: validatePolicyLean, signal };
    const opened = isBarePolicy(document.raw, part.text, label)
      ? null
      : await openText({ name: label, neighbours, ...part });
    if (!opened && !isFixable(document.raw, part.text)) continue;
    let piece = part.text;
    if (opened) {
      const { fixed: template, results } = await fixContainer(
        { ...about, opened, entry: 0 },
        engine,
        { ...options, fits },
      );
      for (const one of results) add(counts, one.counts);
      piece = template?.text ?? piece;
    } else {
      const fixedPolicy = await fixPolicy({ ...about, document }, engine, {
        ...options,
        fits: (one) => fits(one.text),
      });
      add(counts, fixedPolicy.counts);
      piece = fixedPolicy.document?.text ?? piece;
    }
    const { offset } = part.origin;
    fixed = fixed.slice(0, offset) + piece + fixed.slice(offset + part.text.length);
  }
  return { text: fixed, counts };
}

function add(counts: FixCounts, more: FixCounts): void {
  for (const [effect, count] of Object.entries(more) as [FixEffect, number][]) {
    counts[effect] = (counts[effect] ?? 0) + count;
  }
}

/** A policy, a list of statements, or a text that was meant as a policy and does not parse. */
function isFixable(value: unknown, text: string): boolean {
  return value === undefined ? mentionsPolicy(text) : isPolicyShaped(value);
}
