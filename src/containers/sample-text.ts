import { hash } from "node:crypto";
import { parseOperator } from "../policy/condition-operator.ts";
import { regionsOf } from "./sample-regions.ts";
import type { Unknown } from "./unknowns.ts";

/**
 * Which of the sample values an unknown value gets. What a policy says whatever the value is, it says
 * with each of them: `first` and `second` are two ordinary values; `wide` is the widest that a wholly
 * unknown value may become, for verdicts that need all members of a list.
 */
export type Style = "first" | "second" | "wide";

/** Where a string stands in a policy document. */
export interface Position {
  /** Member of the statement, or of the document: `Action`, `Version`. */
  readonly element: string;
  /** Under `Principal`: its type. */
  readonly principalType: string | null;
  /** Identity provider that the condition of the statement names. */
  readonly provider: string | null;
  readonly operator: string | null;
  readonly conditionKey: string | null;
}

export interface Samples {
  readonly partition: string;
  readonly style: Style;
  /** Account and region that the known parts of the document name; null: none. */
  readonly account: string | null;
  readonly region: string | null;
}

/** @returns A short text that differs from source to source and is the same in every run. */
function tagOf(source: string, style: Style): string {
  return hash("sha256", style === "second" ? "" : source, "hex").slice(0, 8);
}

function nameOf({ source }: Unknown, style: Style): string {
  return `${style === "second" ? "other" : "unknown"}-${tagOf(source, style)}`;
}

/** In `second` all accounts are the same one, so that no verdict needs two of them to differ. */
function accountOf({ source }: Unknown, { style, account }: Samples): string {
  if (style === "second") return account ?? "444455556666";
  const digits = String(Number.parseInt(hash("sha256", source, "hex").slice(0, 10), 16));
  return `9${digits.padStart(11, "0").slice(-11)}`;
}

function urlSuffixOf(partition: string): string {
  return partition === "aws-cn" ? "amazonaws.com.cn" : "amazonaws.com";
}

function regionOf({ partition, style, region }: Samples): string {
  const [first, second] = regionsOf(partition);
  return style === "second" ? (region ?? second) : first;
}

/** @returns The ARN of a form, filled in. */
function arnOf(form: string, unknown: Unknown, samples: Samples): string {
  const values: Record<string, string> = {
    partition: samples.partition,
    region: regionOf(samples),
    account: accountOf({ ...unknown, source: "AWS::AccountId" }, samples),
    name: nameOf(unknown, samples.style),
  };
  return form.replace(/\{([a-z]+)\}/g, (_all, name: string) => values[name] ?? "");
}

/**
 * @param before The text of the string before the unknown part, filled in.
 * @returns A sample of one unknown part of a string.
 */
export function samplePart(
  unknown: Unknown,
  before: string,
  position: Position,
  samples: Samples,
): string {
  const { like } = unknown;
  const { partition } = samples;
  if (typeof like === "object") return arnOf(like.arn, unknown, samples);
  switch (like) {
    case "partition":
      return partition;
    case "region":
      return regionOf(samples);
    case "url_suffix":
      return urlSuffixOf(partition);
    case "account":
      return accountOf(unknown, samples);
    default:
      return inArn(unknown, before, position, samples);
  }
}

/** A part that may be anything, where the fields of an ARN say more. */
function inArn(unknown: Unknown, before: string, position: Position, samples: Samples): string {
  const { like } = unknown;
  const { partition, style } = samples;
  const name = nameOf(unknown, style);
  if (position.element === "Sid") return name.replaceAll("-", "");
  if (!before.startsWith("arn:")) return inHost(before, position, samples) ?? name;
  // An unknown provider may be the one whose keys the condition has.
  if (style === "second" && position.provider !== null && before.endsWith(":oidc-provider/")) {
    return position.provider;
  }
  switch (before.split(":").length) {
    case 2:
      return partition;
    case 3:
      return style === "second" ? "sqs" : "s3";
    case 4:
      return regionOf(samples);
    case 5:
      return accountOf(unknown, samples);
    default: {
      const tag = tagOf(unknown.source, style);
      const organization = /:(?:organizations|account)::[^:]*:/.test(before);
      if (organization && style === "second") return `${idPrefix(before)}${tag}a1`;
      // A path or a name: in `second` it has two levels, unless it is known to be a name.
      const isPath = style === "second" && like === "text" && position.element.endsWith("Resource");
      return isPath ? `${separatorAfter(before)}${name}/${tag}` : name;
    }
  }
}

/** The region and the suffix in the name of a service, as in `s3.eu-west-1.amazonaws.com`. */
function inHost(before: string, { conditionKey }: Position, samples: Samples): string | null {
  if (conditionKey?.toLowerCase() !== "kms:viaservice") return null;
  if (/^[a-z0-9-]+\.$/.test(before)) return regionOf(samples);
  return /^[a-z0-9-]+\.[a-z0-9-]+\.$/.test(before) ? urlSuffixOf(samples.partition) : null;
}

/**
 * The ids of an organization begin with letters that say what they are.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsorganizations.html
 */
function idPrefix(before: string): string {
  const [, kind, below] = /:([a-z]+)\/([^:]+\/)?$/.exec(before) ?? [];
  if (kind === undefined) return "";
  return below === undefined ? "o-" : (organizationIds[kind] ?? "");
}

const organizationIds: Readonly<Record<string, string | undefined>> = {
  ou: "ou-",
  root: "r-",
  policy: "p-",
  handshake: "h-",
  transfer: "rt-",
  resourcepolicy: "rp-",
};

/** What separates the type of a resource from its name, if a value that follows the type begins with it. */
function separatorAfter(before: string): string {
  const [, service = "", account = "", type = ""] =
    /^arn:[^:]*:([^:]*):[^:]*:([^:]*):([A-Za-z-]*)$/.exec(before) ?? [];
  if (account === "" || type === "" || type.endsWith("-")) return "";
  return withColon.has(service) ? ":" : "/";
}

/** Services that write `type:name` in their ARNs, and not `type/name`. */
const withColon = new Set(["lambda", "logs", "rds", "redshift", "secretsmanager", "states"]);

/** @returns A sample of a string that begins with an unknown part which may be anything. */
export function sampleWhole(unknown: Unknown, position: Position, samples: Samples): string {
  const { element, principalType } = position;
  const { partition, style } = samples;
  const second = style === "second";
  const name = nameOf(unknown, style);
  const account = accountOf(unknown, samples);
  switch (element) {
    case "Action":
    case "NotAction":
      if (style === "wide") return "*";
      return second ? "ssmmessages:CreateControlChannel" : "ecs:DiscoverPollEndpoint";
    case "Resource":
    case "NotResource":
      if (style === "wide") return "*";
      return second
        ? `arn:${partition}:sqs:${regionOf(samples)}:${account}:${name}`
        : `arn:${partition}:s3:::${name}`;
    case "Principal":
    case "NotPrincipal":
      return samplePrincipal(principalType, { name, account }, position, samples);
    case "Condition":
      return sampleConditionValue(unknown, position, samples);
    case "Version":
      return "2012-10-17";
    case "Effect":
      return second ? "Deny" : "Allow";
    default:
      return samplePart(unknown, "", position, samples);
  }
}

function samplePrincipal(
  type: string | null,
  { name, account }: { name: string; account: string },
  { provider }: Position,
  { partition, style }: Samples,
): string {
  const second = style === "second";
  switch (type) {
    case "Service":
      return second ? "ec2.amazonaws.com" : "lambda.amazonaws.com";
    case "Federated":
      return second
        ? `arn:${partition}:iam::${account}:oidc-provider/${provider ?? `${name}.example.com`}`
        : `arn:${partition}:iam::${account}:saml-provider/${name}`;
    case "CanonicalUser":
      return hash("sha256", name, "hex");
    default:
      if (style === "wide") return "*";
      return second ? account : `arn:${partition}:iam::${account}:role/${name}`;
  }
}

const accountKeys =
  /^(aws:sourceaccount|aws:principalaccount|aws:resourceaccount|kms:calleraccount|s3:resourceaccount|aws:sourceowner)$/;
const organizationKeys = /^aws:(principal|source|resource)orgid$/;

function sampleConditionValue(unknown: Unknown, position: Position, samples: Samples): string {
  const { style, partition } = samples;
  const second = style === "second";
  const name = nameOf(unknown, style);
  const key = position.conditionKey?.toLowerCase() ?? "";
  const type = parseOperator(position.operator ?? "")?.base;
  if (type?.name === "Null") return String(!second);
  switch (type?.type) {
    case "Numeric":
      return second ? "7" : "5";
    case "Date":
      return second ? "2031-06-07T08:09:10Z" : "2030-01-02T03:04:05Z";
    case "Bool":
      return String(!second);
    case "IPAddress":
      return second ? "203.0.113.7/32" : "198.51.100.0/24";
    case "Binary":
      return second ? "b3RoZXI=" : "dW5rbm93bg==";
    default:
  }
  if (accountKeys.test(key)) return accountOf(unknown, samples);
  if (organizationKeys.test(key)) return `o-${tagOf(unknown.source, style)}a1`;
  if (key === "aws:sourcevpc") return `vpc-0${tagOf(unknown.source, style)}`;
  if (key === "aws:sourcevpce") return `vpce-0${tagOf(unknown.source, style)}`;
  if (key === "aws:requestedregion") return regionOf(samples);
  if (type?.type === "ARN" || key.endsWith("arn")) {
    const account = accountOf(unknown, samples);
    return second
      ? `arn:${partition}:sqs:${regionOf(samples)}:${account}:${name}`
      : `arn:${partition}:iam::${account}:role/${name}`;
  }
  return name;
}
