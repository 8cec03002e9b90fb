import { isDeepStrictEqual } from "node:util";
import type { LeanFinding } from "../../spec/finding.ts";
import type { Check } from "../../src/engine/check.ts";
import { parseJson } from "../../src/json/parse.ts";
import type { PolicyDocument } from "../../src/policy/model.ts";
import { schemaErrors } from "../../test/support/published-schemas.ts";
import { holds } from "../broken.ts";

export interface Verified {
  readonly document: PolicyDocument;
  readonly findings: readonly LeanFinding[];
  /** Name of the published schema of one finding. */
  readonly schema: "finding" | "lean-finding";
  /** By id. */
  readonly checks: ReadonlyMap<string, Check>;
}

/** Each finding must be one the contract knows, and be about a place that the document has. */
export function verifyFindings({ document, findings, schema, checks }: Verified): void {
  // YAML has too many ways to write a value for a second reader to be worth it.
  const isJson =
    findings.length > 0 && document.text !== null && jsonIn(document.text) !== undefined;
  for (const finding of findings) {
    const about = () => JSON.stringify(finding);
    const errors = schemaErrors(schema, finding);
    holds(errors.length === 0, "a finding off its schema", () => `${errors[0]} ${about()}`);
    const { check_id, issue_type, message, path, location } = finding;
    const issue = checks.get(check_id)?.issue_types[issue_type];
    holds(issue !== undefined, "a finding that no check declares", about);
    holds(message !== "" && message.isWellFormed(), "a message that is not text", about);
    holds(!/\n|\bundefined\b|\[object/.test(message), "a message that shows the code", about);
    holds((location === null) === (document.text === null), "a location without text", about);
    const place = placeOf(document.raw, path);
    holds(place !== undefined || document.raw === undefined, "a path that leads nowhere", about);
    if (!location || document.text === null) continue;
    verifyLocation(location, document.text, about);
    if (!place || !isJson) continue;
    const written = jsonIn(document.text.slice(location.start.offset, location.end.offset));
    if (written === undefined) continue;
    const [value] = written;
    holds(
      value === place.name || isDeepStrictEqual(value, place.value),
      "a location of something else",
      () => `${JSON.stringify(value)} ${about()}`,
    );
  }
}

function verifyLocation(
  { start, end }: NonNullable<LeanFinding["location"]>,
  text: string,
  about: () => string,
): void {
  holds(start.offset <= end.offset && end.offset <= text.length, "a location outside", about);
  for (const { line, column, offset } of [start, end]) {
    const before = text.slice(0, offset).split(/\r\n|\n|\r/);
    // Between CR and LF of one line break the text that is cut off ends in a line break itself.
    if (text[offset - 1] === "\r" && text[offset] === "\n") continue;
    holds(
      line === before.length && column === before.at(-1)?.length,
      "a line or column that its offset contradicts",
      about,
    );
  }
}

/** @returns the value a JSON Pointer leads to, and the last name on the way. */
function placeOf(
  value: unknown,
  pointer: string,
): { readonly name: string; readonly value: unknown } | undefined {
  let at = value;
  let name = "";
  for (const step of pointer.split("/").slice(1)) {
    name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = at[name as keyof typeof at];
  }
  return { name, value: at };
}

/** @returns undefined when a text is not JSON. */
function jsonIn(piece: string): [unknown] | undefined {
  try {
    return [parseJson(piece.replace(/^\ufeff/, ""))];
  } catch {
    return undefined;
  }
}
