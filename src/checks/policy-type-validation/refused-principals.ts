import type { PolicyType } from "../../../spec/policy.ts";
import type { Correction } from "../../engine/check.ts";
import type { ConditionBlock } from "../../fixes/condition-block.ts";
import type { PrincipalEntry, Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { statementWithCondition } from "../shared/corrected.ts";

/** What the fix of {@link inCondition} says. */
export const inConditionFix = {
  title: "Name the principals in a condition instead",
  effect: "repairs",
} as const;

type Element = "Principal" | "NotPrincipal";

/**
 * Whether a statement that cannot name principals means something else without the names. An identity policy
 * applies to its holder, whom `Principal` names; an SCP applies to every principal of its accounts, an RCP to everyone.
 */
export function needsCondition(statement: Statement, element: Element, type: PolicyType): boolean {
  if (element === "NotPrincipal") return true;
  const isForAll = type === "SERVICE_CONTROL_POLICY" || type === "RESOURCE_CONTROL_POLICY";
  return isForAll && !statement.principals.every(({ text }) => text === "*");
}

/**
 * The statement with the principals in a condition.
 * @param members That the statement has besides.
 * @returns null where a condition cannot say the same.
 */
export function inCondition(
  statement: Statement,
  element: Element,
  members: Readonly<Record<string, unknown>> = {},
): Correction | null {
  const isNegated = element === "NotPrincipal";
  if (isNegated && !statement.denies) return null;
  const entries = isNegated ? statement.notPrincipals : statement.principals;
  const block = asCondition(entries, isNegated);
  const taken = statement.conditions.some(({ keyLower }) => keyLower.startsWith("aws:principal"));
  return block && !taken
    ? statementWithCondition(statement, block, { [element]: undefined, ...members })
    : null;
}

const ofIdentity = /^arn:[a-z-]+:iam::([0-9]{12}|\*):(?:user|role)\//;
const ofAccount = /^(?:arn:[a-z-]+:iam::)?([0-9]{12})(?::root)?$/;

/** Users and roles by their ARNs, or accounts by their ids. A list of `NotPrincipal` has the account beside each role. */
function asCondition(
  entries: readonly PrincipalEntry[],
  isNegated: boolean,
): ConditionBlock | null {
  const arns: string[] = [];
  const accounts = new Set<string>();
  for (const { type, text } of entries) {
    const account = ofAccount.exec(text)?.[1];
    if (type !== "AWS") return null;
    if (ofIdentity.test(text)) arns.push(text);
    else if (account !== undefined) accounts.add(account);
    else return null;
  }
  const not = isNegated ? "Not" : "";
  if (arns.length === 0) {
    if (accounts.size === 0) return null;
    return { [`String${not}Equals`]: { "aws:PrincipalAccount": oneOrAll([...accounts]) } };
  }
  const named = new Set(arns.map((text) => ofIdentity.exec(text)?.[1]));
  if (accounts.size > 0 && !(isNegated && accounts.values().every((one) => named.has(one)))) {
    return null;
  }
  const operator = arns.some(hasWildcard) ? `Arn${not}Like` : `Arn${not}Equals`;
  return { [operator]: { "aws:PrincipalArn": oneOrAll(arns) } };
}

function oneOrAll(texts: readonly string[]): string | readonly string[] {
  const [only] = texts;
  return texts.length === 1 && only !== undefined ? only : texts;
}
