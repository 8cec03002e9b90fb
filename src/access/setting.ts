import { asciiLower } from "../ascii.ts";
import { upToLastBrace } from "../closed-braces.ts";
import type { QuestionOptions } from "./answers.ts";
import { callersOf } from "./caller-kinds.ts";
import { type Caller, presenceOf, split } from "./callers.ts";
import type { AccessDocument, AccessType, Condition } from "./document.ts";
import { QuestionKeys } from "./keys.ts";

/** What a question is asked of. */
export interface Setting {
  readonly documents: readonly AccessDocument[];
  readonly type: AccessType;
  readonly keys: QuestionKeys;
  readonly usedKeys: readonly string[];
  readonly callers: readonly Caller[];
  /** Keys of variables with a default that are told apart as present and absent; folded. */
  readonly defaults: readonly string[];
  readonly options: QuestionOptions;
  /** More variables with a default than are told apart. */
  readonly tooManyDefaults: boolean;
}

/** Variables with a default that are told apart as present and absent. */
const maxSplits = 3;

/**
 * Prepares a question about documents: the keys that it reads, and the kinds of callers that have to be told
 * apart.
 * @param more Conditions of the question beside those of the documents.
 */
export function settingOf(
  documents: readonly AccessDocument[],
  type: AccessType,
  options: QuestionOptions,
  more: readonly Condition[] = [],
): Setting {
  const statements = documents.flatMap((document) => document.statements);
  const conditions = [...statements.flatMap((statement) => statement.conditions), ...more];
  const variables = variableKeys(documents, more);
  const keys = new QuestionKeys(conditions, options.services, variables.spellings);
  const usedKeys = [...new Set([...keys.tested, ...variables.spellings.keys()])];
  const defaults = variables.withDefault.slice(0, maxSplits);
  return {
    documents,
    type,
    keys,
    usedKeys,
    callers: callersOf(documents, type, usedKeys).flatMap((caller) => splits(caller, defaults)),
    defaults,
    options,
    tooManyDefaults: variables.withDefault.length > maxSplits,
  };
}

/** The caller with each key present and with it absent. */
export function splits(caller: Caller, keys: readonly string[]): readonly Caller[] {
  const free = keys.filter((key) => presenceOf(caller, key) === "free");
  return Array.from({ length: 2 ** free.length }, (_, bits) => {
    const present = free.filter((_key, index) => ((bits >> index) & 1) === 0);
    const absent = free.filter((key) => !present.includes(key));
    return free.length === 0 ? caller : split(caller, new Set(present), new Set(absent));
  });
}

const insertion = /\$\{([^}]*)\}/g;

/** @returns the keys of variables, folded, with the spelling of the first; and those that have a default. */
function variableKeys(
  documents: readonly AccessDocument[],
  more: readonly Condition[],
): { readonly spellings: ReadonlyMap<string, string>; readonly withDefault: readonly string[] } {
  const spellings = new Map<string, string>();
  const withDefault = new Set<string>();
  const texts: string[] = more.flatMap(({ values }) => values);
  for (const { hasVariables, statements } of documents) {
    if (!hasVariables) continue;
    for (const { resource, conditions } of statements) {
      texts.push(...(resource?.entries ?? []), ...conditions.flatMap(({ values }) => values));
    }
  }
  for (const text of texts) {
    if (!text.includes("${")) continue;
    for (const [, body = ""] of upToLastBrace(text).matchAll(insertion)) {
      const [key = "", fallback] = body.split(",", 2);
      if (!key.includes(":") || key.includes("::") || key.includes("'")) continue;
      const spelling = key.trim();
      const name = asciiLower(spelling);
      if (!spellings.has(name)) spellings.set(name, spelling);
      if (fallback !== undefined) withDefault.add(name);
    }
  }
  return { spellings, withDefault: [...withDefault] };
}
