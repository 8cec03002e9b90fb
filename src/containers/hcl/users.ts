import type { Node } from "web-tree-sitter";
import type { PolicyType } from "../../../spec/policy.ts";
import { isBoundaryName } from "../boundary-name.ts";
import {
  organizationsType,
  type PolicyAttribute,
  policyAttributes,
} from "../terraform/attributes.ts";
import {
  type Attribute,
  type Block,
  spanOfNode,
  textOf,
  unwrapped,
  withoutComments,
} from "./blocks.ts";
import { type Followed, Follower } from "./follow.ts";
import { isMerged } from "./reasons.ts";

/** An argument of a resource that holds a policy. */
export interface PolicyArgument {
  readonly block: Block;
  readonly attribute: Attribute;
  readonly facts: PolicyAttribute;
  /** `aws_iam_role.r.inline_policy[0].policy`. */
  readonly address: string;
  /** The same with the name of the block in place of its index: `aws_iam_role.r.inline_policy["logs"].policy`. */
  readonly identity: string;
  /** Null: the argument `type` of the resource is not known, or names a policy of another language. */
  readonly policyType: PolicyType | null;
}

/** Who uses a policy document that is a data source. */
export interface User {
  readonly address: string;
  readonly policyType: PolicyType | null;
  readonly facts: PolicyAttribute | null;
  readonly block: Block | null;
}

const documentName = /\bdata\.aws_iam_policy_document\.([\p{ID_Continue}-]+)/gu;
const localName = /\blocal\.([\p{ID_Continue}-]+)/gu;

/**
 * The type of all policies that a module takes; null: not known. Modules for endpoints have no others:
 * https://registry.terraform.io/modules/terraform-aws-modules/vpc/aws/latest/submodules/vpc-endpoints
 */
export function typeOfInputs({ type, attributes }: Block, text: string): PolicyType | null {
  const source = type === "module" ? attributes.get("source") : undefined;
  const isEndpoints = source && /vpc[-_]?endpoints?\b/i.test(textOf(source.expression, text));
  return isEndpoints ? "ENDPOINT_POLICY" : null;
}

/** Which argument uses which data source `aws_iam_policy_document`, directly or through others. */
export class Users {
  readonly #text: string;
  readonly #byDocument = new Map<string, User[]>();
  readonly #locals = new Map<string, Attribute>();
  /** `local.policy`, and parts of locals as `local.policies.jobs`. */
  readonly #usedLocals = new Set<string>();
  readonly #follower: Follower;
  /** Data sources that inputs of modules refer to. */
  readonly #inputs = new Set<string>();
  /** Data sources that others merge with their statements. */
  readonly #merged = new Set<string>();
  readonly #boundaries: ReadonlySet<string>;

  constructor(text: string, blocks: readonly Block[]) {
    this.#text = text;
    for (const { type, attributes } of blocks) {
      if (type !== "locals") continue;
      for (const attribute of attributes.values()) this.#locals.set(attribute.name, attribute);
    }
    this.#follower = new Follower(text, this.#locals);
    this.#boundaries = boundariesIn(text, blocks);
    for (const block of blocks) {
      const inputs = block.type === "module" ? [...block.attributes.values()] : [];
      const policyType = typeOfInputs(block, text);
      for (const attribute of inputs) {
        const address = `module.${block.labels[0] ?? ""}.${attribute.name}`;
        for (const name of this.documentsIn(attribute)) {
          this.#inputs.add(name);
          if (policyType) this.#add(name, { address, policyType, facts: null, block: null });
        }
      }
      for (const { attribute, facts, address, policyType } of this.argumentsOf(block)) {
        const user = { address, policyType, facts, block };
        for (const { expression, local } of this.follow(attribute.expression, block)) {
          const seen = new Set<string>();
          if (local !== null) this.#usedLocals.add(local);
          for (const name of this.documentsIn({ expression }, seen)) this.#add(name, user);
          for (const name of seen) this.#usedLocals.add(`local.${name}`);
        }
      }
    }
    this.#addSources(blocks);
  }

  /** @returns The users of a data source; none: they are in other files. */
  of(name: string): readonly User[] {
    return this.#byDocument.get(name) ?? [];
  }

  /** Whether an input of a module is the only place that a data source is used in. */
  isInput(name: string): boolean {
    return this.#inputs.has(name) && this.of(name).length === 0;
  }

  /** Whether the statements of a data source become statements of another one. */
  isMerged(name: string): boolean {
    return this.#merged.has(name);
  }

  #add(name: string, user: User): boolean {
    const users = this.#byDocument.get(name) ?? [];
    this.#byDocument.set(name, users);
    if (users.some(({ address }) => address === user.address) || users.length >= 20) return false;
    users.push(user);
    return true;
  }

  /** A document that is merged into another one is used where that one is. */
  #addSources(blocks: readonly Block[]): void {
    const sources = blocks.flatMap((block) => {
      if (block.type !== "data" || block.labels[0] !== "aws_iam_policy_document") return [];
      const merged = [...block.attributes.values()].filter(isMerged);
      const names = merged.flatMap((attribute) => [...this.documentsIn(attribute)]);
      for (const name of names) this.#merged.add(name);
      return [{ into: block.labels[1] ?? "", names }];
    });
    for (let round = 0, changed = true; changed && round < 10; round++) {
      changed = false;
      for (const { into, names } of sources) {
        for (const user of this.of(into)) {
          for (const name of names) changed = this.#add(name, user) || changed;
        }
      }
    }
  }

  /** @returns The expressions that give the value of another one; that one alone, where it is not a reference. */
  follow(expression: Node, block: Block | null): readonly Followed[] {
    return this.#follower.follow(expression, block) ?? [{ expression, local: null }];
  }

  /** @returns The names of the data sources that an expression refers to, also through locals. */
  documentsIn(
    { expression }: Pick<Attribute, "expression">,
    seen: Set<string> = new Set(),
  ): Set<string> {
    const written = textOf(expression, this.#text);
    const names = new Set<string>();
    for (const [, name = ""] of written.matchAll(documentName)) names.add(name);
    for (const [, name = ""] of written.matchAll(localName)) {
      const local = this.#locals.get(name);
      if (!local || seen.has(name) || seen.size >= 20) continue;
      seen.add(name);
      for (const found of this.documentsIn(local, seen)) names.add(found);
    }
    return names;
  }

  /**
   * Whether an argument that holds a policy refers to a local or to a part of it, directly or through others.
   * @param address `local.policies.jobs`.
   */
  usesLocal(address: string): boolean {
    for (let end = address.length; end > 0; end = lastStep(address, end - 1)) {
      if (this.#usedLocals.has(address.slice(0, end))) return true;
    }
    return false;
  }

  /** The arguments of a block that hold policies. */
  *argumentsOf(block: Block): Generator<PolicyArgument> {
    const [first = "", name = ""] = block.labels;
    if (block.type === "provider" && first === "aws") yield* this.#providerArguments(block);
    if (block.type !== "resource") return;
    const isBoundary = first === "aws_iam_policy" && this.#boundaries.has(name);
    for (const facts of policyAttributes(first)) {
      const { policyType } = facts;
      for (const { attribute, where, identity } of at(block, facts.path, outermost, this.#text)) {
        yield {
          block,
          attribute,
          facts,
          address: `${first}.${name}.${where}`,
          identity: `${first}.${name}.${identity}`,
          policyType:
            policyType === "by type"
              ? organizationsType(this.#literal(block.attributes.get("type")))
              : isBoundary
                ? "PERMISSIONS_BOUNDARY"
                : policyType,
        };
      }
    }
  }

  *#providerArguments(block: Block): Generator<PolicyArgument> {
    for (const name of ["assume_role", "assume_role_with_web_identity"]) {
      const facts: PolicyAttribute = {
        path: [name, "[]", "policy"],
        policyType: "SESSION_POLICY",
        service: null,
        attachedBy: null,
      };
      for (const { attribute, where, identity } of at(block, facts.path, outermost, this.#text)) {
        yield {
          block,
          attribute,
          facts,
          address: `provider.aws.${where}`,
          identity: `provider.aws.${identity}`,
          policyType: "SESSION_POLICY",
        };
      }
    }
  }

  /** A literal string; undefined if there is no argument, null if it is not a literal. */
  #literal(attribute: Attribute | undefined): string | null | undefined {
    if (!attribute) return undefined;
    const written = textOf(unwrapped(attribute.expression), this.#text);
    return /^"[\w.-]*"$/.test(written) ? written.slice(1, -1) : null;
  }
}

function lastStep(address: string, before: number): number {
  return Math.max(address.lastIndexOf(".", before), address.lastIndexOf("[", before));
}

interface Found {
  readonly attribute: Attribute;
  readonly where: string;
  /** `where` with names in place of indexes. */
  readonly identity: string;
}

/** The attributes at a path of nested blocks; the content of a `dynamic` block counts as one. */
function* at(
  block: Block,
  path: readonly string[],
  { where: prefix, identity: named }: Pick<Found, "where" | "identity">,
  text: string,
): Generator<Found> {
  const [name = "", list, ...rest] = path;
  if (list !== "[]") {
    const attribute = block.attributes.get(name);
    if (attribute) yield { attribute, where: `${prefix}${name}`, identity: `${named}${name}` };
    return;
  }
  let index = 0;
  // Some providers take a list of objects in place of blocks.
  for (const object of objectsIn(block.attributes.get(name))) {
    const attribute = memberOf(object, rest, text);
    if (attribute) {
      const entry = nameIn(memberOf(object, ["name"], text), text);
      const rest = attribute.name;
      const identity = `${named}${name}[${entry}].${rest}`;
      yield { attribute, where: `${prefix}${name}[${index}].${rest}`, identity };
    }
    index++;
  }
  for (const inner of block.blocks) {
    const isDynamic = inner.type === "dynamic" && inner.labels[0] === name;
    if (inner.type !== name && !isDynamic) continue;
    const content = isDynamic ? inner.blocks.find(({ type }) => type === "content") : inner;
    if (!content) continue;
    const entry = nameIn(content.attributes.get("name"), text);
    const before = {
      where: `${prefix}${name}[${index++}].`,
      identity: `${named}${name}[${entry}].`,
    };
    yield* at(content, rest, before, text);
  }
}

/** The name of a block as written; empty: it has none. */
function nameIn(attribute: Attribute | null | undefined, text: string): string {
  return attribute ? textOf(unwrapped(attribute.expression), text) : "";
}

const outermost = { where: "", identity: "" };

/** The objects of a list that is written out. */
function objectsIn(attribute: Attribute | undefined): Node[] {
  if (!attribute) return [];
  const list = unwrapped(attribute.expression);
  const entries = list.type === "tuple" ? withoutComments(list).map(unwrapped) : [list];
  return entries.filter(({ type }) => type === "object");
}

/** The member of an object at a path of one name. */
function memberOf(
  object: Node,
  [name, ...more]: readonly string[],
  text: string,
): Attribute | null {
  if (name === undefined || more.length > 0) return null;
  for (const element of object.namedChildren) {
    const key = element.type === "object_elem" ? element.childForFieldName("key") : null;
    const expression = element.childForFieldName("val");
    if (!key || !expression || textOf(key, text).replaceAll('"', "") !== name) continue;
    return { name, key: spanOfNode(key), expression };
  }
  return null;
}

const policyName = /\baws_iam_policy\.([\p{ID_Continue}-]+)/gu;

/** Names of the policies that are used as a boundary, or named so, and attached to nothing. */
function boundariesIn(text: string, blocks: readonly Block[]): ReadonlySet<string> {
  const limits = new Set<string>();
  const attached = new Set<string>();
  const read = (block: Block) => {
    for (const { name, expression } of block.attributes.values()) {
      const isBoundary = name.includes("permissions_boundary");
      const written = textOf(expression, text);
      for (const [, policy = ""] of written.matchAll(policyName)) {
        (isBoundary ? limits : attached).add(policy);
      }
    }
    for (const inner of block.blocks) read(inner);
  };
  for (const block of blocks) {
    const [type, name = ""] = block.labels;
    if (type === "aws_iam_policy" && isBoundaryName(name)) limits.add(name);
    if (block.type === "resource" || block.type === "module") read(block);
  }
  return new Set([...limits].filter((name) => !attached.has(name)));
}
