import type { Node } from "web-tree-sitter";
import type { Span } from "../../json/text-tree.ts";
import { escapeInvisible } from "../../policy/escape-invisible.ts";
import {
  type Located,
  type LocatedMember,
  locatedAt,
  locatedLeaf,
  locatedList,
  locatedObject,
} from "../located.ts";
import type { Unknowns } from "../unknowns.ts";
import { type Block, spanOfNode, textOf, unwrapped, withoutComments } from "./blocks.ts";
import type { ReadOutcomes } from "./forms.ts";
import { evaluateCall } from "./functions.ts";
import { evaluateFor, evaluateOperation, type Loop, locatedEntry, loopOf } from "./loops.ts";
import type { Meanings } from "./meanings.ts";
import type { Names } from "./names.ts";
import { conditionKey, Outcomes } from "./outcomes.ts";
import { ReferenceBudget } from "./reference-budget.ts";
import { partAt, Scope } from "./scope.ts";
import { readTemplate, type TemplateText } from "./template.ts";

/** Deeper expressions are unknown: people do not write them, and this recursion must end. */
const maxLevels = 60;
/** Locals in locals, likewise. */
const maxLocals = 10;
/** Expressions of a file that are evaluated in loops and for further outcomes. */
const maxRepeated = 200_000;

/**
 * Evaluates what a file says by itself: literals, templates, objects, lists, locals and a few pure
 * functions. Everything else becomes the token of an unknown value, whole or as a part of a text.
 */
export class Evaluator {
  readonly text: string;
  readonly unknowns: Unknowns;
  readonly #end: number;
  readonly #names: Names;
  readonly #meanings: Meanings | null;
  /** The block whose values are read; null: none. */
  #block: Block | null = null;
  readonly #openLocals = new Set<string>();
  readonly #outcomes = new Outcomes();
  readonly #scope = new Scope();
  /** For each reading of a value, the values of locals, each worked out once. */
  readonly #locals = new WeakMap<object, Map<string, Located>>();
  readonly #budget = new ReferenceBudget();
  /** How often a limit, or a local that names itself, has made a value unknown. */
  #cuts = 0;
  #level = 0;
  #repeated = 0;

  /**
   * @param about `end`: of the file; what follows in the text is in other files of its folder. `meanings`: absent for a
   *     text that has no blocks.
   */
  constructor(about: {
    text: string;
    end: number;
    unknowns: Unknowns;
    names: Names;
    meanings?: Meanings;
  }) {
    this.text = about.text;
    this.unknowns = about.unknowns;
    this.#end = about.end;
    this.#names = about.names;
    this.#meanings = about.meanings ?? null;
  }

  /** @returns Whether an expression is in another file of the folder. */
  isElsewhere({ startIndex }: Node): boolean {
    return startIndex >= this.#end;
  }

  /** @returns The value; unknown parts are tokens. */
  evaluate(node: Node): Located {
    if (this.#level >= maxLevels || this.#isExhausted()) {
      this.#cuts++;
      return this.unknown(node);
    }
    this.#level++;
    try {
      return this.#evaluate(node);
    } finally {
      this.#level--;
    }
  }

  #isExhausted(): boolean {
    const isRepeated = this.#scope.isLoop || this.#outcomes.isVaried;
    return isRepeated && ++this.#repeated > maxRepeated;
  }

  /**
   * Reads a value with each outcome of its conditional expressions, and with each entry of the `for_each` of a block.
   * @param block That it is in; null: none.
   */
  outcomes<Value>(block: Block | null, read: () => Value): ReadOutcomes<Value> {
    const each = block?.attributes.get("for_each");
    const readings = this.#outcomes.all(() => {
      this.#block = block;
      const loop = each ? this.loop(each.expression) : null;
      if (!block || !loop || loop.length === 0) return read();
      const phrases = loop.map(({ key }) => `\`each.key\` is \`${shownKey(key)}\``);
      const entry = loop[this.#outcomes.pick(`for_each ${block.span.start}`, phrases) ?? 0];
      return entry ? this.within([["each", locatedEntry(entry)]], read) : read();
    });
    let isCut = false;
    const isExhausted = () => this.#repeated > maxRepeated;
    function* untilExhausted() {
      let isFirst = true;
      for (const outcome of readings) {
        // One that ran out of evaluations has unknown values in place of known ones.
        isCut = !isFirst && isExhausted();
        if (isCut) return;
        isFirst = false;
        yield outcome;
      }
    }
    return { all: untilExhausted(), isCut: () => isCut };
  }

  /** @returns the entries of the collection that a loop goes through; null: they are not known. */
  loop(collection: Node): Loop | null {
    return loopOf(this.evaluate(collection), this.unknowns);
  }

  /** Evaluates with variables of a loop. */
  within<Value>(variables: Iterable<readonly [string, Located]>, evaluate: () => Value): Value {
    return this.#scope.within(variables, evaluate);
  }

  /** @returns the outcome of an expression that is read; null: it is not known which it has. */
  choose(
    node: Node,
    outcomes: readonly (() => Located)[],
    phrases: readonly string[],
  ): Located | null {
    const index = this.#outcomes.pick(textOf(node, this.text), phrases);
    return index === null ? null : (outcomes[index]?.() ?? null);
  }

  /** @returns The token of an expression that the file does not decide. */
  unknown(node: Node): Located {
    const written = textOf(node, this.text);
    const span = spanOfNode(node);
    const token = this.#names.token(sourceOf(written), span, this.#meaningOf(written));
    return locatedLeaf(token, span);
  }

  #meaningOf(written: string): string | undefined {
    return this.#meanings?.of(written, this.#block);
  }

  /** A text in quotes or a heredoc, with the offsets of its characters; null for other expressions. */
  template(node: Node): TemplateText | null {
    const inner = unwrapped(node);
    const isTemplate = ["string_lit", "quoted_template", "heredoc_template"].includes(inner.type);
    return isTemplate ? readTemplate(inner, this.text, (part) => this.#textOf(part)) : null;
  }

  #evaluate(node: Node): Located {
    const span = spanOfNode(node);
    switch (node.type) {
      case "expression":
        return this.#expression(node);
      case "literal_value":
      case "template_expr":
      case "collection_value":
        return this.#only(node);
      case "numeric_lit":
        return locatedLeaf(Number(textOf(node, this.text)), span);
      case "bool_lit":
        return locatedLeaf(textOf(node, this.text) === "true", span);
      case "null_lit":
        return locatedLeaf(null, span);
      case "string_lit":
      case "quoted_template":
      case "heredoc_template":
        return this.#text(node, span);
      case "tuple":
        return locatedList(
          node.namedChildren
            .filter(({ type }) => type === "expression")
            .map((item) => this.evaluate(item)),
          span,
        );
      case "object":
        return locatedObject(this.#members(node), span);
      case "function_call":
        return evaluateCall(node, this) ?? this.unknown(node);
      case "conditional":
        return this.#conditional(node);
      case "for_expr":
        return evaluateFor(node, this) ?? this.unknown(node);
      case "operation":
        return evaluateOperation(node, this) ?? this.unknown(node);
      default:
        return this.unknown(node);
    }
  }

  #conditional(node: Node): Located {
    const [condition, whenTrue, whenFalse] = withoutComments(node);
    if (!condition || !whenTrue || !whenFalse) return this.unknown(node);
    const { value } = this.evaluate(condition);
    if (typeof value === "boolean") return this.evaluate(value ? whenTrue : whenFalse);
    const { key, isOpposite } = conditionKey(textOf(condition, this.text));
    const shown = sourceOf(key);
    const index = this.#outcomes.pick(key, [`\`${shown}\` is true`, `\`${shown}\` is false`]);
    if (index === null) return this.unknown(node);
    return this.evaluate((index === 0) !== isOpposite ? whenTrue : whenFalse);
  }

  #only(node: Node): Located {
    const [inner] = withoutComments(node);
    return inner ? this.evaluate(inner) : this.unknown(node);
  }

  #expression(node: Node): Located {
    const parts = withoutComments(node);
    const [first] = parts;
    if (parts.length === 1 && first && first.type !== "variable_expr") return this.evaluate(first);
    return this.reference(textOf(node, this.text), spanOfNode(node));
  }

  /** @returns The value of `local.x`, `local.x["y"]` and the like; the token of every other name. */
  reference(written: string, span: Span): Located {
    const source = sourceOf(written);
    const found = this.#valueOf(source);
    this.#budget.spend(typeof found === "object" ? found.value : found);
    const known = this.#budget.isSpent ? undefined : found;
    if (known === undefined) {
      return locatedLeaf(this.#names.token(source, span, this.#meaningOf(written)), span);
    }
    if (typeof known !== "object") return locatedAt(known, span);
    // A value in another file has the position of the name that refers to it.
    const isElsewhere = known.node.start >= this.#end && span.start < this.#end;
    return isElsewhere ? locatedAt(known.value, span) : known;
  }

  #valueOf(source: string): Located | string | undefined {
    const variable = this.#scope.valueOf(source, this.unknowns);
    if (variable) return variable;
    const [start = "", name = ""] = /^local\.([\p{ID_Continue}-]+)/u.exec(source) ?? [];
    const rest = source.slice(start.length);
    return name ? this.#local(name, rest) : this.#names.valueOf(source);
  }

  #local(name: string, rest: string): Located | undefined {
    const steps = this.#scope.stepsOf(rest, this.unknowns);
    const value = steps ? this.#valueOfLocal(name) : undefined;
    return steps && value ? partAt(value, steps) : undefined;
  }

  #valueOfLocal(name: string): Located | undefined {
    const values = this.#locals.get(this.#outcomes.reading) ?? new Map<string, Located>();
    this.#locals.set(this.#outcomes.reading, values);
    const known = values.get(name);
    const expression = this.#names.local(name);
    if (known || !expression || this.#budget.isSpent) return known;
    if (this.#openLocals.has(name) || this.#openLocals.size >= maxLocals) {
      this.#cuts++;
      return undefined;
    }
    const cuts = this.#cuts;
    this.#openLocals.add(name);
    const value = this.#scope.outside(() => this.evaluate(expression));
    this.#openLocals.delete(name);
    // A value with a part that was cut depends on where it was asked for.
    if (cuts === this.#cuts) values.set(name, value);
    return value;
  }

  #members(node: Node): LocatedMember[] {
    const members: LocatedMember[] = [];
    for (const element of node.namedChildren) {
      if (element.type !== "object_elem") continue;
      const key = element.childForFieldName("key");
      const value = element.childForFieldName("val");
      if (!key || !value) continue;
      const name = this.#keyOf(key);
      members.push({ name, key: spanOfNode(key), located: this.evaluate(value) });
    }
    return members;
  }

  /** A bare word is a name, not a reference; other keys are evaluated. */
  #keyOf(key: Node): string {
    const written = textOf(key, this.text);
    if (/^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(written)) return written;
    return this.#textOf(key);
  }

  #text(node: Node, span: Span): Located {
    const parts = node.namedChildren.filter(({ type }) => type.startsWith("template_"));
    const [only] = parts;
    // `"${x}"` is the value of x, whatever its type.
    if (
      parts.length === 1 &&
      only?.type === "template_interpolation" &&
      node.type !== "heredoc_template"
    ) {
      const inner = only.namedChildren.find(({ type }) => type === "expression");
      if (inner && only.endIndex - only.startIndex === node.endIndex - node.startIndex - 2) {
        return { value: this.evaluate(inner).value, node: locatedLeaf(null, span).node };
      }
    }
    const { text, hasDirectives } = readTemplate(node, this.text, (part) => this.#textOf(part));
    return hasDirectives ? this.unknown(node) : locatedLeaf(text, span);
  }

  /** An interpolated value as text. */
  #textOf(expression: Node): string {
    const { value } = this.evaluate(expression);
    if (typeof value === "string") return value;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    const inner = unwrapped(expression);
    const isJson =
      inner.type === "function_call" && /^jsonencode\s*\(/.test(textOf(inner, this.text));
    if (isJson && value !== undefined) return JSON.stringify(value);
    return String(this.unknown(expression).value);
  }
}

/** The key of an entry in a message. */
function shownKey(key: string): string {
  return escapeInvisible(key.slice(0, 60));
}

/** An expression as its source shows it, on one line and not longer than a message can hold. */
function sourceOf(written: string): string {
  const line = written.replaceAll(/\s+/g, " ").trim();
  return line.length > 120 ? `${line.slice(0, 117)}...` : line;
}
