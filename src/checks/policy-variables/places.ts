import type { FieldName } from "../../../spec/finding.ts";
import type { Report } from "../../engine/check.ts";
import type { NodeRef } from "../../json/node.ts";
import type { ConditionEntry, Entry, Statement } from "../../policy/model.ts";

/** A text of a statement that may hold `${…}`. */
export interface Place {
  readonly text: string;
  readonly node: NodeRef;
  /** What a finding about it says of itself. */
  readonly about: Pick<Report, "field_name" | "resource" | "condition_key">;
  /** AWS replaces variables here, given the right version and operator. */
  readonly takesVariables: boolean;
  /** For messages. */
  readonly element: string;
  /** The entry of the condition that the text is a value of. */
  readonly condition?: ConditionEntry;
}

/** @returns false where no text of the statement has the first character of a variable, however it is written. */
export function mayHoldVariables(statement: Statement): boolean {
  const { sid, principals, notPrincipals, resources, notResources, conditions } = statement;
  return (
    (sid !== null && opens.test(sid)) ||
    resources.some(mayOpen) ||
    conditions.some(({ values }) => values.some(mayOpen)) ||
    [principals, notPrincipals, notResources].some((entries) => entries.some(mayOpen))
  );
}

const opens = /[${]/;
const mayOpen = ({ text }: Entry) => opens.test(text);

/** Texts that may hold variables, in document order of the elements. */
export function placesOf(statement: Statement): readonly Place[] {
  const places: Place[] = [];
  if (statement.sid?.includes("${")) {
    places.push({
      text: statement.sid,
      node: statement.at("Sid"),
      about: { field_name: "sid" },
      takesVariables: false,
      element: "Sid",
    });
  }
  addEntries(places, statement.principals, "Principal", "principal", false);
  addEntries(places, statement.notPrincipals, "NotPrincipal", "principal", false);
  addEntries(places, statement.resources, "Resource", "resource", true);
  addEntries(places, statement.notResources, "NotResource", "not_resource", true);
  for (const condition of statement.conditions) {
    for (const { text, node } of condition.values) {
      if (!text.includes("${")) continue;
      places.push({
        text,
        node,
        about: { field_name: "condition", condition_key: condition.key },
        takesVariables: true,
        element: "Condition",
        condition,
      });
    }
  }
  return places;
}

function addEntries(
  places: Place[],
  entries: readonly Entry[],
  element: string,
  field_name: FieldName,
  takesVariables: boolean,
): void {
  for (const { text, node } of entries) {
    if (!text.includes("${")) continue;
    const resource = element.endsWith("Resource") ? { resource: text } : {};
    places.push({ text, node, about: { field_name, ...resource }, takesVariables, element });
  }
}
