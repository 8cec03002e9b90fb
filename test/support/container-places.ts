import { readSource } from "../../src/containers/source.ts";
import type { Container, Place, Source } from "../../src/containers/types.ts";
import { Unknowns } from "../../src/containers/unknowns.ts";
import { Lines } from "../../src/json/text-tree.ts";

/** A place as tests compare it. */
export interface ShownPlace {
  readonly address: string;
  readonly type: Place["policyType"];
  readonly state: Place["state"];
  readonly reason: string | null;
  /** Documents with `${name}` for each unknown value. */
  readonly documents: readonly unknown[];
  /** Line of the document in the file, from 1. */
  readonly line: number | null;
  readonly place: Place;
  readonly source: Source;
}

/** Reads a text as a file of the given name. @returns null if the container does not recognise it. */
export async function placesIn(
  container: Container,
  text: string,
  name: string | null = null,
  neighbours: readonly string[] = [],
): Promise<ShownPlace[] | null> {
  const source = await readSource({ name, text, neighbours });
  if (!container.recognises(source)) return null;
  const unknowns = new Unknowns();
  const lines = new Lines(text);
  const places: ShownPlace[] = [];
  for (const place of await container.read(source, { unknowns, maxPlaces: 100 })) {
    const { address, policyType, state, reason, alternatives, span } = place;
    places.push({
      address,
      type: policyType,
      state,
      reason,
      documents: alternatives.map(({ value }) => shown(value, unknowns)),
      line: span && lines.location(span).start.line,
      place,
      source,
    });
  }
  return places;
}

function shown(value: unknown, unknowns: Unknowns): unknown {
  if (typeof value === "string") return unknowns.shown(value);
  if (Array.isArray(value)) return value.map((item) => shown(item, unknowns));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [unknowns.shown(name), shown(member, unknowns)]),
  );
}
