import { Writable } from "node:stream";

/**
 * Reserves standard output for the protocol. Other output to it, by `console` or by a library, is
 * redirected to standard error, because one such line would end the client's session.
 * @returns A stream to the real standard output.
 */
export function takeStandardOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const wire = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _encoding, done) {
      write(chunk, (error) => done(error));
    },
  });
  // The client has closed the pipe; the write above reports it too.
  stdout.on("error", () => undefined);
  return wire;
}
