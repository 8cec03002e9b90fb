/** What became of a request's body. `invalid`: not UTF-8, not JSON, or cut short. */
export type Body =
  | { readonly kind: "message"; readonly message: unknown; readonly bytes: number }
  | { readonly kind: "too_large" }
  | { readonly kind: "invalid" };

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads and parses a JSON body once.
 * @param limit Bytes; a longer body is not read to its end.
 */
export async function readJson(request: Request, limit: number): Promise<Body> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readBytes(request, limit);
  } catch {
    // The connection broke; whoever sent this sees no answer.
    return { kind: "invalid" };
  }
  if (!bytes) return { kind: "too_large" };
  try {
    return { kind: "message", message: JSON.parse(decoder.decode(bytes)), bytes: bytes.byteLength };
  } catch {
    return { kind: "invalid" };
  }
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array | undefined> {
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    // The HTTP parser never delivers more than was declared, and whole bodies read faster.
    if (!(Number(declared) <= limit)) return undefined;
    return new Uint8Array(await request.arrayBuffer());
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += part.byteLength;
    if (size > limit) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
