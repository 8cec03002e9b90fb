import type { Correction, Report } from "../../engine/check.ts";
import { removeEntries, removeMember, replaceValue } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import type { PrincipalEntry, Statement } from "../../policy/model.ts";
import { correctedNode, statementWithCondition } from "../shared/corrected.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { accountInput } from "../shared/placeholders.ts";
import { awsForm } from "./aws-principal.ts";
import { isProvider } from "./misplaced.ts";
import { readServicePrincipal } from "./service-principals.ts";

/**
 * A pattern of principals: the role for its sessions, or the account with the pattern in a condition.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
 */
export function fixedPattern(
  entry: PrincipalEntry,
  statement: Statement,
): Pick<Report, "correction" | "fix"> {
  const role = roleOfSessions(entry.text);
  return role === null
    ? fixedBy(() => accountWithPattern(entry, statement), {
        title: "Name the account, and put the pattern into a condition",
        effect: "repairs",
      })
    : fixedBy(() => correctedNode(entry.node, role), {
        title: "Name the role, which covers its sessions",
        effect: "repairs",
      });
}

/** `assumed-role/NAME/*` as the role, whose sessions are the same principals. */
function roleOfSessions(text: string): string | null {
  const [, partition, account, role] =
    /^arn:([a-z-]+):sts::([0-9]{12}):assumed-role\/([^/*?]+)\/\*$/.exec(text) ?? [];
  return role === undefined ? null : `arn:${partition}:iam::${account}:role/${role}`;
}

/** `{"AWS": "…:role/*"}` as the account with a condition, where the statement has no other principal. */
function accountWithPattern({ text }: PrincipalEntry, statement: Statement): Correction | null {
  const [, partition, account] = /^arn:([a-z-]+):iam::([0-9]{12}):/.exec(text) ?? [];
  const taken = statement.conditions.some(({ keyLower }) => keyLower === "aws:principalarn");
  if (!account || taken || statement.principals.length !== 1 || !statement.allows) return null;
  return statementWithCondition(
    statement,
    { ArnLike: { "aws:PrincipalArn": text } },
    { Principal: { AWS: `arn:${partition}:iam::${account}:root` } },
  );
}

/** The principal with a placeholder for the account, where that is missing or has too few or too many digits. */
export function openPrincipal({ text, node }: PrincipalEntry): FixProposal | null {
  const named = /^(?:user|role)\/[\w+=,.@/-]+$/.test(text)
    ? `arn:aws:iam::<account-id>:${text}`
    : null;
  const meant =
    named ??
    text.replace(
      /^(arn:[a-z-]+:(?:iam|sts)::)(?:[0-9]{1,11}|[0-9]{13,20})?(:.+)$/,
      "$1<account-id>$2",
    );
  const open = /^[0-9]{9,14}$/.test(text) ? "<account-id>" : meant;
  if (open === text || awsForm(open.replace("<account-id>", accountInput.example)) !== null) {
    return null;
  }
  return {
    title: "Write the principal with an account id of 12 digits",
    effect: "repairs",
    edits: [replaceValue(node, open)],
    needs_input: [accountInput],
  };
}

/** An empty text beside other principals is no principal. */
export function withoutEmptyText(
  { text, type, node }: PrincipalEntry,
  statement: Statement,
): FixProposal | null {
  const others = [...statement.principals, ...statement.notPrincipals].filter(
    (one) => one.text !== "",
  );
  if (text !== "" || others.length === 0) return null;
  const isEntry = typeof node.step === "number";
  if (isEntry && !others.some((one) => one.type === type)) return null;
  return {
    title: "Remove the empty text beside the principals",
    effect: "repairs",
    edits: isEntry ? removeEntries([{ node }]) : [removeMember(node)],
  };
}

/** The type that all of the principals have; null if they differ, or one is of none. */
export function typeOf(
  texts: readonly string[],
  statement: Statement,
  prefixes: readonly string[],
): string | null {
  if (texts.length === 0 || texts.length > 50) return null;
  if (texts.every((text) => awsForm(text) === null)) return "AWS";
  if (texts.every((text) => isProvider(text, statement))) return "Federated";
  const isService = (text: string) => readServicePrincipal(text, prefixes).kind === "known";
  return texts.every(isService) ? "Service" : null;
}
