import type { CheckContext, Report } from "../../engine/check.ts";
import { renameMember } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import { childNode } from "../../json/node.ts";
import { hasPlaceholder } from "../../policy/arn.ts";
import type { PrincipalEntry, Statement } from "../../policy/model.ts";
import { policyTypeFacts } from "../../policy/type-facts.ts";
import { globMatches } from "../../policy/wildcard.ts";
import { isRecord } from "../../record.ts";
import { nearestElement } from "../policy-structure/fixes.ts";
import { correctedNode } from "../shared/corrected.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { separated } from "../shared/list-fixes.ts";
import { partitionIn, policyPartition } from "../shared/policy-partition.ts";
import { quote, quoteList } from "../shared/quote.ts";
import { awsForm, meantPrincipal } from "./aws-principal.ts";
import { underAnotherType } from "./misplaced.ts";
import { fixedPattern, openPrincipal, typeOf, withoutEmptyText } from "./principal-fixes.ts";
import { readServicePrincipal, servicePrincipalsDate } from "./service-principals.ts";

type Context = Pick<CheckContext, "policy" | "services" | "settings">;

const keys = ["AWS", "Service", "Federated", "CanonicalUser"];

/**
 * Reports principals in a form that AWS refuses, in policies that take principals.
 * Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
 */
export function* principalValueReports(statement: Statement, context: Context): Generator<Report> {
  const { principal } = policyTypeFacts[context.policy.type];
  if (principal !== "required" && principal !== "trust") return;
  for (const element of ["Principal", "NotPrincipal"] as const) {
    if (!statement.has(element)) continue;
    for (const report of reportsFor(statement, element, context)) {
      yield {
        issue_type: "invalid_principal_value",
        severity: "error",
        field_name: "principal",
        statement,
        ...report,
      };
    }
  }
}

type Fault = Omit<Report, "issue_type">;

function* reportsFor(
  statement: Statement,
  element: "Principal" | "NotPrincipal",
  context: Context,
): Generator<Fault> {
  const raw = statement.raw[element];
  const entries = element === "Principal" ? statement.principals : statement.notPrincipals;
  if (typeof raw === "string") {
    const [entry] = entries;
    if (entry && raw !== "*" && !isTemplate(raw, context))
      yield plainString(entry, statement, context);
    return;
  }
  if (!isRecord(raw)) return;
  for (const entry of entries) {
    if (isTemplate(entry.text, context)) continue;
    const fault = keys.includes(entry.type)
      ? faultOf(entry, statement, context)
      : wrongKey(entry, statement, element, context);
    if (fault) yield { node: entry.node, ...fault };
  }
}

function isTemplate(text: string, { settings }: Context): boolean {
  return settings.allow_template_variables && hasPlaceholder(text);
}

function plainString(
  { text, node }: PrincipalEntry,
  statement: Statement,
  context: Context,
): Fault {
  const type = typeOf([text], statement, context.services.prefixes);
  const key = type ?? "AWS";
  return {
    node,
    message: `\`Principal\` is the text ${quote(text)}; the only text that AWS accepts there is \`*\`.`,
    suggestion: `Write an object: \`{"${key}": …}\`.`,
    aws_issue_code: "INVALID_PRINCIPAL_FORMAT",
    ...(type !== null
      ? fixedBy(() => correctedNode(node, { [key]: text }), {
          title: "Write the principal under its type",
          effect: "repairs",
        })
      : {}),
  };
}

function wrongKey(
  { type }: PrincipalEntry,
  statement: Statement,
  element: "Principal" | "NotPrincipal",
  context: Context,
): Fault {
  const entries = element === "Principal" ? statement.principals : statement.notPrincipals;
  const texts = entries.filter((one) => one.type === type).map(({ text }) => text);
  const near = nearestElement(type, keys);
  const meant = near ?? typeOf(texts, statement, context.services.prefixes);
  return {
    message: `${quote(type)} is not a key of \`Principal\`.`,
    suggestion: near
      ? `Write \`${near}\`; letter case counts.`
      : meant
        ? `Write \`${meant}\`.`
        : `Use ${quoteList(keys)}.`,
    aws_issue_code: "INVALID_PRINCIPAL_KEY",
    ...(meant
      ? {
          fix: () => ({
            title: "Correct the name of the principal type",
            effect: "repairs" as const,
            edits: [renameMember(childNode(statement.at(element), type), meant)],
          }),
        }
      : {}),
  };
}

function faultOf(entry: PrincipalEntry, statement: Statement, context: Context): Fault | null {
  const misplaced = underAnotherType(entry, statement);
  if (misplaced) return misplaced;
  switch (entry.type) {
    case "AWS":
      return awsFault(entry, statement) ?? partitionFault(entry, context);
    case "Service":
      return serviceFault(entry, statement, context);
    case "CanonicalUser":
      return canonicalFault(entry, statement, context);
    default:
      return federatedFault(entry, statement, context);
  }
}

const wildcard = "UNSUPPORTED_WILDCARD_IN_PRINCIPAL";

function awsFault(entry: PrincipalEntry, statement: Statement): Fault | null {
  const { text, node } = entry;
  if (text === "*") return null;
  if (/[*?]/.test(text)) {
    return {
      message: `${quote(text)} has a wildcard. AWS reads a principal as it is written; only \`*\` alone is a wildcard.`,
      suggestion:
        "Name each principal, or name the account and limit it with `ArnLike` on `aws:PrincipalArn`.",
      aws_issue_code: wildcard,
      ...fixedPattern(entry, statement),
    };
  }
  const why = awsForm(text);
  if (why === null) return null;
  const meant = meantPrincipal(text);
  return {
    message: `${quote(text)} is not a principal that AWS accepts: ${why}.`,
    suggestion: meant
      ? `Write ${quote(meant)}.`
      : "Write a 12-digit account id, or the ARN of an account (`arn:aws:iam::ACCOUNT:root`), user or role.",
    ...(meant
      ? fixedBy(() => correctedNode(node, meant), {
          title: "Write the principal that is meant",
          effect: "repairs",
        })
      : {
          fix: () =>
            separatedPrincipals(entry, statement, isAwsPrincipal) ??
            openPrincipal(entry) ??
            withoutEmptyText(entry, statement),
        }),
  };
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies-cross-account-resource-access.html */
function partitionFault({ text }: PrincipalEntry, { policy }: Context): Fault | null {
  const own = policyPartition(policy);
  const written = partitionIn(text);
  if (!own || written === null || written === own.name) return null;
  const others = own.by === "resources" ? "the resources of the policy" : "another principal";
  return {
    message: `${quote(text)} is in the partition ${quote(written)}, and ${others} ${own.by === "resources" ? "are" : "is"} in ${quote(own.name)}. Access across accounts works within one partition only.`,
    suggestion: `Name an account, user or role of ${quote(own.name)}.`,
  };
}

const isAwsPrincipal = (text: string) => awsForm(text) === null;

/** Principals that one text joins. */
function separatedPrincipals(
  { node, type }: PrincipalEntry,
  { raw }: Statement,
  isValue: (text: string) => boolean,
): FixProposal | null {
  // The node is the value itself, or an entry of its list.
  const list = typeof node.step === "number" ? node.parent : node;
  const element = list?.parent?.step;
  const values = typeof element === "string" ? raw[element] : undefined;
  return list && isRecord(values) ? separated(values[type], list, isValue) : null;
}

function serviceFault(
  entry: PrincipalEntry,
  statement: Statement,
  { services }: Context,
): Fault | null {
  const { text, node } = entry;
  // `Service: "*"` is for principal_validation.
  if (text === "*") return null;
  if (/[*?]/.test(text)) {
    return {
      message: `${quote(text)} has a wildcard, which AWS does not accept in the name of a service.`,
      suggestion: "Name the service, such as `s3.amazonaws.com`.",
      aws_issue_code: wildcard,
    };
  }
  const verdict = readServicePrincipal(text, services.prefixes);
  switch (verdict.kind) {
    case "known":
      return null;
    case "unknown":
      return {
        severity: "warning",
        message: `No service principal ${quote(text)} is known (names of ${servicePrincipalsDate}). AWS refuses a policy with one that does not exist.`,
        suggestion: "Compare the name with the guide of the service.",
      };
    default: {
      const { meant } = verdict;
      return {
        message:
          verdict.kind === "misspelt"
            ? `No service principal ${quote(text)} is known (names of ${servicePrincipalsDate}).`
            : `${quote(text)} is not the name of a service, which ends in \`.amazonaws.com\`.`,
        suggestion: meant
          ? `Write ${quote(meant)}.`
          : "Write the principal that the guide of the service names.",
        ...(meant
          ? fixedBy(() => correctedNode(node, meant), {
              title: "Correct the name of the service principal",
              effect: "repairs",
            })
          : {
              fix: () =>
                separatedPrincipals(
                  entry,
                  statement,
                  (one) => readServicePrincipal(one, services.prefixes).kind === "known",
                ),
            }),
      };
    }
  }
}

/** Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-bucket-user-policy-specifying-principal-intro.html */
function canonicalFault(
  { text }: PrincipalEntry,
  statement: Statement,
  { policy }: Context,
): Fault | null {
  const entries = [...statement.actions, ...statement.notActions];
  const s3 = entries.length > 0 && entries.every((one) => /^(?:s3[a-z-]*:|\*$)/i.test(one.text));
  if (policy.type === "TRUST_POLICY" || !s3) {
    return {
      message: "`CanonicalUser` is known to S3 only.",
      suggestion: "Name the account, user or role under `AWS`.",
    };
  }
  if (/^[0-9a-f]{64}$/i.test(text)) return null;
  return {
    message: `${quote(text)} is not a canonical user id, which has 64 hexadecimal digits.`,
    suggestion: "Write the canonical user id of the account, or name the account under `AWS`.",
  };
}

function federatedFault(
  { text }: PrincipalEntry,
  statement: Statement,
  { policy }: Context,
): Fault | null {
  // In a trust policy the form of the provider is for trust_policy_validation.
  if (policy.type === "TRUST_POLICY") return null;
  const options = { ignoreCase: true };
  const assumes = statement.actions.some(
    (one) =>
      /^sts:/i.test(one.text) &&
      (globMatches(one.text, "sts:AssumeRoleWithSAML", options) ||
        globMatches(one.text, "sts:AssumeRoleWithWebIdentity", options)),
  );
  if (assumes) return null;
  return {
    message: `${quote(text)} is an identity provider. AWS accepts one in a role trust policy only.`,
    suggestion: "Name the role that the provider's users assume, under `AWS`.",
    aws_issue_code: "FEDERATED_PRINCIPAL_NOT_SUPPORTED",
  };
}
