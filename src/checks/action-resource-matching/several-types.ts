import type { CheckContext, Report } from "../../engine/check.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { ConditionEntry, Policy, Statement } from "../../policy/model.ts";
import { isAnyAction, isAnyResource } from "../../policy/wildcard.ts";
import type { Action, Service } from "../../services/model.ts";
import { actionsOf } from "../../services/statement-actions.ts";
import { holdsAlone, isOfLaunchTypes, sentInLaunch } from "../shared/launch-keys.ts";
import { openArnsOfTypes } from "../shared/placeholders.ts";
import { joinWords, quote } from "../shared/quote.ts";
import { resourcesOf } from "../shared/resources-of-statement.ts";
import { withResources } from "./fixes.ts";

/**
 * Actions of which one call is authorized against a resource of each of these types; types joined
 * with `|` are alternatives. The reference's mark "required" does not tell this: many of the types
 * that it marks are alternatives.
 *
 * - RunInstances: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ExamplePolicies_EC2.html
 * - AttachVolume, CreateSnapshot:
 *   https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonec2.html
 * - SubmitJob (older policies name the job definition in place of the job):
 *   https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsbatch.html
 * - SendCommand:
 *   https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssystemsmanager.html
 *
 * KMS aliases are not here: the key's part is usually in the key policy.
 */
const severalTypes: ReadonlyMap<string, readonly string[]> = new Map([
  ["ec2:RunInstances", ["image", "instance", "network-interface", "security-group", "subnet"]],
  ["ec2:AttachVolume", ["instance", "volume"]],
  ["ec2:CreateSnapshot", ["snapshot", "volume"]],
  ["batch:SubmitJob", ["job|job-definition", "job-queue"]],
  ["ssm:SendCommand", ["document", "instance|managed-instance"]],
]);

/** The same by the parts of their names. */
const several = Array.from(severalTypes, ([id, types]) => {
  const [prefix = "", name = ""] = id.split(":");
  return { prefix, name, types };
});

const severalServices: ReadonlySet<string> = new Set(several.map(({ prefix }) => prefix));

/** What an action still needs, and where to say so. */
interface Gap {
  readonly statement: Statement;
  readonly text: string;
  readonly missing: readonly string[];
  readonly service: Service;
  /** Tests of the statement that fail for the missing types, because their requests lack the key. */
  readonly tests: readonly ConditionEntry[];
}

const known = new FactSlot<Policy, readonly Gap[]>();
const none: readonly Report[] = [];

/** Actions that the Allow statements together reach for some of their types only. */
export function missingTypes(
  statement: Statement,
  context: CheckContext,
  variables: boolean,
): readonly Report[] {
  const { policy } = context;
  if (policy.type !== "IDENTITY_POLICY" || !statement.allows) return none;
  let gaps = known.get(policy);
  if (!gaps) {
    gaps = gapsOf(policy, context, variables);
    known.set(policy, gaps);
  }
  if (gaps.length === 0) return none;
  return gaps.flatMap((gap) =>
    gap.statement === statement ? [reportOf(gap, statement, context)] : [],
  );
}

function reportOf(
  { text, missing, service, tests }: Gap,
  statement: Statement,
  context: CheckContext,
): Report {
  const types = joinWords(missing.map((type) => joinWords(alternatives(type), 0, "or")));
  return {
    issue_type: "resource_mismatch",
    severity: "medium",
    field_name: "resource",
    action: text,
    resource: null,
    node: statement.at("Resource"),
    message: `One call of ${quote(text)} needs resources of several types, and ${
      tests.length === 0
        ? `no Allow of this policy covers ${types}`
        : `the statement tests ${joinWords(tests.map(({ key }) => quote(key)))}, which requests do not have for ${types}`
    }. The call is denied unless another policy allows the rest.`,
    suggestion: `Allow ${quote(text)} on the ARNs of ${types} too, in this statement or in one without its conditions.`,
    identity: missing.join(),
    fix: () => {
      // Below the conditions of the statement the new ARNs would allow nothing.
      if (tests.length > 0) return null;
      const types = missing.map((type) => type.split("|", 1)[0] ?? type);
      const { arns, inputs } = openArnsOfTypes([{ types, service }], context);
      return withResources(statement, arns, inputs, context);
    },
  };
}

function alternatives(type: string): string[] {
  return type.split("|").map((one) => quote(one));
}

function gapsOf(policy: Policy, context: CheckContext, variables: boolean): Gap[] {
  const gaps: Gap[] = [];
  const limited: Statement[] = [];
  const unlimited: Statement[] = [];
  const services = new Map<string, Service>();
  for (const statement of policy.statements) {
    if (!statement.allows) continue;
    // A statement that names what it does not cover may allow anything else.
    if (statement.notActions.length > 0) return [];
    const { services: own, areNames } = actionsOf(statement, context.match);
    let mayNeed = false;
    for (const service of own) {
      if (!severalServices.has(service.prefix)) continue;
      services.set(service.prefix, service);
      mayNeed = true;
    }
    if (mayNeed && (areNames || !statement.actions.some(({ text }) => isAnyAction(text)))) {
      const isOpen = isUnlimited(statement) && !statement.conditions.some(isOfLaunchTypes);
      (isOpen ? unlimited : limited).push(statement);
    }
  }
  if (limited.length === 0) return [];
  for (const { prefix, name, types } of several) {
    const service = services.get(prefix);
    const action = service?.action(name);
    if (!service || !action) continue;
    const granting = limited.flatMap((statement) => {
      const text = grantOf(statement, action, context);
      return text === undefined ? [] : [{ statement, text }];
    });
    // Who writes `ec2:*` for one instance does not mean to start others.
    const first = granting.find(({ text }) => !/^(?:[^:]*:)?\*$/.test(text));
    if (!first || unlimited.some((one) => grantOf(one, action, context) !== undefined)) continue;
    const reached = granting.map(({ statement }) => ({
      statement,
      resources: resourcesOf(statement, variables, policy.type),
      all: isUnlimited(statement),
    }));
    if (reached.some(({ all, resources }) => !all && isUnclear(resources))) continue;
    // Where nothing fits at all, the mismatch itself is reported.
    if (!reached.some(({ all, resources }) => all || resources.fits(service, action))) continue;
    const missing: string[] = [];
    const tests = new Set<ConditionEntry>();
    let areTests = true;
    for (const type of types) {
      const failing = type.split("|").map((name) => {
        if (!action.resourceTypes.includes(name)) return null;
        const on = reached.filter(({ all, resources }) => all || resources.fitsType(service, name));
        if (on.length === 0) return null;
        const failed = on.map(({ statement }) => failingTests(statement, service, action, name));
        return failed.some((one) => one.length === 0) ? [] : failed.flat();
      });
      if (failing.some((one) => one?.length === 0)) continue;
      missing.push(type);
      for (const test of failing.flatMap((one) => one ?? [])) tests.add(test);
      areTests &&= failing.every((one) => one !== null);
    }
    if (missing.length === 0 || missing.length === types.length) continue;
    gaps.push({ ...first, missing, service, tests: areTests ? [...tests] : [] });
  }
  return gaps;
}

function isUnclear({ checkable, anything }: ReturnType<typeof resourcesOf>): boolean {
  return checkable === 0 || anything;
}

/** Tests of a launch that fail for resources of a type, whose requests do not have the key. */
function failingTests(
  { conditions }: Statement,
  service: Service,
  action: Action,
  name: string,
): readonly ConditionEntry[] {
  const type = service.resourceType(name);
  if (service.prefix !== "ec2" || action.name !== "RunInstances" || !type) return [];
  return conditions.filter(
    (entry) =>
      isOfLaunchTypes(entry) &&
      holdsAlone(entry) === false &&
      !sentInLaunch(action, type, entry.key),
  );
}

function isUnlimited({ resources, notResources }: Statement): boolean {
  return notResources.length > 0 || resources.some(({ text }) => isAnyResource(text));
}

/** @returns the first entry of `Action` that covers the action. */
function grantOf(
  statement: Statement,
  action: Action,
  { match }: CheckContext,
): string | undefined {
  return actionsOf(statement, match).read.find(({ meaning }) =>
    meaning.kind === "action"
      ? meaning.action === action
      : meaning.kind === "pattern" && meaning.actions.includes(action),
  )?.entry.text;
}
