import { closeSync, openSync, readSync, writeSync } from "node:fs";

/**
 * The case that is running, kept where it outlives the process that runs it: a process that hangs or
 * dies can no longer say what it was at. Layout: number of the case (64 bits), length (32), JSON.
 */
const headerBytes = 12;

export interface RunningCase {
  readonly number: number;
  /** JSON of the case. */
  readonly text: string;
}

export class CaseWriter {
  readonly #file: number;
  #buffer = Buffer.alloc(64 * 1024);

  constructor(path: string) {
    this.#file = openSync(path, "w");
  }

  write(number: number, text: string): void {
    const room = headerBytes + text.length * 3;
    if (this.#buffer.length < room) this.#buffer = Buffer.alloc(room * 2);
    const length = this.#buffer.write(text, headerBytes);
    this.#buffer.writeDoubleLE(number, 0);
    this.#buffer.writeUInt32LE(length, 8);
    writeSync(this.#file, this.#buffer, 0, headerBytes + length, 0);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** @returns number of the case; -1: none has begun. */
export function runningNumber(file: number): number {
  const header = Buffer.alloc(headerBytes);
  return readSync(file, header, 0, headerBytes, 0) < headerBytes ? -1 : header.readDoubleLE(0);
}

/** @returns the case that ran last; undefined: none has begun. To be read while no one writes. */
export function lastCase(file: number): RunningCase | undefined {
  const header = Buffer.alloc(headerBytes);
  if (readSync(file, header, 0, headerBytes, 0) < headerBytes) return undefined;
  const text = Buffer.alloc(header.readUInt32LE(8));
  readSync(file, text, 0, text.length, headerBytes);
  return { number: header.readDoubleLE(0), text: text.toString("utf8") };
}
