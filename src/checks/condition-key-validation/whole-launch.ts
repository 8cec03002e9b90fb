import type { CheckContext, Report } from "../../engine/check.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import type { Action, ResourceType, Service } from "../../services/model.ts";
import { correctedNode } from "../shared/corrected.ts";
import type { CountingAction } from "../shared/counting-actions.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { holdsAlone, isOfLaunchTypes, isRequestTag, sentInLaunch } from "../shared/launch-keys.ts";
import { joinWords, quote } from "../shared/quote.ts";
import { ResourcesOfStatement } from "../shared/resources-of-statement.ts";

/**
 * Resources against which every launch is authorized, each with the keys of that type:
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ExamplePolicies_EC2.html
 */
const ofEveryLaunch: readonly string[] = ["image", "subnet", "network-interface", "security-group"];

/**
 * A Deny of launches by a key that some of their resources lack, under a test that holds without the key: it
 * stops every launch, because one resource that is denied is enough.
 */
export function* stopsLaunches(
  statement: Statement,
  counting: readonly CountingAction[],
  context: CheckContext,
): Iterable<Report> {
  const { denies, resources, conditions } = statement;
  if (!denies || resources.length === 0 || conditions.length === 0) return;
  const found = counting.find(({ service, actions }) => {
    const launch = service.prefix === "ec2" ? service.action("RunInstances") : undefined;
    return launch !== undefined && actions.includes(launch);
  });
  const launch = found?.service.action("RunInstances");
  if (!found || !launch) return;
  const { service } = found;
  const fit = new ResourcesOfStatement(resources, true, context.policy.type);
  const all = resources.some(({ text }) => text === "*");
  const reaches = (name: string) => all || (!fit.anything && fit.fitsType(service, name));
  const types = denied(statement, service, launch, reaches);
  for (const entry of conditions) {
    if (!isOfLaunchTypes(entry) || holdsAlone(entry) !== true) continue;
    const without = types.filter((type) => !sentInLaunch(launch, type, entry.key));
    // Where no resource of the statement has the key, that is reported.
    const owners = launch.resourceTypes.filter((name) => {
      const type = service.resourceType(name);
      return type !== undefined && sentInLaunch(launch, type, entry.key) && reaches(name);
    });
    if (without.length === 0 || owners.length === 0) continue;
    yield report(entry, without, owners, found, statement, context);
    return;
  }
}

/** Types of every launch that the statement reaches and whose requests can meet the whole condition. */
function denied(
  { conditions }: Statement,
  service: Service,
  launch: Action,
  reaches: (name: string) => boolean,
): ResourceType[] {
  return ofEveryLaunch.flatMap((name) => {
    const type = service.resourceType(name);
    if (!type || !reaches(name)) return [];
    const canHold = conditions.every(
      (entry) =>
        !isOfLaunchTypes(entry) ||
        sentInLaunch(launch, type, entry.key) ||
        holdsAlone(entry) === true,
    );
    return canHold ? [type] : [];
  });
}

function report(
  entry: ConditionEntry,
  without: readonly ResourceType[],
  owners: readonly string[],
  { entry: action }: CountingAction,
  statement: Statement,
  { services }: CheckContext,
): Report {
  const names = joinWords(without.map(({ name }) => quote(name)));
  const owner = owners.includes("instance") ? "instance" : owners[0];
  return {
    issue_type: "invalid_condition_key",
    severity: "high",
    field_name: "condition",
    action: action.text,
    condition_key: entry.key,
    node: entry.keyNode,
    message: `Every launch is also authorized against its ${names}, where requests have no ${quote(entry.key)}${isRequestTag(entry.keyLower) ? "" : ` (reference data of ${services.date})`}. ${quote(entry.operatorText)} holds without the key, so this Deny stops launches whatever the value is.`,
    suggestion: `Write ${quote(`arn:aws:ec2:*:*:${owner}/*`)} as the resource of the Deny.`,
    ...fixedBy(
      () => {
        const { resources, actions } = statement;
        const isAlone =
          actions.length === 1 && resources.length === 1 && resources[0]?.text === "*";
        return isAlone
          ? correctedNode(statement.at("Resource"), `arn:aws:ec2:*:*:${owner}/*`)
          : null;
      },
      { title: "Deny the launch by the type that has the key", effect: "changes" },
    ),
  };
}
