import { writeSync } from "node:fs";

/** Between attempts to write to a pipe that is full. */
const waitMs = 10;
const mostWaits = 100;

const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes lines before the call returns: what is written survives whatever the process does next. Nothing is kept for
 * later, so a descriptor that takes nothing costs no memory; what could not be written is lost. A full pipe that does
 * not block is waited for, once: until it takes a line again, those that find it full are lost at once.
 * @returns a function that takes a line with its line break. It throws the system's error.
 */
export function lineWriter(fd: number): (line: string) => void {
  let isCut = false;
  let isStuck = false;
  return (line) => {
    // After a line that broke off, the next one must not become its end.
    let rest: Uint8Array = Buffer.from(isCut ? `\n${line}` : line);
    const whole = rest.length;
    for (let waits = 0; rest.length > 0; ) {
      try {
        rest = rest.subarray(writeSync(fd, rest));
      } catch (error) {
        if (isBusy(error) && !isStuck && waits++ < mostWaits) {
          Atomics.wait(nobodyWakes, 0, 0, waitMs);
          continue;
        }
        isCut ||= rest.length < whole;
        isStuck = isBusy(error);
        throw error;
      }
    }
    isCut = false;
    isStuck = false;
  };
}

/** A pipe that does not block and is full. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}
