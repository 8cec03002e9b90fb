import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { correctedEntry, operatorLike } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import { switchValue } from "../shared/switch-value.ts";
import { exclusiveNetworks } from "./contradictions.ts";
import { andWithoutKey, type Effect, isReadable, type ReadableEntry } from "./effect.ts";

const ofOrganization = /^aws:(?:principal|resource|source)org(?:id|paths)$/;
/** Values that a Deny may list to block them; a carve-out of services shows that a perimeter is meant. */
const ofPerimeter =
  /^aws:(?:principalaccount|resourceaccount|sourceip|sourcevpce?|sourcevpcarn|vpcsourceip)$/;
/** Tests by which a Deny exempts the calls of services. */
const carveOut = /^aws:(?:principalisawsservice|viaawsservice)$/;

/** A Deny of what belongs to the author, without any other limit: it leaves the outside alone. */
export function stopsOwn(entry: ReadableEntry, statement: Statement): Effect | null {
  const { operator, keyLower, key, operatorText, values } = entry;
  if (operator.base.type === null || operator.base.negated) return null;
  const others = statement.conditions.filter(
    (one) => one !== entry && !carveOut.test(one.keyLower) && one.operator?.base.type !== null,
  );
  if (ofOrganization.test(keyLower)) {
    if (others.length > 0) return null;
  } else {
    if (!ofPerimeter.test(keyLower) || !statement.conditions.some(exemptsServices)) return null;
    // A perimeter may test several networks; the first entry is the one that is reported.
    if (!others.every((one) => ofPerimeter.test(one.keyLower) && isPositive(one))) return null;
    if (others.some((one) => precedes(one, entry, statement))) return null;
    // Such a Deny stops no request at all, which is reported as that.
    if (exclusiveNetworks(statement.conditions.filter(isReadable))) return null;
  }
  if (values.some(({ text }) => /^[*?]*$/.test(text))) return null;
  const name = operator.base.name.replace(/Equals|Like|^IpAddress/, "Not$&");
  const wanted = operatorLike(entry, name);
  return {
    kind: "inverted",
    entry,
    reason: ofOrganization.test(keyLower)
      ? `${quote(operatorText)} on ${quote(key)} makes this Deny stop the ${subject(keyLower)} of the organization that it names${andWithoutKey(entry)} and not those of all others.`
      : `${quote(operatorText)} on ${quote(key)} makes this Deny stop the ${subject(keyLower)} that it names${andWithoutKey(entry)} and no others.`,
    suggestion: `Write ${quote(wanted)}, so that it stops the others.`,
    consequence: "",
    ...fixedBy(
      () => (others.length > 0 ? null : correctedEntry(statement, entry, { operator: wanted })),
      {
        title: ofOrganization.test(keyLower)
          ? "Deny what is outside the organization"
          : "Deny what is outside the perimeter",
        effect: "changes",
      },
    ),
  };
}

function subject(keyLower: string): string {
  if (keyLower === "aws:principalaccount") return "callers of the accounts";
  if (keyLower === "aws:resourceaccount") return "requests for resources of the accounts";
  if (keyLower.startsWith("aws:principal")) return "callers";
  if (keyLower.startsWith("aws:sourceorg")) return "requests on behalf of resources";
  return keyLower.startsWith("aws:resource")
    ? "requests for resources"
    : "requests from the networks";
}

function exemptsServices({ operator, keyLower, values }: ConditionEntry): boolean {
  return operator?.base.name === "Bool" && carveOut.test(keyLower) && switchValue(values) === false;
}

function isPositive({ operator }: ConditionEntry): boolean {
  return operator !== null && operator.base.type !== null && !operator.base.negated;
}

function precedes(one: ConditionEntry, other: ConditionEntry, { conditions }: Statement): boolean {
  return conditions.indexOf(one) < conditions.indexOf(other);
}
