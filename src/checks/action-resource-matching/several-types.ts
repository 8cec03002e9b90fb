import type { CheckContext, Report } from "../../engine/check.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import { isAnyAction, isAnyResource } from "../../policy/wildcard.ts";
import type { Action, Service } from "../../services/model.ts";
import { actionsOf } from "../../services/statement-actions.ts";
import { countingActions } from "../shared/counting-actions.ts";
import { openArnsOfTypes } from "../shared/placeholders.ts";
import { joinWords, quote } from "../shared/quote.ts";
import { ResourcesOfStatement } from "../shared/resources-of-statement.ts";
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
  ["ec2:runinstances", ["image", "instance", "network-interface", "security-group", "subnet"]],
  ["ec2:attachvolume", ["instance", "volume"]],
  ["ec2:createsnapshot", ["snapshot", "volume"]],
  ["batch:submitjob", ["job|job-definition", "job-queue"]],
  ["ssm:sendcommand", ["document", "instance|managed-instance"]],
]);

/** The same by the parts of their names, in lower case. */
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
}

const known = new FactSlot<Policy, readonly Gap[]>();

/** Actions that the Allow statements together reach for some of their types only. */
export function* missingTypes(
  statement: Statement,
  context: CheckContext,
  variables: boolean,
): Iterable<Report> {
  const { policy } = context;
  if (policy.type !== "IDENTITY_POLICY" || !statement.allows) return;
  let gaps = known.get(policy);
  if (!gaps) {
    gaps = gapsOf(policy, context, variables);
    known.set(policy, gaps);
  }
  for (const { statement: first, text, missing, service } of gaps) {
    if (first !== statement) continue;
    const types = joinWords(missing.map((type) => joinWords(alternatives(type), 0, "or")));
    yield {
      issue_type: "resource_mismatch",
      severity: "medium",
      field_name: "resource",
      action: text,
      resource: null,
      node: statement.at("Resource"),
      message: `One call of ${quote(text)} needs resources of several types, and no Allow of this policy covers ${types}. The call is denied unless another policy allows the rest.`,
      suggestion: `Allow ${quote(text)} on the ARNs of ${types} too, in this statement or in one without its conditions.`,
      identity: missing.join(),
      fix: () => {
        const types = missing.map((type) => type.split("|", 1)[0] ?? type);
        const { arns, inputs } = openArnsOfTypes([{ types, service }], context);
        return withResources(statement, arns, inputs, context);
      },
    };
  }
}

function alternatives(type: string): string[] {
  return type.split("|").map((one) => quote(one));
}

function gapsOf(policy: Policy, context: CheckContext, variables: boolean): Gap[] {
  const gaps: Gap[] = [];
  const allows = policy.statements.filter((one) => one.allows);
  // A statement that names what it does not cover may allow anything else.
  if (allows.some(({ notActions }) => notActions.length > 0)) return [];
  const concerned = allows.filter((statement) => {
    const { services, areNames } = actionsOf(statement, context.match);
    const mayNeed = services.values().some(({ prefix }) => severalServices.has(prefix));
    return mayNeed && (areNames || !statement.actions.some(({ text }) => isAnyAction(text)));
  });
  if (concerned.length === 0) return [];
  for (const { prefix, name, types } of several) {
    const granting = concerned.flatMap((statement) => {
      const found = grantOf(statement, prefix, name, context);
      return found ? [{ statement, ...found }] : [];
    });
    // Who writes `ec2:*` for one instance does not mean to start others.
    const first = granting.find(({ text }) => !/^(?:[^:]*:)?\*$/.test(text));
    if (!first || granting.some(({ statement }) => isUnlimited(statement))) continue;
    const { service, action } = first;
    const reached = granting.map(
      ({ statement }) => new ResourcesOfStatement(statement.resources, variables, policy.type),
    );
    if (reached.some(({ checkable, anything }) => checkable === 0 || anything)) continue;
    const reaches = (type: string) =>
      action.resourceTypes.includes(type) && reached.some((one) => one.fitsType(service, type));
    const missing = types.filter((type) => !type.split("|").some(reaches));
    // Where nothing fits at all, the mismatch itself is reported.
    if (missing.length === 0 || !reached.some((one) => one.fits(service, action))) continue;
    gaps.push({ statement: first.statement, text: first.text, missing, service });
  }
  return gaps;
}

function isUnlimited({ resources, notResources }: Statement): boolean {
  return notResources.length > 0 || resources.some(({ text }) => isAnyResource(text));
}

function grantOf(
  statement: Statement,
  prefix: string,
  name: string,
  context: CheckContext,
): { service: Service; action: Action; text: string } | null {
  const counting = countingActions(statement, context);
  const service = counting.find((one) => one.service.prefix === prefix)?.service;
  const action = service?.action(name);
  if (!service || !action) return null;
  for (const { actions, entry } of counting) {
    if (actions.includes(action)) return { service, action, text: entry.text };
  }
  return null;
}
