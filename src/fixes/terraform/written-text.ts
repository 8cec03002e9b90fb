import type { Span, TextNode } from "../../json/text-tree.ts";
import { isRecord } from "../../record.ts";
import { indentOf, isFirstInLine, type Layout, lineEndAt } from "../layout.ts";

/** How a part of a Terraform file writes a policy. `quoted` and `heredoc` are JSON text. */
export type Notation = "expression" | "arguments" | "heredoc" | "quoted";

/** How the members of objects are written. */
interface MemberStyle {
  readonly assigns: string;
  readonly quotesNames: boolean;
  readonly endsWithComma: boolean;
}

/**
 * The text of one policy in a Terraform file: what of it is written out, and how a value is written there.
 * https://developer.hashicorp.com/terraform/language/expressions/strings
 */
export class WrittenText {
  readonly file: string;
  readonly notation: Notation;
  readonly layout: Layout;
  readonly #style: MemberStyle;
  /** Texts of the policy that are not written as plain text, with their expression. */
  readonly #expressions = new Map<string, string>();
  readonly #isUnknown: (text: string) => boolean;

  /** @param about `isUnknown`: whether a text of the value has the token of an unknown value. */
  constructor(
    file: string,
    about: {
      readonly notation: Notation;
      readonly layout: Layout;
      readonly root: TextNode;
      readonly value: unknown;
      readonly isUnknown: (text: string) => boolean;
    },
  ) {
    this.file = file;
    this.notation = about.notation;
    this.layout = about.layout;
    this.#isUnknown = about.isUnknown;
    this.#style = styleOf(file, about.root, about.notation);
    this.#collect(about.root, about.value);
  }

  get isJson(): boolean {
    return this.notation === "heredoc" || this.notation === "quoted";
  }

  /** @returns the text of the file at a span. */
  at({ start, end }: Span): string {
    return this.file.slice(start, end);
  }

  /** Whether a value is written out at its node, without an expression in it. */
  isLiteral(node: TextNode, value: unknown): boolean {
    if (typeof value === "string") {
      return !this.#isUnknown(value) && this.literalsOf(value).includes(this.at(node));
    }
    if (typeof value !== "object" || value === null) return this.at(node) === String(value);
    return (
      this.isWrittenOut(node, value) &&
      Object.entries(value).every(([step, part]) => {
        const inner = Array.isArray(value)
          ? node.items?.[Number(step)]
          : node.members?.get(step)?.value;
        return inner !== undefined && this.isLiteral(inner, part);
      })
    );
  }

  /** Whether a list or object has its brackets and parts at its node. */
  isWrittenOut(node: TextNode, value: object): boolean {
    const isList = Array.isArray(value);
    const text = this.at(node);
    if (!text.startsWith(isList ? "[" : "{") || !text.endsWith(isList ? "]" : "}")) return false;
    const parts: Span[] = isList
      ? [...(node.items ?? [])]
      : [...(node.members?.values() ?? [])].map(({ key, value: inner }) => ({
          start: key.start,
          end: inner.end,
        }));
    if (parts.length !== Object.keys(value).length) return false;
    let at = node.start + 1;
    return parts.every(({ start, end }) => {
      const isNext = start >= at && start <= end && end < node.end;
      at = end;
      return isNext;
    });
  }

  /** @returns how a text can be written, the usual way first. */
  literalsOf(text: string): readonly string[] {
    const json = JSON.stringify(text);
    // A replacement text would read `$$` as one character.
    const escaped = json.replaceAll(/[$%]\{/g, (mark) => mark.charAt(0) + mark);
    if (this.notation === "quoted") return [JSON.stringify(escaped).slice(1, -1)];
    if (this.notation === "arguments") {
      return [json.replaceAll("${", "&{").replaceAll("%{", () => "%%{"), escaped];
    }
    return [escaped];
  }

  /**
   * @param indent Of the line that it begins in; null: all on one line.
   * @returns null if the text of an expression is not known.
   */
  valueText(value: unknown, indent: string | null): string | null {
    if (typeof value === "string") {
      const known = this.#expressions.get(value);
      if (known !== undefined || this.#isUnknown(value)) return known ?? null;
      return this.literalsOf(value)[0] ?? null;
    }
    if (typeof value !== "object" || value === null) return String(value);
    const isList = Array.isArray(value);
    const isShort = isList && value.length < 2 && typeof value[0] !== "object";
    const inner = indent === null || isShort ? null : indent + this.layout.indent;
    const parts = Object.entries(value).map(([name, part]) =>
      isList ? this.valueText(part, inner) : this.memberText(name, part, inner),
    );
    if (!parts.every((part) => part !== null)) return null;
    const [open, close] = isList ? "[]" : "{}";
    if (inner === null || parts.length === 0) {
      const space = isList || this.isJson ? "" : " ";
      return `${open}${space}${parts.join(`,${this.layout.space}`)}${space}${close}`;
    }
    const comma = isList || this.#style.endsWithComma ? "," : "";
    const end = this.lineEnd;
    return `${open}${end}${inner}${parts.join(`${comma}${end}${inner}`)}${end}${indent}${close}`;
  }

  /** @returns a member with its name; null as for {@link valueText}. */
  memberText(name: string, value: unknown, indent: string | null): string | null {
    const text = this.valueText(value, indent);
    return text === null ? null : `${this.nameText(name)}${this.#style.assigns}${text}`;
  }

  nameText(name: string): string {
    const isWord = /^[A-Za-z_][\w-]*$/.test(name);
    return isWord && !this.#style.quotesNames ? name : (this.literalsOf(name)[0] ?? name);
  }

  get endsWithComma(): boolean {
    return this.#style.endsWithComma;
  }

  get lineEnd(): string {
    return this.layout.lineEnd;
  }

  /** @returns the indentation of a part that has its own line; null if something is before it. */
  ownIndent(at: number): string | null {
    return isFirstInLine(this.file, at) ? indentOf(this.file, at) : null;
  }

  /** @returns the rest of the line without a comma and a comment; empty if nothing else follows. */
  restOfLine(at: number): string {
    const rest = this.file.slice(at, lineEndAt(this.file, at));
    return rest.replace(/^\s*(?:,\s*)?(?:(?:#|\/\/).*)?$/s, "");
  }

  #collect(node: TextNode, value: unknown): void {
    if (typeof value === "string") {
      const text = this.at(node);
      // A default of the data source is at the word that begins its block.
      const isDefault = /^\w+$/.test(text);
      if (!isDefault && !this.literalsOf(value).includes(text)) {
        this.#expressions.set(value, text);
      }
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        const inner = node.items?.[index];
        if (inner) this.#collect(inner, item);
      }
    } else if (isRecord(value)) {
      for (const [name, member] of Object.entries(value)) {
        const inner = node.members?.get(name)?.value;
        if (inner) this.#collect(inner, member);
      }
    }
  }
}

/** As the first two members of the policy are written. */
function styleOf(file: string, { members }: TextNode, notation: Notation): MemberStyle {
  if (notation === "heredoc" || notation === "quoted") {
    return { assigns: ": ", quotesNames: true, endsWithComma: true };
  }
  const [first, second] = [...(members?.values() ?? [])];
  const between = first ? file.slice(first.key.end, first.value.start) : "";
  const isColon = between.includes(":");
  return {
    assigns: isColon && /^ ?: ?$/.test(between) ? between : isColon ? ": " : " = ",
    quotesNames: first ? file[first.key.start] === '"' : false,
    endsWithComma:
      first && second ? file.slice(first.value.end, second.key.start).startsWith(",") : isColon,
  };
}
