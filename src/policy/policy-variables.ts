import { editDistance } from "../edit-distance.ts";
import { globalConditionKey, globalConditionKeys, isTagKey } from "./global-condition-keys.ts";
import { misspeltProvider } from "./identity-provider-key.ts";

/**
 * Policy variables: `${key}` and `${key, 'default'}`, which AWS replaces by the value of a condition
 * key of the request.
 * Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_variables.html
 */
export interface VariableText {
  /** As written, with braces; up to the end of the text if the closing brace is missing. */
  readonly written: string;
  /** The condition key, without white space around it. */
  readonly key: string;
  /** Syntax fault, independent of the key. */
  readonly fault: VariableFault | null;
}

export type VariableFault = "brace" | "quote" | "space" | "empty";

const occurrence = /\$\{([^{}]*)(\}|(?=[{])|$)/g;

/** @returns Every `${…}` of a text in order, except the escapes `${*}`, `${?}` and `${$}`. */
export function variablesIn(text: string): readonly VariableText[] {
  if (!text.includes("${")) return [];
  const found: VariableText[] = [];
  for (const [written, inside = "", brace] of text.matchAll(occurrence)) {
    if (brace === "}" && (inside === "*" || inside === "?" || inside === "$")) continue;
    found.push({ written, ...read(inside, brace === "}") });
  }
  return found;
}

function read(inside: string, closed: boolean): Omit<VariableText, "written"> {
  const comma = inside.indexOf(",");
  const name = comma < 0 ? inside : inside.slice(0, comma);
  const key = name.trim();
  if (!closed) return { key, fault: "brace" };
  if (key === "") return { key, fault: "empty" };
  // Spaces are allowed before a default and in tag keys.
  const family = key.split("/", 1)[0] ?? "";
  if (/\s/.test(family) || (comma < 0 ? name !== key : name.trimStart() !== name)) {
    return { key: key.replaceAll(/\s/g, ""), fault: "space" };
  }
  if (comma >= 0 && !/^\s*'[^']*'\s*$/.test(inside.slice(comma + 1)))
    return { key, fault: "quote" };
  return { key, fault: null };
}

/** Keys of SAML sessions and what AWS calls them. */
const samlKeys: readonly string[] = [
  "saml:aud",
  "saml:cn",
  "saml:commonName",
  "saml:doc",
  "saml:edupersonaffiliation",
  "saml:edupersonassurance",
  "saml:edupersonentitlement",
  "saml:edupersonnickname",
  "saml:edupersonorgdn",
  "saml:edupersonorgunitdn",
  "saml:edupersonprimaryaffiliation",
  "saml:edupersonprimaryorgunitdn",
  "saml:edupersonprincipalname",
  "saml:edupersonscopedaffiliation",
  "saml:edupersontargetedid",
  "saml:eduorghomepageuri",
  "saml:eduorgidentityauthnpolicyuri",
  "saml:eduorglegalname",
  "saml:eduorgsuperioruri",
  "saml:eduorgwhitepagesuri",
  "saml:givenName",
  "saml:iss",
  "saml:mail",
  "saml:name",
  "saml:namequalifier",
  "saml:organizationStatus",
  "saml:primaryGroupSID",
  "saml:sub",
  "saml:sub_type",
  "saml:surname",
  "saml:uid",
  "saml:x500UniqueIdentifier",
];

/**
 * Providers whose tokens have these claims and no others for policies.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html,
 * "Available keys for AWS OIDC federation"
 */
const closedProviders: ReadonlyMap<string, readonly string[]> = new Map([
  ["cognito-identity.amazonaws.com", ["sub", "aud", "amr"]],
  ["graph.facebook.com", ["id", "app_id"]],
  ["www.amazon.com", ["user_id", "app_id"]],
]);

const names: readonly string[] = [
  ...globalConditionKeys.filter(({ multivalued }) => !multivalued).map(({ name }) => name),
  ...samlKeys,
];
const tagFamilies: readonly string[] = ["aws:PrincipalTag", "aws:RequestTag", "aws:ResourceTag"];

/** Kind of a name inside `${…}`, as far as it can be determined without the service reference. */
export type VariableKind =
  /** A condition key that AWS replaces. */
  | { readonly kind: "known" }
  /** A condition key with several values, which AWS does not replace. */
  | { readonly kind: "multivalued" }
  /** An unknown name that looks like a condition key; `near` are similar known keys. */
  | { readonly kind: "unknown"; readonly near: readonly string[] }
  /** A key of a service, to be looked up in the reference data. */
  | { readonly kind: "service"; readonly prefix: string }
  /** Not a policy variable; a template language fills it in. */
  | { readonly kind: "placeholder" };

/** @param key The text before a comma in `${…}`, without white space around it. */
export function variableKind(key: string): VariableKind {
  const colon = key.indexOf(":");
  if (colon <= 0 || colon === key.length - 1) return { kind: "placeholder" };
  const prefix = key.slice(0, colon).toLowerCase();
  const rest = key.slice(colon + 1);
  // CloudFormation writes `${AWS::Region}`.
  if (rest.startsWith(":")) return { kind: "placeholder" };
  if (prefix === "aws") return globalKind(key);
  if (prefix === "saml") {
    const known = samlKeys.some((name) => name.toLowerCase() === key.toLowerCase());
    return known ? { kind: "known" } : { kind: "unknown", near: nearNames(key) };
  }
  if (/^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/[^:]*)?$/.test(prefix)) {
    const provider = misspeltProvider(prefix);
    if (provider !== null) return { kind: "unknown", near: [`${provider}:${rest}`] };
    const claims = closedProviders.get(prefix);
    if (claims && !claims.includes(rest.toLowerCase())) {
      const single = claims.filter((claim) => claim !== "amr");
      return { kind: "unknown", near: single.map((claim) => `${prefix}:${claim}`) };
    }
    return { kind: /:amr$/i.test(key) ? "multivalued" : "known" };
  }
  if (isNear(prefix, "aws")) {
    // Templates have prefixes of three letters too, so the rest must be that of a known key.
    const near = nearNames(`aws:${rest}`);
    if (near.length > 0) return { kind: "unknown", near };
  }
  return /^[a-z][a-z0-9-]*$/.test(prefix) && /^[A-Za-z][\w./:-]*$/.test(rest)
    ? { kind: "service", prefix }
    : { kind: "placeholder" };
}

function globalKind(key: string): VariableKind {
  const global = globalConditionKey(key);
  if (global) return { kind: global.multivalued ? "multivalued" : "known" };
  const slash = key.indexOf("/");
  const family = slash < 0 ? key : key.slice(0, slash);
  const isFamily = tagFamilies.some((name) => name.toLowerCase() === family.toLowerCase());
  if (isFamily && slash > 0 && isTagKey(key.slice(slash + 1))) return { kind: "known" };
  return { kind: "unknown", near: nearNames(key) };
}

function isNear(one: string, other: string): boolean {
  return Math.abs(one.length - other.length) <= 2 && editDistance(one, other) <= 2;
}

/** @returns Up to three variables within three edits of the key, nearest first. */
function nearNames(key: string): readonly string[] {
  if (key.length > 128) return [];
  const slash = key.indexOf("/");
  const [text, tail] = slash < 0 ? [key, ""] : [key.slice(0, slash), key.slice(slash)];
  // No variable has such a tag, however its beginning is spelt.
  if (tail !== "" && !isTagKey(tail.slice(1))) return [];
  const lower = text.toLowerCase();
  const candidates = tail === "" ? names : tagFamilies;
  return candidates
    .map((name) => ({ name, edits: editDistance(name.toLowerCase(), lower) }))
    .concat(containing(lower, tail))
    .filter(({ edits }) => edits <= 3)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 3)
    .map(({ name }) => `${name}${tail}`);
}

/** `aws:user` is short for `aws:username`, though four edits away. */
function containing(lower: string, tail: string): { name: string; edits: number }[] {
  if (tail !== "" || lower.length < "aws:user".length) return [];
  return names
    .filter((name) => {
      const whole = name.toLowerCase();
      return whole.startsWith(lower) && editDistance(whole, lower) > 3;
    })
    .map((name) => ({ name, edits: 3 }));
}

/** @returns Whether the text contains a policy variable, known or misspelt, other than a template placeholder. */
export function holdsPolicyVariable(text: string): boolean {
  return variablesIn(text).some(({ key }) => variableKind(key).kind !== "placeholder");
}
