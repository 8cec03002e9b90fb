import type { CheckContext } from "../../engine/check.ts";
import type { Action } from "../../services/model.ts";
import { sensitiveActionOf } from "../sensitive-action/catalogue.ts";

/** What a customer stored, or who may use a resource: more than a description of it. */
const contents =
  /Object|Item|Record|Row|Message|Event|Metric|Result|Image|Layer|Document|Statement|Query|Block|Grant|Polic|Permission|Secret|Parameter|Credential|Token|Password|Fetch|Search|Download|File|Template|Code/;

/**
 * @returns whether every action is a known one that only describes or lists resources: the service reference has
 * it as List or Read, it is not a sensitive action, and its name does not speak of contents or permissions.
 */
export function onlyDescribe(texts: readonly string[], { match }: Pick<CheckContext, "match">) {
  return texts.length > 0 && texts.every((text) => limitableOf(text, match)?.every(describes));
}

/** @returns the actions of an entry that take resources; undefined for `*` and for unknown names. */
function limitableOf(text: string, match: CheckContext["match"]): Action[] | undefined {
  const meaning = match(text);
  if (meaning.kind === "action") return [meaning.action];
  if (meaning.kind !== "pattern") return undefined;
  return meaning.actions.filter(({ resourceTypes }) => resourceTypes.length > 0);
}

function describes({ accessLevel, qualified, name }: Action): boolean {
  const reads = accessLevel === "list" || accessLevel === "read";
  return reads && sensitiveActionOf(qualified) === undefined && !contents.test(name);
}
