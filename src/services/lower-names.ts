import { asciiLower } from "../ascii.ts";
import { memo } from "../memo.ts";
import type { Service } from "./model.ts";

/**
 * Names of a service's actions in lower case, in the order of the actions. One list for look-ups, patterns and
 * suggestions: each with texts from elsewhere would keep a megabyte more.
 */
export const lowerNamesOf = memo((service: Service): readonly string[] =>
  service.actions.map((action) => asciiLower(action.name)),
);
