import type { ConfiguredSeverity } from "../../../../spec/severity.ts";
import type { Answer, UndecidedBy, Violation } from "../../../access/answers.ts";
import { type AccessDocument, readDocument } from "../../../access/document.ts";
import { sharedProvider } from "../../../access/shared-providers.ts";
import { accessTypeOf } from "../../../access/types.ts";
import type { CheckContext, Report } from "../../../engine/check.ts";
import { childNode, type NodeRef, rootNode, unescapedStep } from "../../../json/node.ts";
import type { Policy } from "../../../policy/model.ts";
import type { QuestionOptions } from "./options.ts";
import { statementOf } from "./words.ts";

type Context = CheckContext<QuestionOptions>;

/** The policy as the questions read it. */
export function accessDocument({ document, type }: Policy): AccessDocument {
  return readDocument(document.raw, accessTypeOf(type));
}

/** What the library needs of the options. */
export function searchOptions({ options, services }: Context) {
  return {
    services,
    maxSteps: options.max_steps,
    maxStatements: options.max_statements,
    extraTrustedKeys: [] as readonly string[],
  };
}

/** Severity of a violation: the check's where it grants something today. */
export function severityOf({ kind }: Violation, severity: ConfiguredSeverity): ConfiguredSeverity {
  return kind === "grants" ? severity : "low";
}

/** The fields of a finding that a violation settles. */
export function violationFields(
  violation: Violation,
  { policy }: Context,
): Pick<Report, "node" | "statement" | "field_name" | "action" | "resource"> {
  const statement = statementOf(policy, violation.statement_index);
  const entries = violation.entries.slice(0, 10).join(", ");
  if (!statement) return { action: entries, resource: violation.resource_entry };
  const isNegated = statement.notActions.length > 0;
  const [first] = violation.entries;
  const written = isNegated ? statement.notActions : statement.actions;
  const node = written.find(({ text }) => text === first)?.node;
  return {
    statement,
    node: node ?? statement.at(isNegated ? "NotAction" : "Action"),
    field_name: isNegated ? "not_action" : "action",
    action: entries,
    resource: violation.resource_entry,
  };
}

/** The reason that an undecided answer gives first, and where the policy explains it. */
export function undecidedFields(
  { undecided_by }: Answer,
  { policy }: Context,
): Pick<Report, "node" | "statement" | "field_name" | "condition_key"> {
  const inPolicy = undecided_by.find(({ side, path }) => side === "policy" && path !== "");
  if (!inPolicy) return {};
  const [, , number] = inPolicy.path.split("/");
  const isList = Array.isArray((policy.document.raw as { Statement?: unknown } | null)?.Statement);
  const statement = statementOf(policy, isList ? Number(number) : 0);
  return {
    ...(statement && { statement }),
    node: nodeAt(inPolicy.path),
    field_name: fieldOf(inPolicy),
    condition_key: inPolicy.key,
  };
}

function fieldOf({ path }: UndecidedBy): "condition" | "principal" | null {
  if (path.includes("/Condition")) return "condition";
  return /\/(?:Not)?Principal/.test(path) ? "principal" : null;
}

function nodeAt(pointer: string): NodeRef {
  let node = rootNode;
  for (const [index, part] of pointer.split("/").slice(1).entries()) {
    const name = unescapedStep(part);
    node = childNode(node, index === 1 && /^\d+$/.test(name) ? Number(name) : name);
  }
  return node;
}

/** What to do about an answer that could not be decided. */
export function undecidedSuggestion({ undecided_by }: Answer): string {
  const construct = undecided_by[0]?.construct ?? "";
  switch (construct) {
    case "budget":
    case "too_many_leaves":
      return "Split the policy, or raise max_steps of this check.";
    case "set_operator_missing":
      return "Write ForAnyValue: or ForAllValues: before the operator.";
    case "arn_pattern":
      return "Write the ARN with all six fields, with * for those that are open.";
    case "unknown_operator":
      return "Use a condition operator of the IAM grammar.";
    case "invalid_value":
    case "mixed_operators":
      return "Use a value and an operator of the key's type.";
    case "invalid_statement":
      return "Correct the statement so that it can be read.";
    case "not_principal":
      return "Use Principal, or a condition on aws:PrincipalArn, instead of NotPrincipal.";
    case "canonical_user":
      return "Name the account instead of its canonical user.";
    case "not_read":
      return "Compare the files that hold the policy, or two plans of the deployment.";
    case "choices":
      return "Compare the policies that are deployed, or give the condition the same name and definition in both versions.";
    case "unknown value":
    case "policy_variable":
    case "placeholder":
      return "Write the value out, or ask somebody who knows the values that it may have.";
    default:
      if (sharedProvider(construct)) return "Give the subject exactly, without wildcards.";
      return "Ask somebody who knows the policy, and report the question to the operator of this server.";
  }
}

/** Whether more was in the way than statements of the policy that cannot be read: another check reports those. */
export function isUndecided({ undecided_by }: Answer): boolean {
  return undecided_by.some(
    ({ construct, side }) => construct !== "invalid_statement" || side !== "policy",
  );
}

/** The first reason, as the end of a sentence. */
export function reasonOf({ undecided_by: [first] }: Answer): string {
  const text = first?.text ?? "the proof was not found.";
  const where = first?.side === "baseline" ? "in the baseline, " : "";
  return where + text.charAt(0).toLowerCase() + text.slice(1);
}

/** Severity of an undecided answer. */
export function undecidedSeverity({ options, severity }: Context): ConfiguredSeverity {
  return options.undecided_severity ?? severity;
}
