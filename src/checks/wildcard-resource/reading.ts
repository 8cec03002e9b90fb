import type { Action, ActionMatch } from "../../services/model.ts";
import { sensitiveActionOf } from "../sensitive-action/catalogue.ts";
import type { KeptAction } from "./kept.ts";

/** Verbs of actions that describe; the reference has also speech synthesis and queries as Read. */
const verbs = /^(?:Batch)?(?:Describe|Get|List|Lookup|Check)(?=[A-Z])/;

/** What follows the verb where an action reads what a customer stored, or who may use a resource. */
const contents =
  /^(?:Object|Item|Record|Row|Message|Block|Grant|Secret|Credential|Token|Password|Parameter(?:s?$|sByPath|History)|Log(?:Event|Record|Object)|QueryResult|Results?$|SourceCode|Data$|Document$|Export)/;

/**
 * @returns whether every action that the config does not excuse is a known one that only describes or lists resources:
 * the service reference has it as List or Read, it is not a sensitive action, and its name is that of an action which
 * describes.
 */
export function onlyDescribe(actions: readonly KeptAction[]): boolean {
  return actions.every(
    ({ meaning, isExcused }) => isExcused || limitableOf(meaning)?.every(describes) === true,
  );
}

/** @returns the actions of an entry that take resources; undefined for `*` and for unknown names. */
function limitableOf(meaning: ActionMatch): readonly Action[] | undefined {
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
