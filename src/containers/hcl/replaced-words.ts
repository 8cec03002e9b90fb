import type { Node } from "web-tree-sitter";
import { isRecord } from "../../record.ts";
import type { Filled } from "../document-at.ts";
import { fill, type Placeholder } from "../placeholders.ts";
import type { Unknowns } from "../unknowns.ts";
import { textOf, unwrapped, withoutComments } from "./blocks.ts";

/** Calls of `replace` in one text, and words in them; more are left out. */
const maxCalls = 200;
const maxWords = 20;
/** Characters of a word; longer ones are left out. */
const longestWord = 200;

/** `_BUCKET_ARN_`, `<bucket>`, `{{bucket}}`, `%bucket%`, `@bucket@`, `BUCKET_ARN`: no other text of a policy. */
const placeholder =
  /^(?:_+[A-Za-z0-9]+(?:_+[A-Za-z0-9]+)*_+|<[\w-]+>|\{\{\s*[\w-]+\s*\}\}|%[\w-]+%|@[\w-]+@|#[\w-]+#|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z][A-Z0-9]{4,})$/;

/** What `format` fills in: `%s`, `%[1]s`. https://developer.hashicorp.com/terraform/language/functions/format */
const verbs = ["s", "d", "v"].flatMap((verb) => [
  `%${verb}`,
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => `%[${index}]${verb}`),
]);

/**
 * The words that a module replaces in texts: `replace(var.policy, "_BUCKET_ARN_", …)`, and the verbs of `format`
 * where it gets its text from elsewhere: `format(data.aws_iam_policy_document.topic.json, …)`. A policy of the
 * module may have them in place of values. Text such as `"-"` or `"https://"` is part of other values, too, so only
 * what people write as a placeholder counts.
 */
export function replacedWords(root: Node, text: string): ReadonlySet<string> {
  const words = new Set<string>();
  let calls = 0;
  // A short text in quotes is filled in where its call is evaluated.
  for (const { 0: called, index } of text.matchAll(
    /\b(?:replace\s*\(|format(?:list)?\s*\(\s*(?!["\s]))/g,
  )) {
    if (++calls > maxCalls) break;
    const call = root.descendantForIndex(index)?.parent;
    const list = call?.namedChildren.find(({ type }) => type === "function_arguments");
    if (call?.type !== "function_call" || call.startIndex !== index || !list) continue;
    const [pattern, word] = withoutComments(list);
    if (called.startsWith("format")) {
      if (pattern) for (const verb of verbs) words.add(verb);
      continue;
    }
    const written = word ? textOf(unwrapped(word), text) : "";
    const [, literal = ""] = /^"([^"\\$]*)"$/.exec(written) ?? [];
    if (literal.length > longestWord || words.size >= maxWords + verbs.length) continue;
    if (placeholder.test(literal)) words.add(literal);
  }
  return words;
}

/**
 * What people write in the input of a module for a value that only the module knows, as `_S3_BUCKET_ARN_`:
 * https://registry.terraform.io/modules/terraform-aws-modules/s3-bucket/aws
 */
const inputWord = /(?<![A-Za-z0-9])_[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?![A-Za-z0-9])/g;

/** Puts tokens of unknown values in the place of placeholder words. */
export class PlaceholderWords {
  readonly #unknowns: Unknowns;
  readonly #own: RegExp | null;

  /** @param words Those that the module itself replaces. */
  constructor(words: ReadonlySet<string>, unknowns: Unknowns) {
    this.#unknowns = unknowns;
    const longestFirst = [...words].sort((a, b) => b.length - a.length);
    const patterns = longestFirst.map((word) => word.replaceAll(/[{}[\]]/g, "\\$&"));
    this.#own = words.size > 0 ? new RegExp(patterns.join("|"), "g") : null;
  }

  /** @param isInput Whether another module gets the text, and may replace words that this one does not. */
  fillText(filled: Filled, isInput: boolean): Filled {
    const own = this.#own ? found(filled.text, this.#own) : [];
    const others = isInput ? found(filled.text, inputWord) : [];
    const all = [...own, ...others].sort((a, b) => a.start - b.start || b.end - a.end);
    let end = 0;
    const apart = all.filter((one) => {
      const isApart = one.start >= end;
      if (isApart) end = one.end;
      return isApart;
    });
    return fill(filled, apart, this.#unknowns);
  }

  /** As {@link fillText}, in each text of a value. */
  fillValue(value: unknown, isInput: boolean): unknown {
    if (!this.#own && !isInput) return value;
    if (typeof value === "string")
      return this.fillText({ text: value, offsets: null }, isInput).text;
    if (Array.isArray(value)) return value.map((item) => this.fillValue(item, isInput));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.fillValue(member, isInput)]),
    );
  }
}

function found(text: string, pattern: RegExp): Placeholder[] {
  return Array.from(text.matchAll(pattern), ({ 0: source, index }) => ({
    source,
    start: index,
    end: index + source.length,
    isWord: true,
  }));
}
