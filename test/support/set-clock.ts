/**
 * To be loaded before a server (`NODE_OPTIONS=--import`): on SIGUSR2 the clock is set by as many milliseconds as the file
 * that CLOCK_FILE names says. Only what asks for the date sees it, as with a real clock: timers go on as they were.
 */
import { readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const RealDate = Date;
let byMs = 0;

class SetDate extends RealDate {
  constructor(...given: [] | [number | string]) {
    if (given.length === 0) super(RealDate.now() + byMs);
    else super(...given);
  }
  static override now(): number {
    return RealDate.now() + byMs;
  }
}
globalThis.Date = SetDate as DateConstructor;

if (isMainThread) {
  process.on("SIGUSR2", () => {
    byMs = Number(readFileSync(process.env.CLOCK_FILE ?? "", "utf8"));
  });
}
