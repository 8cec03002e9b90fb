import { literal, type Pattern, patternOf, unitsOf } from "./patterns.ts";
import { barred } from "./read-pattern.ts";
import { issuerOf, sharedProvider } from "./shared-providers.ts";
import { colon, digit, noColon, noSlash, run, single, slash, type Token } from "./tokens.ts";

export type CallerKind =
  | "role"
  | "session"
  | "user"
  | "root"
  | "service"
  | "federated"
  | "canonical"
  | "anonymous";

/** A role session that a document names by the ARN of the session. */
export interface NamedSession {
  readonly partition: string;
  readonly account: string;
  readonly role: string;
  readonly session: string;
}

/** One kind of caller, and what is known of its requests. */
export interface Caller {
  readonly kind: CallerKind;
  /** Service principal (empty: any), provider or canonical user; of a session: its ARN; else empty. */
  readonly name: string;
  readonly session: NamedSession | null;
  /** The only account it may belong to; null: any. */
  readonly account: string | null;
  /** Keys that it has, or lacks, beside what its kind says; folded. */
  readonly present: ReadonlySet<string>;
  readonly absent: ReadonlySet<string>;
  /** Distinguishes the memo of results. */
  readonly id: string;
}

/** Kinds whose principal is an ARN of IAM. */
export function isAwsIdentity(kind: CallerKind): boolean {
  return kind === "role" || kind === "session" || kind === "user" || kind === "root";
}

/**
 * F1: keys of every request.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
 */
const always = new Set([
  "aws:currenttime",
  "aws:epochtime",
  "aws:principalaccount",
  "aws:principaltype",
  "aws:requestedregion",
  "aws:securetransport",
  "aws:userid",
]);

/**
 * F5: keys about an identity of AWS, which services, federated and anonymous callers lack.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-principal-properties
 */
function isIdentityKey(key: string): boolean {
  return (
    key === "aws:principalarn" ||
    key === "aws:principalorgid" ||
    key === "aws:principalorgpaths" ||
    key.startsWith("aws:principaltag/") ||
    key === "aws:username" ||
    key.startsWith("aws:multifactorauth") ||
    key === "aws:tokenissuetime" ||
    key === "aws:sourceidentity"
  );
}

export type Presence = "always" | "never" | "free";

/** F1 and F3 to F7: whether requests of the caller have the key. @param key Folded. */
export function presenceOf(caller: Caller, key: string): Presence {
  if (caller.present.has(key)) return "always";
  if (caller.absent.has(key)) return "never";
  if (always.has(key)) return "always";
  const { kind } = caller;
  // "This key is not present in any other situation", says the same page of both names.
  if (kind !== "service" && key.startsWith("aws:principalservicename")) return "never";
  if (kind === "canonical") return "free";
  if (isAwsIdentity(kind)) return identityPresence(kind, key);
  if (isIdentityKey(key)) return "never";
  if (kind === "service") {
    if (key === "aws:principalisawsservice" || key === "aws:principalservicename") return "always";
    return key === "aws:federatedprovider" ? "never" : "free";
  }
  if (kind === "anonymous") {
    return key === "aws:principalisawsservice" || key === "aws:federatedprovider"
      ? "never"
      : "free";
  }
  return kind === "federated" && isClaimOfAnother(caller.name, key) ? "never" : "free";
}

/** A token has the claims of the provider that issued it, and no others. @param key Folded. */
function isClaimOfAnother(provider: string, key: string): boolean {
  const issuer = key.slice(0, Math.max(0, key.lastIndexOf(":")));
  const isOfKnown = sharedProvider(provider) !== undefined && sharedProvider(issuer) !== undefined;
  return isOfKnown && issuer !== issuerOf(provider);
}

function identityPresence(kind: CallerKind, key: string): Presence {
  if (key === "aws:principalarn" || key === "aws:principalisawsservice") return "always";
  if (key === "aws:username") return kind === "user" ? "always" : "never";
  if (key === "aws:tokenissuetime" && (kind === "role" || kind === "session")) return "always";
  return kind === "root" && key.startsWith("aws:principaltag/") ? "never" : "free";
}

const principalTypes: Readonly<Partial<Record<CallerKind, string>>> = {
  role: "AssumedRole",
  session: "AssumedRole",
  user: "User",
  root: "Account",
  anonymous: "Anonymous",
};

/** The values that F3 to F7 leave for a key, when it is there; null: any. @param key Folded. */
export function valuesOf(caller: Caller, key: string): readonly Pattern[] | null {
  const { kind } = caller;
  if (key === "aws:principaltype") {
    const type = principalTypes[kind];
    return type === undefined ? null : [literal(type)];
  }
  if (key === "aws:principalisawsservice") {
    if (kind === "service") return [literal("true")];
    return kind === "federated" || isAwsIdentity(kind) ? [literal("false")] : null;
  }
  if (key === "aws:principalservicename") {
    if (kind !== "service") return null;
    return [caller.name === "" ? anyText : literal(caller.name)];
  }
  if (key === "aws:principalaccount" || key === "aws:userid") {
    return kind === "anonymous" ? [literal("anonymous")] : null;
  }
  return organisationPath.has(key) ? [pathForm] : null;
}

/** At least one character. */
const anyText = patternOf([single, run]);

/** F12: the path of an organisation begins with its id. */
const organisationPath = new Set([
  "aws:principalorgpaths",
  "aws:sourceorgpaths",
  "aws:resourceorgpaths",
  "aws:vpceorgpaths",
]);
const pathForm = patternOf([run + noSlash, slash, run]);

/** The key of the path that goes with the key of an organisation's id; undefined for other keys. */
export const pathKeyOf: ReadonlyMap<string, string> = new Map([
  ["aws:principalorgid", "aws:principalorgpaths"],
  ["aws:sourceorgid", "aws:sourceorgpaths"],
  ["aws:resourceorgid", "aws:resourceorgpaths"],
  ["aws:vpceorgid", "aws:vpceorgpaths"],
]);

/**
 * @returns Whether the folded key holds the path of an account in its organisation, such as
 * `aws:principalorgpaths`.
 */
export function isPathKey(key: string): boolean {
  return organisationPath.has(key);
}

/** Twelve digits. */
const anyAccount: readonly Token[] = Array<Token>(12).fill(single + noColon + digit);
/** The same in tests, of texts that have twelve: a pattern without `?` is cheaper to rule out. */
const anyDigits: readonly Token[] = [run + noColon + digit];

/** An ARN of IAM; null parts are free. */
function iamArn(
  partition: string | null,
  account: string | readonly Token[] | null,
  ends: readonly Token[],
): Pattern {
  return patternOf([
    ...unitsOf("arn:"),
    ...(partition === null ? [run + noColon] : unitsOf(partition)),
    ...unitsOf(":iam::"),
    ...(typeof account === "string" ? unitsOf(account) : (account ?? anyAccount)),
    colon,
    ...ends,
  ]);
}

/**
 * Names of roles and users have no colon and no slash.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html#reference_iam-quotas-names
 */
const anyName: readonly Token[] = [run + noColon + noSlash];

/** The ARNs that the principal of this caller may have. */
export function arnsOf(caller: Caller, namedRoles: readonly string[]): readonly Pattern[] {
  const { kind, account, session } = caller;
  if (kind === "root") return [iamArn(null, account, unitsOf("root"))];
  if (kind === "role") {
    return [
      iamArn(null, account, [...unitsOf("role/"), ...anyName]),
      iamArn(null, account, [...unitsOf("role/"), run, slash, ...anyName]),
    ];
  }
  if (session) {
    // F13: names of roles are unique in an account.
    const named = namedRoles.filter(
      (arn) =>
        arn.startsWith(`arn:${session.partition}:iam::${session.account}:role/`) &&
        arn.endsWith(`/${session.role}`),
    );
    if (named.length > 0) return [...new Set(named)].map(literal);
    const name = unitsOf(session.role);
    return [
      iamArn(session.partition, session.account, [...unitsOf("role/"), ...name]),
      iamArn(session.partition, session.account, [...unitsOf("role/"), run, slash, ...name]),
    ];
  }
  if (kind === "user") return userArns(anyName, account ?? anyAccount);
  return [iamArn(null, account, [run])];
}

/** ARNs of users whose name, the last part, fits; none where it has a slash. Wildcards of the name stay inside that part. */
export function userArns(
  name: readonly Token[],
  account: string | readonly Token[] = anyDigits,
): readonly Pattern[] {
  if (name.includes(slash)) return [];
  const last = barred(name, noSlash);
  return [
    iamArn(null, account, [...unitsOf("user/"), ...last]),
    iamArn(null, account, [...unitsOf("user/"), run, slash, ...last]),
  ];
}

/** ARNs whose account field fits. */
export function accountArns(account: readonly Token[]): Pattern {
  return patternOf([
    ...unitsOf("arn:"),
    run + noColon,
    ...unitsOf(":iam::"),
    ...barred(account, noColon),
    colon,
    run,
  ]);
}

const nothing: ReadonlySet<string> = new Set();

/**
 * A caller of whom no key is known to be present or absent.
 * @param account Twelve digits; null: any account.
 */
export function caller(kind: CallerKind, name = "", account: string | null = null): Caller {
  return {
    kind,
    name,
    session: null,
    account,
    present: nothing,
    absent: nothing,
    id: `${kind} ${name} ${account ?? ""}`,
  };
}

/** The same caller where some keys are there and others are not. */
export function split(
  of: Caller,
  present: ReadonlySet<string>,
  absent: ReadonlySet<string>,
): Caller {
  return { ...of, present, absent, id: `${of.id} +${[...present]} -${[...absent]}` };
}

const sessionArn = /^arn:([^:*?]*):sts::(\d{12}):assumed-role\/([^/*?]+)\/([^/*?]+)$/;

/**
 * @returns The parts of the ARN of an assumed-role session, without wildcards; null for any other text.
 */
export function readSessionArn(text: string): NamedSession | null {
  const [, partition = "", account = "", role = "", session] = sessionArn.exec(text) ?? [];
  return session === undefined ? null : { partition, account, role, session };
}

/** The caller that the ARN of an assumed-role session names. */
export function sessionCaller(arn: string, session: NamedSession): Caller {
  return { ...caller("session", arn, session.account), session };
}
