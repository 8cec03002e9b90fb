import { memo } from "../../memo.ts";
import { valueDigest } from "../digest.ts";
import { type Block, textOf, unwrapped } from "./blocks.ts";

/** Names that begin a reference and mean the same everywhere in a module. */
const wholeModule: ReadonlySet<string> = new Set(["var", "local", "module", "data", "path"]);
const ofBlock: ReadonlySet<string> = new Set(["each", "count", "self"]);

/** Data sources that say where a configuration is applied. */
const ambient = /^aws_(?:caller_identity|partition|region)$/;

/**
 * What decides the values of names in one version of a module: the defaults of variables, locals, loops and the
 * arguments of data sources. A name of two versions has the same value if these are the same.
 */
export class Meanings {
  readonly #text: string;
  readonly #defaults = new Map<string, string>();
  readonly #data = new Map<string, Block>();
  readonly #locals: Block[] = [];
  #localsDigest: string | null = null;
  /** A block may refer to its loop, or to itself, thousands of times. */
  readonly #loopOf = memo(({ attributes }: Block) => {
    const loop = attributes.get("for_each") ?? attributes.get("count");
    return loop ? valueDigest(textOf(unwrapped(loop.expression), this.#text)) : "";
  });
  readonly #sourceOf = memo(({ span }: Block) =>
    valueDigest(this.#text.slice(span.start, span.end)),
  );

  constructor(text: string, blocks: Iterable<Block>) {
    this.#text = text;
    for (const block of blocks) {
      const [first = "", second = ""] = block.labels;
      const given = block.attributes.get("default");
      if (block.type === "variable" && given) {
        this.#defaults.set(first, valueDigest(textOf(unwrapped(given.expression), text)));
      } else if (block.type === "locals") this.#locals.push(block);
      else if (block.type === "data") this.#data.set(`${first}.${second}`, block);
    }
  }

  /**
   * @param written The whole expression.
   * @param block That it is in; null: none.
   * @returns undefined where the expression says it all.
   */
  of(written: string, block: Block | null): string | undefined {
    const parts: string[] = [];
    for (const [, first = "", second = "", third = ""] of written.matchAll(reference)) {
      if (first === "var") parts.push(this.#defaults.get(second) ?? "");
      else if (first === "local") parts.push(this.#allLocals());
      else if (first === "data") parts.push(this.#dataSource(second, third));
      else if (ofBlock.has(first)) parts.push(this.#loop(block));
      else if (!wholeModule.has(first) && !first.includes("_")) parts.push(this.#source(block));
    }
    const isAll = written.length <= mostShown && parts.every((part) => part === "");
    return isAll ? undefined : valueDigest([written, ...new Set(parts)]);
  }

  #allLocals(): string {
    this.#localsDigest ??= valueDigest(this.#locals.map((block) => this.#source(block)));
    return this.#localsDigest;
  }

  #dataSource(type: string, name: string): string {
    return ambient.test(type) ? "" : this.#source(this.#data.get(`${type}.${name}`) ?? null);
  }

  #loop(block: Block | null): string {
    return block ? this.#loopOf(block) : "";
  }

  #source(block: Block | null): string {
    return block ? this.#sourceOf(block) : "";
  }
}

/** Longer expressions are cut in messages. */
const mostShown = 117;

/** The first names of a reference. A name behind a dot is none. */
const reference =
  /(?<![\p{ID_Continue}.-])([\p{ID_Start}_][\p{ID_Continue}-]*)(?=[.[])(?:\.([\p{ID_Continue}-]+))?(?:\.([\p{ID_Continue}-]+))?/gu;
