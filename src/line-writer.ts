import { writeSync } from "node:fs";

/** Delay between attempts to write to a full pipe. */
const waitMs = 10;
const mostWaits = 100;

const neverWoken = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes lines synchronously, so that a line is written before the answer that it records is sent. Nothing is
 * buffered, so an unreadable descriptor costs no memory; lines that cannot be written are lost. If a non-blocking
 * pipe is full, the writer waits for it once. Further lines are dropped immediately until a write succeeds.
 * @returns A function that takes a line with its line break. It throws the system's error.
 */
export function lineWriter(fd: number): (line: string) => void {
  let isCut = false;
  let isStuck = false;
  return (line) => {
    // After a partly written line, start a new line.
    let rest: Uint8Array = Buffer.from(isCut ? `\n${line}` : line);
    const whole = rest.length;
    for (let waits = 0; rest.length > 0; ) {
      try {
        rest = rest.subarray(writeSync(fd, rest));
      } catch (error) {
        if (isBusy(error) && !isStuck && waits++ < mostWaits) {
          Atomics.wait(neverWoken, 0, 0, waitMs);
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

/** Whether a non-blocking pipe is full. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}
