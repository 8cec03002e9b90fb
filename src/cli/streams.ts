import { decodeText } from "../local/decode-text.ts";

/** The streams of a command. */
export interface CommandStreams {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
}

/** The command line is invalid; the message says what to fix. Exit status 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** Whether to use colours on a stream: on a terminal, unless `NO_COLOR` or `FORCE_COLOR` is set. */
export function wantsColor(
  stream: CommandStreams["stdout"],
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (environment.NO_COLOR) return false;
  const { FORCE_COLOR: forced } = environment;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return stream.isTTY === true && environment.TERM !== "dumb";
}

/**
 * Reads all of standard input.
 * @throws {UsageError} when it has more than `limit` bytes or is not UTF-8.
 */
export async function readAll(stdin: CommandStreams["stdin"], limit: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stdin) {
    const buffer = Buffer.from(part);
    bytes += buffer.length;
    if (bytes > limit) {
      throw new UsageError(`standard input has more than ${limit} bytes (max_policy_bytes)`);
    }
    parts.push(buffer);
  }
  try {
    return decodeText(Buffer.concat(parts));
  } catch {
    throw new UsageError("standard input is not UTF-8 text");
  }
}
