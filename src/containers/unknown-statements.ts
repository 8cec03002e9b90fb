import { isRecord } from "../record.ts";
import type { Place } from "./types.ts";
import { quotedUnknown, type Unknowns } from "./unknowns.ts";

/** @returns a place that is read in part if a statement of its policy is a value that the file does not give. */
export function markedPartly(place: Place, unknowns: Unknowns): Place {
  if (place.state !== "read") return place;
  for (const { value } of place.alternatives) {
    const reason = reasonIn(value, unknowns);
    if (reason !== null) return { ...place, state: "partly_read", reason };
  }
  return place;
}

function reasonIn(document: unknown, unknowns: Unknowns): string | null {
  const list = isRecord(document) ? document.Statement : null;
  const entries: unknown[] = Array.isArray(list) ? list : [list];
  for (const entry of entries) {
    const unknown = typeof entry === "string" ? unknowns.whole(entry) : null;
    if (!unknown) continue;
    return `A statement is the value of ${quotedUnknown(unknown)}, which is not known here.`;
  }
  return null;
}
