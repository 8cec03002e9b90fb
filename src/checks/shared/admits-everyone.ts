import { addressRange, publicAddresses } from "../../policy/address-ranges.ts";
import { replacePlaceholders, splitArn } from "../../policy/arn.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { globMatches } from "../../policy/wildcard.ts";

const patternOperators: ReadonlySet<string> = new Set(["StringLike", "ArnLike", "ArnEquals"]);

/** What lets every request, or every stranger, pass a condition entry. */
export type Openness =
  /** A pattern of wildcards only. */
  | "any value"
  /** Address ranges with more public addresses than a /8 of IPv4 or a /32 of IPv6. */
  | "any address"
  /** An organization or account pattern that all of them match. */
  | "any organization"
  | "any account"
  /** A pattern that every service principal matches. */
  | "any service"
  /** An ARN pattern whose account anyone can choose. */
  | "ARN of any account"
  /** A session name, without the id of the role. */
  | "any principal id";

/** What a sentence says of the key or the test, which it has named. */
export const opennessReasons: Readonly<Record<Openness, string>> = {
  "any value": "matches every value",
  "any address": "holds for more than 16 million public addresses",
  "any organization": "matches every organization",
  "any account": "matches every account",
  "any service": "matches every service",
  "ARN of any account": "leaves the account open",
  "any principal id": "matches the session name of anyone",
};

/**
 * @returns why an entry with a positive operator lets everyone in, or null when it does not.
 * Caller ARNs and source ARNs count only where the statement says who is let in (`Principal`): in an
 * identity policy the caller's account is fixed.
 */
export function opennessOf(entry: ConditionEntry, statement: Statement): Openness | null {
  const { operator, keyLower, values } = entry;
  const base = operator?.base.name ?? "";
  if (base === "IpAddress") return opennessOfAddresses(entry, statement);
  if (!patternOperators.has(base) || isTagTest(keyLower)) return null;
  const letsStrangersIn =
    !statement.denies && (statement.has("Principal") || statement.has("NotPrincipal"));
  for (const { text } of values) {
    const openness = opennessOfPattern(keyLower, text, letsStrangersIn);
    if (openness) return openness;
  }
  return null;
}

function opennessOfPattern(keyLower: string, text: string, strangers: boolean): Openness | null {
  if (/^\*+$/.test(text)) return "any value";
  if (accountKey.test(keyLower) && /^[*?]+$/.test(text)) return "any account";
  if (/^[*?]+$/.test(text) && text.includes("*")) return "any value";
  if (/^aws:sourcevpce?$/.test(keyLower) && /^vpce?-0?[*?]+$/.test(text) && text.includes("*"))
    return "any value";
  // Every alias begins with `alias/`: https://docs.aws.amazon.com/kms/latest/developerguide/alias-about.html
  if (aliasKey.test(keyLower) && /^alias\/\*+$/.test(text)) return "any value";
  if (organizationKey.test(keyLower) && isAnyOrganization(text)) return "any organization";
  if (organizationPathKey.test(keyLower) && isAnyOrganization(text.split("/")[0] ?? "")) {
    return "any organization";
  }
  if (serviceKey.test(keyLower) && isAnyService(text)) return "any service";
  if (!strangers) return null;
  if (ownerArnKeys.has(keyLower) && isArnOfAnyAccount(text)) return "ARN of any account";
  const isOpenId = keyLower === "aws:userid" && /[*?]/.test(text.split(":")[0] ?? "");
  return isOpenId ? "any principal id" : null;
}

/** Wildcards and the suffix that service principals share, without the name of a service. */
function isAnyService(text: string): boolean {
  return text.includes("*") && /^[*?.]+$/.test(text.replace("amazonaws.com", ""));
}

const aliasKey = /^kms:(?:resourcealiases|requestalias)$/;
const serviceKey = /^(?:iam:passedtoservice|kms:viaservice)$/;
const accountKey =
  /^(?:aws:(?:principal|resource|source|vpce)account|aws:sourceowner|kms:calleraccount|s3:(?:resource|dataaccesspoint)account)$/;
const organizationKey = /^aws:(?:principal|resource|source|vpce)orgid$/;
const organizationPathKey = /^aws:(?:principal|resource|source|vpce)orgpaths$/;
const ownerArnKeys: ReadonlySet<string> = new Set([
  "aws:sourcearn",
  "aws:principalarn",
  "aws:sourcevpcarn",
  "s3:dataaccesspointarn",
]);

/** The shortest and the longest id, which have `o-` in common: https://docs.aws.amazon.com/organizations/latest/APIReference/API_Organization.html */
const organizations = [`o-${"a".repeat(10)}`, `o-${"0".repeat(32)}`];

function isAnyOrganization(text: string): boolean {
  return organizations.every((id) => globMatches(text, id));
}

/**
 * Whether the pattern leaves the account open, so that a stranger's own resource matches it. An ARN
 * without account field names something unique in AWS, such as a bucket, unless that holds a wildcard.
 */
function isArnOfAnyAccount(text: string): boolean {
  const arn = splitArn(replacePlaceholders(text, "V"));
  // Fewer parts than an ARN has: only a wildcard makes it match, and that runs over the account.
  if (!arn) return /[*?]/.test(text);
  if (arn.account === "") {
    const [first = "", ...names] = arn.resource.split("/");
    if (/[*?]/.test(first)) return true;
    // Before the slash is the name of a bucket, but the type of a hosted zone, whose ids begin with Z.
    return arn.service !== "s3" && names.length > 0 && names.every((one) => /^Z?[*?]+$/.test(one));
  }
  return /^[*?]+$/.test(arn.account);
}

/** Most public addresses that still draw a line: a /8 of IPv4, a /32 of IPv6. */
const most = { v4: 1n << 24n, v6: 1n << 96n };

/** Ranges that are compared; more of them than an author writes by hand are taken to limit. */
const maxRanges = 1000;

function opennessOfAddresses(entry: ConditionEntry, { denies }: Statement): Openness | null {
  const { values } = entry;
  if (values.some(({ text }) => text === "0.0.0.0/0" || text === "::/0")) return "any address";
  if (denies || values.length > maxRanges) return null;
  return namesFewAddresses(entry) ? null : "any address";
}

/** @returns whether the ranges have so few public addresses that they draw a line. */
export function namesFewAddresses({ values }: ConditionEntry): boolean {
  const { v4, v6 } = publicAddresses(values.flatMap(({ text }) => addressRange(text) ?? []));
  return v4 <= most.v4 && v6 <= most.v6;
}

/** Tags: that the tag is there at all is what the author asks for. */
export function isTagTest(keyLower: string): boolean {
  return keyLower === "aws:tagkeys" || /^[a-z0-9-]+:[a-z-]*tags?\//.test(keyLower);
}
