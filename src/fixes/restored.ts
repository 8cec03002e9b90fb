import { isRecord } from "../record.ts";
import { type ComposedEdit, composedOf, editComposed } from "./composed-text.ts";
import type { Samples } from "./written.ts";

/** Puts what the container has in place of the samples of a policy. */
export class Restorer {
  readonly #samples: Samples;
  readonly #isShown: (text: string) => boolean;

  /** @param isShown Whether a text has a sample that stands in other places too. */
  constructor(samples: Samples, isShown: (text: string) => boolean) {
    this.#samples = samples;
    this.#isShown = isShown;
  }

  /**
   * @param statement Index of the statement that the value is for; undefined: it is outside of statements.
   * @returns null if a sample is left.
   */
  restored(value: unknown, statement: string | undefined): { restored: unknown } | null {
    const { raw } = this.#samples;
    let isClean = true;
    const restore = (one: unknown): unknown => {
      if (typeof one === "string") {
        if (raw.has(one)) return raw.get(one);
        if (!this.#isSample(one, statement)) return one;
        const composed = this.#composed(one, statement);
        if (composed) return composed.whole;
        isClean = false;
        return one;
      }
      if (Array.isArray(one)) return one.map(restore);
      if (!isRecord(one)) return one;
      return Object.fromEntries(
        Object.entries(one).map(([name, member]) => {
          if (this.#isSample(name, statement)) isClean = false;
          return [name, restore(member)];
        }),
      );
    };
    const restored = restore(value);
    return isClean ? { restored } : null;
  }

  /** The edit of a function that gives another text; null if there is none, or it would write a sample. */
  edited(
    old: { readonly raw: unknown; readonly rendered: unknown },
    value: unknown,
    statement: string | undefined,
  ): ComposedEdit | null {
    if (typeof old.rendered !== "string" || typeof value !== "string") return null;
    const composed = composedOf(old.raw);
    const isSample = (text: string) => this.#isSample(text, statement);
    return composed && editComposed(composed, old.rendered, value, isSample);
  }

  /** A new text that has the values of a function: the function with other text. */
  #composed(text: string, statement: string | undefined): ComposedEdit | null {
    let best: ComposedEdit | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const [rendered, raw] of this.#samples.raw) {
      const length = Math.abs(rendered.length - text.length);
      const edit = length < least ? this.edited({ raw, rendered }, text, statement) : null;
      if (!edit) continue;
      [best, least] = [edit, length];
    }
    return best;
  }

  #isSample(text: string, statement: string | undefined): boolean {
    if (this.#isShown(text)) return true;
    return this.#samples.heads.some(
      (one) =>
        (statement === "-" || one.statement === undefined || one.statement === statement) &&
        text.startsWith(one.head),
    );
  }
}
