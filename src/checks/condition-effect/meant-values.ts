import { gitHubIssuer, kubernetesSubject, subjectPrefixOf } from "../../policy/oidc-providers.ts";
import { arnFieldFault } from "./arn-fields.ts";
import { sourceArnForm } from "./source-arns.ts";
import type { ValueForm } from "./value-form.ts";
import { isPossible, valueFormOf } from "./value-forms.ts";
import { listedValue } from "./value-lists.ts";

/**
 * The value that is meant by one that the key never has: `ecs-tasks` means `ecs-tasks.amazonaws.com`, `AES-256` means
 * `AES256`, `1111-2222-3333` means an account id.
 * @param form Of the key's values.
 * @returns null where that is not certain.
 */
export function meantValue(keyLower: string, text: string, form: ValueForm): string | null {
  const arn = arnFieldFault(text, true);
  if (arn) return arn.corrected;
  const listed = listedValue(keyLower, text);
  if (listed !== null) return listed;
  if (keyLower === "aws:sourcearn") return source(keyLower, text);
  const value = inForm(keyLower, text);
  return value !== null && value !== text && isPossible(form, value, true) ? value : null;
}

/** What types of instances begin with, which those of EC2, such as `r6g.large`, lack. */
const families: ReadonlyMap<string, string> = new Map([
  ["rds:databaseclass", "db"],
  ["elasticache:cachenodetype", "cache"],
  ["sagemaker:instancetypes", "ml"],
]);

function inForm(keyLower: string, text: string): string | null {
  const takesServices = keyLower.startsWith("iam:") || keyLower.startsWith("aws:calledvia");
  if (takesServices && /^[a-z0-9-]+$/.test(text)) return `${text}.amazonaws.com`;
  // The console shows account ids with hyphens.
  if (keyLower.endsWith("account"))
    return text.trim().replace(/^(\d{4})[ -](\d{4})[ -](\d{4})$/, "$1$2$3");
  if (/^aws:[a-z]+orgid$/.test(keyLower))
    return /^[a-z0-9]{10,32}$/.test(text) ? `o-${text}` : null;
  if (/^aws:[a-z]+orgpaths$/.test(keyLower)) return `${text}/`;
  // A star takes the Region in the path, which the roles of us-east-1 lack.
  if (keyLower === "aws:principalarn" && text.includes("*")) {
    return text.replace(/:role\/(?=AWSReservedSSO_)/, ":role/aws-reserved/sso.amazonaws.com/*");
  }
  const family = families.get(keyLower);
  if (family !== undefined) return /^[a-z]+\d[a-z0-9-]*\./.test(text) ? `${family}.${text}` : null;
  if (keyLower.endsWith(":createaction")) return text.replace(/^[a-z0-9-]+:/, "");
  // The Audience of the assertion in place of its Recipient.
  if (keyLower === "saml:aud") {
    if (text === "urn:amazon:webservices") return "https://signin.aws.amazon.com/saml";
    return `${text.replace(/(?:\/saml)?\/?$/i, "").replace(/^(?:http:\/\/)?(?=signin\.)/, "https://")}/saml`;
  }
  return keyLower.endsWith(":sub") ? subject(keyLower.slice(0, -":sub".length), text) : null;
}

/** Distributions have no Region, and a bucket calls for its objects. */
function source(keyLower: string, text: string): string | null {
  const meant = text
    .replace(/^(arn:[^:]*:cloudfront):[^:]+:/, "$1::")
    .replace(/^(arn:[^:]*:s3:::[^/*?]+)\/.*$/s, "$1");
  return meant !== text && !sourceArnForm(keyLower, [meant], true) ? meant : null;
}

function subject(issuer: string, text: string): string | null {
  if (issuer === gitHubIssuer) {
    const whole = /^[\w.-]+\/[\w.*-]+(?::|$)/.test(text) ? `repo:${text}` : text;
    return whole.replace(/^(repo:[^:]*:)(?=refs\/)/, "$1ref:");
  }
  const { prefix } = kubernetesSubject;
  if (subjectPrefixOf(issuer) !== prefix) return null;
  const [, namespace, name] =
    /^(?:system:serviceaccounts?:)?([a-z0-9-]+)[:/]([a-z0-9.-]+)$/.exec(text) ?? [];
  return namespace === undefined ? null : `${prefix}${namespace}:${name}`;
}

/** Keys of which people write one and mean the other. */
const pairs: readonly (readonly [string, string])[] = [["aws:SourceVpc", "aws:SourceVpce"]];

/** @returns the key that has all of the values, if they are those of the other one of a pair. */
export function otherKey(key: string, texts: readonly string[]): string | null {
  const lower = key.toLowerCase();
  const pair = pairs.find((names) => names.some((name) => name.toLowerCase() === lower));
  const other = pair?.find((name) => name.toLowerCase() !== lower);
  const form = other === undefined ? undefined : valueFormOf(other.toLowerCase());
  return other !== undefined && form && texts.every((text) => form.value.test(text)) ? other : null;
}
