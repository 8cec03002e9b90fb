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
  /** The same with `*` for each `?`. */
  readonly pattern: string;
}

/** Splits an entry of `Resource` once, for the questions about its reach. */
export function readResource(entry: Entry): ReadResource {
  const { text } = entry;
  const resource = splitArn(text)?.resource ?? "";
  return {
    entry,
    text,
    broadFor: broadServiceOf(text),
    arn: policyArn(text),
    resource,
    pattern: resource.replaceAll("?", "*"),
  };
}

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
  let fits = false;
  for (const format of formats) {
    if (!overlaps(format, arn)) continue;
    if (matchesEvery(resource.pattern, readFormat(format))) return "everything";
    fits = true;
  }
  if (!fits) return "none";
  return isBoundToCaller(resource.resource) ? "caller" : "named";
}

/** A name that an author cannot have written. */
const someName = "\u0001";

/** The part of a format after the fifth colon. */
interface ReadFormat {
  /** With a name for each variable. */
  readonly named: string;
  /** What is before the first variable. */
  readonly fixed: string;
  /** What every generated id matches, where the rest is one id of a service with such ids. */
  readonly anyId: RegExp | undefined;
}

const readFormat = memo(({ text }: ArnFormat): ReadFormat => {
  const format = splitArn(text)?.resource ?? "";
  const fixed = format.slice(0, Math.max(0, format.indexOf("${")));
  const isId = /^\$\{[A-Za-z0-9]*Id\}$/.test(format.slice(fixed.length));
  const service = text.split(":", 3)[2] ?? "";
  return {
    named: replaceVariables(format, someName),
    fixed,
    anyId: isId && Object.hasOwn(anyGeneratedId, service) ? anyGeneratedId[service] : undefined,
  };
});

/** @returns whether only wildcards stand where the format identifies the resource. */
function matchesEvery(pattern: string, { named, fixed, anyId }: ReadFormat): boolean {
  if (!pattern.includes("*")) return pattern === named;
  if (globMatches(pattern, named)) return true;
  const rest = pattern.startsWith(fixed) ? pattern.slice(fixed.length) : pattern;
  return rest.includes("*") && (/^[:/*]*$/.test(rest) || anyId?.test(rest) === true);
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

/** The one of two that reaches less. */
export function narrower(one: Reach, other: Reach): Reach {
  return order[other] < order[one] ? other : one;
}

/** The one of two that reaches more. */
export function wider(one: Reach, other: Reach): Reach {
  return order[other] > order[one] ? other : one;
}
