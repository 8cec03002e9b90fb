import type { NodeRef } from "../../json/node.ts";
import { childNode } from "../../json/node.ts";
import type { Statement, StatementElement } from "../../policy/model.ts";
import { onlyService } from "../../policy/only-service.ts";
import { hasPlainCondition, hasPlainForm } from "../../policy/plain-form.ts";
import { isRecord } from "../../record.ts";
import { quoted } from "../text.ts";
import { type Issue, noIssues, type Subject } from "../types.ts";

const pairs: readonly (readonly [StatementElement, StatementElement])[] = [
  ["Action", "NotAction"],
  ["Resource", "NotResource"],
  ["Principal", "NotPrincipal"],
];

/** Elements that a statement must have, or cannot have, by the type of the policy. */
export function requiredElements(statement: Statement, { type }: Subject): Iterable<Issue> {
  const takesNoPrincipal = type === "identity" || type === "scp";
  return takesNoPrincipal && hasPlainForm(statement) ? noIssues : wrongElements(statement, type);
}

function* wrongElements(statement: Statement, type: Subject["type"]): Generator<Issue> {
  const missing = (code: Issue["code"], what: string): Issue => ({
    code,
    details: `The statement has no ${what}. Add it.`,
    nodes: [statement.node],
  });
  const has = (one: StatementElement, other = one) => statement.has(one) || statement.has(other);
  if (!has("Effect")) yield missing("MISSING_EFFECT", "`Effect`");
  else if (
    statement.effect !== null &&
    statement.effect !== "Allow" &&
    statement.effect !== "Deny"
  ) {
    yield {
      code: "INVALID_EFFECT",
      details: `The effect ${quoted(statement.effect)} does not exist. Use \`Allow\` or \`Deny\`.`,
      nodes: [statement.at("Effect")],
    };
  }
  if (!has("Action", "NotAction")) yield missing("MISSING_ACTION", "`Action` or `NotAction`");
  const takesPrincipal = type === "resource" || type === "trust" || type === "rcp";
  if (takesPrincipal && !has("Principal", "NotPrincipal")) {
    yield missing("MISSING_PRINCIPAL", "`Principal`");
  }
  // The policy of a private repository of ECR has none: it applies to the repository.
  // https://docs.aws.amazon.com/AmazonECR/latest/userguide/repository-policies.html
  const isOfRepository = type === "resource" && onlyService(statement) === "ecr";
  if (type !== "trust" && !isOfRepository && !has("Resource", "NotResource")) {
    yield missing("MISSING_RESOURCE", "`Resource` or `NotResource`");
  }
  for (const [one, other] of pairs) {
    if (!has(one) || !has(other)) continue;
    yield {
      code: "UNSUPPORTED_ELEMENT_COMBINATION",
      details: `A statement cannot have both \`${one}\` and \`${other}\`. Remove one.`,
      nodes: [statement.at(one), statement.at(other)],
    };
  }
  if (type === "identity" || type === "scp") {
    for (const name of ["Principal", "NotPrincipal"] as const) {
      if (!has(name)) continue;
      yield {
        code: type === "scp" ? "SCP_SYNTAX_ERROR_PRINCIPAL" : "UNSUPPORTED_PRINCIPAL",
        details: `A policy of this type takes no \`${name}\`. Remove it.`,
        nodes: [statement.at(name)],
      };
    }
  }
}

const sidCharacters = /^[A-Za-z0-9]*$/;

/** The Sid of one statement. */
export function sidForm(statement: Statement, { type }: Subject): Iterable<Issue> {
  const { sid } = statement;
  const isFine = sid === null || (sid !== "" && sidCharacters.test(sid));
  return isFine ? noIssues : faultsOfSid(sid, statement, type);
}

function* faultsOfSid(sid: string, statement: Statement, type: Subject["type"]): Generator<Issue> {
  const nodes = [childNode(statement.node, "Sid")];
  if (sid === "") {
    yield {
      code: "EMPTY_SID_VALUE",
      details: "The Sid is empty. Give it a value or remove it.",
      nodes,
    };
  } else if (type !== "resource" && type !== "trust") {
    yield {
      code: "UNSUPPORTED_SID",
      details: `The Sid ${quoted(sid)} holds other characters than letters and digits. Remove them.`,
      nodes,
    };
  }
}

/** Sids that occur twice, compared with letter case. */
export function uniqueSids(subject: Subject): Iterable<Issue> {
  const sids = subject.statements.flatMap(({ sid }) => sid || []);
  return new Set(sids).size < sids.length ? repeatedSids(subject) : noIssues;
}

function* repeatedSids({ statements, type }: Subject): Generator<Issue> {
  const places = new Map<string, NodeRef[]>();
  for (const statement of statements) {
    const { sid } = statement;
    if (!sid) continue;
    const nodes = places.get(sid) ?? [];
    nodes.push(statement.at("Sid"));
    places.set(sid, nodes);
  }
  for (const [sid, nodes] of places) {
    if (nodes.length < 2) continue;
    yield {
      code: type === "resource" ? "UNIQUE_SIDS_RECOMMENDED" : "UNIQUE_SIDS_REQUIRED",
      details: `${nodes.length} statements have the Sid ${quoted(sid)}. Give each its own.`,
      nodes,
    };
  }
}

/** Lists and objects without content. */
export function emptyElements(statement: Statement, { type }: Subject): Iterable<Issue> {
  const isFull =
    hasPlainForm(statement) && (!statement.has("Condition") || hasPlainCondition(statement));
  return isFull ? noIssues : emptyOnes(statement, type);
}

function* emptyOnes(statement: Statement, type: Subject["type"]): Generator<Issue> {
  const { raw, node } = statement;
  const empty = (code: Issue["code"], what: string, at: NodeRef, advice: string): Issue => ({
    code,
    details: `${what} is empty. ${advice}`,
    nodes: [at],
  });
  const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
  for (const name of ["Action", "NotAction", "Resource", "NotResource"] as const) {
    if (!isEmptyList(raw[name])) continue;
    const code = name.endsWith("Action") ? "EMPTY_ARRAY_ACTION" : "EMPTY_ARRAY_RESOURCE";
    const kind = name.endsWith("Action") ? "actions" : "resources";
    yield empty(code, `\`${name}\``, statement.at(name), `Name ${kind}, or remove the statement.`);
  }
  if (type === "resource" || type === "trust") {
    for (const name of ["Principal", "NotPrincipal"] as const) {
      const value = raw[name];
      if (!isRecord(value)) continue;
      const at = statement.at(name);
      if (Object.keys(value).length === 0) {
        yield empty("EMPTY_OBJECT_PRINCIPAL", `\`${name}\``, at, "Name the principals.");
      }
      for (const [key, names] of Object.entries(value)) {
        if (isEmptyList(names)) {
          const list = `The list under ${quoted(key)}`;
          yield empty("EMPTY_ARRAY_PRINCIPAL", list, childNode(at, key), "Name the principals.");
        }
      }
    }
  }
  const { Condition } = raw;
  if (!isRecord(Condition)) return;
  const at = childNode(node, "Condition");
  if (Object.keys(Condition).length === 0) {
    yield empty("EMPTY_OBJECT_CONDITION", "`Condition`", at, "Add a test or remove the element.");
  }
  for (const [operator, keys] of Object.entries(Condition)) {
    if (!isRecord(keys)) continue;
    for (const [key, values] of Object.entries(keys)) {
      if (!isEmptyList(values)) continue;
      yield empty(
        emptyValuesCode(operator.toLowerCase()),
        `The list of values for ${quoted(key)}`,
        childNode(childNode(at, operator), key),
        "Give values, or test with `Null` whether requests have the key.",
      );
    }
  }
}

function emptyValuesCode(operator: string): Issue["code"] {
  if (operator.startsWith("forallvalues:")) return "EMPTY_ARRAY_CONDITION_FORALLVALUES";
  if (operator.startsWith("foranyvalue:")) return "EMPTY_ARRAY_CONDITION_FORANYVALUE";
  return operator.endsWith("ifexists") ? "EMPTY_ARRAY_CONDITION_IFEXISTS" : "EMPTY_ARRAY_CONDITION";
}
