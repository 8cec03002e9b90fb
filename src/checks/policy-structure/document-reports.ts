import type { Report } from "../../engine/check.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import { childNode, keyNode, type NodeRef, pointerOf, stepsOf } from "../../json/node.ts";
import { isFenced, repairedJson } from "../../json/repair.ts";
import type { Policy, Statement, TextFault } from "../../policy/model.ts";
import { policyElements, statementElements } from "../../policy/statement.ts";
import { policyTypeFacts } from "../../policy/type-facts.ts";
import { isRecord } from "../../record.ts";
import { bareStatement } from "../shared/bare-statement.ts";
import { correctedNode } from "../shared/corrected.ts";
import { fixedBy, type Promised } from "../shared/fixed-by.ts";
import { currentVersion, legacyVersion } from "../shared/grammar.ts";
import { quote, quoteList, quoteValue } from "../shared/quote.ts";
import { mergedMember } from "./duplicates.ts";
import { flatStatements, misspeltMember, quoted, strayMembers } from "./fixes.ts";
import { asPolicy } from "./moved-members.ts";

const statementNames = quoteList(statementElements);

export type UnreadableText = Exclude<TextFault, { readonly kind: "duplicate" }>;

/** The one finding about a text that does not parse, or nests too deeply. */
export function unreadableText(fault: UnreadableText, text: string | null): Report {
  if (fault.kind === "unread") {
    return {
      issue_type: "policy_not_read",
      severity: "warning",
      message: `A policy stands here that was not validated. ${fault.message}`,
      suggestion:
        "Validate the policy where its text is known, for example in a plan or an answer of AWS.",
    };
  }
  return {
    issue_type: "invalid_syntax",
    severity: "error",
    message: `${fault.message} Nothing else was checked.`,
    suggestion: "Correct the text so that it is valid JSON, or valid YAML.",
    aws_issue_code: "JSON_SYNTAX_ERROR",
    fix: () => (fault.kind === "syntax" && text !== null ? asJson(text) : null),
  };
}

/** The repair of comments, commas and quotes. */
function asJson(before: string): FixProposal | null {
  const after = repairedJson(before);
  return after === null
    ? null
    : {
        title: isFenced(before)
          ? "Write the text as JSON, without the Markdown fence around it"
          : "Write the text as JSON: no comments, the right commas, quotes and brackets",
        effect: "repairs",
        edits: [],
        text: { before, after },
      };
}

/**
 * Reports what was sent in place of a policy; an ARN and a file name are told apart from other values.
 */
export function notAnObject(raw: unknown, node: NodeRef): Report {
  const sent = typeof raw === "string" ? referenceIn(raw) : null;
  if (sent !== null) {
    return {
      issue_type: "invalid_document_type",
      severity: "error",
      message: `The policy is ${sent}, ${quoteValue(raw)}, and not the policy itself, so nothing was checked.`,
      suggestion: "Send the content: the policy document as an object, or its JSON or YAML text.",
      aws_issue_code: "DATA_TYPE_MISMATCH",
    };
  }
  return {
    issue_type: "invalid_document_type",
    severity: "error",
    message: `The policy is ${quoteValue(raw)}; a policy is a JSON object with \`Version\` and \`Statement\`.`,
    suggestion: "Submit the policy document itself, as an object or as the text of one.",
    aws_issue_code: "DATA_TYPE_MISMATCH",
    fix: () => (Array.isArray(raw) ? asPolicy(raw, node) : null),
  };
}

/** What a text names instead of holding a policy; null where it names nothing known. */
function referenceIn(text: string): string | null {
  const name = text.trim();
  if (/\s/.test(name) || name.length > 1024) return null;
  if (/^arn:[^:]*:/.test(name)) return "an ARN";
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(name)) return "an address";
  return /^(?:\.{0,2}|~|[a-z]:)[\\/]/i.test(name) || /\.(?:json|ya?ml|tf|tpl|txt|hcl)$/i.test(name)
    ? "the name of a file"
    : null;
}

/** One finding per repeated name and object; inside a statement it belongs to that statement. */
export function* duplicateReports({ document, statements }: Policy): Iterable<Report> {
  const seen = new Set<string>();
  const byIndex = new Map(statements.map((statement) => [statement.index, statement]));
  for (const fault of document.faults) {
    if (fault.kind !== "duplicate") continue;
    const pointer = pointerOf(fault.node);
    if (seen.has(pointer)) continue;
    seen.add(pointer);
    const statement = statementAround(fault.node, byIndex);
    yield {
      issue_type: "duplicate_element",
      severity: "error",
      node: fault.node,
      ...(statement ? { statement } : {}),
      message: `The member ${quote(fault.name)} appears more than once in the same object. Only the last one counts, so the others have no effect.`,
      suggestion: "Merge the repeated members into one, or remove the ones that are not meant.",
      fix: () => mergedMember(document.raw, fault),
    };
  }
}

function statementAround(
  node: NodeRef,
  byIndex: ReadonlyMap<number, Statement>,
): Statement | undefined {
  const [first, second, third] = stepsOf(node);
  if (first !== "Statement" || second === undefined) return undefined;
  // `Statement` is a list, or a single object whose member is meant.
  if (typeof second === "number") return third === undefined ? undefined : byIndex.get(second);
  return byIndex.get(0);
}

/** What is wrong with the document itself. */
export function* documentReports(
  raw: Readonly<Record<string, unknown>>,
  policy: Policy,
): Iterable<Report> {
  const unknown = Object.keys(raw).filter((name) => !policyElements.includes(name));
  const [firstUnknown] = unknown;
  if (firstUnknown !== undefined) {
    yield {
      issue_type: "unknown_policy_field",
      severity: "error",
      node: keyNode(policy.node, firstUnknown),
      message: `The policy has ${unknown.length === 1 ? "a member" : "members"} that IAM does not know: ${quoteList(unknown.sort(), 50)}. AWS refuses the document.`,
      suggestion: `Remove ${unknown.length === 1 ? "it" : "them"} or correct the name; a policy has ${quoteList(policyElements)}, spelled exactly so.`,
      aws_issue_code: "INVALID_POLICY_ELEMENT",
      fix: () => asPolicy(raw, policy.node) ?? strayMembers(raw, policy.node, policyElements),
    };
  }
  yield* versionReports(raw, policy);
  yield* statementListReports(raw, policy);
  if (Object.hasOwn(raw, "Id") && typeof raw.Id !== "string") {
    yield {
      issue_type: "invalid_element_type",
      severity: "error",
      node: childNode(policy.node, "Id"),
      message: `\`Id\` is ${quoteValue(raw.Id)}; it must be a string.`,
      suggestion: "Write the id as a string, or leave it out.",
      fix: () => quoted(raw.Id, childNode(policy.node, "Id")),
      aws_issue_code: "DATA_TYPE_MISMATCH",
    };
  }
}

function* versionReports(raw: Readonly<Record<string, unknown>>, policy: Policy): Iterable<Report> {
  const suggestion = `Set \`"Version": "${currentVersion}"\`. It names the language, not the day the policy was written.`;
  if (!Object.hasOwn(raw, "Version")) {
    const severity = policyTypeFacts[policy.type].missingVersion;
    if (severity === null) return;
    const misspelt = misspeltMember(raw, policy.node, policyElements, ["Version"]);
    yield {
      issue_type: "missing_version",
      severity,
      message:
        severity === "error"
          ? "The policy has no `Version`; AWS Organizations refuses it."
          : `The policy has no \`Version\`. AWS then reads it as ${legacyVersion}, in which policy variables such as \`\${aws:username}\` are plain text.`,
      suggestion,
      aws_issue_code: "MISSING_VERSION",
      ...(misspelt
        ? { fix: () => misspelt }
        : fixedBy(
            () => ({ node: policy.node, value: { Version: currentVersion, ...raw } }),
            severity === "error"
              ? { title: "Add the Version, which Organizations requires", effect: "repairs" }
              : newVersion(raw),
          )),
    };
    return;
  }
  const node = childNode(policy.node, "Version");
  if (raw.Version === legacyVersion) {
    yield {
      issue_type: "outdated_version",
      severity: "warning",
      node,
      message: `\`Version\` is \`${legacyVersion}\`, an old version of the language, in which policy variables such as \`\${aws:username}\` are not replaced but stay plain text.`,
      suggestion,
      ...fixedBy(() => correctedNode(node, currentVersion), newVersion(raw)),
    };
  } else if (raw.Version !== currentVersion) {
    yield {
      issue_type: "invalid_version",
      severity: "error",
      node,
      message: `\`Version\` is ${quoteValue(raw.Version)}; the only versions are \`${currentVersion}\` and \`${legacyVersion}\`.`,
      suggestion,
      aws_issue_code: "INVALID_VERSION",
      ...fixedBy(() => correctedNode(node, currentVersion), {
        title: "Write the current version of the policy language",
        effect: "repairs",
      }),
    };
  }
}

/** Variables begin to work with the new version; without any, nothing changes. */
function newVersion(raw: Readonly<Record<string, unknown>>): Promised {
  return JSON.stringify(raw.Statement ?? null).includes("${")
    ? {
        title: "Set Version 2012-10-17: policy variables are then replaced",
        effect: "changes",
      }
    : {
        title: "Set Version 2012-10-17",
        effect: "equivalent",
        argument: "The versions differ in policy variables only, and the document has none.",
      };
}

function* statementListReports(
  raw: Readonly<Record<string, unknown>>,
  policy: Policy,
): Iterable<Report> {
  const value = raw.Statement;
  const node = childNode(policy.node, "Statement");
  if (!Object.hasOwn(raw, "Statement")) {
    yield {
      issue_type: "missing_statement",
      severity: "error",
      message: "The policy has no `Statement`, so AWS refuses it.",
      suggestion: "Add a `Statement` with at least one statement.",
      aws_issue_code: "MISSING_STATEMENT",
      fix: () =>
        asPolicy(raw, policy.node) ??
        misspeltMember(raw, policy.node, policyElements, ["Statement"]),
    };
  } else if (Array.isArray(value) && value.length === 0) {
    yield {
      issue_type: "empty_statement",
      severity: "error",
      node,
      message: "`Statement` is an empty list, so AWS refuses the policy.",
      suggestion: "Put at least one statement into the list.",
      aws_issue_code: "MISSING_STATEMENT",
    };
  } else if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) {
      if (isRecord(entry)) continue;
      const entryNode = childNode(node, index);
      yield {
        issue_type: "invalid_statement_type",
        severity: "error",
        node: entryNode,
        statement: bareStatement(index, entryNode, quoteValue(entry)),
        message: `Entry ${index + 1} of \`Statement\` is ${quoteValue(entry)}; a statement is an object with ${statementNames}.`,
        suggestion: "Write the statement as an object, or remove the entry.",
        aws_issue_code: "DATA_TYPE_MISMATCH",
        fix: () => flatStatements(value, node),
      };
    }
  } else if (!isRecord(value)) {
    yield {
      issue_type: "invalid_statement_type",
      severity: "error",
      node,
      message: `\`Statement\` is ${quoteValue(value)}; it must be a list of statements, or one statement.`,
      suggestion: "Write `Statement` as a list of objects.",
      aws_issue_code: "DATA_TYPE_MISMATCH",
    };
  }
}
