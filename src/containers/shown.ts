import type { Finding, FixFinding, LeanFinding } from "../../spec/finding.ts";
import { isRecord } from "../record.ts";

/** V8 takes at most 65,535 characters in a row in an expression. */
const longestInPattern = 10_000;

type AnyFinding = Finding | LeanFinding | FixFinding;

/** Replaces sample texts by what the container says in their place. */
export class Shown {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #long: readonly string[];
  readonly #pattern: RegExp | null;
  readonly #write: (shown: string) => unknown;

  /** @param write How a string with unknown parts is written in the container. */
  constructor(texts: ReadonlyMap<string, string>, write: (shown: string) => unknown) {
    this.#texts = texts;
    this.#write = write;
    const longestFirst = [...texts.keys()].filter((text) => text.length >= 8);
    longestFirst.sort((a, b) => b.length - a.length);
    this.#long = longestFirst.filter((text) => text.length > longestInPattern);
    const others = longestFirst.slice(this.#long.length);
    this.#pattern = others.length > 0 ? new RegExp(others.map(escaped).join("|"), "g") : null;
  }

  /** @returns the finding in the words of the container. */
  finding<Shape extends AnyFinding>(finding: Shape): Shape {
    if (!this.#pattern && this.#long.length === 0) return finding;
    const entries = Object.entries(finding).map(([name, value]) => {
      if (typeof value !== "string" || kept.has(name)) return [name, value];
      return [name, name === "example" ? this.#example(value) : this.#text(value)];
    });
    return Object.fromEntries(entries) as Shape;
  }

  #text(text: string): string {
    const shownOf = (sample: string) => this.#texts.get(sample) ?? sample;
    const short = this.#long.reduce((left, long) => left.replaceAll(long, shownOf), text);
    return this.#pattern ? short.replace(this.#pattern, shownOf) : short;
  }

  #example(text: string): string {
    try {
      return JSON.stringify(this.#value(JSON.parse(text)), null, 2);
    } catch {
      // An example from the configuration may be any text.
      return this.#text(text);
    }
  }

  #value(value: unknown): unknown {
    if (typeof value === "string") {
      const shown = this.#text(value);
      return shown === value ? value : this.#write(shown);
    }
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.#text(name), this.#value(member)]),
    );
  }
}

/** Members whose texts are not about values of the policy. */
const kept: ReadonlySet<string> = new Set([
  "severity",
  "check_id",
  "issue_type",
  "fingerprint",
  "documentation_url",
]);

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
