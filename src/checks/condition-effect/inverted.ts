import type { Policy, Statement } from "../../policy/model.ts";
import { correctedEntry, operatorLike } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import type { Effect, ReadableEntry } from "./effect.ts";
import { stopsChosenRegions } from "./global-services.ts";
import { oldSignIn, refusesWhatIsNeeded } from "./inverted-allow.ts";
import { stopsOwnNetwork } from "./inverted-network.ts";
import { stopsPrivateAcl } from "./private-acl.ts";
import { refusesTag, stopsTagged } from "./refused-tags.ts";
import { stopsThePresent, stopsTheSafe } from "./safe-settings.ts";
import { stopsOwn } from "./stops-own.ts";
import { yesOrNo } from "./yes-or-no.ts";

/** A test that stops the safe requests in a Deny, or lets only unsafe ones through in an Allow. */
export function invertedEffect(
  entry: ReadableEntry,
  statement: Statement,
  policy: Policy,
): Effect | null {
  if (entry.values.length === 0) return null;
  const either = yesOrNo(entry, statement);
  if (either) return either;
  if (statement.denies) {
    return (
      stopsTheSafe(entry, statement) ??
      stopsPrivateAcl(entry, statement) ??
      stopsThePresent(entry, statement) ??
      stopsOwn(entry, statement) ??
      stopsOwnNetwork(entry, statement, policy) ??
      stopsTagged(entry, statement) ??
      stopsChosenRegions(entry, statement) ??
      exemptsRoot(entry, statement, policy)
    );
  }
  if (!statement.allows) return null;
  return (
    oldSignIn(entry, statement) ??
    refusesTag(entry, statement) ??
    refusesWhatIsNeeded(entry, policy)
  );
}

/** A guard rail that stops everyone but root users, which cannot be what it is for. */
function exemptsRoot(entry: ReadableEntry, statement: Statement, { type }: Policy): Effect | null {
  const { operator, keyLower, key, operatorText, values } = entry;
  if (type !== "SERVICE_CONTROL_POLICY" || keyLower !== "aws:principalarn") return null;
  if (!operator.base.negated || !values.every(({ text }) => text.endsWith(":root"))) return null;
  const wanted = operatorLike(entry, operator.base.name.replace("Not", ""));
  return {
    kind: "inverted",
    entry,
    reason: `${quote(operatorText)} on ${quote(key)} exempts root users from this Deny, which stops all other callers.`,
    suggestion: `Write ${quote(wanted)}, so that it stops root users.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted }), {
      title: "Deny root users",
      effect: "changes",
    }),
  };
}
