import { Writable } from "node:stream";

/**
 * Takes standard output for the protocol. From then on whatever else is written there, by `console` or
 * by a library, goes to standard error: a single stray line would end the client's session.
 * @returns the only way to the real standard output.
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
  // The client has gone; the write above says so too.
  stdout.on("error", () => undefined);
  return wire;
}
