import { fstatSync, ftruncateSync, readSync } from "node:fs";
import { canaryLines } from "../test/support/canary-traffic.ts";
import { holds } from "./broken.ts";

/** Past this many bytes an output is emptied. */
const keptBytes = 16 * 1024 * 1024;

/** What a file has got since it was last read. */
class Tail {
  readonly #file: number;
  #from = 0;

  constructor(file: number) {
    this.#file = file;
    this.#from = fstatSync(file).size;
  }

  take(): string {
    const { size } = fstatSync(this.#file);
    if (size <= this.#from) return "";
    const bytes = Buffer.alloc(size - this.#from);
    readSync(this.#file, bytes, 0, bytes.length, this.#from);
    this.#from = size;
    if (size > keptBytes) {
      ftruncateSync(this.#file);
      this.#from = 0;
    }
    return bytes.toString("utf8");
  }
}

/**
 * The real standard output and standard error of this process, read back. The supervisor has made
 * them files, because worker threads and audit sinks write there past everything in between.
 */
export class Outputs {
  readonly #output: Tail;
  readonly #errors: Tail;

  /** @param files Open for reading and appending. */
  constructor(files: { readonly output: number; readonly errors: number }) {
    this.#output = new Tail(files.output);
    this.#errors = new Tail(files.errors);
  }

  /** @returns new lines of standard output. */
  takeOutput(): string[] {
    return linesOf(this.#output.take());
  }

  /** Standard error may hold lines of the log and nothing else, and none may show what was sent. */
  verifyErrors(): void {
    const text = this.#errors.take();
    if (text === "") return;
    verifyLog(linesOf(text));
  }
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** @throws {Broken} When a line is none of the log's, shows what was sent, or tells of a defect. */
export function verifyLog(lines: readonly string[]): void {
  if (lines.length === 0) return;
  const text = lines.join("\n");
  const [shown] = canaryLines(lines.map(withoutCaller).join("\n"));
  holds(shown === undefined, "the log shows what was sent", () => shown ?? "");
  for (const line of lines) {
    holds(
      line.startsWith("{") && isJson(line),
      "standard error holds what is not a log line",
      () => text,
    );
    holds(!line.includes("Internal error"), "internal error", () => line);
    holds(!line.includes("a check failed on a policy"), "a check threw", () => line);
  }
}

/** One line names the caller and its scopes, which the provider vouches for: that of a caller without tools (D53). */
function withoutCaller(line: string): string {
  if (!line.includes('"msg":"A caller without a scope for any tool has connected."')) return line;
  const { subject: _, scopes: __, ...rest } = JSON.parse(line);
  return JSON.stringify(rest);
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
