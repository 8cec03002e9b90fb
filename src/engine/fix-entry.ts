import type { LeanFinding } from "../../spec/finding.ts";
import type { Opened } from "../containers/open.ts";
import { isRecord, type JsonObject } from "../record.ts";
import { type FixContainerOptions, type FixedContainer, fixContainer } from "./fix-container.ts";
import type { Engine } from "./types.ts";
import type { ContainerToValidate } from "./validate-container.ts";

export interface FixEntryOptions<Shown extends LeanFinding>
  extends Omit<FixContainerOptions<Shown>, "fits"> {
  /** The entry as submitted. */
  readonly submitted: unknown;
  /** Of the fixed entry; a container that would exceed it stays as it is. */
  readonly maxBytes: number;
}

export interface FixedEntry<Shown extends LeanFinding> {
  readonly results: FixedContainer<Shown>["results"];
  /** The entry with the fixes applied; null: none was. */
  readonly policy: string | JsonObject | null;
}

/**
 * Applies the fixes of the policies in one entry: a value, a text, or a text of several YAML documents.
 * @throws As `validatePolicy`.
 */
export async function fixEntry<Shown extends LeanFinding>(
  containers: readonly Opened[],
  about: Omit<ContainerToValidate, "opened">,
  engine: Engine,
  { submitted, maxBytes, ...options }: FixEntryOptions<Shown>,
): Promise<FixedEntry<Shown>> {
  let left = maxBytes;
  const results: FixedEntry<Shown>["results"][number][] = [];
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  for (const opened of containers) {
    const { source } = opened;
    const one = await fixContainer({ ...about, opened }, engine, {
      ...options,
      fits: (text, value) => Buffer.byteLength(text ?? JSON.stringify(value)) <= left,
    });
    results.push(...one.results);
    if (one.fixed?.text === null) {
      return { results, policy: isRecord(one.fixed.value) ? one.fixed.value : null };
    }
    left -= Buffer.byteLength(one.fixed?.text ?? source.text ?? "");
    if (!one.fixed || source.text === null) continue;
    const start = source.origin?.offset ?? 0;
    edits.push({ start, end: start + source.text.length, text: one.fixed.text });
  }
  if (edits.length === 0 || typeof submitted !== "string") return { results, policy: null };
  // The last one first, so that the places of those before it stay the same.
  const policy = edits
    .reverse()
    .reduce(
      (text, { start, end, text: piece }) => text.slice(0, start) + piece + text.slice(end),
      submitted,
    );
  return { results, policy };
}
