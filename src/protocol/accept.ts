/**
 * By hand, because `parseAccept` of hono 4.13 gives a media type whose weight is not a number the highest one.
 * @returns media types of an Accept header with their weight, 0 to 1.
 */
function weights(accept: string | null): Map<string, number> {
  const ranked = new Map<string, number>();
  for (const entry of accept?.split(",") ?? []) {
    const [type = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith("q="));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    ranked.set(type, Number.isFinite(weight) ? weight : 0);
  }
  return ranked;
}

const stream = "text/event-stream";
const json = "application/json";

/**
 * @returns The weight of a media type: that of its entry, else that of the range that contains it, else 0.
 * No Accept header accepts everything (RFC 9110, section 12.5.1).
 */
function weightOf(type: string, accept: string | null): number {
  if (accept === null || accept.trim() === "") return 1;
  const ranked = weights(accept);
  const range = `${type.split("/", 1)[0]}/*`;
  return ranked.get(type) ?? ranked.get(range) ?? ranked.get("*/*") ?? 0;
}

/** Whether an event stream is accepted, by name or by a range. */
export function acceptsEventStream(accept: string | null): boolean {
  return weightOf(stream, accept) > 0;
}

/** Whether an answer of either form is accepted. */
export function acceptsAnswer(accept: string | null): boolean {
  return weightOf(json, accept) > 0 || weightOf(stream, accept) > 0;
}

/** Whether an event stream is ranked above JSON; equal ranks mean JSON, which is cheaper for both. */
export function prefersEventStream(accept: string | null): boolean {
  return weightOf(stream, accept) > weightOf(json, accept);
}

/** What clients of the 2025 revisions are told to send; all that we know of send just this. */
export const usualAccept = `${json}, ${stream}`;

/** Whether both forms of an answer are accepted, and JSON is no worse than a stream. */
export function acceptsEither(accept: string | null): boolean {
  if (accept === usualAccept) return true;
  const ranked = weights(accept);
  const weight = ranked.get(json) ?? 0;
  const rival = ranked.get(stream) ?? 0;
  return rival > 0 && rival <= weight;
}
