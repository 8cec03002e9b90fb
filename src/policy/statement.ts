import { childNode, keyNode, type NodeRef } from "../json/node.ts";
import { isRecord, type JsonObject } from "../record.ts";
import { parseOperator } from "./condition-operator.ts";
import { decimalText } from "./decimal.ts";
import { roomForFacts } from "./fact-slot.ts";
import type {
  ConditionEntry,
  ConditionValue,
  Entry,
  PrincipalEntry,
  Statement,
  StatementElement,
} from "./model.ts";

/** Members a policy may have, in the order in which AWS writes them. */
export const policyElements: readonly string[] = ["Version", "Id", "Statement"];

/** Members a statement may have, in the order in which AWS writes them. */
export const statementElements: readonly string[] = [
  "Sid",
  "Effect",
  "Principal",
  "NotPrincipal",
  "Action",
  "NotAction",
  "Resource",
  "NotResource",
  "Condition",
];

const none: readonly never[] = [];

/** A statement whose lists are created on first use, because no check needs all of them. */
export class LazyStatement implements Statement {
  readonly facts = roomForFacts();
  readonly index: number;
  readonly node: NodeRef;
  readonly raw: JsonObject;
  readonly sid: string | null;
  readonly effect: string | null;
  readonly allows: boolean;
  readonly denies: boolean;
  #actions: readonly Entry[] | undefined;
  #notActions: readonly Entry[] | undefined;
  #resources: readonly Entry[] | undefined;
  #notResources: readonly Entry[] | undefined;
  #conditions: readonly ConditionEntry[] | undefined;
  #principals: readonly PrincipalEntry[] | undefined;
  #notPrincipals: readonly PrincipalEntry[] | undefined;

  constructor(index: number, node: NodeRef, raw: JsonObject) {
    this.index = index;
    this.node = node;
    this.raw = raw;
    this.sid = this.#text("Sid");
    this.effect = this.#text("Effect");
    const effect = this.effect?.trim().toLowerCase();
    this.allows = effect === "allow";
    this.denies = effect === "deny";
  }

  get actions(): readonly Entry[] {
    this.#actions ??= this.#entries("Action");
    return this.#actions;
  }

  get notActions(): readonly Entry[] {
    this.#notActions ??= this.#entries("NotAction");
    return this.#notActions;
  }

  get resources(): readonly Entry[] {
    this.#resources ??= this.#entries("Resource");
    return this.#resources;
  }

  get notResources(): readonly Entry[] {
    this.#notResources ??= this.#entries("NotResource");
    return this.#notResources;
  }

  get conditions(): readonly ConditionEntry[] {
    this.#conditions ??= conditionEntries(this.#value("Condition"), this.at("Condition"));
    return this.#conditions;
  }

  get principals(): readonly PrincipalEntry[] {
    this.#principals ??= principalEntries(this.#value("Principal"), this.at("Principal"));
    return this.#principals;
  }

  get notPrincipals(): readonly PrincipalEntry[] {
    this.#notPrincipals ??= principalEntries(this.#value("NotPrincipal"), this.at("NotPrincipal"));
    return this.#notPrincipals;
  }

  has(element: StatementElement): boolean {
    return Object.hasOwn(this.raw, element);
  }

  at(element: StatementElement): NodeRef {
    return this.has(element) ? childNode(this.node, element) : this.node;
  }

  #value(element: StatementElement): unknown {
    return this.has(element) ? this.raw[element] : undefined;
  }

  #text(element: StatementElement): string | null {
    const value = this.#value(element);
    return typeof value === "string" ? value : null;
  }

  /** An array with anything but strings counts as wrongly typed, so it is empty. */
  #entries(element: StatementElement): readonly Entry[] {
    if (!this.has(element)) return none;
    const value = this.raw[element];
    const entries = stringEntries(value, childNode(this.node, element));
    return Array.isArray(value) && entries.length < value.length ? none : entries;
  }
}

/** The strings of a string or an array; other values are skipped. */
function stringEntries(value: unknown, node: NodeRef): Entry[] {
  if (typeof value === "string") return [{ text: value, node }];
  if (!Array.isArray(value)) return [];
  const entries: Entry[] = [];
  for (let index = 0; index < value.length; index++) {
    const text: unknown = value[index];
    if (typeof text === "string") entries.push({ text, node: childNode(node, index) });
  }
  return entries;
}

function principalEntries(value: unknown, node: NodeRef): readonly PrincipalEntry[] {
  if (typeof value === "string") return [{ type: "AWS", text: value, node }];
  if (!isRecord(value)) return none;
  return Object.entries(value).flatMap(([type, names]) =>
    stringEntries(names, childNode(node, type)).map((entry) => ({ ...entry, type })),
  );
}

function conditionEntries(value: unknown, node: NodeRef): readonly ConditionEntry[] {
  if (!isRecord(value)) return none;
  const entries: ConditionEntry[] = [];
  for (const [operatorText, keys] of Object.entries(value)) {
    if (!isRecord(keys)) continue;
    const operator = parseOperator(operatorText);
    const operatorNode = keyNode(node, operatorText);
    const block = childNode(node, operatorText);
    for (const [key, values] of Object.entries(keys)) {
      entries.push({
        operatorText,
        operator,
        operatorNode,
        key,
        keyLower: key.toLowerCase(),
        keyNode: keyNode(block, key),
        values: conditionValues(values, childNode(block, key)),
      });
    }
  }
  return entries;
}

function conditionValues(value: unknown, node: NodeRef): ConditionValue[] {
  if (isScalar(value)) return [{ raw: value, text: textOf(value), node }];
  if (!Array.isArray(value)) return [];
  const values: ConditionValue[] = [];
  for (let index = 0; index < value.length; index++) {
    const raw: unknown = value[index];
    if (isScalar(raw)) values.push({ raw, text: textOf(raw), node: childNode(node, index) });
  }
  return values;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function textOf(value: string | number | boolean): string {
  return typeof value === "number" ? decimalText(value) : String(value);
}
