import type { Violation } from "../../../access/answers.ts";
import type { AccessRequest } from "../../../access/request.ts";
import type { Policy, Statement } from "../../../policy/model.ts";
import { hasWildcard } from "../../../policy/wildcard.ts";
import { joinWords, quote, quoteList } from "../quote.ts";

/** `Statement ` and its Sid, else its number. */
export function statementName(sid: string | null, index: number): string {
  return sid === null || sid === "" ? `Statement ${index + 1}` : `Statement ${quote(sid)}`;
}

/** The entries through which a statement grants; `NotAction` grants all but its entries. */
export function entriesOf({ entries }: Violation, statement: Statement | undefined): string {
  return isNegated(statement) ? `every action but ${quoteList(entries)}` : quoteList(entries);
}

/** What the violation is about: the entries where each is an action, else the action of the example. */
export function actionsOf(
  { entries, witness }: Violation,
  statement: Statement | undefined,
): string {
  const areNames = !isNegated(statement) && !entries.some(hasWildcard);
  return areNames ? quoteList(entries) : quote(witness.action);
}

function isNegated(statement: Statement | undefined): boolean {
  return statement?.has("NotAction") === true;
}

/**
 * Services and actions that take requests without a signature. All others refuse them before they read a policy, but take
 * requests of any account.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/intro-structure.html (requests are signed, with few exceptions)
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-basic-examples-of-sqs-policies.html
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-authorization-flow.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html
 * @see https://docs.aws.amazon.com/opensearch-service/latest/developerguide/ac.html
 * @see https://docs.aws.amazon.com/vpc-lattice/latest/ug/auth-policies.html
 * @see https://docs.aws.amazon.com/efs/latest/ug/iam-access-control-nfs-efs.html
 */
const takesUnsigned =
  /^(?:(?:s3|sqs|sns|execute-api|es|vpc-lattice-svcs|elasticfilesystem|mediastore):|lambda:invokefunctionurl$)/i;

/** A statement that tests who calls may be for callers without a signature only. */
const asksWhoCalls = /^aws:(?:principal|userid|username)/i;

function mayBeUnsigned({ action, context }: AccessRequest): boolean {
  const isSigned = context["lambda:FunctionUrlAuthType"]?.includes("AWS_IAM") === true;
  return takesUnsigned.test(action) && !isSigned;
}

/** A condition tests who calls, or compares something with it. */
function asksForCaller({ context }: AccessRequest, statement: Statement | undefined): boolean {
  const tested = statement?.conditions.map(({ keyLower }) => keyLower) ?? [];
  return [...tested, ...Object.keys(context)].some((key) => asksWhoCalls.test(key));
}

/** @returns whether a request without a signature shows less than a signed one: the service refuses it. */
export function isBetterSigned(request: AccessRequest, statement: Statement | undefined): boolean {
  const isUnsigned = request.principal.type === "Anonymous";
  return isUnsigned && !mayBeUnsigned(request) && asksForCaller(request, statement);
}

function anyoneFor(request: AccessRequest, statement: Statement | undefined): string {
  return mayBeUnsigned(request) || asksForCaller(request, statement)
    ? "anyone without signing in"
    : "anyone with an AWS account";
}

function callerOf(request: AccessRequest, statement: Statement | undefined): string {
  const { principal } = request;
  switch (principal.type) {
    case "Anonymous":
      return anyoneFor(request, statement);
    case "Service":
      return `the service ${quote(principal.name)}`;
    case "Federated":
      return `a user of the identity provider ${quote(principal.name)}`;
    case "CanonicalUser":
      return `the canonical user ${quote(principal.name)}`;
    default:
      if (principal.arn.endsWith(":root")) return `the root user ${quote(principal.arn)}`;
      return principal.session === undefined
        ? `the user ${quote(principal.arn)}`
        : `a role session of ${quote(principal.arn)}`;
  }
}

/** Most keys that an example shows. */
const maxKeys = 8;

/**
 * One sentence: who may call what, and with which context.
 * @param statement The statement that allows it; keys that it tests and the request lacks are named.
 */
export function exampleOf(request: AccessRequest, statement: Statement | undefined): string {
  const held = Object.entries(request.context).map(
    ([key, values]) => `${quote(key)} = ${joinWords(values.map((value) => quote(value)))}`,
  );
  const present = new Set(Object.keys(request.context).map((key) => key.toLowerCase()));
  const lacking = new Set(
    (statement?.conditions ?? []).flatMap(({ key, keyLower }) =>
      present.has(keyLower) ? [] : [quote(key)],
    ),
  );
  const without = Array.from(lacking).slice(0, Math.max(0, maxKeys - held.length));
  const resource = request.resource === "*" ? "" : ` on ${quote(request.resource)}`;
  const context = [
    ...(held.length > 0 ? [`with ${joinWords(held.slice(0, maxKeys))}`] : []),
    ...(without.length > 0 ? [`without ${joinWords(without)}`] : []),
  ];
  const details = context.length > 0 ? ` ${context.join(" and ")}` : "";
  return `For example, ${callerOf(request, statement)} may call ${quote(request.action)}${resource}${details}.`;
}

/** What is special about a violation that is not a plain grant. */
export function kindNote(kind: Violation["kind"], dataDate: string): string {
  if (kind === "unfitting") {
    return " No resource of that kind works with the action today, so nothing changes until one does.";
  }
  if (kind === "unknown_action") {
    return ` Only actions that the reference data of ${dataDate} does not list are affected, such as ones that AWS adds later.`;
  }
  return "";
}

/** @param index From 0, as in `statement_index`. */
export function statementOf(policy: Policy, index: number): Statement | undefined {
  return policy.statements.find((statement) => statement.index === index);
}
