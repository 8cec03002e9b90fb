import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { lineWriter } from "./line-writer.ts";

let folder: string;
let pipe: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pipe-"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  pipe = openSync(join(folder, "pipe"), constants.O_RDWR | constants.O_NONBLOCK);
});
afterEach(() => {
  vi.restoreAllMocks();
  closeSync(pipe);
  rmSync(folder, { recursive: true });
});

/** Room for all that a pipe holds. */
const empty = () => {
  const held = Buffer.alloc(1_048_576);
  return held.toString("utf8", 0, readSync(pipe, held));
};

test("a full pipe that does not block is waited for once, and again when it took a line", () => {
  const wait = vi.spyOn(Atomics, "wait").mockReturnValue("timed-out");
  const write = lineWriter(pipe);
  expect(() => write("x".repeat(200_000))).toThrow("EAGAIN");
  const waits = wait.mock.calls.length;
  expect(waits).toBe(100);
  for (const line of ["second\n", "third\n"]) expect(() => write(line)).toThrow("EAGAIN");
  expect(wait).toHaveBeenCalledTimes(waits);

  empty();
  write("fourth\n");
  // The line that was cut short keeps to itself.
  expect(empty()).toBe("\nfourth\n");
  expect(() => write("x".repeat(200_000))).toThrow("EAGAIN");
  expect(wait).toHaveBeenCalledTimes(2 * waits);
});

test("what is read meanwhile lets the rest of a line through", () => {
  let read = "";
  vi.spyOn(Atomics, "wait").mockImplementation(() => {
    read += empty();
    return "timed-out";
  });
  const line = `${"x".repeat(200_000)}\n`;
  lineWriter(pipe)(line);
  expect(read + empty()).toBe(line);
});
