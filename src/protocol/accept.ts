/** @returns media types of an Accept header with their weight, 0 to 1. */
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

/** Whether an event stream is asked for by name. */
export function acceptsEventStream(accept: string | null): boolean {
  return (weights(accept).get(stream) ?? 0) > 0;
}

/** Whether an event stream is ranked above JSON; equal ranks mean JSON, which is cheaper for both. */
export function prefersEventStream(accept: string | null): boolean {
  const ranked = weights(accept);
  return (ranked.get(stream) ?? 0) > (ranked.get(json) ?? 0);
}

/** What clients of the 2025 revisions are told to send; all that we know of send just this. */
const usual = `${json}, ${stream}`;

/** Whether both forms of an answer are accepted, and JSON is no worse than a stream. */
export function acceptsEither(accept: string | null): boolean {
  if (accept === usual) return true;
  const ranked = weights(accept);
  const weight = ranked.get(json) ?? 0;
  const rival = ranked.get(stream) ?? 0;
  return rival > 0 && rival <= weight;
}
