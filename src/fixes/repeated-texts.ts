import { stepsOf } from "../json/node.ts";
import { memo } from "../memo.ts";
import { valueAt } from "./patch.ts";
import type { Edit } from "./proposal.ts";

/**
 * A list may hold one wrong text several times. The checks report it once, at the first place, so its
 * correction edits all of them; otherwise the finding would remain after the fix.
 * @returns the edits, with one for each repetition of a corrected text in the same list. Edits that also
 *   move, add or remove something are returned unchanged, since they name the places that they mean.
 * @throws {PatchFailure} for a node that the document does not have.
 */
export function withRepetitions(edits: readonly Edit[], document: unknown): readonly Edit[] {
  if (!edits.every(correctsEntry)) return edits;
  const places = new Set<string>();
  const all: Edit[] = [];
  for (const edit of edits) {
    const { parent, step } = edit.node;
    const list = parent && valueAt(document, stepsOf(parent));
    if (!Array.isArray(list)) return edits;
    const before: unknown = list[Number(step)];
    const repeated = typeof before === "string" ? repeatedTexts(list).get(before) : undefined;
    for (const index of repeated ?? [step]) {
      const place = JSON.stringify([...stepsOf(edit.node).slice(0, -1), index]);
      if (places.has(place)) continue;
      places.add(place);
      all.push(index === step ? edit : { ...edit, node: { ...edit.node, step: index } });
    }
  }
  return all;
}

function correctsEntry(edit: Edit): boolean {
  return (
    edit.kind === "replace" && typeof edit.node.step === "number" && typeof edit.value === "string"
  );
}

/** The texts that a list holds more than once, with their indexes. */
const repeatedTexts = memo((list: readonly unknown[]) => {
  const texts = new Map<string, number[]>();
  for (const [index, entry] of list.entries()) {
    if (typeof entry !== "string") continue;
    const indexes = texts.get(entry);
    if (indexes) indexes.push(index);
    else texts.set(entry, [index]);
  }
  for (const [text, indexes] of texts) if (indexes.length === 1) texts.delete(text);
  return texts;
});
