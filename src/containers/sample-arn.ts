import {
  accountOf,
  isComparing,
  nameOf,
  type Position,
  regionOf,
  type Samples,
  tagOf,
  urlSuffixOf,
} from "./sample-values.ts";
import type { Unknown } from "./unknowns.ts";

function isGitHubSubject({ conditionKey }: Position): boolean {
  return conditionKey?.toLowerCase() === "token.actions.githubusercontent.com:sub";
}

/** A part that may be anything, where the fields of an ARN say more. */
export function inArn(
  unknown: Unknown,
  before: string,
  position: Position,
  samples: Samples,
): string {
  const { like } = unknown;
  const { partition, style } = samples;
  const name = nameOf(unknown, style);
  if (position.element === "Sid") return name.replaceAll("-", "");
  // A project with its owner, as in `repo:${Repository}:*`; a name alone fits as well.
  const isProject = style === "second" && like === "text" && before.startsWith("repo:");
  if (isProject && !before.includes("/")) return `${name}/${tagOf(unknown.source, style)}`;
  // The repository, or its owner, as in `${Repository}:ref:refs/heads/main`.
  if (style === "second" && before === "" && isGitHubSubject(position)) {
    return position.after?.startsWith("/") ? `repo:${name}` : `repo:${name}/${name}`;
  }
  if (!before.startsWith("arn:")) return inHost(before, position, samples) ?? name;
  // An unknown provider may be the one whose keys the condition has, and a part of it that part.
  const { provider, after = "" } = position;
  if (provider !== null && before.endsWith(":oidc-provider/")) {
    return provider.endsWith(after) ? provider.slice(0, provider.length - after.length) : provider;
  }
  const fields = before.split(":").length;
  // An unknown end holds all fields that are left.
  if (position.isLast && like === "text" && fields < 6)
    return restOfArn(unknown, before, position, samples);
  switch (fields) {
    case 2:
      return partition;
    case 3:
      // No verdict on what the actions of the statement work on needs the service.
      if (style === "open" && position.element.endsWith("Resource")) return "*";
      return style === "second" ? "sqs" : "s3";
    case 4:
      return regionOf(samples);
    case 5:
      return accountOf(unknown, samples);
    default: {
      if (style === "open" && like === "text" && mayBeAnyResource(before)) return "*";
      if (position.principalType === "Federated" && isStart(before)) {
        if (provider !== null || position.isWebIdentity) return oidcProvider(name, position);
        if (style === "second") return `saml-provider/${name}`;
      }
      if (style === "second" && originAccess.test(before)) {
        return `${before.endsWith(":") ? "user/" : ""}CloudFront Origin Access Identity E1EXAMPLE1EXAMPLE`;
      }
      // S3 has an account in the ARNs of access points, and not in those of buckets.
      if (style === "second" && like === "text" && /^arn:[^:]*:s3:[^:]*:[^:]+:$/.test(before)) {
        return `accesspoint/${name}/object/${name}`;
      }
      // The type and the name of an identity, as in `arn:aws:iam::123456789012:${Caller}`.
      if (style === "second" && /^arn:[^:]*:(?:iam|sts):[^:]*:[^:]*:$/.test(before)) {
        return before.includes(":sts:") ? `assumed-role/${name}/${name}` : `role/${name}`;
      }
      // A path behind the type, as in `role${path}${name}`, has its own separator.
      if (style === "second" && /^arn:[^:]*:(?:iam|sts):[^:]*:[^:]*:[a-z-]+$/.test(before)) {
        return `/${name}`;
      }
      // The name of a secret with the characters that AWS adds, or these characters.
      if (style === "second" && position.isLast && like === "text" && secret.test(before)) {
        return before.endsWith("-") ? "AbCdEf" : `${name}-AbCdEf`;
      }
      // Services deliver the logs of an account below this folder.
      if (style === "second" && before.endsWith("/AWSLogs/")) return accountOf(unknown, samples);
      // A path or a name: in `second` it has two levels, unless it is known to be a name.
      const isPath = style === "second" && like === "text" && position.element.endsWith("Resource");
      return isPath ? `${name}/${tagOf(unknown.source, style)}` : name;
    }
  }
}

/** An unknown OIDC provider is the one whose keys the condition has: those of another are in no token of it. */
export function oidcProvider(name: string, { provider }: Position): string {
  return `oidc-provider/${provider ?? `${name}.example.com`}`;
}

/** Whether the part of an ARN behind the account begins there. */
function isStart(before: string): boolean {
  return before.split(":").length === 6 && before.endsWith(":");
}

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-s3.html */
const originAccess = /^arn:[^:]*:iam::cloudfront:(?:user\/)?$/;

const secret = /^arn:[^:]*:secretsmanager:[^:]*:[^:]*:secret:/;

/** The fields of an ARN from the one that `before` ends in, which is not the last one. */
function restOfArn(unknown: Unknown, before: string, position: Position, samples: Samples): string {
  const { partition, style } = samples;
  const known = before.split(":").length;
  const isResource = position.element.endsWith("Resource");
  const name = nameOf(unknown, style);
  const account = accountOf(unknown, samples);
  let fields = [partition, "iam", "", account, `role/${name}`];
  if (isResource) {
    fields =
      style === "second"
        ? [partition, "sqs", regionOf(samples), account, name]
        : [partition, "s3", "", "", name];
    if (style === "open") fields = [partition, "*", "*", "*", "*"];
    // The service is known, and some services have an account in each ARN.
    if (known > 3 && (style === "first" || isComparing(style)))
      fields = [partition, "", regionOf(samples), account, name];
  }
  return fields.slice(known - 2).join(":");
}

/**
 * Whether a value in the ARN of a resource may hold more than one field of it, as in `parameter${path}` and
 * `catalog/${path}`. The name of a bucket does not: without `/*` behind it, it is not an object.
 */
function mayBeAnyResource(before: string): boolean {
  return !/^arn:[^:]*:s3:::/.test(before);
}

/** The region and the suffix in the name of a service, as in `s3.eu-west-1.amazonaws.com`. */
function inHost(before: string, { conditionKey }: Position, samples: Samples): string | null {
  if (conditionKey?.toLowerCase() !== "kms:viaservice") return null;
  if (/^[a-z0-9-]+\.$/.test(before)) return regionOf(samples);
  return /^[a-z0-9-]+\.[a-z0-9-]+\.$/.test(before) ? urlSuffixOf(samples.partition) : null;
}
