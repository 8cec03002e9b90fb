/**
 * A validating scan of a JSON-RPC message that builds no value: what the server must know of a body to decide
 * where it is parsed, if at all. By hand, because no tokenizer on npm both checks the whole grammar of
 * RFC 8259 and leaves the values alone: `jsonc-parser` repairs errors, the streaming parsers build each token as a
 * string and are an order of magnitude slower. `scan-message.test.ts` compares it with `JSON.parse`.
 */

import {
  ByteScanner,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
  Stop,
} from "./byte-scanner.ts";

/** Bytes of a value in the text, from its first to one past its last. */
interface Span {
  readonly start: number;
  readonly end: number;
}

export interface ScannedMessage {
  /** `array`: a batch. `partial`: the text ends before the value does. */
  readonly kind: "object" | "array" | "other" | "invalid" | "partial";
  /** Values in the text, each member and item once. */
  readonly values: number;
  /** Levels of arrays and objects inside the outermost one, without those of the arguments. */
  readonly depth: number;
  /** The same with the arguments. */
  readonly wholeDepth: number;
  /** Bytes of the longest string. */
  readonly longestString: number;
  /** Entries of `params.arguments.policies`, when that is an array. */
  readonly policyCount: number;
  /** Whether the message or its params have members beside those of a call. */
  readonly hasOthers: boolean;
  /** Whether `params.arguments` is an object. */
  readonly hasArguments: boolean;
  /** JSON of members, each the last of its name. */
  readonly members: Readonly<Partial<Record<Member, string>>>;
}

/** Members whose JSON is kept. */
type Member = "jsonrpc" | "id" | "method" | "name" | "_meta" | "format";

/** A member with a longer value is not kept: no valid message needs one. */
const longestMember = 65_536;

const wanted: readonly (readonly [path: readonly string[], member: Member])[] = [
  [["jsonrpc"], "jsonrpc"],
  [["id"], "id"],
  [["method"], "method"],
  [["params", "name"], "name"],
  [["params", "_meta"], "_meta"],
  [["params", "arguments", "format"], "format"],
];
const deepestPath = 3;

const decoder = new TextDecoder();
/** `TextDecoder` leaves it out. */
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** @param bytes UTF-8; whether it is well-formed is not checked. */
export function scanMessage(bytes: Uint8Array): ScannedMessage {
  return new Scan(bytes).message();
}

class Scan extends ByteScanner {
  #depth = 0;
  #wholeDepth = 0;
  #policyCount = 0;
  #hasOthers = false;
  #hasArguments = false;
  readonly #members: Partial<Record<Member, string>> = {};

  message(): ScannedMessage {
    let kind: ScannedMessage["kind"];
    try {
      if (byteOrderMark.every((byte, index) => this.bytes[index] === byte)) this.at = 3;
      this.space();
      const first = this.bytes[this.at];
      this.#document();
      this.space();
      if (this.at < this.bytes.length) throw new Stop("invalid");
      kind = first === openBrace ? "object" : first === openBracket ? "array" : "other";
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      kind = error.kind;
    }
    return {
      kind,
      values: this.values,
      depth: this.#depth,
      wholeDepth: this.#wholeDepth,
      longestString: this.longestString,
      policyCount: this.#policyCount,
      hasOthers: this.#hasOthers,
      hasArguments: this.#hasArguments,
      members: this.#members,
    };
  }

  /** Without recursion: a body may nest as deep as it is long. */
  #document(): void {
    /** One byte per open container: what closes it. */
    let open = new Uint8Array(64);
    let level = 0;
    /** Names of the members that lead to the value, down to `deepestPath`. */
    const path: string[] = [];
    /** Where wanted values start, by level. */
    const starts = new Map<number, { readonly member: Member; readonly start: number }>();
    let argumentsLevel = Number.POSITIVE_INFINITY;
    let policiesLevel = Number.POSITIVE_INFINITY;

    for (;;) {
      // At the start of a value.
      this.space();
      const byte = this.byte();
      const at = this.at;
      const isDeep = level > deepestPath;
      if (level <= deepestPath && level > 0 && open[level - 1] === closeBrace) {
        const member = memberAt(path, level);
        if (member) {
          delete this.#members[member];
          starts.set(level, { member, start: at });
        }
        if (level === 1 && path[0] === "params") {
          // The last of several counts, with all that is in it.
          for (const inside of ["name", "_meta", "format"] as const) delete this.#members[inside];
          this.#policyCount = 0;
          this.#hasArguments = false;
          this.#hasOthers ||= byte !== openBrace;
        } else if (level <= 2 && !known(path, level)) {
          this.#hasOthers = true;
        }
        if (level === 2 && path[0] === "params" && path[1] === "arguments") {
          delete this.#members.format;
          this.#hasArguments = byte === openBrace;
          this.#policyCount = 0;
          argumentsLevel = level;
        }
        if (level === 3 && argumentsLevel === 2 && path[2] === "policies") {
          this.#policyCount = 0;
          if (byte === openBracket) policiesLevel = level + 1;
        }
      }
      let closed = true;
      if (isDeep) {
        const inside = level + this.skipValue() - 1;
        if (inside > this.#wholeDepth) this.#wholeDepth = inside;
        if (argumentsLevel > level && inside > this.#depth) this.#depth = inside;
      } else if (byte === openBrace || byte === openBracket) {
        if (level === open.length) {
          const larger = new Uint8Array(level * 2);
          larger.set(open);
          open = larger;
        }
        open[level] = byte === openBrace ? closeBrace : closeBracket;
        // The outermost is not a level inside itself.
        if (level > this.#wholeDepth) this.#wholeDepth = level;
        if (level < argumentsLevel && level > this.#depth) this.#depth = level;
        level++;
        this.at++;
        this.space();
        if (this.byte() === open[level - 1]) {
          this.at++;
          level--;
        } else {
          closed = false;
          if (level === policiesLevel) this.#policyCount = 1;
        }
      } else if (byte === quote) {
        this.at = this.stringEnd(at);
      } else {
        this.scalar(byte);
      }
      if (!closed) {
        this.values++;
        if (open[level - 1] === closeBrace) this.#name(path, level);
        continue;
      }
      // At the end of a value: of those around it, too, as many as end here.
      for (;;) {
        const started = starts.get(level);
        if (started) {
          starts.delete(level);
          this.#keep(started.member, { start: started.start, end: this.at });
        }
        if (level === argumentsLevel) argumentsLevel = Number.POSITIVE_INFINITY;
        if (level + 1 === policiesLevel) policiesLevel = Number.POSITIVE_INFINITY;
        if (level === 0) return;
        this.space();
        const next = this.byte();
        if (next === comma) break;
        if (next !== open[level - 1]) throw new Stop("invalid");
        this.at++;
        level--;
      }
      this.at++;
      this.values++;
      if (level === policiesLevel) this.#policyCount++;
      if (open[level - 1] === closeBrace) {
        this.space();
        this.#name(path, level);
      }
    }

    function known(names: readonly string[], depth: number): boolean {
      const [first = "", second = ""] = names;
      return depth === 1
        ? ["jsonrpc", "id", "method"].includes(first)
        : first === "params" && ["name", "_meta", "arguments"].includes(second);
    }

    function memberAt(names: readonly string[], depth: number): Member | undefined {
      return wanted.find(
        ([steps]) => steps.length === depth && steps.every((step, index) => step === names[index]),
      )?.[1];
    }
  }

  /** The name of a member, and the colon after it. */
  #name(path: string[], level: number): void {
    if (this.byte() !== quote) throw new Stop("invalid");
    const start = this.at;
    this.at = this.stringEnd(start);
    if (level <= deepestPath) {
      const text = this.at - start <= 64 ? decoder.decode(this.bytes.subarray(start, this.at)) : "";
      path.length = Math.min(path.length, level - 1);
      path[level - 1] = text === "" ? "" : (JSON.parse(text) as string);
    }
    this.space();
    if (this.byte() !== colon) throw new Stop("invalid");
    this.at++;
  }

  #keep(member: Member, { start, end }: Span): void {
    if (end - start <= longestMember) {
      this.#members[member] = decoder.decode(this.bytes.subarray(start, end));
    }
  }
}
