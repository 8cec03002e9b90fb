import { FactSlot } from "../../../policy/fact-slot.ts";
import type { Policy, Statement } from "../../../policy/model.ts";
import { globMatches, globsOverlap } from "../../../policy/wildcard.ts";
import { statementName } from "../access/words.ts";
import type { ReadEntry } from "../condition-limits.ts";

/** The author of a policy decides what attaching it gives. */
const writesPolicy = "iam:CreatePolicy";

/** More comparisons than these are for no policy that a person writes. */
const mostComparisons = 2000;

/**
 * The statement that lets the caller create a policy which a test of `iam:PolicyARN` lets it attach; null where there
 * is none. A new version of a policy is reported by itself.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
 */
export function authorOf({ entry, limiting }: ReadEntry, policy: Policy): string | null {
  if (entry.keyLower !== "iam:policyarn" || !limiting) return null;
  const { statements } = policy;
  if (statements.length * entry.values.length > mostComparisons) return null;
  const denies = statements.filter((one) => one.denies && concerns(one));
  const author = statements.find(
    (one) =>
      one.allows &&
      one.conditions.length === 0 &&
      concerns(one) &&
      entry.values.some(
        ({ text }) => reaches(one, text) && !denies.some((deny) => takesBack(deny, text)),
      ),
  );
  return author ? statementName(author.sid, author.index) : null;
}

const concerning = new FactSlot<Statement, boolean>();

function concerns(statement: Statement): boolean {
  let found = concerning.get(statement);
  if (found === undefined) {
    found = statement.actions.some(
      ({ text }) =>
        text.length <= longestAction && globMatches(text, writesPolicy, { ignoreCase: true }),
    );
    concerning.set(statement, found);
  }
  return found;
}

/** A pattern that a person writes for the action is shorter. */
const longestAction = 40;

function reaches({ resources }: Statement, arn: string): boolean {
  if (arn.length > longestArn) return false;
  if (/^arn:[^:]*:iam::aws:/.test(arn)) return false;
  return resources.length <= mostResources && resources.some(({ text }) => globsOverlap(text, arn));
}

/** AWS takes no longer ARNs; a comparison takes as many steps as the product of both lengths. */
const longestArn = 2_048;
/** Resources of a statement that are compared. */
const mostResources = 100;

function takesBack({ conditions, resources }: Statement, arn: string): boolean {
  return (
    conditions.length === 0 &&
    resources.length <= mostResources &&
    resources.some(
      ({ text }) => text === arn || (text.length <= longestArn && globMatches(text, arn)),
    )
  );
}
