import { asciiLower } from "../ascii.ts";
import { decimalText } from "../policy/decimal.ts";
import type { PolicyTypeFacts } from "../policy/type-facts.ts";
import { isRecord, type JsonObject } from "../record.ts";

/** What a document says, element by element, before any meaning is given to it. */
export interface AccessDocument {
  /** `Version` is `2012-10-17`: policy variables are read. */
  readonly hasVariables: boolean;
  readonly statements: readonly AccessStatement[];
  /** False: the document is not an object, or its `Statement` neither object nor array. */
  readonly readable: boolean;
}

export interface Names {
  readonly negated: boolean;
  readonly entries: readonly string[];
}

interface PrincipalName {
  readonly type: string;
  readonly text: string;
}

export interface Principals {
  readonly negated: boolean;
  readonly entries: readonly PrincipalName[];
}

export interface Condition {
  /** As written. */
  readonly operator: string;
  readonly key: string;
  readonly keyLower: string;
  /** Scalars as text. */
  readonly values: readonly string[];
}

export interface AccessStatement {
  readonly index: number;
  readonly sid: string | null;
  readonly effect: "allow" | "deny" | null;
  readonly action: Names;
  /** Null: absent, so every resource. */
  readonly resource: Names | null;
  readonly principal: Principals | null;
  readonly conditions: readonly Condition[];
  /** False: an element has a form that cannot be read; its other members mean nothing. */
  readonly readable: boolean;
  /** JSON Pointer into the document. */
  readonly path: string;
}

/** Kinds of policy, as far as the meaning of a document depends on them. */
export type AccessType = PolicyTypeFacts["access"];

/** Reads a document; never throws. */
export function readDocument(raw: unknown, type: AccessType): AccessDocument {
  if (!isRecord(raw)) return { hasVariables: false, statements: [], readable: false };
  const hasVariables = raw.Version === "2012-10-17";
  const list = raw.Statement;
  if (isRecord(list)) {
    return {
      hasVariables,
      readable: true,
      statements: [readStatement(list, 0, "/Statement", type)],
    };
  }
  if (!Array.isArray(list)) return { hasVariables, statements: [], readable: false };
  return {
    hasVariables,
    readable: true,
    statements: list.map((statement: unknown, index) =>
      readStatement(statement, index, `/Statement/${index}`, type),
    ),
  };
}

function readStatement(
  raw: unknown,
  index: number,
  path: string,
  type: AccessType,
): AccessStatement {
  const statement = isRecord(raw) ? raw : {};
  const sid = typeof statement.Sid === "string" ? statement.Sid : null;
  const effect = effectOf(statement.Effect);
  const action = actionsOf(statement);
  const resource = namesOf(statement, "Resource", "NotResource");
  const principal = principalsOf(statement);
  const conditions = conditionsOf(statement);
  const readable =
    isRecord(raw) &&
    effect !== null &&
    action !== null &&
    action !== "faulty" &&
    resource !== "faulty" &&
    principal !== "faulty" &&
    conditions !== null &&
    principalFits(principal !== null, type);
  return {
    index,
    sid,
    effect,
    path,
    readable,
    action: readable ? action : nothing,
    resource: readable ? expanded(resource, type) : nothing,
    principal: readable ? principal : null,
    conditions: readable ? conditions : [],
  };
}

const nothing: Names = { negated: false, entries: [] };

/** No action is longer, with its service: the longest name of an action has 74 characters. */
const longestAction = 1_024;

/** The actions, without entries that are too long to take one. */
function actionsOf(statement: JsonObject): Names | "faulty" | null {
  const names = namesOf(statement, "Action", "NotAction");
  if (names === null || names === "faulty") return names;
  if (names.entries.every(({ length }) => length <= longestAction)) return names;
  const entries = names.entries
    .map((text) => (text.length > longestAction ? text.replaceAll(/\*{2,}/g, "*") : text))
    .filter((text) => text.replaceAll("*", "").length <= longestAction);
  return { ...names, entries };
}

/**
 * API Gateway writes out `execute-api:/stage/METHOD/path` in its resource policies, with its own API.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-resource-policies-examples.html
 */
function expanded(resource: Names | null, type: AccessType): Names | null {
  if (type !== "resource" || !resource) return resource;
  const entries = resource.entries.map((text) =>
    text.startsWith("execute-api:/")
      ? `arn:*:execute-api:*:*:*${text.slice("execute-api:".length)}`
      : text,
  );
  return { ...resource, entries };
}

function principalFits(present: boolean, type: AccessType): boolean {
  if (type === "resource" || type === "trust") return present;
  return type === "rcp" || !present;
}

function effectOf(value: unknown): "allow" | "deny" | null {
  if (typeof value !== "string") return null;
  const effect = value.trim().toLowerCase();
  return effect === "allow" || effect === "deny" ? effect : null;
}

/** Null: neither member is there. */
function namesOf(statement: JsonObject, element: string, not: string): Names | null | "faulty" {
  const plain = Object.hasOwn(statement, element);
  const negated = Object.hasOwn(statement, not);
  if (plain && negated) return "faulty";
  if (!plain && !negated) return null;
  const entries = textsOf(statement[negated ? not : element]);
  return entries ? { negated, entries } : "faulty";
}

function textsOf(value: unknown): readonly string[] | null {
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) return null;
  return value.every((entry) => typeof entry === "string") ? value : null;
}

const principalTypes = new Set(["AWS", "Service", "Federated", "CanonicalUser"]);

function principalsOf(statement: JsonObject): Principals | null | "faulty" {
  const plain = Object.hasOwn(statement, "Principal");
  const negated = Object.hasOwn(statement, "NotPrincipal");
  if (plain && negated) return "faulty";
  if (!plain && !negated) return null;
  const value = statement[negated ? "NotPrincipal" : "Principal"];
  // A string other than `*` is an entry that AWS refuses; it is read as AWS reads it under `AWS`.
  if (typeof value === "string") return { negated, entries: [{ type: "AWS", text: value }] };
  if (!isRecord(value)) return "faulty";
  const entries: PrincipalName[] = [];
  for (const [type, names] of Object.entries(value)) {
    const texts = textsOf(names);
    if (!texts || !principalTypes.has(type)) return "faulty";
    for (const text of texts) entries.push({ type, text });
  }
  return { negated, entries };
}

/** Null: not an object of objects of scalars or arrays of scalars. */
function conditionsOf(statement: JsonObject): readonly Condition[] | null {
  if (!Object.hasOwn(statement, "Condition")) return [];
  return readBlock(statement.Condition);
}

/** Reads one condition block. @returns null when it is not an object of objects of scalars. */
export function readBlock(block: unknown): readonly Condition[] | null {
  if (!isRecord(block)) return null;
  const conditions: Condition[] = [];
  for (const [operator, keys] of Object.entries(block)) {
    if (!isRecord(keys)) return null;
    for (const [key, raw] of Object.entries(keys)) {
      const values = scalarsOf(raw);
      if (!values) return null;
      conditions.push({ operator, key, keyLower: asciiLower(key), values });
    }
  }
  return conditions;
}

function scalarsOf(value: unknown): readonly string[] | null {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts: string[] = [];
  for (const scalar of list) {
    if (typeof scalar === "string") texts.push(scalar);
    else if (typeof scalar === "boolean") texts.push(String(scalar));
    else if (typeof scalar === "number") texts.push(decimalText(scalar));
    else return null;
  }
  return texts;
}
