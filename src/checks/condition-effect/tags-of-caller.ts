import type { CheckContext } from "../../engine/check.ts";
import type { Entry, Policy, Statement } from "../../policy/model.ts";
import { globMatches } from "../../policy/wildcard.ts";
import type { Action, Service } from "../../services/model.ts";
import { statementName } from "../shared/access/words.ts";
import { countingActions } from "../shared/counting-actions.ts";
import { quote } from "../shared/quote.ts";
import { ResourcesOfStatement } from "../shared/resources-of-statement.ts";
import { type Effect, passesWithoutKey, type ReadableEntry } from "./effect.ts";

/** A tag of the resource that customers can set: AWS reserves those that begin with `aws:`. */
const tagOfResource = /^[a-z0-9-]+:resourcetag\/(?!aws:).+$/;
const ofCaller = /\$\{aws:(?:username|userid|PrincipalTag\/[^}]+|SourceIdentity)[^}]*\}/i;
/** Taking a tag off opens nothing that asks for the tag. */
const removesTags = /^(?:delete|remove|untag)/i;

type Context = Pick<CheckContext, "policy" | "match">;

/**
 * An Allow for resources with a tag, beside an Allow to set any tag on these resources. The EC2 guide gives
 * `ec2:CreateTags` only for the creation of resources, or for the tags that the caller may set:
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/supported-iam-actions-tagging.html
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/access_tags.html
 */
export function* tagsOfCaller(
  entry: ReadableEntry,
  statement: Statement,
  context: Context,
): Iterable<Effect> {
  const { policy } = context;
  if (policy.type !== "IDENTITY_POLICY" || !testsTag(entry, statement)) return;
  const free = freeTagging(statement, context);
  if (!free) return;
  // One finding for the policy: the tests of other statements are passed in the same way.
  const first = policy.statements.find(
    (one) =>
      one.conditions.some((test) => test.operator !== null && testsTag(test, one)) &&
      freeTagging(one, context) !== null,
  );
  if (first !== statement) return;
  const { action, other, resource } = free;
  const isOfCaller = entry.values.every(({ text }) => ofCaller.test(text));
  yield {
    kind: "tagged",
    entry,
    ...(isOfCaller ? {} : { severity: "medium" as const }),
    reason: `${quote(action.text)} on ${quote(resource.text)} (${statementName(other.sid, other.index).replace("S", "s")}) sets any tag without a condition, so callers can give a resource the tag that ${quote(entry.key)} asks for.`,
    suggestion: `Limit ${quote(action.text)} by ${quote(entry.key)}, by the keys in \`aws:TagKeys\`${/^ec2:/i.test(action.text) ? ", or by `ec2:CreateAction` to what the caller creates" : ""}.`,
    consequence: "",
  };
}

function testsTag(entry: Statement["conditions"][number], { allows }: Statement): boolean {
  const { operator, keyLower, values } = entry;
  return (
    allows &&
    operator !== null &&
    operator.base.type === "String" &&
    !operator.base.negated &&
    !passesWithoutKey({ ...entry, operator }) &&
    values.length > 0 &&
    tagOfResource.test(keyLower)
  );
}

interface FreeTagging {
  readonly action: Entry;
  readonly resource: Entry;
  readonly other: Statement;
}

/** An Allow of the policy to tag what the statement is for, without a condition or a Deny. */
function freeTagging(statement: Statement, context: Context): FreeTagging | null {
  const { policy } = context;
  const tested = countingActions(statement, context).flatMap(({ service, actions }) =>
    actions
      .filter(({ accessLevel }) => accessLevel !== "list")
      .map((action) => ({ service, action })),
  );
  for (const other of policy.statements) {
    if (!other.allows || other.conditions.length > 0 || other.resources.length === 0) continue;
    // Where the other statement grants the same without the test, the test is for something else.
    if (tested.some(({ action }) => names(other, action))) continue;
    for (const { entry, service, actions } of countingActions(other, context)) {
      const tagging = actions.filter(setsTags);
      if (/^[^:]*:\*+$/.test(entry.text) || tagging.length === 0) continue;
      if (isDenied(policy, tagging)) continue;
      const resource = other.resources.find((one) =>
        reachesAll(one, statement, service, tested, tagging, policy),
      );
      if (resource) return { action: entry, resource, other };
    }
  }
  return null;
}

function names({ actions }: Statement, { qualified }: Action): boolean {
  return actions.some(({ text }) => globMatches(text, qualified, { ignoreCase: true }));
}

function setsTags({ name, accessLevel }: Action): boolean {
  return accessLevel === "tagging" && !removesTags.test(name);
}

function isDenied({ statements }: Policy, tagging: readonly Action[]): boolean {
  return statements.some(
    (one) =>
      one.denies && (one.notActions.length > 0 || tagging.some((action) => names(one, action))),
  );
}

/** Whether one entry reaches all resources of a type that the tested actions and the tagging have in common. */
function reachesAll(
  resource: Entry,
  statement: Statement,
  service: Service,
  tested: readonly { readonly service: Service; readonly action: Action }[],
  tagging: readonly Action[],
  { type }: Policy,
): boolean {
  const { resources } = statement;
  const isAll = resource.text === "*";
  const covered = resources.filter(
    ({ text }) => isAll || /[:/]\*$/.test(resource.text) || globMatches(resource.text, text),
  );
  if (covered.length === 0) return false;
  const fit = new ResourcesOfStatement([resource], true, type);
  const fitTested = new ResourcesOfStatement(covered, true, type);
  const everywhere = covered.some(({ text }) => text === "*");
  return tested.some(
    (one) =>
      one.service === service &&
      one.action.resourceTypes.some(
        (name) =>
          tagging.some(({ resourceTypes }) => resourceTypes.includes(name)) &&
          (isAll || fit.fitsType(service, name)) &&
          (everywhere || fitTested.fitsType(service, name)),
      ),
  );
}
