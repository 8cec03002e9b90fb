/** What a command reads and writes. */
export interface CommandStreams {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
}

/** The command line asks for something that cannot be done; the message says what to mend. Exit status 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** Whether to colour what goes to a stream: on a terminal, unless the user says otherwise. */
export function wantsColor(
  stream: CommandStreams["stdout"],
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (environment.NO_COLOR) return false;
  const { FORCE_COLOR: forced } = environment;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return stream.isTTY === true && environment.TERM !== "dumb";
}
