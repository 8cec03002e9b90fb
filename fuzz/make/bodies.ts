import type { Random } from "../random.ts";
import type { WireRequest } from "../wire-request.ts";
import { mutateText } from "./mutate.ts";
import { oddValue } from "./odd.ts";
import { brokenText, quirkyJson } from "./texts.ts";

/** Above this the body is read in a worker. */
const largeBytes = 66_000;

type Body = Pick<WireRequest, "body" | "encoding">;

/** The message as a body, mostly. */
export function bodyOf(message: unknown, random: Random): Body {
  const plain = JSON.stringify(message);
  return random.weighted<Body>([
    [60, () => ({ body: plain })],
    [15, () => ({ body: quirkyJson(message, random) })],
    [8, () => ({ body: mutateText(plain, random) })],
    [3, () => ({ body: `[${plain}${random.chance(0.5) ? `,${plain}` : ""}]` })],
    [2, () => ({ body: plain.padEnd(largeBytes) })],
    [1, () => ({ body: mutateText(quirkyJson(message, random).padEnd(largeBytes), random) })],
    [2, () => ({ body: brokenText(oddValue(random), random) })],
    // One character, one byte: not UTF-8 once there is one above 0x7f.
    [3, () => ({ body: mutateText(plain, random), encoding: "latin1" })],
    [1, () => ({ body: `${plain}\u00ff\u00fe`, encoding: "latin1" })],
    [1, () => ({ body: plain.replace(/:\{/, `:{"deep":${nest(random)},`) })],
    [1, () => ({ body: plain.replace('"arguments":{', `"arguments":{"deep":${nest(random)},`) })],
  ]);
}

/** Deeper than code that goes down recursively can follow. */
function nest(random: Random): string {
  const levels = random.pick([100, 5_000, 30_000, 100_000]);
  return random.chance(0.5)
    ? "[".repeat(levels) + "]".repeat(levels)
    : `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
}
