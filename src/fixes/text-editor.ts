import type { PatchOperation } from "../../spec/finding.ts";
import { withoutWhiteSpace } from "../json/compact.ts";
import { firstWrongQuote, repairedJson } from "../json/repair.ts";
import { isBracketed } from "../json/text.ts";
import { IndependentEdits } from "./independent-edits.ts";
import { type Layout, layoutOf } from "./layout.ts";
import type { EditOperation, ParsedText, SharedSplice } from "./parsed-text.ts";

const byteOrderMark = "\uFEFF";

type ParseText = (text: string) => ParsedText;

/** A text after patches. */
export interface EditedText {
  readonly text: string;
  /** Indexes of the patches that have no place in the text, which are left out whole. */
  readonly failed: ReadonlySet<number>;
}

/**
 * Edits one text: comments, order of members, indentation, quotes, line ends, byte order mark and final
 * newline stay. Reading a text takes much longer than editing it, so the text is read once for all the
 * edits that do not touch each other.
 */
export class TextEditor {
  readonly #mark: string;
  readonly #body: string;
  readonly #layout: Layout;
  readonly #parse: ParseText;
  /** What an edited text needs in order to be read. */
  readonly #finish: (text: string) => string;
  #parsed: ParsedText | undefined;

  private constructor(
    text: string,
    parse: ParseText,
    finish: (text: string) => string = (edited) => edited,
  ) {
    this.#mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
    this.#body = text.slice(this.#mark.length);
    this.#layout = layoutOf(this.#body);
    this.#parse = parse;
    this.#finish = finish;
  }

  /** @param isJson False: the text is YAML. */
  static async of(text: string, isJson: boolean): Promise<TextEditor> {
    // Loaded with the first text that is edited, because both slow the cold start of a function.
    if (isJson) return new TextEditor(text, (await import("./json-edit.ts")).parseJsonText);
    return new TextEditor(text, (await import("./yaml-edit.ts")).parseYamlText, withJsonQuotes);
  }

  /**
   * Applies patches, each of them whole or not at all.
   * @param patches Each is about the document as it is after those before it.
   * @param pause Called after each time that the text was read.
   */
  async edit(
    patches: readonly (readonly PatchOperation[])[],
    pause: () => Promise<void> = async () => {},
  ): Promise<EditedText> {
    const failed = new Set<number>();
    for (;;) {
      const { text, without } = await this.#editAll(patches, failed, pause);
      if (without === null) {
        const isCompacting = patches.some(
          (patch, index) => !failed.has(index) && isTestOnly(patch),
        );
        const finished = isCompacting ? withoutWhiteSpace(text) : this.#finish(text);
        return { text: this.#mark + finished, failed };
      }
      failed.add(without);
    }
  }

  /** @returns the edited text, or the index of a patch that has no place in it. */
  async #editAll(
    patches: readonly (readonly PatchOperation[])[],
    failed: ReadonlySet<number>,
    pause: () => Promise<void>,
  ): Promise<{ readonly text: string; readonly without: number | null }> {
    let text = this.#body;
    let waiting = patches.flatMap((patch, index) =>
      failed.has(index)
        ? []
        : patch.flatMap((operation) => (operation.op === "test" ? [] : [{ operation, index }])),
    );
    while (waiting.length > 0) {
      const parsed = text === this.#body ? this.#own() : this.#parse(text);
      const edits = new IndependentEdits();
      const later: typeof waiting = [];
      const done = new Set<EditOperation>();
      for (const one of waiting) {
        const { operation, index } = one;
        if (done.has(operation)) continue;
        if (!edits.mayAdd(operation)) {
          edits.leave(operation);
          later.push(one);
          continue;
        }
        const patch = () => waiting.flatMap((each) => (each.index === index ? each.operation : []));
        const edit = this.#editOf(operation, patch, parsed);
        if (!edit) return { text, without: index };
        if (!edits.add(operation, edit.splice)) later.push(one);
        else for (const each of edit.operations) done.add(each);
      }
      text = edits.applyTo(text);
      waiting = later;
      await pause();
    }
    return { text, without: null };
  }

  /**
   * @param patch The operations of the same patch that wait.
   * @returns the edit, and the other operations that it carries out too.
   */
  #editOf(
    operation: EditOperation,
    patch: () => readonly EditOperation[],
    parsed: ParsedText,
  ): SharedSplice | null {
    const splice = parsed.spliceOf(operation, this.#layout);
    if (splice) return { splice, operations: [] };
    return parsed.sharedSpliceOf?.(operation, patch(), this.#layout) ?? null;
  }

  #own(): ParsedText {
    this.#parsed ??= this.#parse(this.#body);
    return this.#parsed;
  }
}

/**
 * A text in brackets without plain texts is read as JSON, where single quotes are a fault. An edit may remove the last
 * plain text of YAML, so the quotes become those of JSON.
 */
function withJsonQuotes(text: string): string {
  if (!isBracketed(text) || firstWrongQuote(text) === null) return text;
  return repairedJson(text) ?? text;
}

/** A patch that changes no value is about the white space: see `compacts` of a proposal. */
function isTestOnly(patch: readonly PatchOperation[]): boolean {
  return patch.length > 0 && patch.every(({ op }) => op === "test");
}
