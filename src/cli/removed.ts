import type { RemovedPolicy } from "../../spec/tools/local/validate-policies.ts";
import type { PlaceIn } from "../containers/pair-places.ts";
import type { Source } from "../containers/types.ts";
import { Lines } from "../json/text-tree.ts";
import type { ValidatedDocument } from "../local/validated-document.ts";
import { memo } from "../memo.ts";
import { escapeInvisible } from "../policy/escape-invisible.ts";

export type { RemovedPolicy };

const linesOf = memo(({ text, origin }: Source) =>
  text === null ? null : new Lines(text, origin),
);

/** A place that only the earlier version of a file has. */
export function removedPolicy(file: string, { opened, place, address }: PlaceIn): RemovedPolicy {
  const location = place.span && (linesOf(opened.source)?.location(place.span) ?? null);
  const { resourceType: resource_type } = place;
  return { file, address, earlier_line: location?.start.line ?? null, resource_type };
}

/** Addresses that a line names; more are counted. */
const maxNamed = 10;

/** @returns Lines on the policies inside files that are new and that are gone; none: there are none. */
export function changesInWords(
  documents: readonly ValidatedDocument[],
  removed: readonly RemovedPolicy[],
): readonly string[] {
  const added = documents.filter(({ unwrapped }) => unwrapped?.change === "new");
  const [asked, others] = [true, false].map((wanted) =>
    added.filter(({ answers }) => answers.some(isComparison) === wanted),
  );
  return [
    sentence("New", asked?.map(addressOf) ?? []),
    sentence("New, and not compared (--against-missing empty)", others?.map(addressOf) ?? []),
    sentence("Removed", removed.map(addressIn)),
  ].flatMap((line) => line ?? []);
}

const isComparison = ({ check_id }: { readonly check_id: string }) => check_id === "no_new_access";

function addressOf({ label, unwrapped }: ValidatedDocument): string {
  return addressIn({ file: label, address: unwrapped?.address ?? "" });
}

function addressIn({ file, address }: Pick<RemovedPolicy, "file" | "address">): string {
  const name = file ?? "";
  return address === "" ? name : `${name} (${address})`;
}

function sentence(what: string, all: readonly string[]): string | null {
  if (all.length === 0) return null;
  const named = all.slice(0, maxNamed).map(escapeInvisible).join(", ");
  const more = all.length > maxNamed ? `, and ${all.length - maxNamed} more` : "";
  return `${what}: ${named}${more}.`;
}
