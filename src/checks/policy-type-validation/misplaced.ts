import type { Correction, Report } from "../../engine/check.ts";
import type { Entry, PrincipalEntry, Statement } from "../../policy/model.ts";
import { correctedNode } from "../shared/corrected.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import { isBareProvider } from "../trust-policy-validation/providers.ts";
import { awsForm } from "./aws-principal.ts";

/** What a principal is, its type, and the type that it is written under by mistake. */
interface Misplaced {
  readonly under: string;
  readonly what: string;
  readonly type: string;
  readonly matches: (text: string, statement: Statement) => boolean;
  readonly title: string;
}

/** The ARN of a provider, or the domain of one that web identities come from; Cognito's is a service, too. */
export function isProvider(text: string, { actions }: Statement): boolean {
  if (/^arn:[a-z-]+:iam::\d{12}:(?:oidc|saml)-provider\/[^*?]+$/.test(text)) return true;
  const isWebIdentity = (one: Entry) => one.text.toLowerCase() === "sts:assumerolewithwebidentity";
  return isBareProvider(text) && actions.length > 0 && actions.every(isWebIdentity);
}

const misplaced: readonly Misplaced[] = [
  ...["AWS", "Service"].map((under) => ({
    under,
    what: "an identity provider",
    type: "Federated",
    matches: isProvider,
    title: "Write the identity provider under Federated",
  })),
  {
    under: "AWS",
    what: "an AWS service",
    type: "Service",
    matches: (text) => /^[^*?]+\.amazonaws\.com(?:\.cn)?$/i.test(text),
    title: "Write the service under Service",
  },
  {
    under: "Service",
    what: "an account, user or role",
    type: "AWS",
    matches: (text) => /^(?:arn:[^*?]+|\d{12})$/.test(text) && awsForm(text) === null,
    title: "Write the principal under AWS",
  },
];

/** A principal whose text belongs under another type. */
export function underAnotherType(
  { type, text, node }: PrincipalEntry,
  statement: Statement,
): Omit<Report, "issue_type"> | null {
  const found = misplaced.find(({ under, matches }) => under === type && matches(text, statement));
  if (!found) return null;
  return {
    message: `${quote(text)} is ${found.what}, but it is listed under \`${found.under}\`.`,
    suggestion: `Write it under \`${found.type}\`: \`{"${found.type}": ${JSON.stringify(text)}}\`.`,
    ...fixedBy(() => onlyPrincipal(statement, node, { [found.type]: text }), {
      title: found.title,
      effect: "repairs",
    }),
  };
}

/** Null where the statement has other principals, which would have to move as well. */
function onlyPrincipal(
  statement: Statement,
  node: Report["node"],
  value: object,
): Correction | null {
  const element = statement.has("Principal") ? "Principal" : "NotPrincipal";
  const count = statement.principals.length + statement.notPrincipals.length;
  return count === 1 && node ? correctedNode(statement.at(element), value) : null;
}
