import type { Finding, FixFinding, LeanFinding } from "../../spec/finding.ts";
import { isRecord } from "../record.ts";
import { SampleTexts } from "./sample-texts.ts";

type AnyFinding = Finding | LeanFinding | FixFinding;

/** Replaces sample texts by what the container says in their place. */
export class Shown {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #samples: SampleTexts;
  readonly #write: (shown: string) => unknown;

  /** @param write How a string with unknown parts is written in the container. */
  constructor(texts: ReadonlyMap<string, string>, write: (shown: string) => unknown) {
    this.#texts = texts;
    this.#write = write;
    this.#samples = new SampleTexts(texts.keys());
  }

  /** @returns the finding in the words of the container. */
  finding<Shape extends AnyFinding>(finding: Shape): Shape {
    if (this.#texts.size === 0) return finding;
    const entries = Object.entries(finding).map(([name, value]) => {
      if (typeof value !== "string" || kept.has(name)) return [name, value];
      return [name, name === "example" ? this.#example(value) : this.#text(value)];
    });
    return Object.fromEntries(entries) as Shape;
  }

  #text(text: string): string {
    return this.#samples.replaced(text, (sample) => this.#texts.get(sample) ?? sample);
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
