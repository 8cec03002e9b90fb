import type { Policy, Statement } from "../../policy/model.ts";
import { correctedEntry, operatorLike } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import { type Effect, isReadable, type ReadableEntry } from "./effect.ts";
import { stopsChosenRegions } from "./global-services.ts";
import { refusesTag, stopsTagged } from "./refused-tags.ts";
import { stopsThePresent, stopsTheSafe } from "./safe-settings.ts";
import { stopsOwn } from "./stops-own.ts";
import { yesOrNo } from "./yes-or-no.ts";

/** A test that stops the safe requests in a Deny, or lets only unsafe ones through in an Allow. */
export function* invertedEffects(
  entry: ReadableEntry,
  statement: Statement,
  policy: Policy,
): Iterable<Effect> {
  if (entry.values.length === 0) return;
  yield* yesOrNo(entry, statement);
  if (statement.denies) {
    yield* stopsTheSafe(entry, statement);
    yield* stopsThePresent(entry, statement);
    yield* stopsOwn(entry, statement);
    yield* stopsTagged(entry, statement);
    yield* stopsChosenRegions(entry, statement);
    yield* sparesRoot(entry, statement, policy);
  } else if (statement.allows) {
    yield* oldSignIn(entry, statement);
    yield* refusesTag(entry, statement);
  }
}

/** A guard rail that stops everyone but root users, which cannot be what it is for. */
function* sparesRoot(
  entry: ReadableEntry,
  statement: Statement,
  { type }: Policy,
): Iterable<Effect> {
  const { operator, keyLower, key, operatorText, values } = entry;
  if (type !== "SERVICE_CONTROL_POLICY" || keyLower !== "aws:principalarn") return;
  if (!operator.base.negated || !values.every(({ text }) => text.endsWith(":root"))) return;
  const wanted = operatorLike(entry, operator.base.name.replace("Not", ""));
  yield {
    kind: "inverted",
    entry,
    reason: `${quote(operatorText)} on ${quote(key)} makes this Deny spare root users and stop all other callers.`,
    suggestion: `Write ${quote(wanted)}, so that it stops root users.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted }), {
      title: "Deny root users",
      effect: "changes",
    }),
  };
}

/** An Allow that asks for an MFA sign-in of at least some age. */
function* oldSignIn(entry: ReadableEntry, statement: Statement): Iterable<Effect> {
  const { operator, keyLower, key, operatorText } = entry;
  if (keyLower !== "aws:multifactorauthage") return;
  if (!operator.base.name.startsWith("NumericGreaterThan")) return;
  const bounded = statement.conditions.some(
    (one) =>
      isReadable(one) &&
      one.keyLower === keyLower &&
      one.operator.base.name.startsWith("NumericLessThan"),
  );
  if (bounded) return;
  const wanted = operatorLike(entry, operator.base.name.replace("Greater", "Less"), false);
  yield {
    kind: "inverted",
    entry,
    reason: `${quote(operatorText)} on ${quote(key)} makes this Allow hold for sign-ins that are old, and not for recent ones.`,
    suggestion: `Write ${quote(wanted)}, so that the sign-in must be recent.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted }), {
      title: "Ask for a recent sign-in with MFA",
      effect: "changes",
    }),
  };
}
