import { maxLoginBodyBytes } from "../../spec/login.ts";
import { readAtMost } from "../read-at-most.ts";

/** The bytes of a body as text; `too_large` past 16 KiB, `invalid` if it is not UTF-8 or incomplete. */
export async function readText(
  request: Request,
): Promise<{ readonly text: string } | "too_large" | "invalid"> {
  const declared = request.headers.get("content-length");
  if (declared !== null && !(Number(declared) <= maxLoginBodyBytes)) return "too_large";
  try {
    const { bytes, isWhole } = await readAtMost(request.body, maxLoginBodyBytes);
    if (!isWhole) return "too_large";
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    // Not UTF-8, or the connection broke; then the answer is not read.
    return "invalid";
  }
}

/** The media type of a body, without parameters. */
export function mediaType(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

export const formType = "application/x-www-form-urlencoded";

/** Parameters of a query or a form, where every name but `resource` may stand once. */
export interface Parameters {
  /** @returns the value of a parameter that is there exactly once. */
  one(name: string): string | undefined;
  all(name: string): readonly string[];
  isRepeated(name: string): boolean;
  names(): Iterable<string>;
}

/** @returns undefined when percent-encoding is broken or hides NUL or what is not UTF-8. */
export function readParameters(encoded: string): Parameters | undefined {
  try {
    if (decodeURIComponent(encoded.replaceAll("+", " ")).includes("\0")) return undefined;
  } catch {
    return undefined;
  }
  // Grouped once: URLSearchParams.getAll goes through all fields, and callers ask for every name.
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(encoded)) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  const all = (name: string): readonly string[] => values.get(name) ?? [];
  return {
    one(name) {
      const [first, ...others] = all(name);
      return others.length === 0 ? first : undefined;
    },
    all,
    isRepeated: (name) => all(name).length > 1,
    names: () => values.keys(),
  };
}
