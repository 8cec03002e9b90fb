import { asciiLower } from "../ascii.ts";
import { keyType } from "../policy/condition-key-type.ts";
import type { ConditionType } from "../policy/condition-operator.ts";
import { globalConditionKey, isTagKey } from "../policy/global-condition-keys.ts";
import { identityProviderKey } from "../policy/identity-provider-key.ts";
import type { ServiceLookup } from "../services/model.ts";
import type { Condition } from "./document.ts";

/** What the values of a key are. */
export type Family = "text" | "number" | "instant" | "address";

/** What a question takes for granted about a condition key. */
export interface QuestionKey {
  /** Folded. */
  readonly name: string;
  /** As the first condition about it writes it, else the first variable. */
  readonly spelling: string;
  readonly type: ConditionType;
  readonly family: Family;
  readonly isMultivalued: boolean;
}

const families: Readonly<Record<ConditionType, Family>> = {
  String: "text",
  ARN: "text",
  Bool: "text",
  Binary: "text",
  Numeric: "number",
  Date: "instant",
  IPAddress: "address",
};

/** How the values of a type are compared. */
export function familyOf(type: ConditionType): Family {
  return families[type];
}

/** Type of the values that an operator compares, by how its name begins; null: `Null` or unknown. */
function operatorType(operator: string): ConditionType | null {
  const name = asciiLower(operator).replace(/^for(?:all|any)values?:/, "");
  if (name.startsWith("string")) return "String";
  if (name.startsWith("arn")) return "ARN";
  if (name.startsWith("bool")) return "Bool";
  if (name.startsWith("binary")) return "Binary";
  if (name.startsWith("numeric")) return "Numeric";
  if (name.startsWith("date")) return "Date";
  return name.startsWith("ipaddress") || name.startsWith("notipaddress") ? "IPAddress" : null;
}

/** The keys of one question: type, family and number of values of each. */
export class QuestionKeys {
  readonly #keys = new Map<string, QuestionKey>();
  readonly #uses = new Map<string, { spelling: string; types: Set<ConditionType>; set: boolean }>();
  readonly #services: Pick<ServiceLookup, "get">;
  readonly #variables: ReadonlyMap<string, string>;

  /** @param variables Keys of policy variables, folded, with their spelling. */
  constructor(
    conditions: Iterable<Condition>,
    services: Pick<ServiceLookup, "get">,
    variables: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#services = services;
    this.#variables = variables;
    for (const { operator, key, keyLower } of conditions) {
      let use = this.#uses.get(keyLower);
      if (!use) {
        use = { spelling: key, types: new Set(), set: false };
        this.#uses.set(keyLower, use);
      }
      const type = operatorType(operator);
      if (type) use.types.add(type);
      if (/^for(?:all|any)values?:/i.test(operator)) use.set = true;
    }
  }

  /** Folded names of the keys that some condition tests, in order. */
  get tested(): readonly string[] {
    return [...this.#uses.keys()];
  }

  isTested(name: string): boolean {
    return this.#uses.has(name);
  }

  /** @param name Folded. */
  get(name: string): QuestionKey {
    let key = this.#keys.get(name);
    if (!key) {
      key = this.#find(name);
      this.#keys.set(name, key);
    }
    return key;
  }

  #find(name: string): QuestionKey {
    const use = this.#uses.get(name);
    const spelling = use?.spelling ?? this.#variables.get(name) ?? name;
    const declared = this.#declared(name);
    if (declared) return { name, spelling, family: familyOf(declared.type), ...declared };
    const used = [...(use?.types ?? [])];
    const [only] = used;
    // Without a declaration, operators of several families leave texts.
    const type = only !== undefined && used.every((other) => other === only) ? only : mixed(used);
    return { name, spelling, type, family: familyOf(type), isMultivalued: use?.set ?? false };
  }

  #declared(name: string): { type: ConditionType; isMultivalued: boolean } | null {
    const global = globalConditionKey(name);
    if (global) {
      return global.type && { type: global.type, isMultivalued: global.multivalued };
    }
    const [, tag] = tagOf.exec(name) ?? [];
    if (tag !== undefined && isTagKey(tag)) return { type: "String", isMultivalued: false };
    const claim = identityProviderKey(name)?.claim;
    if (claim !== undefined) return { type: "String", isMultivalued: claim === "amr" };
    const colon = name.indexOf(":");
    // Claims of other sign-ins are keys of sts, whatever their prefix.
    const found = [name.slice(0, colon), "sts"]
      .map((prefix) => this.#services.get(prefix)?.conditionKey(name)?.types[0])
      .find((one) => one !== undefined);
    const type = found === undefined ? undefined : keyType(found);
    return type ? { type: type.type, isMultivalued: type.multivalued } : null;
  }
}

/** Tags of requests and resources; each has one value. */
const tagOf = /^aws:(?:request|resource)tag\/(.*)$/s;

function mixed(types: readonly ConditionType[]): ConditionType {
  const kinds = new Set(types.map(familyOf));
  const [family] = kinds;
  if (kinds.size !== 1 || family === undefined || family === "text") return "String";
  return types[0] ?? "String";
}
