import type { Network } from "../../policy/model.ts";
import { type AttachedTo, isNamed } from "../types.ts";
import { type Block, textOf } from "./blocks.ts";
import type { Evaluator } from "./evaluate.ts";
import { networkIn } from "./network.ts";
import type { User } from "./users.ts";

/** The resources of a module that have its policies. */
export class Owners {
  readonly #evaluator: Evaluator;
  /** By `type.name`. */
  readonly #resources: ReadonlyMap<string, Block>;

  constructor(blocks: readonly Block[], evaluator: Evaluator) {
    this.#evaluator = evaluator;
    this.#resources = new Map(
      blocks.flatMap((block) =>
        block.type === "resource" ? [[block.labels.join("."), block] as const] : [],
      ),
    );
  }

  /** What alone reaches the resources that a policy is attached to; null where it is not one network. */
  networkOf(users: readonly Pick<User, "facts" | "block">[]): Network | null {
    const [first = null, ...others] = users.map(({ facts, block }) => {
      const owner = facts?.attachedBy ? this.#ownerOf(facts.attachedBy, block) : block;
      return owner ? networkIn(owner, facts?.service ?? null, this.#evaluator) : null;
    });
    return others.every((one) => one === first) ? first : null;
  }

  /** The resource of the module that an argument refers to. */
  #ownerOf(attachedBy: string, block: Block | null): Block | null {
    const argument = block?.attributes.get(attachedBy);
    const written = argument ? textOf(argument.expression, this.#evaluator.text) : "";
    const [, resource = ""] =
      /^(aws_[a-z0-9_]+\.[\p{ID_Continue}-]+)(?:\[[^\]]*\])?\.[a-z_]+$/u.exec(written) ?? [];
    return this.#resources.get(resource) ?? null;
  }

  /** The resource that a policy is attached to, or that has it as an argument. */
  attachedTo({ facts, block }: Pick<User, "facts" | "block">): AttachedTo | null {
    if (!facts || block?.type !== "resource" || facts.policyType !== "RESOURCE_POLICY") return null;
    const [type = "", label = ""] = block.labels;
    const argument = facts.attachedBy ? block.attributes.get(facts.attachedBy) : undefined;
    const evaluator = this.#evaluator;
    const isOwn = !facts.attachedBy || type === "aws_s3_bucket";
    const [, own] = argument
      ? (/^((?:data\.)?aws_[a-z0-9_]+\.[\p{ID_Continue}-]+(?:\[[^\]]*\])?)\.[a-z_]+$/u.exec(
          textOf(argument.expression, evaluator.text),
        ) ?? [])
      : [];
    const owner = isOwn ? `${type}.${label}` : own;
    const value = argument ? evaluator.evaluate(argument.expression).value : null;
    const text = typeof value === "string" ? value : null;
    const isArn = text?.startsWith("arn:") ?? false;
    const arn = owner ? evaluator.reference(`${owner}.arn`, block.span).value : isArn ? text : null;
    const given = { arn: typeof arn === "string" ? arn : null, name: isArn ? null : text };
    return isNamed(given, evaluator.unknowns) ? given : null;
  }
}
