import type { Policy, Statement } from "../../policy/model.ts";
import { quote } from "../shared/quote.ts";
import type { Effect, ReadableEntry } from "./effect.ts";

/**
 * The caller chooses the external id that it sends.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_common-scenarios_third-party.html
 */
export function anyExternalId(entry: ReadableEntry): Effect {
  return {
    kind: "always",
    entry,
    reason: `${quote(entry.operatorText)} on ${quote(entry.key)} accepts every external id, and callers choose the one that they send.`,
    suggestion: "Write the external id that you agreed on with the other party.",
    consequence: "This entry keeps no caller out.",
  };
}

/** A trust policy that asks for an external id and says nowhere which. */
export function* presentExternalId(
  entry: ReadableEntry,
  { allows, conditions }: Statement,
  { type }: Policy,
): Iterable<Effect> {
  const { operator, keyLower, values } = entry;
  if (!allows || type !== "TRUST_POLICY" || keyLower !== "sts:externalid") return;
  if (operator.base.type !== null || values.length === 0) return;
  if (!values.every(({ text }) => text.toLowerCase() === "false")) return;
  if (conditions.some((one) => one !== entry && one.keyLower === keyLower)) return;
  yield anyExternalId(entry);
}
