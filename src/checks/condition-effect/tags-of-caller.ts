import { upToLastBrace } from "../../closed-braces.ts";
import type { CheckContext } from "../../engine/check.ts";
import { type Arn, replacePlaceholders, splitArn } from "../../policy/arn.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Entry, Policy, Statement } from "../../policy/model.ts";
import { globMatches, globsOverlap } from "../../policy/wildcard.ts";
import type { Action, Service } from "../../services/model.ts";
import { categoryOf } from "../sensitive-action/severity.ts";
import { statementName } from "../shared/access/words.ts";
import { type CountingAction, countingActions } from "../shared/counting-actions.ts";
import { quote } from "../shared/quote.ts";
import { ResourcesOfStatement } from "../shared/resources-of-statement.ts";
import { setsTags } from "../shared/sets-tags.ts";
import { type Effect, passesWithoutKey, type ReadableEntry } from "./effect.ts";

/** A tag of the resource that customers can set: AWS reserves those that begin with `aws:`. */
const tagOfResource = /^[a-z0-9-]+:resourcetag\/(?!aws:).+$/;
const ofCaller = /\$\{aws:(?:username|userid|PrincipalTag\/[^}]|SourceIdentity)[^}]*\}/i;

type Context = Pick<CheckContext, "policy" | "match">;

/**
 * Comparisons of a policy, of names and of resources: 40 ms. Each statement with a test is compared with each that tags, and a
 * policy that a person writes takes some hundred.
 */
const mostComparisons = 20_000;

/**
 * An Allow for resources with a tag, beside an Allow to set any tag on these resources. The EC2 guide gives
 * `ec2:CreateTags` only for the creation of resources, or for the tags that the caller may set:
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/supported-iam-actions-tagging.html
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/access_tags.html
 */
export function tagsOfCaller(
  entry: ReadableEntry,
  statement: Statement,
  context: Context,
): Effect | null {
  const { policy } = context;
  if (policy.type !== "IDENTITY_POLICY" || !testsTag(entry, statement)) return null;
  const free = freeTagging(policy, context).for(statement, context);
  if (!free) return null;
  const { action, other, resource, isPowerful } = free;
  const isOfCaller = entry.values.every(({ text }) => ofCaller.test(upToLastBrace(text)));
  return {
    kind: "tagged",
    entry,
    ...(isOfCaller || isPowerful ? {} : { severity: "medium" as const }),
    reason: `${statementName(other.sid, other.index)} lets callers set any tag with ${quote(action.text)} on ${quote(resource.text)}, so they can give a resource the tag that ${quote(entry.key)} asks for.`,
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
    values.length > 0 &&
    keyLower.includes(":resourcetag/") &&
    tagOfResource.test(keyLower) &&
    !passesWithoutKey({ ...entry, operator })
  );
}

const known = new FactSlot<Policy, FreeTagging>();

function freeTagging(policy: Policy, context: Context): FreeTagging {
  let free = known.get(policy);
  if (!free) {
    free = new FreeTagging(policy, context);
    known.set(policy, free);
  }
  return free;
}

interface Tagger {
  /** The entry of `Action` that sets tags. */
  readonly action: Entry;
  readonly other: Statement;
  readonly service: Service;
  readonly tagging: readonly Action[];
  /** All that the statement allows. */
  readonly allowed: ReadonlySet<Action>;
}

interface Found extends Pick<Tagger, "action" | "other"> {
  readonly resource: Entry;
  /** The statement hands out credentials or rights, or runs commands. */
  readonly isPowerful: boolean;
}

/** What lets callers set any tag, in one policy. */
class FreeTagging {
  readonly #taggers: readonly Tagger[];
  readonly #denies: readonly Statement[];
  readonly #type: Policy["type"];
  #left = mostComparisons;
  /** One finding for the policy: the tests of further statements are passed in the same way. */
  #first: { readonly statement: Statement; readonly found: Found } | null = null;

  constructor({ statements, type }: Policy, context: Context) {
    this.#type = type;
    this.#denies = statements.filter(({ denies }) => denies);
    this.#taggers = statements
      .filter(
        ({ allows, conditions, resources, actions }) =>
          allows && conditions.length === 0 && resources.length > 0 && !actions.some(isAny),
      )
      .flatMap((other) => taggersOf(other, context));
  }

  /** @returns an Allow to tag what the statement is for, without a condition or a Deny. */
  for(statement: Statement, context: Context): Found | null {
    if (this.#first) return this.#first.statement === statement ? this.#first.found : null;
    if (this.#taggers.length === 0) return null;
    const found = this.#find(statement, countingActions(statement, context));
    if (found) this.#first = { statement, found };
    return found;
  }

  #find(statement: Statement, counting: readonly CountingAction[]): Found | null {
    const tested = counting.flatMap(({ actions }) =>
      actions.filter(({ accessLevel }) => accessLevel !== "list"),
    );
    for (const { action, other, service, tagging, allowed } of this.#taggers) {
      if (!this.#mayCompare(tested.length)) return null;
      // Where the other statement grants the same without the test, the test is for something else.
      if (tested.some((one) => allowed.has(one))) continue;
      const types = new Set(
        tested
          .filter(
            ({ qualified }) =>
              qualified.startsWith(`${service.prefix}:`) || namesArnsOf(statement, service),
          )
          .flatMap(({ resourceTypes }) => resourceTypes)
          .filter((name) => tagging.some(({ resourceTypes }) => resourceTypes.includes(name))),
      );
      if (types.size === 0 || this.#isDenied(tagging)) continue;
      const resource = other.resources.find(
        (one) =>
          this.#mayCompare(statement.resources.length) &&
          reachesAll(one, statement, service, types, this.#type),
      );
      const isPowerful = tested.some(({ qualified }) => powerful.has(categoryOf(qualified) ?? ""));
      if (resource) return { action, other, resource, isPowerful };
    }
    return null;
  }

  #mayCompare(things: number): boolean {
    this.#left -= 1 + things;
    return this.#left >= 0;
  }

  #isDenied(tagging: readonly Action[]): boolean {
    return this.#denies.some(
      ({ notActions, actions }) =>
        notActions.length > 0 ||
        !this.#mayCompare(actions.length * tagging.length) ||
        tagging.some(({ qualified }) =>
          actions.some(({ text }) => globMatches(text, qualified, { ignoreCase: true })),
        ),
    );
  }
}

/** Calls of one service on resources of another: `ssm:StartSession` on instances of EC2, which `ec2:CreateTags` tags. */
function namesArnsOf({ resources }: Statement, { prefix }: Service): boolean {
  return resources.some(({ text }) => text.split(":", 3)[2] === prefix);
}

/** Without its tag, an Allow of these is a default failure on every resource. */
const powerful: ReadonlySet<string> = new Set(["credential_exposure", "priv_esc"]);

function isAny({ text }: Entry): boolean {
  return /^\*+$/.test(text);
}

function taggersOf(other: Statement, context: Context): Tagger[] {
  const counting = countingActions(other, context);
  const found: Pick<Tagger, "action" | "service" | "tagging">[] = [];
  for (const { entry, service, actions } of counting) {
    if (!actions.some(setsTags) || /^[^:]*:\*+$/.test(entry.text)) continue;
    found.push({ action: entry, service, tagging: actions.filter(setsTags) });
  }
  if (found.length === 0) return [];
  const allowed = new Set(counting.flatMap(({ actions }) => actions));
  return found.map((one) => ({ ...one, other, allowed }));
}

/** Whether one entry reaches all resources of a type that the tested actions and the tagging have in common. */
function reachesAll(
  resource: Entry,
  { resources }: Statement,
  service: Service,
  types: ReadonlySet<string>,
  policyType: Policy["type"],
): boolean {
  const isAll = resource.text === "*";
  const isWhole = /[:/]\*$/.test(resource.text);
  const covered = resources.filter(
    ({ text }) =>
      isAll || globMatches(resource.text, text) || (isWhole && mayMeet(resource.text, text)),
  );
  if (covered.length === 0) return false;
  const fit = new ResourcesOfStatement([resource], true, policyType);
  const fitTested = new ResourcesOfStatement(covered, true, policyType);
  const everywhere = covered.some(({ text }) => text === "*");
  return [...types].some(
    (name) =>
      (isAll || fit.fitsType(service, name)) && (everywhere || fitTested.fitsType(service, name)),
  );
}

const fields: readonly (keyof Arn)[] = ["partition", "service", "region", "account", "resource"];

/** @returns whether some resource may have both ARNs, of which a placeholder may be any text. */
function mayMeet(one: string, other: string): boolean {
  const left = splitArn(replacePlaceholders(one, "*"));
  const right = splitArn(replacePlaceholders(other, "*"));
  return !left || !right || fields.every((field) => globsOverlap(left[field], right[field]));
}
