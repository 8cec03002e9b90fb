import { replaceValue } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import type { ConditionValue } from "../../policy/model.ts";
import { openSubject } from "../shared/open-subject.ts";
import type { Width } from "./providers.ts";

/**
 * The subject in the form that its vendor documents: one branch of one project, or one service account.
 * What the value fixes already stays.
 */
export function narrowedSubject(
  { text, node }: ConditionValue,
  { kind }: Width,
  issuer: string,
): FixProposal | null {
  if (kind === "called workflow" || text.endsWith(":pull_request")) return null;
  const { value, needs } = openSubject(issuer);
  if (!value.includes("<org>") && !value.includes("<namespace>")) return null;
  const kept = sameParts(text, value) ?? withLiteralEnd(text, value) ?? keptParts(text, value);
  return {
    title: "Name the project and what may assume the role in it",
    effect: "narrows",
    edits: [replaceValue(node, kept)],
    needs_input: needs.filter(({ placeholder }) => kept.includes(placeholder)),
  };
}

/** Placeholders in place of the parts with wildcards, where the value has every part of the form. */
function sameParts(text: string, form: string): string | null {
  const parts = partsOf(form);
  const own = partsOf(text);
  if (own.length !== parts.length) return null;
  const kept: string[] = [];
  for (const [index, part] of parts.entries()) {
    const mine = own[index] ?? "";
    if (!part.startsWith("<") && mine !== part) return null;
    if (/[:/]$/.test(part) && mine.at(-1) !== part.at(-1)) return null;
    kept.push(/[*?]|\$\{/.test(mine) ? part : mine);
  }
  return kept.join("");
}

/** Each with the delimiter that ends it. */
function partsOf(text: string): readonly string[] {
  return text.split(/(?<=[:/])/);
}

/**
 * Placeholders in place of the only wildcard, where that is the project or namespace and what follows is
 * fixed: `repo:acme/*:environment:production` becomes `repo:acme/<repo>:environment:production`.
 */
function withLiteralEnd(text: string, form: string): string | null {
  const [project] = /^.*<(?:repo|namespace)>/.exec(form) ?? [];
  if (project === undefined) return null;
  const [, start = "", end] = /^([^*?$]*\*)(:[^*?$]+)$/.exec(text) ?? [];
  return end && /[:/]\*$/.test(start) ? keptParts(start, project) + end : null;
}

/** Fixed parts of the value in place of the placeholders, from the start to the first wildcard. */
function keptParts(text: string, form: string): string {
  const parts = partsOf(form);
  const own = partsOf(text);
  let kept = "";
  for (const [index, part] of parts.entries()) {
    const mine = own[index] ?? "";
    const isWhole = mine !== "" && mine.at(-1) === part.at(-1) && /[:/]$/.test(mine);
    if (!isWhole || /[*?]|\$\{/.test(mine) || (!part.startsWith("<") && mine !== part)) {
      return kept + parts.slice(index).join("");
    }
    kept += mine;
  }
  return kept;
}
