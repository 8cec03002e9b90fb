import { memo } from "../../../memo.ts";
import { replaceVariables, splitArn, startsWithVariable } from "../../../policy/arn.ts";
import type { Entry } from "../../../policy/model.ts";
import { globMatches, hasWildcard, isAnyResource } from "../../../policy/wildcard.ts";
import {
  type ArnFormat,
  arnFormatsOf,
  overlaps,
  type PolicyArn,
  policyArn,
} from "../../../services/arn-overlap.ts";
import type { Action, Service } from "../../../services/model.ts";
import { coversTypeWideArn, mayBeUnlisted } from "../unlisted-arns.ts";

/** How far one entry of `Resource` reaches for an action. */
export type Reach = "none" | "caller" | "named" | "everything";

/** An entry of `Resource`, read once. */
export interface ReadResource {
  readonly entry: Entry;
  readonly text: string;
  /** Broad for this service, or for all with null; undefined: not broad. */
  readonly broadFor: string | null | undefined;
  /** Null when the text does not have the six parts of an ARN. */
  readonly arn: PolicyArn | null;
  /** The part after the fifth colon, as written. */
  readonly resource: string;
}

/** Read once: the entries of a Deny are asked for beside each Allow. */
export const readResource = memo((entry: Entry): ReadResource => {
  const { text } = entry;
  return {
    entry,
    text,
    broadFor: broadServiceOf(text),
    arn: policyArn(text),
    resource: splitArn(text)?.resource ?? "",
  };
});

/** @returns undefined for an entry that is not broad; null for all services, else the one it names. */
export function broadServiceOf(text: string): string | null | undefined {
  if (isAnyResource(text)) return null;
  if (!text.startsWith("arn:")) return undefined;
  const partitionEnd = text.indexOf(":", 4);
  // `arn:*`: the partition is the last field.
  if (partitionEnd < 0) return isAnyResource(text.slice(4)) ? null : undefined;
  const serviceEnd = text.indexOf(":", partitionEnd + 1);
  // `arn:aws:*`: the service is the last field.
  if (serviceEnd < 0) return isAnyResource(text.slice(partitionEnd + 1)) ? null : undefined;
  const rest = text.slice(serviceEnd + 1);
  if (!rest.includes("*") || !/^[:/*?]*$/.test(rest)) return undefined;
  const service = text.slice(partitionEnd + 1, serviceEnd);
  return service === "" || hasWildcard(service) ? null : service.toLowerCase();
}

/**
 * @param types The resource types to read the entry for.
 * @returns how far the entry reaches for a known action.
 */
export function reachFor(
  resource: ReadResource,
  action: Action,
  service: Service,
  types: readonly string[] = action.resourceTypes,
): Reach {
  const { broadFor, text, arn } = resource;
  if (isAnyResource(text)) return "everything";
  if (action.resourceTypes.length === 0) return reachOfTypeless(resource, action);
  if (broadFor === null) return "everything";
  // A variable for the whole ARN, or a text that is not an ARN: it names something.
  if (!arn) return startsWithVariable(text) || broadFor === undefined ? "named" : "everything";
  const formats = arnFormatsOf(service);
  let widest: Reach = "none";
  for (const name of types) {
    const type = formats.get(service.resourceType(name)?.name ?? name);
    // A type without a known format: any ARN of the service may be one.
    const reach =
      type && type.length > 0
        ? reachForType(resource, arn, type)
        : reachOfUnknown(resource, service);
    widest = wider(widest, reach);
    if (widest === "everything") break;
  }
  return widest;
}

function reachOfTypeless({ arn, resource, text }: ReadResource, action: Action): Reach {
  if (startsWithVariable(text)) return "named";
  if (arn === null) return "none";
  if (mayBeUnlisted(action.qualified, arn)) return hasName(resource) ? "named" : "everything";
  // The ARN of a whole type never holds the name of one caller.
  if (isBoundToCaller(resource)) return "none";
  return coversTypeWideArn(action.qualified, arn) ? "everything" : "none";
}

/** Whether something other than wildcards follows the type, as in `stateMachine:orders-*`. */
const hasName = (resource: string) => !/^[^/:]*(?:[/:][*?]*)?$/.test(resource);

/** @returns how far the entry reaches for an action that the reference does not know. */
export function reachOfUnknown({ text, broadFor }: ReadResource, service?: Service): Reach {
  if (isAnyResource(text)) return "everything";
  if (broadFor === undefined || !service) return "named";
  return broadFor === null || broadFor === service.prefix ? "everything" : "named";
}

function reachForType(
  resource: ReadResource,
  arn: PolicyArn,
  formats: readonly ArnFormat[],
): Reach {
  const fitting = formats.filter((format) => overlaps(format, arn));
  if (fitting.length === 0) return "none";
  if (fitting.some((format) => matchesEvery(resource.resource, format))) return "everything";
  return isBoundToCaller(resource.resource) ? "caller" : "named";
}

/** A name that an author cannot have written. */
const someName = "\u0001";

/** @returns whether only wildcards stand where the format identifies the resource. */
function matchesEvery(resource: string, { text }: ArnFormat): boolean {
  const format = splitArn(text)?.resource ?? "";
  const pattern = resource.replaceAll("?", "*");
  if (globMatches(pattern, replaceVariables(format, someName))) return true;
  const fixed = format.slice(0, Math.max(0, format.indexOf("${")));
  const rest = pattern.startsWith(fixed) ? pattern.slice(fixed.length) : pattern;
  if (!rest.includes("*")) return false;
  return /^[:/*]*$/.test(rest) || isAnyGeneratedId(rest, format.slice(fixed.length), text);
}

/** Ids that begin with the type of the resource and a hyphen, as in `i-0abc`; without a digit, no id is named. */
const typedId = /^[a-z]+(?:-[a-z]+)*-0?\*+$/;

/**
 * Patterns that every id matches which AWS gives the resources of a service, `?` as `*`: only the part that all ids
 * share is written out.
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/resource-ids.html
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/concepts.html#key-id-key-id
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/whats-in-a-secret.html (six random characters)
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UserPoolType.html (Id)
 */
const anyGeneratedId: Readonly<Record<string, RegExp>> = {
  ec2: typedId,
  elasticfilesystem: typedId,
  elasticmapreduce: typedId,
  ds: typedId,
  fsx: typedId,
  ssm: typedId,
  kms: /^[*-]+$/,
  secretsmanager: /^\*[*-]*$/,
  "cognito-idp": /^(?:[a-z]{2}(?:-[a-z]+)+-[0-9*]|\*)_\*+$/,
};

/** @param variable The rest of the format, which has to be one id; @param arn The format as a whole. */
function isAnyGeneratedId(rest: string, variable: string, arn: string): boolean {
  if (!/^\$\{[A-Za-z0-9]*Id\}$/.test(variable)) return false;
  const service = arn.split(":", 3)[2] ?? "";
  return Object.hasOwn(anyGeneratedId, service) && anyGeneratedId[service]?.test(rest) === true;
}

/**
 * Variables whose value belongs to one caller or one group of callers.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_variables.html
 */
const callerVariable =
  /^\$\{(?:aws:username|aws:userid|aws:principaltag\/[^}:,]+|saml:[a-z_]+|[a-z0-9.-]+(?:\/[^}:,]*)?:sub)\}$/i;

function isBoundToCaller(resource: string): boolean {
  if (!resource.includes("${")) return false;
  // Colons and slashes inside a variable do not end a segment.
  const marked = resource.replace(/\$\{[^{}]*\}/g, (variable) =>
    callerVariable.test(variable) ? someName : "x",
  );
  return marked.split(/[:/]/).includes(someName);
}

const order: Readonly<Record<Reach, number>> = { none: 0, caller: 1, named: 2, everything: 3 };

export function narrower(one: Reach, other: Reach): Reach {
  return order[other] < order[one] ? other : one;
}

export function wider(one: Reach, other: Reach): Reach {
  return order[other] > order[one] ? other : one;
}
