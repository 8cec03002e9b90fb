import { isRecord } from "../../record.ts";
import { isDocumentLike } from "../document-at.ts";
import { notRead, placeOf } from "../places.ts";
import type { Container, Place, PlaceFacts, Reading, Source } from "../types.ts";
import { isPolicyShaped, nodeAt, valueAt } from "../values.ts";
import { wrappingMembers } from "../wrapper.ts";
import { alternativesOf } from "./alternatives.ts";
import { choicesFor } from "./choices.ts";
import { writeSub } from "./index.ts";
import { functionIn, readTemplate } from "./template.ts";

/**
 * A policy, or an object with one in `PolicyDocument`, that was cut out of a template: its functions are
 * there, the rest of the template is not.
 */
export const cloudformationFragment: Container = {
  kind: "cloudformation",
  recognises: isFragment,
  read(source, reading) {
    const { name, value } = source;
    if (isPolicyShaped(value)) {
      const facts = { address: "", label: name ?? "", path: [], policyType: null };
      return [fragmentPlace(source, facts, reading)];
    }
    return wrappingMembers
      .filter(([member]) => isDocumentLike(valueAt(value, [member])))
      .map(([member, policyType]) =>
        fragmentPlace(source, { address: member, path: [member], policyType }, reading),
      );
  },
  write: writeSub,
};

/**
 * @returns Whether the value is a policy, alone or in its wrapper, that has functions of CloudFormation.
 */
export function isFragment({ value }: Pick<Source, "value">): boolean {
  if (isPolicyShaped(value)) return hasFunctions(value);
  return (
    isRecord(value) &&
    wrappingMembers.some(([name]) => isPolicyShaped(value[name]) && hasFunctions(value[name]))
  );
}

/** The place of a document with functions whose names are all unknown. */
function fragmentPlace(source: Source, facts: PlaceFacts, reading: Reading): Place {
  const path = facts.path ?? [];
  const part = { value: valueAt(source.value, path), root: nodeAt(source.root, path) };
  const template = readTemplate({ value: {}, root: null });
  const choices = choicesFor(template, part, new Map(), new Map());
  const { alternatives, form, reason } = alternativesOf(part, choices, {
    template,
    source,
    reading,
    isDocument: true,
    complete: null,
    attached: () => null,
  });
  if (alternatives.length === 0) return notRead(facts, reason ?? "It has no value.");
  const state = reason === null ? "read" : "partly_read";
  return placeOf(facts, { form, span: part.root, state, reason, alternatives });
}

/** Policies are not deeper than this: statement, condition, operator, key, list, function. */
const maxLevels = 12;

/** Whether a value has a function of CloudFormation in it. No member of a policy has such a name. */
export function hasFunctions(value: unknown, level = 0): boolean {
  if (level > maxLevels || typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => hasFunctions(item, level + 1));
  const call = functionIn({ value, root: null });
  if (call && call.name !== "Condition") return true;
  return isRecord(value) && Object.values(value).some((part) => hasFunctions(part, level + 1));
}
