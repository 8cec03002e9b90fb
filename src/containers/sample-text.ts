import { hash } from "node:crypto";
import { parseOperator } from "../policy/condition-operator.ts";
import { inArn, oidcProvider } from "./sample-arn.ts";
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

/** The form of an ARN that several statements have, also of other services. */
const anyArn = "arn:{partition}:s3:::{name}";

/**
 * @returns A sample of the ARN of the resource that a policy is for, or of what it begins with; null where its form is
 *     not known.
 */
export function sampleOwn(
  unknown: Unknown,
  { element, ownArn }: Position,
  samples: Samples,
): string | null {
  const { style } = samples;
  if (!element.endsWith("Resource")) return null;
  if (isComparing(style)) return arnOf(anyArn, unknown, samples);
  const isPlain = style === "first" || style === "second";
  return isPlain && ownArn !== undefined ? arnOf(ownArn, unknown, samples) : null;
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
  if (typeof like === "object") {
    const own = oidcProvider(nameOf(unknown, samples.style), position);
    return arnOf(like.arn.replace("oidc-provider/{name}", own), unknown, samples);
  }
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

/**
 * Services whose principals have rules that others do not: keys that they alone send, and actions that they need. In
 * `wide` an unknown service is each of them.
 */
export const servicesWithRules: readonly string[] = [
  // https://docs.aws.amazon.com/rolesanywhere/latest/userguide/trust-model.html
  "rolesanywhere.amazonaws.com",
  // https://docs.aws.amazon.com/firehose/latest/dev/controlling-access.html
  "firehose.amazonaws.com",
  // https://docs.aws.amazon.com/eks/latest/userguide/pod-id-role.html
  "pods.eks.amazonaws.com",
];

function samplePrincipal(
  type: string | null,
  { name, account }: { name: string; account: string },
  position: Position,
  { partition, style }: Samples,
): string {
  const second = style === "second";
  switch (type) {
    case "Service":
      return second ? "ec2.amazonaws.com" : "lambda.amazonaws.com";
    case "Federated":
      return second || position.isWebIdentity
        ? `arn:${partition}:iam::${account}:${oidcProvider(name, position)}`
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

/** What an operator limits. In `second` no two limits exclude each other. */
function limitOf(operator: string): "least" | "most" | "none" {
  if (operator.includes("GreaterThan")) return "least";
  return operator.includes("LessThan") ? "most" : "none";
}

const numbers = { least: "0", most: "2147483647", none: "7" } as const;
const dates = {
  least: "2001-02-03T04:05:06Z",
  most: "2098-07-06T05:04:03Z",
  none: "2031-06-07T08:09:10Z",
} as const;

function sampleConditionValue(unknown: Unknown, position: Position, samples: Samples): string {
  const { style, partition } = samples;
  const second = style === "second";
  const name = nameOf(unknown, style);
  const key = position.conditionKey?.toLowerCase() ?? "";
  const type = parseOperator(position.operator ?? "")?.base;
  if (type?.name === "Null") return String(!second);
  switch (type?.type) {
    case "Numeric":
      return second ? numbers[limitOf(type.name)] : "5";
    case "Date":
      return second ? dates[limitOf(type.name)] : "2030-01-02T03:04:05Z";
    case "Bool":
      return String(!second);
    case "IPAddress":
      if (second) return type.negated ? "192.0.2.0/24" : "203.0.113.7/32";
      return "198.51.100.0/24";
    case "Binary":
      return second ? "b3RoZXI=" : "dW5rbm93bg==";
    default:
  }
  if (second && key === "token.actions.githubusercontent.com:sub") {
    return `repo:${name}/${name}:ref:refs/heads/main`;
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
