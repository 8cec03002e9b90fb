import type { Span, TextMember, TextNode } from "../../json/text-tree.ts";
import { isRecord } from "../../record.ts";
import { offsetsOf } from "../offsets.ts";
import type { Problem } from "../types.ts";
import type { Unknowns } from "../unknowns.ts";
import { Branches } from "./branches.ts";
import type { Choice } from "./choices.ts";
import { type Caller, callFunction } from "./functions.ts";
import { References } from "./references.ts";
import { type Resolved, removed, unknownCall, withoutDynamicReferences } from "./resolved.ts";
import { functionIn, items, members, type Part, type Template, textOf } from "./template.ts";

/** Depth of functions and of references to other resources. */
const maxNesting = 60;

/** Characters of all texts that functions give for one policy: a parameter of 4 KB named 100,000 times would fill the memory. */
const mostCharacters = 8 * 1_048_576;

/** Resolves the functions of a template for one choice of parameters and conditions. */
export class Resolver {
  readonly #template: Template;
  readonly #unknowns: Unknowns;
  /** Text of the file, for the offsets of composed texts; null: offsets are not wanted. */
  readonly #file: string | null;
  readonly #references: References;
  readonly #caller: Caller;
  readonly #problems: Problem[] = [];
  #partly: string | null = null;
  #depth = 0;
  #characters = 0;

  /** @param branches Collects those of all readings of a policy. */
  constructor(
    template: Template,
    unknowns: Unknowns,
    choice: Choice,
    file: string | null = null,
    branches: Branches = new Branches(),
  ) {
    this.#template = template;
    this.#unknowns = unknowns;
    this.#file = file;
    const resolve = (part: Part) => this.resolve(part);
    this.#references = new References(template, unknowns, choice, resolve);
    this.#caller = {
      template,
      unknowns,
      choice,
      references: this.#references,
      branches,
      keepsOffsets: file !== null,
      resolve,
      offsetsOf: (part, text) => this.#offsets(part, text),
      problem: (...about) => this.#problem(...about),
    };
  }

  /** Faults of the template that were met. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Why a part could not be read; null: all was. */
  get partly(): string | null {
    return this.#partly;
  }

  resolve(part: Part): Resolved | typeof removed {
    if (this.#depth >= maxNesting)
      return unknownCall(this.#unknowns, "a deeply nested value", part);
    this.#depth++;
    try {
      const call = functionIn(part);
      if (call && call.name !== "Condition") return this.#call(call, part);
      if (Array.isArray(part.value)) return this.#list(part);
      if (isRecord(part.value)) return this.#object(part);
      return this.#scalar(part);
    } finally {
      this.#depth--;
    }
  }

  #call(call: NonNullable<ReturnType<typeof functionIn>>, part: Part): Resolved | typeof removed {
    const isTooLong = () => this.#characters > mostCharacters;
    const resolved = isTooLong()
      ? removed
      : callFunction(call.name, call.argument, part, this.#caller);
    if (resolved !== removed) this.#characters += lengthOf(resolved.value);
    if (!isTooLong()) return resolved;
    this.#partly = `The values of its functions have more than ${mostCharacters} characters together.`;
    return unknownCall(this.#unknowns, "a long value", part);
  }

  #scalar(part: Part): Resolved {
    const text = textOf(part.value);
    if (text === null) return part;
    const { root } = part;
    if (!text.includes("{{resolve:") && !text.includes("${")) {
      return { value: text, root, offsets: this.#offsets(part, text) };
    }
    this.#checkLiteral(text, root);
    const offsets = this.#offsets(part, text);
    return withoutDynamicReferences({ value: text, root, offsets }, this.#unknowns);
  }

  #offsets({ root }: Part, text: string): readonly number[] | null {
    if (this.#file === null || !root || root.members || root.items) return null;
    return offsetsOf(this.#file, root, text);
  }

  #list(part: Part): Resolved {
    const values: unknown[] = [];
    const nodes: TextNode[] = [];
    for (const item of items(part)) {
      const resolved = this.resolve(item);
      if (resolved === removed) continue;
      values.push(resolved.value);
      if (resolved.root) nodes.push(resolved.root);
    }
    const { root } = part;
    return {
      value: values,
      root: root && { start: root.start, end: root.end, members: null, items: nodes },
    };
  }

  #object(part: Part): Resolved {
    const entries: [string, unknown][] = [];
    const nodes = new Map<string, TextMember>();
    for (const [name, value] of members(part)) {
      if (name.startsWith("Fn::")) {
        this.#partly = `\`${name}\` adds members that are not known here.`;
        continue;
      }
      const resolved = this.resolve(value);
      if (resolved === removed) continue;
      entries.push([name, resolved.value]);
      const key = part.root?.members?.get(name)?.key;
      if (key && resolved.root) nodes.set(name, { key, value: resolved.root });
    }
    const { root } = part;
    return {
      value: Object.fromEntries(entries),
      root: root && { start: root.start, end: root.end, members: nodes, items: null },
    };
  }

  /** @returns The ARN of a resource of the template; null: there is none, or its form is not known. */
  arnOf(id: string): string | null {
    return this.#references.arnOf(id);
  }

  #problem(message: string, suggestion: string, span: Span | null): void {
    if (this.#problems.length < 20) this.#problems.push({ message, suggestion, span });
  }

  /** Texts outside `Fn::Sub` that were meant to be replaced. */
  #checkLiteral(text: string, span: Span | null): void {
    if (this.#template.hasMacro) return;
    const [pseudo] = /\$\{AWS::[A-Za-z]+\}/.exec(text) ?? [];
    if (pseudo) {
      this.#problem(
        `CloudFormation replaces \`${pseudo}\` only inside \`Fn::Sub\`; here AWS receives it as it is written.`,
        "Put the text into `Fn::Sub`.",
        span,
      );
    }
    const [token] = /\$\{Token\[[^\]$]*\]\}/.exec(text) ?? [];
    if (token) {
      this.#problem(
        `\`${token}\` is a token of the CDK that was turned into text before the template was made, so AWS receives it as it is written.`,
        "Give the construct the token itself, for example with `Lazy` or `Fn.join`.",
        span,
      );
    }
  }
}

/** Characters of a text, or of the texts of a list. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  return Array.isArray(value) ? value.reduce((sum: number, one) => sum + lengthOf(one), 0) : 0;
}
