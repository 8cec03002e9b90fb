import { childNode, keyNode, type NodeRef, rootNode } from "../../json/node.ts";
import type { Statement } from "../../policy/model.ts";
import { hasPlainCondition, hasPlainForm } from "../../policy/plain-form.ts";
import { policyElements, statementElements } from "../../policy/statement.ts";
import { isRecord } from "../../record.ts";
import { quoted } from "../text.ts";
import { type AnalysisType, type Issue, noIssues, type Subject } from "../types.ts";

const versions: ReadonlySet<unknown> = new Set(["2012-10-17", "2008-10-17"]);

/** Members of the document, and their JSON types. */
export function documentElements({ raw }: Subject): Iterable<Issue> {
  const { Version, Id, Statement } = raw;
  const areFine =
    versions.has(Version) &&
    (Id === undefined || typeof Id === "string") &&
    (Array.isArray(Statement)
      ? Statement.length > 0 && Statement.every(isRecord)
      : isRecord(Statement)) &&
    Object.keys(raw).every((name) => policyElements.includes(name));
  return areFine ? noIssues : faultyElements(raw);
}

function* faultyElements(raw: Subject["raw"]): Generator<Issue> {
  for (const name of Object.keys(raw)) {
    if (!policyElements.includes(name)) yield unknownElement(name, keyNode(rootNode, name));
  }
  const { Version, Id, Statement } = raw;
  if (Version === undefined) {
    yield {
      code: "MISSING_VERSION",
      details: "The policy has no Version. Add `2012-10-17`, so that policy variables work.",
      nodes: [rootNode],
    };
  } else if (typeof Version !== "string") {
    yield wrongType("Version", "a string", childNode(rootNode, "Version"));
  } else if (!versions.has(Version)) {
    yield {
      code: "INVALID_VERSION",
      details: `The version ${quoted(Version)} does not exist. Use \`2012-10-17\`.`,
      nodes: [childNode(rootNode, "Version")],
    };
  }
  if (Id !== undefined && typeof Id !== "string") {
    yield wrongType("Id", "a string", childNode(rootNode, "Id"));
  }
  if (Statement === undefined || (Array.isArray(Statement) && Statement.length === 0)) {
    yield {
      code: "MISSING_STATEMENT",
      details: "The policy has no statement. Add at least one to `Statement`.",
      nodes: [rootNode],
    };
    return;
  }
  const node = childNode(rootNode, "Statement");
  if (Array.isArray(Statement)) {
    for (let index = 0; index < Statement.length; index++) {
      if (isRecord(Statement[index])) continue;
      yield wrongType("Statement", "an object", childNode(node, index));
    }
  } else if (!isRecord(Statement)) {
    yield wrongType("Statement", "a list of objects", node);
  }
}

/** Members of each statement, and their JSON types. */
export function statementElementTypes({ statements }: Subject): Iterable<Issue | null> {
  return statements.every(hasPlainTypes) ? noIssues : wrongTypes(statements);
}

function hasPlainTypes(statement: Statement): boolean {
  if (!hasPlainForm(statement)) return false;
  return !statement.has("Condition") || hasPlainCondition(statement);
}

function* wrongTypes(statements: readonly Statement[]): Generator<Issue | null> {
  for (const statement of statements) {
    const { raw, node } = statement;
    yield null;
    if (hasPlainTypes(statement)) continue;
    for (const name of Object.keys(raw)) {
      const value = raw[name];
      if (!statementElements.includes(name)) yield unknownElement(name, keyNode(node, name));
      else if (name === "Condition") yield* conditionTypes(value, childNode(node, name));
      // A string is right for every other element.
      else if (typeof value === "string") continue;
      else if (name === "Sid" || name === "Effect") {
        yield wrongType(name, "a string", childNode(node, name));
      } else if (name === "Principal" || name === "NotPrincipal") {
        yield* principalTypes(value, childNode(node, name));
      } else if (!isListOfStrings(value)) {
        yield* stringOrStrings(name, value, childNode(node, name));
      }
    }
  }
}

function isListOfStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function* stringOrStrings(name: string, value: unknown, node: NodeRef): Generator<Issue> {
  if (typeof value === "string") return;
  if (!Array.isArray(value)) {
    yield wrongType(name, "a string or a list of strings", node);
    return;
  }
  for (let index = 0; index < value.length; index++) {
    if (typeof value[index] !== "string") yield wrongType(name, "a string", childNode(node, index));
  }
}

function* principalTypes(value: unknown, node: NodeRef): Generator<Issue> {
  if (!isRecord(value)) return;
  for (const [key, names] of Object.entries(value)) {
    yield* stringOrStrings(key, names, childNode(node, key));
  }
}

function* conditionTypes(value: unknown, node: NodeRef): Generator<Issue> {
  if (!isRecord(value)) {
    yield wrongType("Condition", "an object", node);
    return;
  }
  for (const [operator, keys] of Object.entries(value)) {
    const block = childNode(node, operator);
    if (!isRecord(keys)) {
      yield wrongType(operator, "an object of condition keys", block);
      continue;
    }
    const lower = operator.toLowerCase();
    const booleans = /(?:^|:)(?:bool|null)/.test(lower);
    const numbers = /numeric|date/.test(lower);
    const accepted = (one: unknown) =>
      typeof one === "string" ||
      (booleans && typeof one === "boolean") ||
      (numbers && typeof one === "number");
    for (const [key, values] of Object.entries(keys)) {
      const at = childNode(block, key);
      if (!Array.isArray(values)) {
        if (!accepted(values)) yield wrongType(key, "a string or a list of strings", at);
        continue;
      }
      if (values.some((one) => typeof one !== typeof values[0])) {
        yield {
          code: "INVALID_CONDITION_DATA_TYPE",
          details: `The values of ${quoted(key)} have different JSON types. Use one type for all.`,
          nodes: [at],
        };
        continue;
      }
      for (let index = 0; index < values.length; index++) {
        if (!accepted(values[index])) yield wrongType(key, "a string", childNode(at, index));
      }
    }
  }
}

function unknownElement(name: string, node: NodeRef): Issue {
  return {
    code: "INVALID_POLICY_ELEMENT",
    details: `${quoted(name)} is not an element of a policy. Remove it or correct the name.`,
    nodes: [node],
  };
}

function wrongType(name: string, expected: string, node: NodeRef): Issue {
  return {
    code: "DATA_TYPE_MISMATCH",
    details: `${quoted(name)} has the wrong JSON type. Use ${expected}.`,
    nodes: [node],
  };
}

/** Characters of the text that are not white space. */
function dense(text: string): number {
  return text.replace(/\s+/g, "").length;
}

interface Quota {
  readonly code: Issue["code"];
  readonly limit: number;
  /** How AWS counts. */
  readonly measure: (text: string) => number;
  readonly what: string;
}

/**
 * Quotas that ValidatePolicy compares with. The identity count is one higher than the number of characters
 * that are not white space: all 196 answers on record give that number.
 * Source: "IAM and AWS STS quotas" and "Quotas for AWS Organizations" (10,240 for SCPs since 2026-05-15).
 */
const quotas: Readonly<Record<AnalysisType, Quota>> = {
  identity: {
    code: "POLICY_SIZE_EXCEEDS_IDENTITY_POLICY_QUOTA",
    limit: 10_240,
    measure: (text) => dense(text) + 1,
    what: "an identity policy",
  },
  resource: {
    code: "POLICY_SIZE_EXCEEDS_RESOURCE_POLICY_QUOTA",
    limit: 20_480,
    measure: (text) => Buffer.byteLength(text),
    what: "a resource policy",
  },
  trust: {
    code: "POLICY_SIZE_EXCEEDS_ROLE_TRUST_POLICY_QUOTA",
    limit: 2_048,
    measure: dense,
    what: "a role trust policy",
  },
  scp: {
    code: "POLICY_SIZE_EXCEEDS_SCP_QUOTA",
    limit: 10_240,
    measure: (text) => text.length,
    what: "a service control policy",
  },
  rcp: {
    code: "POLICY_SIZE_EXCEEDS_RCP_QUOTA",
    limit: 5_120,
    measure: (text) => text.length,
    what: "a resource control policy",
  },
};

/** A document over the quota of its policy type, counted as AWS counts that type. */
export function documentSize({ document, raw, type }: Subject): readonly Issue[] {
  const { code, limit, measure, what } = quotas[type];
  // No measure counts more than the bytes and one.
  if (document.text === null && document.compactBytes < limit) return noIssues;
  const size = measure(document.text ?? JSON.stringify(raw));
  if (size <= limit) return noIssues;
  const details = `The policy has ${size} characters; the quota for ${what} is ${limit}. Shorten it or split it.`;
  return [{ code, details, nodes: [rootNode] }];
}
