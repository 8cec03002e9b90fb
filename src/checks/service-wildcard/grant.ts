import type { Severity } from "../../../spec/severity.ts";
import type { CheckContext } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import type { Action, Service } from "../../services/model.ts";
import { type Breadth, grantsOf } from "../shared/grants/grants.ts";
import { wholeAccount } from "../shared/grants/whole-account.ts";
import { principalsAreNamed } from "../shared/named-principals.ts";
import { joinWords, quote } from "../shared/quote.ts";
import { count } from "../shared/texts.ts";

/** What an entry such as `ec2:*` grants in its statement. */
export interface WholeGrant {
  readonly severity: Severity;
  /** What the wildcard contains, by the counts of the reference data. */
  readonly sentence: string;
}

type Context = Pick<CheckContext, "policy" | "services" | "match">;

/** Services this small hold little that the author has not read. */
const fewActions = 5;

/** @returns null where nothing of the service is granted, or where AWS documents the grant. */
export function wholeGrant(
  action: string,
  statement: Statement,
  context: Context,
): WholeGrant | null {
  const grants = grantsOf(statement, context);
  const breadth = grants.breadthOfEntry(action);
  if (breadth === "none" || isDefaultKeyPolicy(action, statement, context)) return null;
  const meaning = context.match(action);
  if (meaning.kind !== "pattern") {
    return {
      severity: severityOf(breadth, statement, context, null),
      sentence: `${quote(action)} grants every action of the service, those that AWS adds later included.`,
    };
  }
  const granted = meaning.actions.filter(
    (one) => grants.breadthOf(one, meaning.service) !== "none",
  );
  return {
    severity: severityOf(breadth, statement, context, meaning.service),
    sentence: sentenceOf(action, granted, meaning.actions.length, context.services.date),
  };
}

function severityOf(
  breadth: Breadth,
  statement: Statement,
  { policy }: Context,
  service: Service | null,
): Severity {
  // A trust policy has few actions, and each of them hands out the role.
  if (policy.type === "TRUST_POLICY") return "high";
  if (service && (service.actions.length <= fewActions || service.actions.every(reads)))
    return "low";
  if (breadth === "self") return principalsAreNamed(statement) ? "low" : "high";
  return breadth === "everything" ? "high" : "medium";
}

function reads({ accessLevel }: Action): boolean {
  return accessLevel === "read" || accessLevel === "list";
}

function sentenceOf(text: string, granted: readonly Action[], total: number, date: string): string {
  const writes = granted.filter(
    ({ accessLevel }) => accessLevel === "write" || accessLevel === "tagging",
  ).length;
  const manages = granted.filter(
    ({ accessLevel }) => accessLevel === "permissions-management",
  ).length;
  const kinds = [
    ...(writes > 0 ? [`${writes} that write`] : []),
    ...(manages > 0 ? [`${manages} that manage permissions`] : []),
  ];
  const number =
    granted.length === total
      ? `all ${count(total, "action")}`
      : `${granted.length} of ${count(total, "action")}`;
  const among = kinds.length > 0 ? `, among them ${joinWords(kinds)}` : ", which only read";
  return `${quote(text)} grants ${number} of the service${among} (reference data of ${date}), and every action that AWS adds to it later.`;
}

/**
 * The statement that lets identity policies of the account manage the key; without it nobody can.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html
 */
function isDefaultKeyPolicy(
  action: string,
  { principals, notPrincipals }: Statement,
  { policy }: Context,
): boolean {
  if (policy.type !== "RESOURCE_POLICY" || !/^kms:\*+$/i.test(action)) return false;
  const [principal] = principals;
  return (
    principals.length === 1 &&
    notPrincipals.length === 0 &&
    principal !== undefined &&
    wholeAccount(principal) !== null
  );
}
