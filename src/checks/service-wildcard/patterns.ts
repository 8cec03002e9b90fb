import type { Service } from "../../services/model.ts";

const known = new WeakMap<Service, readonly string[]>();
const most = 2;

/** @returns patterns that grant the commonest kinds of reading in the service, such as `ec2:Describe*`. */
export function readingPatterns(prefix: string, service: Service | undefined): readonly string[] {
  const fallback = [`${prefix}:Get*`, `${prefix}:List*`];
  if (!service) return fallback;
  let patterns = known.get(service);
  if (!patterns) {
    const verbs = commonVerbs(service);
    patterns = verbs.length > 0 ? verbs.map((verb) => `${prefix}:${verb}*`) : fallback;
    known.set(service, patterns);
  }
  return patterns;
}

function commonVerbs({ actions }: Service): string[] {
  const counts = new Map<string, number>();
  for (const { name, accessLevel } of actions) {
    const verb = /^[A-Z][a-z]+/.exec(name)?.[0];
    if (!verb || (accessLevel !== "read" && accessLevel !== "list")) continue;
    counts.set(verb, (counts.get(verb) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([verb]) => verb)
    .sort();
}
