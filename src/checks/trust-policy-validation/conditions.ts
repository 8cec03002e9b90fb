import type { ConditionBlock } from "../../fixes/condition-block.ts";
import type { Statement } from "../../policy/model.ts";
import { limitingEntries } from "../shared/condition-limits.ts";
import { quote } from "../shared/quote.ts";
import type { Provider } from "./providers.ts";
import type { TrustRule } from "./rule.ts";

type Asked = TrustRule["required_conditions"][number];

/** One required condition, in the words of the statement's own provider. */
interface Demand {
  /** Keys of which one is needed, for people and for the example. */
  readonly keys: readonly string[];
  isMet(limited: LimitedKeys): boolean;
}

interface LimitedKeys {
  has(key: string): boolean;
  /** Any key ends in `:claim`. */
  hasClaim(claim: string): boolean;
}

/** @returns for each required condition that is missing, the keys of which one is enough. */
export function missingConditions(
  statement: Statement,
  { required_conditions }: TrustRule,
  providers: readonly Provider[],
): (readonly string[])[] {
  const keys = new Set(limitingEntries(statement).map(({ keyLower }) => keyLower));
  const limited: LimitedKeys = {
    has: (key) => keys.has(key.toLowerCase()),
    hasClaim: (claim) => keys.values().some((key) => key.endsWith(`:${claim.toLowerCase()}`)),
  };
  const missing = new Map<string, readonly string[]>();
  for (const asked of required_conditions) {
    const demands = demandsOf(asked, providers);
    if (demands.some((demand) => demand === null || demand.isMet(limited))) continue;
    const names = demands[0]?.keys ?? [];
    missing.set(names.join(" "), names);
  }
  return [...missing.values()];
}

/** One demand per provider; meeting one is enough. Null: that provider asks for nothing. */
function demandsOf(asked: Asked, providers: readonly Provider[]): (Demand | null)[] {
  const owners: readonly (Provider | null)[] = providers.length > 0 ? providers : [null];
  return owners.map((provider) => demandOf(asked, provider));
}

function demandOf(asked: Asked, provider: Provider | null): Demand | null {
  const names = Array.isArray(asked) ? asked : [asked];
  if (provider && Array.isArray(asked) && names.includes("*:sub")) {
    const { subject } = provider;
    if (subject === "none") return null;
    if (subject !== "claims") return oneOf([subject.key], null);
  }
  return oneOf(names, provider);
}

function oneOf(names: readonly string[], provider: Provider | null): Demand {
  const resolved = names.map((name) => {
    if (!name.startsWith("*:")) return { key: name, claim: null };
    const claim = name === "*:aud" ? (provider?.audience ?? "aud") : name.slice(2);
    return provider?.name == null
      ? { key: `PROVIDER:${claim}`, claim }
      : { key: `${provider.name}:${claim}`, claim: null };
  });
  const named = resolved.filter((_, index) => !lacksClaim(names[index] ?? "", provider));
  return {
    keys: (named.length > 0 ? named : resolved).map(({ key }) => key),
    isMet: (limited) =>
      resolved.some(({ key, claim }) =>
        claim === null ? limited.has(key) : limited.hasClaim(claim),
      ),
  };
}

function lacksClaim(name: string, provider: Provider | null): boolean {
  return name.startsWith("*:") && provider?.lacks.has(name.slice(2)) === true;
}

/** @returns `` `a` and one of `b`, `c` ``. */
export function nameMissing(missing: readonly (readonly string[])[]): string {
  return missing
    .map((keys) => {
      const names = keys.map((key) => quote(key)).join(" or ");
      return keys.length > 1 && missing.length > 1 ? `(${names})` : names;
    })
    .join(" and ");
}

/** Values that are the same for everyone who uses the key. */
const standardValues: readonly (readonly [RegExp, string])[] = [
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_create_for-idp_saml.html
  [/^saml:aud$/i, "https://signin.aws.amazon.com/saml"],
  // https://docs.github.com/en/actions/how-tos/secure-your-work/security-harden-deployments/oidc-in-aws
  [/^token\.actions\.githubusercontent\.com:aud$/i, "sts.amazonaws.com"],
  // https://docs.aws.amazon.com/eks/latest/userguide/associate-service-account-role.html
  [/^oidc\.eks\.[^:]+:aud$/i, "sts.amazonaws.com"],
];

/** @returns the value that is the same for everyone who uses the key. */
export function standardValueOf(key: string): string | undefined {
  return standardValues.find(([pattern]) => pattern.test(key))?.[1];
}

/** @returns a condition for the missing keys; null when the value of one is for the author to know. */
export function knownValues(missing: readonly (readonly string[])[]): ConditionBlock | null {
  const entries = missing.map(([key = ""]) => {
    return [key, standardValueOf(key)] as const;
  });
  if (entries.some(([, value]) => value === undefined)) return null;
  return { StringEquals: Object.fromEntries(entries) };
}
