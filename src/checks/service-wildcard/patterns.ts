import { memo } from "../../memo.ts";
import type { Service } from "../../services/model.ts";

const most = 2;

/** @returns the commonest kinds of reading in the service as patterns, such as `ec2:Describe*`; empty if there are none. */
export const readingPatterns = memo((service: Service): readonly string[] =>
  commonVerbs(service).map((verb) => `${service.prefix}:${verb}*`),
);

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
