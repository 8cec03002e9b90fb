import type { CheckContext } from "../../engine/check.ts";
import type { Action } from "../../services/model.ts";
import { sensitiveActionOf } from "../sensitive-action/catalogue.ts";

/** Verbs of actions that describe; the reference has also speech synthesis and queries as Read. */
const verbs = /^(?:Batch)?(?:Describe|Get|List|Lookup|Check)(?=[A-Z])/;

/** What follows the verb where an action reads what a customer stored, or who may use a resource. */
const contents =
  /^(?:Object|Item|Record|Row|Message|Block|Grant|Secret|Credential|Token|Password|Parameter(?:s?$|sByPath|History)|Log(?:Event|Record|Object)|QueryResult|Results?$|SourceCode|Data$|Document$|Export)/;

/**
 * @returns whether every action is a known one that only describes or lists resources: the service reference has
 * it as List or Read, it is not a sensitive action, and its name is that of an action which describes.
 */
export function onlyDescribe(texts: readonly string[], { match }: Pick<CheckContext, "match">) {
  return texts.every((text) => limitableOf(text, match)?.every(describes));
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
  const verb = verbs.exec(name)?.[0];
  if (!reads || verb === undefined || sensitiveActionOf(qualified) !== undefined) return false;
  return !contents.test(name.slice(verb.length));
}
