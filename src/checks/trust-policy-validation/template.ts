import { hasPlaceholder, literalsAround, partitions } from "../../policy/arn.ts";
import type { ProviderKind } from "./providers.ts";

/** More placeholders than this in one principal are taken on trust. */
const mostPlaceholders = 8;

/**
 * Texts that a principal with placeholders may become, for trying them on an expression. Each
 * placeholder gets what its place in a provider's ARN asks for; where colons are missing, one of the
 * placeholders is several fields, and each of them is tried in that part.
 * @returns `anything` when the placeholders leave it open.
 */
export function possibleTexts(
  principal: string,
  kind: ProviderKind,
): readonly string[] | "anything" {
  if (!hasPlaceholder(principal)) return [principal];
  const literals = literalsAround(principal);
  const holes = literals.length - 1;
  if (holes > mostPlaceholders) return "anything";
  if (literals.every((literal) => literal === "")) return "anything";
  const missing = 5 - literals.join("").split(":").length + 1;
  if (missing <= 0) return [fillHoles(literals, kind, -1, 0)];
  return Array.from({ length: holes }, (_, hole) => fillHoles(literals, kind, hole, missing));
}

function fillHoles(
  literals: readonly string[],
  kind: ProviderKind,
  wideHole: number,
  missing: number,
): string {
  let text = literals[0] ?? "";
  for (const [index, literal] of literals.slice(1).entries()) {
    const after = literals.slice(index + 1).join("");
    text += fieldText(text, after, kind, index === wideHole ? missing : 0) + literal;
  }
  return text;
}

/** @param spans How many colons the placeholder contains. */
function fieldText(before: string, after: string, kind: ProviderKind, spans: number): string {
  const fields = before.split(":");
  const field = Math.min(fields.length - 1, 5);
  const start = field === 5 ? fields.slice(5).join(":") : (fields.at(-1) ?? "");
  const end = after.split(":", 1)[0] ?? "";
  const parts = Array.from({ length: spans + 1 }, (_, step) =>
    partOf(field + step, step === 0 ? start : "", step === spans ? end : "", kind),
  );
  return parts.join(":");
}

/** What completes `start` + it + `end` to the given field of a provider's ARN. */
function partOf(field: number, start: string, end: string, kind: ProviderKind): string {
  switch (field) {
    case 0:
      return between("arn", start, end);
    case 1:
      return between(
        partitions.find((name) => name.startsWith(start) && name.endsWith(end)) ?? "aws",
        start,
        end,
      );
    case 2:
      return between("iam", start, end);
    case 3:
      return "";
    case 4:
      return "0".repeat(Math.max(0, 12 - start.length - end.length));
    default:
      return resourcePart(`${kind.toLowerCase()}-provider/`, start, end);
  }
}

function between(whole: string, start: string, end: string): string {
  return whole.startsWith(start) && whole.endsWith(end)
    ? whole.slice(start.length, Math.max(start.length, whole.length - end.length))
    : "";
}

function resourcePart(type: string, start: string, end: string): string {
  if (start.length >= type.length) return "example";
  if (!type.startsWith(start)) return "example";
  // The type word, or the rest of it, unless the text after the placeholder brings it.
  const slash = end.indexOf("/");
  if (slash >= 0 && type.endsWith(end.slice(0, slash + 1))) {
    return type.slice(start.length, type.length - slash - 1);
  }
  return end === "" ? `${type.slice(start.length)}example` : type.slice(start.length);
}
