import type { Node } from "web-tree-sitter";
import { type Attribute, type Block, textOf, unwrapped, withoutComments } from "./blocks.ts";

/** Locals in locals, and the entries of one `for_each`. */
const maxFollowed = 10;
const maxEntries = 100;

/** Steps to a part of a value: `.a["b"][0]`. */
export type Steps = readonly (string | number)[];

/** An expression, and the address of the local that has it. */
export interface Followed {
  readonly expression: Node;
  /** `local.policies.jobs`; null: it is not in a local. */
  readonly local: string | null;
}

type Parts = ReadonlyMap<string | number, Followed>;

/** @returns `.a["b"][0]` as steps; null for anything else. */
export function stepsOf(rest: string): Steps | null {
  const steps: (string | number)[] = [];
  let at = 0;
  for (const match of rest.matchAll(
    /\.([\p{ID_Start}_][\p{ID_Continue}-]*)|\["([^"\\$]*)"\]|\[([0-9]{1,6})\]/gu,
  )) {
    if (match.index !== at) return null;
    const [whole, name, key, index] = match;
    steps.push(name ?? key ?? Number(index));
    at += whole.length;
  }
  return at === rest.length ? steps : null;
}

const reference =
  /^(local\.[\p{ID_Continue}-]+|each\.value)((?:\.[\p{ID_Continue}-]+|\[[^\]]*\])*)$/u;

/** Finds the expressions that are the value of `local.policies["jobs"]` and, with `for_each`, for `each.value.policy`. */
export class Follower {
  readonly #text: string;
  readonly #locals: ReadonlyMap<string, Attribute>;
  /** By place and address: many resources may refer to one large object. */
  readonly #known = new Map<string, Parts>();

  constructor(text: string, locals: ReadonlyMap<string, Attribute>) {
    this.#text = text;
    this.#locals = locals;
  }

  /**
   * @param block Of the resource that the expression is in: its `for_each` gives the values.
   * @returns null if the expression is not such a reference, or a part of it is not written out.
   */
  follow(expression: Node, block: Block | null): readonly Followed[] | null {
    const at = { expression, local: null };
    const found = this.#reached(at, [], block, 0);
    return found?.some(({ local, expression: other }) => local !== null || other !== expression)
      ? found
      : null;
  }

  /** The parts at steps of an expression, through the references that it consists of. */
  #reached(
    { expression, local }: Followed,
    steps: Steps,
    block: Block | null,
    level: number,
  ): readonly Followed[] | null {
    if (level > maxFollowed) return null;
    const node = unwrapped(expression);
    const [, name, rest] = reference.exec(textOf(node, this.#text).trim()) ?? [];
    if (name === undefined || rest === undefined)
      return this.#part({ expression, local }, steps, block, level);
    const inner = stepsOf(rest);
    if (!inner) return null;
    const all = [...inner, ...steps];
    if (name !== "each.value") {
      const target = this.#locals.get(name.slice("local.".length));
      return target
        ? this.#reached({ expression: target.expression, local: name }, all, null, level + 1)
        : null;
    }
    const each = block?.attributes.get("for_each");
    const entries = each && this.#entries(each.expression, level);
    const parts = entries?.map((entry) => this.#reached(entry, all, null, level + 1));
    return parts?.every((part) => part !== null) ? parts.flat() : null;
  }

  #part(
    { expression, local }: Followed,
    [step, ...rest]: Steps,
    block: Block | null,
    level: number,
  ): readonly Followed[] | null {
    if (step === undefined) return [{ expression, local }];
    const part = this.#parts({ expression, local }).get(step);
    return part ? this.#reached(part, rest, block, level + 1) : null;
  }

  /** The values of a `for_each`; null if they are not written out. */
  #entries(expression: Node, level: number): readonly Followed[] | null {
    const [whole, ...others] =
      this.#reached({ expression, local: null }, [], null, level + 1) ?? [];
    if (!whole || others.length > 0) return null;
    const node = unwrapped(whole.expression);
    if (node.type !== "object") return null;
    const parts = this.#parts(whole);
    return parts.size > 0 && parts.size <= maxEntries ? [...parts.values()] : null;
  }

  /** The members of an object and the items of a list that are written out. */
  #parts({ expression, local }: Followed): Parts {
    const node = unwrapped(expression);
    const place = `${node.startIndex} ${local}`;
    const known = this.#known.get(place);
    if (known) return known;
    const parts = new Map<string | number, Followed>();
    this.#known.set(place, parts);
    if (node.type === "tuple") {
      const items = node.namedChildren.filter(({ type }) => type === "expression");
      for (const [index, item] of items.entries()) {
        parts.set(index, { expression: item, local: local && `${local}[${index}]` });
      }
    } else if (node.type === "object") {
      for (const element of withoutComments(node)) {
        const key = element.childForFieldName("key");
        const value = element.childForFieldName("val");
        if (!key || !value) continue;
        const step = textOf(key, this.#text).replaceAll('"', "");
        parts.set(step, { expression: value, local: local && `${local}.${step}` });
      }
    }
    return parts;
  }
}
