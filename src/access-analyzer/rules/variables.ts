import { upToLastBrace } from "../../closed-braces.ts";
import type { NodeRef } from "../../json/node.ts";
import { childNode, rootNode } from "../../json/node.ts";
import type { Statement } from "../../policy/model.ts";
import { hasPlainForm } from "../../policy/plain-form.ts";
import { actionsOf } from "../../services/statement-actions.ts";
import { quoted } from "../text.ts";
import { type Issue, noIssues, type Subject } from "../types.ts";

interface Text {
  readonly text: string;
  readonly node: NodeRef;
}

const escaped = /^\$\{[*?$]\}/;
const anyVariable = /\$\{[^*?$}][^}]*\}/;

/** A variable in the `Id` of the policy. */
export function variableInId({ raw: { Id } }: Subject): readonly Issue[] {
  if (typeof Id !== "string") return noIssues;
  const text = { text: Id, node: childNode(rootNode, "Id") };
  return hasVariable(text) ? [notHere(text)] : noIssues;
}

/** Policy variables: where they stand, and how they are written. */
export function policyVariables(statement: Statement, subject: Subject): Iterable<Issue> {
  return mayBeFaulty(statement, subject) ? variablesIn(statement, subject) : noIssues;
}

/** Whether a variable is written wrongly, or where it does not work. */
function mayBeFaulty(statement: Statement, { match, raw }: Subject): boolean {
  const { sid, resources, conditions } = statement;
  const isFaulty = lacksVariables(raw) ? opens : isMiswritten;
  return (
    sid?.includes("${") === true ||
    resources.some(isFaulty) ||
    conditions.some(({ key, values }) => key.includes("${") || values.some(isFaulty)) ||
    (!actionsOf(statement, match).areNames && statement.actions.some(opens)) ||
    (!hasPlainForm(statement) && othersOpen(statement))
  );
}

function othersOpen(statement: Statement): boolean {
  const { notActions, principals, notPrincipals, notResources } = statement;
  return [notActions, principals, notPrincipals, notResources].some((texts) => texts.some(opens));
}

const opens = ({ text }: Text) => text.includes("${");
const isMiswritten = ({ text }: Text) => text.includes("${") && faultOf(text) !== null;

/** Whether the version of the policy has no variables. */
function lacksVariables({ Version }: Subject["raw"]): boolean {
  return Version === undefined || Version === "2008-10-17";
}

function* variablesIn(statement: Statement, subject: Subject): Generator<Issue> {
  const { actions, notActions, principals, notPrincipals, sid } = statement;
  for (const entries of [actions, notActions, principals, notPrincipals]) {
    for (const entry of entries) if (hasVariable(entry)) yield notHere(entry);
  }
  if (sid !== null) {
    const text = { text: sid, node: childNode(statement.node, "Sid") };
    if (hasVariable(text)) yield notHere(text);
  }
  const { resources, notResources, conditions } = statement;
  const withoutVariables = lacksVariables(subject.raw);
  for (const entries of [resources, notResources]) {
    for (const entry of entries) {
      if (entry.text.includes("${")) yield* writing(entry, withoutVariables);
    }
  }
  for (const { key, keyNode, values } of conditions) {
    const name = { text: key, node: keyNode };
    if (hasVariable(name)) yield notHere(name);
    for (const value of values) {
      if (value.text.includes("${")) yield* writing(value, withoutVariables);
    }
  }
}

const hasVariable = ({ text }: Text) =>
  text.includes("${") && anyVariable.test(upToLastBrace(text));

function notHere({ text, node }: Text): Issue {
  return {
    code: "VARIABLE_UNSUPPORTED_IN_ELEMENT",
    details: `${quoted(text)} holds a policy variable. Variables work in \`Resource\` and in condition values only.`,
    nodes: [node],
  };
}

/** How the variables of a text are written where they work. */
function* writing({ text, node }: Text, withoutVariables: boolean): Generator<Issue> {
  const fault = faultOf(text);
  if (fault) yield { ...fault, nodes: [node] };
  else if (withoutVariables && hasVariable({ text, node })) {
    yield {
      code: "VARIABLE_UNSUPPORTED_IN_VERSION",
      details: `${quoted(text)} holds a policy variable, which works in version \`2012-10-17\` only. Set \`Version\` to it.`,
      nodes: [node],
    };
  }
}

/** The first thing wrong with a variable of the text. */
function faultOf(text: string): Omit<Issue, "nodes"> | null {
  for (let at = text.indexOf("${"); at >= 0; at = text.indexOf("${", at + 2)) {
    if (escaped.test(text.slice(at, at + 4))) continue;
    const end = text.indexOf("}", at);
    const next = text.indexOf("${", at + 2);
    if (end < 0 || (next >= 0 && next < end)) {
      return {
        code: "MISSING_BRACE_IN_VARIABLE",
        details: `A variable of ${quoted(text)} has no closing brace.`,
      };
    }
    const inside = text.slice(at + 2, end);
    if (inside.trim() === "") {
      return { code: "EMPTY_VARIABLE", details: `A variable of ${quoted(text)} has no name.` };
    }
    const comma = inside.indexOf(",");
    const name = comma < 0 ? inside : inside.slice(0, comma);
    if (comma >= 0) {
      const value = inside.slice(comma + 1).trim();
      if (value.length < 2 || !value.startsWith("'") || !value.endsWith("'")) {
        return {
          code: "MISSING_QUOTE_IN_VARIABLE",
          details: `The default value of a variable of ${quoted(text)} lacks a single quote.`,
        };
      }
    }
    if (/\s/.test(name.trimEnd()) || (comma < 0 && /\s$/.test(name)) || /^\s/.test(name)) {
      return {
        code: "UNSUPPORTED_SPACE_IN_VARIABLE",
        details: `The name of a variable of ${quoted(text)} holds a space. Remove it.`,
      };
    }
  }
  return null;
}
