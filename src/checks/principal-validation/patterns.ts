import { partitions } from "../../policy/arn.ts";
import { globMatches } from "../../policy/wildcard.ts";

const accountId = /^[0-9]{12}$/;
const rootArn = /^arn:([a-z-]+):iam::([0-9]{12}):root$/;

/** @returns whether the text is the principal of an AWS service. */
function isServicePrincipal(text: string): boolean {
  return serviceLabelOf(text) !== null;
}

const suffixes: readonly string[] = [".amazonaws.com", ".amazonaws.com.cn"];

/** @returns what stands before the suffix of a service principal, in lower case; else null. */
export function serviceLabelOf(text: string): string | null {
  const lower = text.toLowerCase();
  const suffix = suffixes.find((one) => lower.endsWith(one));
  return suffix === undefined ? null : lower.slice(0, -suffix.length);
}

/** An account has several names: its id, and the root principal in any partition. */
function spellingsOf(text: string): readonly string[] {
  const [, partition = "", id = ""] = rootArn.exec(text) ?? [];
  const account = accountId.test(text) ? text : partitions.includes(partition) ? id : null;
  if (account === null) return [text];
  return [account, ...partitions.map((name) => `arn:${name}:iam::${account}:root`)];
}

/** A principal pattern of the config: `*` means that very principal, all others are globs. */
export function principalMatcher(patterns: readonly string[]): (principal: string) => boolean {
  const hasStar = patterns.includes("*");
  const globs = patterns.filter((pattern) => pattern !== "*").flatMap(spellingsOf);
  return (principal) => {
    if (principal === "*") return hasStar;
    if (globs.length === 0) return false;
    const ignoreCase = isServicePrincipal(principal);
    return spellingsOf(principal).some((spelling) =>
      globs.some((glob) => globMatches(glob, spelling, { ignoreCase })),
    );
  };
}

const allServices = "aws:*";

/** @returns whether the option `allowed_service_principals` lets the principal through. */
export function serviceMatcher(patterns: readonly string[]): (principal: string) => boolean {
  const all = patterns.includes(allServices);
  const listed = principalMatcher(patterns);
  return (principal) => isServicePrincipal(principal) && (all || listed(principal));
}
