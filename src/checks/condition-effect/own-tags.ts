import { upToLastBrace } from "../../closed-braces.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Entry, Policy, Statement } from "../../policy/model.ts";
import { globMatches } from "../../policy/wildcard.ts";
import { statementName } from "../shared/access/words.ts";
import { quote } from "../shared/quote.ts";
import { type Effect, passesWithoutKey, type ReadableEntry } from "./effect.ts";

const tagsUsers = "iam:TagUser";

/** The user of the caller, and more. */
const ownUser = /^(?:\*|arn:[^:]*:iam:[^:]*:[^:]*:user\/(?:.*\/)?(?:\*|\$\{aws:username\}\**))$/i;

/**
 * An Allow by a tag of the caller, beside an Allow for users to set their own tags. What the tag of a user says must be for
 * others to decide:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/tutorial_attribute-based-access-control.html
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-principaltag
 */
export function tagsOfOwnUser(
  entry: ReadableEntry,
  statement: Statement,
  policy: Policy,
): Effect | null {
  if (policy.type !== "IDENTITY_POLICY" || !statement.allows || !dependsOnTag(entry)) return null;
  const free = ownTagging(policy);
  if (free === null || free.other === statement) return null;
  // One finding for the policy: the tests of further statements are passed in the same way.
  free.first ??= statement;
  if (free.first !== statement) return null;
  const { other, resource } = free;
  return {
    kind: "tagged",
    entry,
    reason: `${statementName(other.sid, other.index)} lets users set any tag of their own with ${quote(tagsUsers)} on ${quote(resource.text)}, so they choose the tag that the test of ${quote(entry.key)} goes by.`,
    suggestion: `Leave ${quote(tagsUsers)} to administrators, or limit it by the keys in \`aws:TagKeys\`.`,
    consequence: "",
  };
}

/** What lets users set any tag of their own. */
interface OwnTagging {
  readonly other: Statement;
  readonly resource: Entry;
  /** The first statement that goes by such a tag. */
  first: Statement | null;
}

const known = new FactSlot<Policy, { readonly found: OwnTagging | null }>();

function ownTagging(policy: Policy): OwnTagging | null {
  let read = known.get(policy);
  if (!read) {
    read = { found: findTagging(policy) };
    known.set(policy, read);
  }
  return read.found;
}

function findTagging({ statements }: Policy): OwnTagging | null {
  if (statements.some((one) => one.denies && reaches(one))) return null;
  for (const other of statements) {
    if (!other.allows || other.conditions.length > 0 || !reaches(other)) continue;
    const resource = other.resources.find(({ text }) => ownUser.test(text));
    if (resource) return { other, resource, first: null };
  }
  return null;
}

function dependsOnTag(entry: ReadableEntry): boolean {
  const { operator, keyLower, values } = entry;
  if (operator.base.type !== "String" || operator.base.negated || values.length === 0) return false;
  if (passesWithoutKey(entry)) return false;
  if (keyLower.startsWith("aws:principaltag/")) return true;
  return values.every(({ text }) => /\$\{aws:PrincipalTag\//i.test(upToLastBrace(text)));
}

/** Whether the statement is about tags of users by name, not with all else of IAM. */
function reaches({ actions, notActions, denies }: Statement): boolean {
  if (notActions.length > 0) return denies;
  return actions.some(
    ({ text }) =>
      globMatches(text, tagsUsers, { ignoreCase: true }) && (denies || /^iam:.*Tag/i.test(text)),
  );
}
