import type { Span, TextMember, TextNode } from "../../json/text-tree.ts";
import { isRecord } from "../../record.ts";
import { offsetsOf } from "../offsets.ts";
import type { Problem } from "../types.ts";
import type { Like, Unknowns } from "../unknowns.ts";
import { type Choice, evaluate } from "./choices.ts";
import { pseudoParameter, type ResourceNames, resourceNames } from "./names.ts";
import {
  functionIn,
  items,
  member,
  members,
  type Part,
  type Template,
  textOf,
} from "./template.ts";

/** `AWS::NoValue`: the member or entry that holds it does not exist. */
export const removed = Symbol("AWS::NoValue");

/** A value after its functions: with tokens where it is not known. */
export interface Resolved extends Part {
  /** For each character of a text, its offset in the file. */
  readonly offsets?: readonly number[] | null;
}

/** `AllowedPattern` of an account id. */
const accountPattern = /^\^?(\\d\{12\}|\[0-9\]\{12\})\$?$/;

/** Depth of functions and of references to other resources. */
const maxNesting = 60;

/** Resolves the functions of a template for one choice of parameters and conditions. */
export class Resolver {
  readonly #template: Template;
  readonly #unknowns: Unknowns;
  readonly #choice: Choice;
  /** Text of the file, for the offsets of composed texts; null: offsets are not wanted. */
  readonly #file: string | null;
  readonly #problems: Problem[] = [];
  #partly: string | null = null;
  #depth = 0;

  constructor(template: Template, unknowns: Unknowns, choice: Choice, file: string | null = null) {
    this.#template = template;
    this.#unknowns = unknowns;
    this.#choice = choice;
    this.#file = file;
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
    if (this.#depth >= maxNesting) return this.#unknown("a deeply nested value", part.root);
    this.#depth++;
    try {
      const call = functionIn(part);
      if (call && call.name !== "Condition") return this.#apply(call.name, call.argument, part);
      if (Array.isArray(part.value)) return this.#list(part);
      if (isRecord(part.value)) return this.#object(part);
      return this.#scalar(part);
    } finally {
      this.#depth--;
    }
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
    return this.#replaced(text, /\{\{(resolve:[^{}]+)\}\}/g, part, offsets, (name) =>
      this.#token(name, "text", root),
    );
  }

  /** Replaces each match, and keeps the offsets of what stays. */
  #replaced(
    text: string,
    pattern: RegExp,
    { root }: Part,
    offsets: readonly number[] | null,
    textFor: (name: string, match: string) => string,
  ): Resolved {
    let value = "";
    const mapped: number[] = [];
    let from = 0;
    const keep = (to: number) => {
      value += text.slice(from, to);
      if (offsets) mapped.push(...offsets.slice(from, to));
    };
    for (const { 0: match, 1: name = "", index } of text.matchAll(pattern)) {
      keep(index);
      const replacement = textFor(name, match);
      value += replacement;
      if (offsets) {
        const at = offsets[index] ?? 0;
        for (let count = 0; count < replacement.length; count++) mapped.push(at);
      }
      from = index + match.length;
    }
    keep(text.length);
    if (offsets) mapped.push(offsets.at(-1) ?? 0);
    return { value, root, offsets: offsets ? mapped : null };
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

  #apply(name: string, argument: Part, whole: Part): Resolved | typeof removed {
    switch (name) {
      case "Ref":
        return this.#ref(textOf(argument.value) ?? "", whole);
      case "Fn::GetAtt":
        return this.#getAtt(argument, whole);
      case "Fn::Sub":
        return this.#sub(argument, whole);
      case "Fn::Join":
        return this.#join(argument, whole);
      case "Fn::If":
        return this.#if(argument, whole);
      case "Fn::Select":
        return this.#select(argument, whole);
      case "Fn::Split":
        return this.#split(argument, whole);
      case "Fn::FindInMap":
        return this.#findInMap(argument, whole);
      case "Fn::ToJsonString":
        return this.resolve(argument);
      case "Fn::ImportValue":
        return this.#unknown(`ImportValue ${this.#nameOf(argument)}`, whole.root);
      default:
        return this.#unknown(name.replace(/^Fn::/, ""), whole.root);
    }
  }

  #nameOf(part: Part): string {
    const resolved = this.resolve(part);
    if (resolved === removed) return "";
    return typeof resolved.value === "string"
      ? this.#unknowns.shown(resolved.value).slice(0, 100)
      : "";
  }

  #token(source: string, like: Like, span: Span | null): string {
    return this.#unknowns.token({ source, like, span });
  }

  #unknown(source: string, root: TextNode | null, like: Like = "text"): Resolved {
    return this.#leaf(this.#token(source, like, root), root);
  }

  #leaf(value: unknown, root: TextNode | null): Resolved {
    return {
      value,
      root: root && { start: root.start, end: root.end, members: null, items: null },
    };
  }

  #ref(name: string, whole: Part): Resolved | typeof removed {
    const { root } = whole;
    const chosen = this.#choice.values.get(name);
    const parameter = this.#template.parameters.get(name);
    if (chosen !== undefined) {
      const isList = parameter && /^(CommaDelimitedList|List<)/.test(parameter.type);
      const texts = chosen.split(",").map((one) => one.trim());
      return this.#leaf(isList ? texts : chosen, root);
    }
    if (name === "AWS::NoValue") return removed;
    const pseudo = pseudoParameter(name);
    if (pseudo) return this.#unknown(name, root, pseudo);
    if (parameter) {
      const isAccount = accountPattern.test(parameter.pattern ?? "");
      return this.#unknown(name, root, isAccount ? "account" : "text");
    }
    const names = this.#namesOf(name);
    if (!names) return this.#unknown(name, root);
    switch (names.ref) {
      case "name":
        return this.#leaf(this.#physicalName(name, names, root), root);
      case "arn":
        return this.#leaf(this.#arn(name, names, root), root);
      default:
        return this.#unknown(name, root);
    }
  }

  #namesOf(id: string): ResourceNames | null {
    const type = this.#template.resources.get(id)?.type;
    return type != null && Object.hasOwn(resourceNames, type)
      ? (resourceNames[type] ?? null)
      : null;
  }

  /** @returns The name of a resource: as a property gives it, else the token of it. */
  #physicalName(id: string, { property, nameAttribute }: ResourceNames, span: Span | null): string {
    const given = property && this.#template.resources.get(id)?.properties;
    const part = given && member(given, property);
    const resolved = part ? this.resolve(part) : removed;
    if (resolved !== removed && typeof resolved.value === "string" && resolved.value !== "") {
      return resolved.value;
    }
    return this.#token(nameAttribute ? `${id}.${nameAttribute}` : id, "name", span);
  }

  #arn(id: string, names: ResourceNames, span: Span | null): string {
    return (names.arn ?? "{name}").replace(/\{([a-z]+)\}/g, (_all, field: string) => {
      switch (field) {
        case "partition":
          return this.#pseudo("AWS::Partition", span);
        case "region":
          return this.#pseudo("AWS::Region", span);
        case "account":
          return this.#pseudo("AWS::AccountId", span);
        default:
          return this.#physicalName(id, names, span);
      }
    });
  }

  /** @returns The ARN of a resource of the template; null: there is none, or its form is not known. */
  arnOf(id: string): string | null {
    const names = this.#namesOf(id);
    return names?.arn ? this.#arn(id, names, null) : null;
  }

  #pseudo(name: string, span: Span | null): string {
    return (
      this.#choice.values.get(name) ?? this.#token(name, pseudoParameter(name) ?? "text", span)
    );
  }

  #getAtt(argument: Part, whole: Part): Resolved {
    const parts = Array.isArray(argument.value)
      ? argument.value.map((one) => textOf(one) ?? "?")
      : (textOf(argument.value) ?? "").split(".");
    return this.#leaf(this.#attribute(parts.join("."), whole.root), whole.root);
  }

  #attribute(path: string, span: Span | null): string {
    const at = path.indexOf(".");
    const id = at < 0 ? path : path.slice(0, at);
    const attribute = path.slice(at + 1);
    const names = this.#namesOf(id);
    if (names?.arn && attribute === (names.attribute ?? "Arn")) return this.#arn(id, names, span);
    if (names && attribute === names.nameAttribute) return this.#physicalName(id, names, span);
    return this.#token(path, "text", span);
  }

  #sub(argument: Part, whole: Part): Resolved {
    const isList = Array.isArray(argument.value);
    const [first, own] = isList ? items(argument) : [argument];
    const template = first && textOf(first.value);
    if (!first || template === null || template === undefined) {
      const inner = first ? this.resolve(first) : removed;
      return inner === removed ? this.#unknown("Sub", whole.root) : inner;
    }
    const { root } = whole;
    const part = { value: template, root: first.root };
    const offsets = this.#offsets(part, template);
    const replaced = this.#replaced(template, /\$\{([^}]*)\}/g, whole, offsets, (raw, match) => {
      if (raw.startsWith("!")) return `\${${raw.slice(1)}}`;
      const name = raw.trim();
      const given = own ? member(own, name) : null;
      if (given) {
        const resolved = this.resolve(given);
        const text = resolved === removed ? "" : resolved.value;
        return typeof text === "string" ? text : this.#token(name, "text", root);
      }
      if (/^[a-z][A-Za-z0-9.-]*:/.test(name)) {
        this.#problem(
          `\`\${${name}}\` inside \`Fn::Sub\` is the name of a resource or parameter to CloudFormation, and there is none of that name, so it refuses the template.`,
          `Write \`\${!${name}}\`, which leaves the policy variable in the text.`,
          first.root,
        );
        return match;
      }
      if (name.includes(".")) return this.#attribute(name, root);
      const resolved = this.#ref(name, whole);
      const value = resolved === removed ? "" : resolved.value;
      return typeof value === "string" ? value : this.#token(name, "text", root);
    });
    return { ...replaced, ...this.#leaf(replaced.value, root) };
  }

  #join(argument: Part, whole: Part): Resolved {
    const [separator, list] = items(argument);
    const delimiter = textOf(separator?.value) ?? "";
    const resolved = list ? this.resolve(list) : removed;
    if (resolved === removed || !list) return this.#unknown("Join", whole.root);
    if (!Array.isArray(resolved.value))
      return this.#unknown(this.#nameOf(list) || "Join", whole.root);
    const wanted = this.#file !== null;
    let text = "";
    const mapped: number[] = [];
    let first = true;
    for (const item of items(list)) {
      const one = functionIn(list) ? null : this.resolve(item);
      if (one === removed) continue;
      if (one === null) break;
      const value =
        typeof one.value === "string" ? one.value : this.#token("Join", "text", item.root);
      const piece = first ? value : delimiter + value;
      const at = item.root?.start ?? whole.root?.start ?? 0;
      text += piece;
      if (wanted) {
        const offsets = one.offsets;
        for (let index = 0; index < piece.length - value.length; index++) mapped.push(at);
        for (let index = 0; index < value.length; index++) mapped.push(offsets?.[index] ?? at);
      }
      first = false;
    }
    if (functionIn(list)) {
      const values = resolved.value.map((one) => (typeof one === "string" ? one : "?"));
      return this.#leaf(values.join(delimiter), whole.root);
    }
    mapped.push(whole.root?.end ?? 0);
    return { ...this.#leaf(text, whole.root), offsets: wanted ? mapped : null };
  }

  #if(argument: Part, whole: Part): Resolved | typeof removed {
    const [condition, yes, no] = items(argument);
    const name = textOf(condition?.value);
    if (name === null) return this.#unknown("If", whole.root);
    const { values, forced } = this.#choice;
    const branch = evaluate(this.#template, name, values, forced) ? yes : no;
    return branch ? this.resolve(branch) : removed;
  }

  #select(argument: Part, whole: Part): Resolved {
    const [index, list] = items(argument);
    const resolved = list ? this.resolve(list) : removed;
    const at = Number(textOf(index?.value) ?? Number.NaN);
    if (resolved !== removed && Array.isArray(resolved.value) && at in resolved.value) {
      return this.#leaf(resolved.value[at], whole.root);
    }
    return this.#unknown(`Select ${textOf(index?.value) ?? ""}`.trim(), whole.root);
  }

  #split(argument: Part, whole: Part): Resolved {
    const [separator, text] = items(argument);
    const resolved = text ? this.resolve(text) : removed;
    const delimiter = textOf(separator?.value);
    const value = resolved === removed ? null : resolved.value;
    if (typeof value !== "string" || !delimiter || this.#unknowns.isIn(value)) {
      const name = text ? this.#nameOf(text) : "";
      return this.#unknown(name.replace(/^\$\{|\}$/g, "") || "Split", whole.root);
    }
    return this.#leaf(value.split(delimiter), whole.root);
  }

  #findInMap(argument: Part, whole: Part): Resolved {
    const keys = items(argument)
      .slice(0, 3)
      .map((key) => this.resolve(key));
    let at: Part | null = this.#template.mappings;
    let shown = "";
    for (const key of keys) {
      const text = key !== removed && typeof key.value === "string" ? key.value : "?";
      shown += `${shown === "" ? "" : "."}${this.#unknowns.shown(text)}`;
      at = at && member(at, text);
    }
    const found = at && this.resolve(at);
    if (found && found !== removed) return { ...found, ...this.#leaf(found.value, whole.root) };
    return this.#unknown(`FindInMap ${shown.slice(0, 100)}`, whole.root);
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
    const [token] = /\$\{Token\[[^\]]*\]\}/.exec(text) ?? [];
    if (token) {
      this.#problem(
        `\`${token}\` is a token of the CDK that was turned into text before the template was made, so AWS receives it as it is written.`,
        "Give the construct the token itself, for example with `Lazy` or `Fn.join`.",
        span,
      );
    }
  }
}
