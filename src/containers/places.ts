import type { PlaceForm } from "../../spec/container.ts";
import { parseJson } from "../json/parse.ts";
import { jsonPositions, repeatedMembers } from "../json/positions.ts";
import { firstJsonError, measureJson, tooDeep } from "../json/text.ts";
import type { Span, TextNode } from "../json/text-tree.ts";
import { moved, movedSpan, type Offsets, urlDecoded } from "./offsets.ts";
import type { Alternative, Place, PlaceFacts, PlaceFault } from "./types.ts";
import { quotedUnknown, type Unknowns } from "./unknowns.ts";

/** A document, or a part of one, with its position. */
export interface Read {
  readonly value: unknown;
  /** Null without text. */
  readonly root: TextNode | null;
}

/** A document given as a string of the file, or as text that the file composes. */
export interface ReadText {
  /** With the tokens of unknown values. */
  readonly text: string;
  /** Null: not known; positions are then those of `span`. */
  readonly offsets: Offsets | null;
  readonly span: Span | null;
}

/** @returns A place with the defaults of the facts that are not given. */
export function placeOf(
  facts: PlaceFacts,
  rest: Pick<Place, "form" | "span" | "state" | "reason" | "alternatives" | "hasUnreadBranches">,
): Place {
  const { address, label = address, path, policyType } = facts;
  const { service = null, resourceType = null, attached = null } = facts;
  const { network = null, notes = [], identity = null } = facts;
  const resource = { service, resourceType, attached, network };
  return { address, label, path, policyType, ...resource, notes, identity, ...rest };
}

const always = { choices: [], byDefault: false, problems: [] } as const;

/** A policy whose members are members of the file. */
export function objectPlace(facts: PlaceFacts, { value, root }: Read): Place {
  const alternatives = [{ ...always, value, root, faults: [] }];
  return placeOf(facts, { ...read, form: "object", span: root, alternatives });
}

const read = { state: "read", reason: null } as const;

/**
 * A policy in a string. URL-encoded text is decoded. If unknown values keep the text from being JSON, it
 * is not read; without them that is a fault of the policy.
 */
export function textPlace(facts: PlaceFacts, text: ReadText, unknowns: Unknowns): Place {
  const { span } = text;
  const parsed = parsePolicyText(text, unknowns);
  if ("reason" in parsed) return notRead(facts, parsed.reason, { form: "text", span });
  const { form, ...alternative } = parsed;
  return placeOf(facts, {
    ...read,
    form,
    span,
    alternatives: [{ ...always, ...alternative }],
  });
}

/** A place that holds a policy which cannot be read. The reason is a sentence for people. */
export function notRead(
  facts: PlaceFacts,
  reason: string,
  { form = "object", span = null }: { form?: PlaceForm; span?: Span | null } = {},
): Place {
  return placeOf(facts, { state: "not_read", reason, form, span, alternatives: [] });
}

export type ParsedText = Pick<Alternative, "value" | "root" | "faults"> & {
  readonly form: "text" | "url_encoded";
};

/** @returns The document of a text, or the reason why unknown values keep it from being read. */
export function parsePolicyText(
  { text: given, offsets: givenOffsets, span }: ReadText,
  unknowns: Unknowns,
): ParsedText | { readonly reason: string } {
  const whole = unknowns.whole(given.trim());
  if (whole) {
    return {
      reason: `The policy is the value of ${quotedUnknown(whole)}, which is not known here.`,
    };
  }
  const encoded = /^\s*%7B/i.test(given) ? urlDecoded(given, givenOffsets) : null;
  const form = encoded ? "url_encoded" : "text";
  const { text, offsets } = encoded ?? { text: given, offsets: givenOffsets };
  const inFile = (at: Span): Span | null => (offsets ? movedSpan(at, offsets) : span);
  const fault = (kind: "syntax" | "depth", message: string, at: Span): PlaceFault => ({
    kind,
    message,
    span: inFile(at),
  });
  const { tooDeepAt, brackets } = measureJson(text);
  if (tooDeepAt >= 0) {
    const faults = [fault("depth", `${tooDeep}.`, { start: tooDeepAt, end: tooDeepAt + 1 })];
    return { form, value: undefined, root: null, faults };
  }
  try {
    const value = parseJson(text);
    const root = jsonPositions(text, brackets);
    const faults = repeatedMembers(root, text).map(
      ({ name, node, span: at }): PlaceFault => ({
        kind: "duplicate",
        name,
        node,
        span: inFile(at),
      }),
    );
    return { form, value, root: offsets ? moved(root, offsets) : flat(span), faults };
  } catch {
    if (unknowns.isIn(text)) {
      const filled = quoted(text, offsets, span, unknowns);
      if (filled) return filled;
    }
    const error = firstJsonError(text);
    const message = `The policy is not valid JSON${error ? `: ${error.problem}` : ""}.`;
    const at = error?.span ?? { start: 0, end: text.length };
    return { form, value: undefined, root: null, faults: [fault("syntax", message, at)] };
  }
}

/**
 * Unknown values outside strings are whole JSON values: in `{"Statement": ${Statements}}`.
 * @returns null if all are in strings, where no value makes JSON of what is none.
 */
function quoted(
  text: string,
  offsets: Offsets | null,
  span: Span | null,
  unknowns: Unknowns,
): ParsedText | { readonly reason: string } | null {
  const parts: string[] = [];
  const moves: number[] = [];
  let hasOutside = false;
  let inString = false;
  let escaped = false;
  for (const { text: part, at, isToken } of unknowns.pieces(text)) {
    if (isToken && !inString) {
      hasOutside = true;
      parts.push(`"${part}"`);
      moves.push(at);
      for (let index = 0; index < part.length; index++) moves.push(at + index);
      moves.push(at + part.length - 1);
      continue;
    }
    for (let index = 0; index < part.length; index++) {
      moves.push(at + index);
      if (isToken) continue;
      if (escaped) escaped = false;
      else if (inString && part[index] === "\\") escaped = true;
      else if (part[index] === '"') inString = !inString;
    }
    parts.push(part);
  }
  if (!hasOutside) return null;
  moves.push(text.length);
  const joined = parts.join("");
  try {
    const value = parseJson(joined);
    const root = jsonPositions(joined, measureJson(joined).brackets);
    const through = offsets && moves.map((at) => offsets[at] ?? offsets.at(-1) ?? 0);
    return { form: "text", value, root: through ? moved(root, through) : flat(span), faults: [] };
  } catch {
    return {
      reason: "The text is not JSON until its unknown values are filled in, so it was not read.",
    };
  }
}

/** A tree without parts: every position is that of the whole. */
function flat(span: Span | null): TextNode | null {
  return span && { start: span.start, end: span.end, members: null, items: null };
}
