import type { Node } from "web-tree-sitter";
import type { Span } from "../../json/text-tree.ts";
import { arnFormOf } from "../terraform/arns.ts";
import type { Like, Unknowns } from "../unknowns.ts";
import { type Block, textOf, unwrapped } from "./blocks.ts";

/** Attributes of data sources that say where a configuration is applied. */
const ambient: Readonly<Record<string, Like | undefined>> = {
  "aws_caller_identity.account_id": "account",
  "aws_caller_identity.id": "account",
  "aws_region.name": "region",
  "aws_region.id": "region",
  "aws_region.region": "region",
  "aws_partition.partition": "partition",
  "aws_partition.id": "partition",
  "aws_partition.dns_suffix": "url_suffix",
};

const attributeOf =
  /^(?:data\.)?(aws_[a-z0-9_]+)\.([\p{ID_Continue}-]+)(?:\[[^\]*]+\])?\.([a-z_]+)$/u;

/** What the names in a file refer to: locals, and the resources whose names stand in it. */
export class Names {
  readonly #text: string;
  readonly #unknowns: Unknowns;
  readonly #locals = new Map<string, Node>();
  /** By `type.name`. */
  readonly #resources = new Map<string, Block>();

  constructor(text: string, unknowns: Unknowns, blocks: Iterable<Block>) {
    this.#text = text;
    this.#unknowns = unknowns;
    for (const block of blocks) {
      if (block.type === "locals") {
        for (const { name, expression } of block.attributes.values()) {
          this.#locals.set(name, expression);
        }
      } else if (block.type === "resource") {
        this.#resources.set(block.labels.join("."), block);
      }
    }
  }

  /** @returns The expression of a local; undefined if the file does not declare it. */
  local(name: string): Node | undefined {
    return this.#locals.get(name);
  }

  /** @returns The value of a resource's name where the file gives it literally. */
  valueOf(source: string): string | undefined {
    const [, type = "", name = "", attribute = ""] = attributeOf.exec(source) ?? [];
    const form = arnFormOf(type);
    const isName = form && (attribute === form.nameArgument || attribute === "id");
    if (!isName || (attribute === "id" && type !== "aws_s3_bucket")) return undefined;
    return this.#literalName(type, name);
  }

  /**
   * Whether a reference may be to a resource of any name: the resource is in another folder, its name is not
   * literal, or one of several is meant. A resource without a name gets one that no policy can have.
   * @param resource As `type.name`.
   */
  mayHaveAnyName(reference: string, resource: string): boolean {
    const [type = "", name = ""] = resource.split(".");
    const block = reference.startsWith("data.") ? undefined : this.#resources.get(resource);
    const isOneOfSeveral = /\[(?!"[^"$]*"\]|\d+\])/.test(reference);
    if (!block || isOneOfSeveral) return true;
    const hasName = block.attributes.has(arnFormOf(type)?.nameArgument ?? "");
    return hasName && this.#literalName(type, name) === undefined;
  }

  /**
   * @param expression What decides the value, beside the name.
   * @returns The token of a name, with what is known of its value.
   */
  token(source: string, span: Span, expression?: string): string {
    const [, type = "", name = ""] = attributeOf.exec(source) ?? [];
    const isOpen = arnFormOf(type) !== null && this.mayHaveAnyName(source, `${type}.${name}`);
    return this.#unknowns.token({ source, like: this.#likeOf(source), span, isOpen, expression });
  }

  #likeOf(source: string): Like {
    const [, type = "", name = "", attribute = ""] = attributeOf.exec(source) ?? [];
    if (source.startsWith("data.")) {
      const like = ambient[`${type}.${attribute}`];
      if (like) return like;
    }
    const form = arnFormOf(type);
    if (!form) return "text";
    if (attribute === "arn") {
      const literal = source.startsWith("data.") ? undefined : this.#literalName(type, name);
      return { arn: literal ? form.arn.replace("{name}", literal) : form.arn };
    }
    return attribute !== "" && attribute === form.nameArgument ? "name" : "text";
  }

  /** A role or policy with a path has more in its ARN than its name. */
  #literalName(type: string, name: string): string | undefined {
    const block = this.#resources.get(`${type}.${name}`);
    const { nameArgument = "", prefix = "" } = arnFormOf(type) ?? {};
    const argument = block?.attributes.get(nameArgument);
    if (!argument || block?.attributes.has("path")) return undefined;
    const node = unwrapped(argument.expression);
    const [, literal] = /^"([^"\\]+)"$/.exec(textOf(node, this.#text)) ?? [];
    if (literal === undefined) return undefined;
    const given = literal.startsWith(prefix) ? literal.slice(prefix.length) : literal;
    return (prefix === "" ? /^[\w.-]+$/ : /^[\w./-]+$/).test(given) ? given : undefined;
  }
}
