import type { Entry, Statement } from "../../policy/model.ts";
import { rcpServices } from "../../policy/rcp-services.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { actionsOf, type ReadAction } from "../../services/statement-actions.ts";
import { isKnownService } from "../services.ts";
import { quoted } from "../text.ts";
import { type Issue, noIssues, type ResourceType, type Subject } from "../types.ts";

/** Each entry of Action and NotAction against the service reference. */
export function actionNames(statement: Statement, subject: Subject): Iterable<Issue> {
  const { read, areNames } = actionsOf(statement, subject.match);
  const areFine = statement.notActions.length === 0 && (areNames || read.every(isFine));
  return areFine ? noIssues : unknownNames(statement, subject);
}

function isFine({ entry, meaning }: ReadAction): boolean {
  if (meaning.kind === "pattern") return meaning.actions.length > 0;
  return meaning.kind === "action" || entry.text === "*";
}

function* unknownNames(statement: Statement, subject: Subject): Generator<Issue> {
  for (const entries of [statement.actions, statement.notActions]) {
    for (const entry of entries) {
      const { kind } = subject.match(entry.text);
      // Nearly all entries: a name of the reference has no fault.
      if (kind !== "action") yield* actionName(entry, subject);
    }
  }
}

function* actionName(
  { text, node }: Entry,
  { services, match: lookUp }: Subject,
): Generator<Issue> {
  if (text === "*") return;
  const colon = text.indexOf(":");
  const prefix = text.slice(0, Math.max(colon, 0));
  if (colon >= 0 && hasWildcard(prefix)) {
    // IAM refuses such an entry. The code for wildcards in a service name is about ARNs.
    yield {
      code: "INVALID_SERVICE_IN_ACTION",
      details: `The service of ${quoted(text)} holds a wildcard, and AWS takes none there. Name one service in each entry.`,
      nodes: [node],
    };
    return;
  }
  if (colon < 1) {
    yield {
      code: "INVALID_ACTION",
      details: `${quoted(text)} is not an action. Write \`service:Name\`.`,
      nodes: [node],
    };
    return;
  }
  if (!isKnownService(services, prefix)) {
    yield {
      code: "INVALID_SERVICE_IN_ACTION",
      details: `The service ${quoted(prefix)} is not in the reference data of ${services.date}. Correct the prefix.`,
      nodes: [node],
    };
    return;
  }
  const match = lookUp(text);
  const isUnknown =
    match.kind === "unknown_action" ||
    match.kind === "malformed" ||
    (match.kind === "pattern" && match.actions.length === 0);
  if (!isUnknown) return;
  yield {
    code: "INVALID_ACTION",
    details: `${quoted(text)} matches no action in the reference data of ${services.date}. Correct the name.`,
    nodes: [node],
  };
}

const rcpPrefixes: ReadonlySet<string> = new Set(rcpServices);

/** Resource control policies take named services only, and no NotAction. */
export function* rcpActions(statement: Statement, { type }: Subject): Generator<Issue> {
  if (type !== "rcp") return;
  if (statement.has("NotAction")) {
    yield {
      code: "RCP_SYNTAX_ERROR_NOTACTION",
      details: "A resource control policy takes no `NotAction`. Use `Action`.",
      nodes: [statement.at("NotAction")],
    };
  }
  for (const { text, node } of statement.actions) {
    const colon = text.indexOf(":");
    const prefix = text.slice(0, Math.max(colon, 0)).toLowerCase();
    if (colon < 0 ? text === "*" && statement.allows : rcpPrefixes.has(prefix)) continue;
    yield {
      code: "RCP_SYNTAX_ERROR_ACTION",
      details: `Resource control policies do not cover the action ${quoted(text)} (AWS's list of September 2026). Name actions of a covered service.`,
      nodes: [node],
    };
  }
}

/** Services whose actions a policy of the resource type can hold. */
const actionsOfType: Readonly<Record<ResourceType, readonly string[]>> = {
  "AWS::S3::Bucket": ["s3"],
  "AWS::S3::AccessPoint": ["s3"],
  "AWS::S3::MultiRegionAccessPoint": ["s3"],
  "AWS::S3ObjectLambda::AccessPoint": ["s3", "s3-object-lambda"],
  "AWS::DynamoDB::Table": ["dynamodb"],
};

/** @returns the services of a resource type; undefined where the type was not given. */
export function servicesOfType(type: ResourceType | null): readonly string[] | undefined {
  return type === null ? undefined : actionsOfType[type];
}

/** Actions of another service than that of the resource. */
export function actionsOfResourceType(
  statement: Statement,
  { type, resourceType }: Subject,
): Iterable<Issue> {
  const allowed = type === "trust" ? ["sts"] : servicesOfType(resourceType);
  return allowed ? foreignActions(statement, allowed) : noIssues;
}

function* foreignActions(statement: Statement, allowed: readonly string[]): Generator<Issue> {
  for (const { text, node } of [...statement.actions, ...statement.notActions]) {
    const colon = text.indexOf(":");
    const prefix = text.slice(0, Math.max(colon, 0)).toLowerCase();
    if (colon < 0 || hasWildcard(prefix) || allowed.includes(prefix)) continue;
    yield {
      code: "UNSUPPORTED_ACTION_IN_POLICY",
      details: `${quoted(text)} is an action of another service than the resource of this policy. Remove it.`,
      nodes: [node],
    };
  }
}
