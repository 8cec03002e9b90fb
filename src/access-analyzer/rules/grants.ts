import type { Entry, Statement } from "../../policy/model.ts";
import { globMatches, hasWildcard } from "../../policy/wildcard.ts";
import { actionsOf, type ReadAction } from "../../services/statement-actions.ts";
import { reachesEveryRole, reachesEveryServiceLinkedRole } from "../role-patterns.ts";
import { quoted } from "../text.ts";
import { type Issue, noIssues, type Subject } from "../types.ts";

interface Grant {
  readonly action: string;
  readonly codes: "PASS_ROLE" | "CREATE_SLR";
  readonly advice: string;
  /** The condition key that limits the grant. */
  readonly key: string;
  isLimited(statement: Statement): boolean;
  /** Whether a resource leaves it open which role is meant. */
  reachesAll(resource: string): boolean;
}

const named = new Set(["StringEquals", "StringLike", "ArnEquals", "ArnLike"]);

/** Keys and operators that ValidatePolicy accepts as a limit of iam:PassRole. */
function limitsPassRole({ conditions }: Statement): boolean {
  return conditions.some(({ keyLower, operator, values }) => {
    if (keyLower !== "iam:passedtoservice" && keyLower !== "iam:associatedresourcearn") {
      return false;
    }
    if (!operator || !named.has(operator.base.name)) return false;
    if (!operator.ifExists || operator.base.name === "StringLike") return true;
    // Observed: accepted for Lambda, whatever other services stand beside it. AWS gives no reason.
    return values.some(({ text }) => text === "lambda.amazonaws.com");
  });
}

function limitsServiceName({ conditions }: Statement): boolean {
  return conditions.some(
    ({ keyLower, operator, values }) =>
      keyLower === "iam:awsservicename" &&
      (operator?.base.name === "StringEquals" || operator?.base.name === "StringLike") &&
      operator.setPrefix !== "ForAllValues" &&
      !operator.ifExists &&
      values.every(({ text }) => !hasWildcard(text)),
  );
}

const grants: readonly Grant[] = [
  {
    action: "iam:PassRole",
    codes: "PASS_ROLE",
    advice: "Name the roles, and in `iam:PassedToService` the services that may get them.",
    key: "iam:PassedToService",
    isLimited: limitsPassRole,
    reachesAll: reachesEveryRole,
  },
  {
    action: "iam:CreateServiceLinkedRole",
    codes: "CREATE_SLR",
    advice: "Name the role, and its service in `iam:AWSServiceName`.",
    key: "iam:AWSServiceName",
    isLimited: limitsServiceName,
    reachesAll: reachesEveryServiceLinkedRole,
  },
];

const names: ReadonlySet<string> = new Set(["PassRole", "CreateServiceLinkedRole"]);

/** Passing roles and creating service-linked roles without a limit, in identity policies. */
export function roleGrants(statement: Statement, { type, match }: Subject): Iterable<Issue> {
  if (type !== "identity" || statement.effect !== "Allow") return noIssues;
  const mayGrant = statement.notActions.length > 0 || actionsOf(statement, match).read.some(maybe);
  if (!mayGrant) return noIssues;
  const { resources } = statement;
  // What reaches every role reaches those that services own.
  const isWide = resources.some(({ text }) => reachesEveryServiceLinkedRole(text));
  return isWide || statement.has("NotResource") ? grantsOf(statement) : noIssues;
}

/** Both actions are of IAM. */
function maybe({ meaning }: ReadAction): boolean {
  switch (meaning.kind) {
    case "action":
      return meaning.service.prefix === "iam" && names.has(meaning.action.name);
    case "pattern":
      return meaning.service.prefix === "iam";
    default:
      return true;
  }
}

function* grantsOf(statement: Statement): Generator<Issue> {
  for (const grant of grants) {
    yield* byAction(statement, grant);
    if (statement.notActions.length > 0) yield* byNotAction(statement, grant);
  }
}

const ignoreCase = { ignoreCase: true } as const;
const coversAction = (pattern: string, action: string) => globMatches(pattern, action, ignoreCase);

function* byAction(statement: Statement, grant: Grant): Generator<Issue> {
  const entries = statement.actions.filter(({ text }) => coversAction(text, grant.action));
  if (entries.length === 0) return;
  if (grant.isLimited(statement)) return;
  const star = widest(statement, grant);
  const notResource = statement.has("NotResource") ? statement.at("NotResource") : undefined;
  for (const { text, node } of entries) {
    const wild = hasWildcard(text);
    const details = `${wild ? quoted(text) : "The statement"} allows \`${grant.action}\` on ${notResource ? "everything but the listed resources" : "every role"}. ${grant.advice}`;
    if (star) {
      yield {
        code: wild
          ? `${grant.codes}_WITH_STAR_IN_ACTION_AND_RESOURCE`
          : `${grant.codes}_WITH_STAR_IN_RESOURCE`,
        details,
        nodes: [node, star.node],
      };
    } else if (notResource) {
      yield {
        code: wild
          ? `${grant.codes}_WITH_STAR_IN_ACTION_AND_NOT_RESOURCE`
          : `${grant.codes}_WITH_NOT_RESOURCE`,
        details,
        nodes: [node, notResource],
      };
    }
  }
}

function* byNotAction(statement: Statement, grant: Grant): Generator<Issue> {
  const { notActions } = statement;
  if (notActions.some(({ text }) => coversAction(text, grant.action))) return;
  if (grant.isLimited(statement)) return;
  const star = widest(statement, grant);
  const node = statement.at("NotAction");
  const reach = star ? "every role" : "everything but the listed resources";
  const details = `\`NotAction\` leaves \`${grant.action}\` allowed on ${reach}. List the action there, or limit it by role or by \`${grant.key}\`.`;
  if (star) {
    yield {
      code: `${grant.codes}_WITH_STAR_IN_RESOURCE_AND_NOT_ACTION`,
      details,
      nodes: [node, star.node],
    };
  } else if (statement.has("NotResource")) {
    yield {
      code: `${grant.codes}_WITH_NOT_ACTION_AND_NOT_RESOURCE`,
      details,
      nodes: [node, statement.at("NotResource")],
    };
  }
}

/** The lone star, else the first ARN that reaches every role; AWS accepts other ARNs with wildcards. */
function widest({ resources }: Statement, { reachesAll }: Grant): Entry | undefined {
  return (
    resources.find(({ text }) => text === "*") ?? resources.find(({ text }) => reachesAll(text))
  );
}
