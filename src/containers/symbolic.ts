import { isRecord } from "../record.ts";
import { partitionOf } from "./sample-regions.ts";
import { urlSuffixOf } from "./sample-values.ts";
import type { Like, Unknown, Unknowns } from "./unknowns.ts";

/**
 * Writes unknown values as placeholders, which a question about access takes for one fixed text each: what it proves
 * holds for every value. Equal values of two documents are one placeholder. Actions and principals keep their tokens,
 * since a placeholder is plain text there.
 */
export class Placeholders {
  readonly #unknowns: Unknowns;
  readonly #partition: string;
  readonly #numbers = new Map<string, number>();

  /** @param documents All that are compared: an unknown partition is the one that they name. */
  constructor(unknowns: Unknowns, documents: unknown) {
    this.#unknowns = unknowns;
    this.#partition = partitionOf(JSON.stringify(documents) ?? "");
  }

  document(value: unknown): unknown {
    if (!isRecord(value)) return value;
    const { Statement: list } = value;
    const statements = Array.isArray(list)
      ? list.map((one) => this.#statement(one))
      : this.#statement(list);
    return { ...value, Statement: statements };
  }

  #statement(value: unknown): unknown {
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const isRead = name === "Resource" || name === "NotResource" || name === "Condition";
        return [name, isRead ? this.#value(member) : member];
      }),
    );
  }

  #value(value: unknown): unknown {
    if (typeof value === "string") return this.#text(value);
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.#value(member)]),
    );
  }

  #text(text: string): string {
    if (!this.#unknowns.isIn(text)) return text;
    return this.#unknowns
      .split(text)
      .map((part) => (typeof part === "string" ? part : this.#part(part)))
      .join("");
  }

  #part(unknown: Unknown): string {
    const { like, source, expression = "" } = unknown;
    if (like === "partition") return this.#partition;
    if (like === "url_suffix") return urlSuffixOf(this.#partition);
    if (typeof like !== "object") {
      const name = nameIn(source, like);
      return this.#placeholder(name === null ? `${like} ${source} ${expression}` : `name ${name}`);
    }
    const name = nameIn(source, like) ?? `${source} ${expression}`;
    return like.arn.replace(/\{([a-z]+)\}/g, (_all, field: string) => {
      if (field === "partition") return this.#partition;
      return this.#placeholder(field === "name" ? `name ${name}` : `${field} of ${source}`);
    });
  }

  #placeholder(value: string): string {
    const number = this.#numbers.get(value) ?? this.#numbers.size;
    this.#numbers.set(value, number);
    // No policy has this character.
    return `{{\ue002${number}}}`;
  }
}

/**
 * The resource of Terraform whose name an attribute is: `arn` has it as its end. A role or policy may have a path in its
 * ARN. The id of a bucket is its name.
 * https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/s3_bucket
 */
function nameIn(source: string, like: Like): string | null {
  const [, resource = "", attribute = ""] = /^(aws_[a-z0-9_]+\..+)\.([a-z_]+)$/.exec(source) ?? [];
  if (resource === "" || resource.startsWith("aws_iam_")) return null;
  const isBucket = attribute === "id" && resource.startsWith("aws_s3_bucket.");
  return like === "name" || typeof like === "object" || isBucket ? resource : null;
}
