import type { ConditionEntry } from "../../policy/model.ts";
import { matchesConditionKey } from "../../services/condition-key-pattern.ts";
import type { Action, ResourceType } from "../../services/model.ts";
import { switchValue } from "./switch-value.ts";

/**
 * What a launch creates and can tag. The resources that it uses get no tags from the request:
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/supported-iam-actions-tagging.html
 */
const tagged: ReadonlySet<string> = new Set([
  "instance",
  "network-interface",
  "spot-instances-request",
  "volume",
]);

/** Whether the key belongs to some types of resources of EC2 only. */
export function isOfLaunchTypes({ keyLower }: ConditionEntry): boolean {
  if (isRequestTag(keyLower)) return true;
  return keyLower.startsWith("ec2:") && !keyLower.startsWith("ec2:resourcetag/");
}

export function isRequestTag(key: string): boolean {
  return /^aws:requesttag\//i.test(key);
}

/** Whether the authorization of a launch against a resource of the type has the key. */
export function sentInLaunch(launch: Action, type: ResourceType, key: string): boolean {
  if (isRequestTag(key)) return tagged.has(type.name);
  return [...launch.conditionKeys, ...type.conditionKeys].some((name) =>
    matchesConditionKey(name, key),
  );
}

/** Whether the test holds for a request without the key; null where its author expects such requests. */
export function holdsWithoutKey({ operator, values }: ConditionEntry): boolean | null {
  if (!operator || values.length === 0 || operator.ifExists) return null;
  if (operator.base.name === "Null") {
    return switchValue(values);
  }
  return operator.setPrefix === "ForAllValues" || operator.base.negated;
}

/** The same, and `IfExists` holds. */
export function holdsAlone(entry: ConditionEntry): boolean | null {
  return entry.operator?.ifExists ? true : holdsWithoutKey(entry);
}
