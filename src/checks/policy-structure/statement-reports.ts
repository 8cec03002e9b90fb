import type { FieldName } from "../../../spec/finding.ts";
import type { CheckContext, Report } from "../../engine/check.ts";
import { removeMember } from "../../fixes/edits.ts";
import { keyNode } from "../../json/node.ts";
import type { Statement, StatementElement } from "../../policy/model.ts";
import { onlyService } from "../../policy/only-service.ts";
import { hasPlainForm } from "../../policy/plain-form.ts";
import { statementElements } from "../../policy/statement.ts";
import { policyTypeFacts } from "../../policy/type-facts.ts";
import { isRecord } from "../../record.ts";
import { correctedNode, correctedStatement } from "../shared/corrected.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { flattened, unlisted } from "../shared/list-fixes.ts";
import { quoteList, quoteValue } from "../shared/quote.ts";
import { conditionReports } from "./condition-reports.ts";
import { emptyPrincipals } from "./empty-principals.ts";
import {
  listedPrincipals,
  misspeltEffect,
  misspeltMember,
  quoted,
  strayMembers,
  withoutStatement,
} from "./fixes.ts";
import { operatorsInCondition } from "./moved-members.ts";
import { principalValues } from "./principal-values.ts";
import { isListOfStrings, notStrings } from "./string-lists.ts";
import { withResource } from "./with-resource.ts";

/** All that `policy_structure` reports about one statement, in order. */
export function* statementReports(statement: Statement, context: CheckContext): Iterable<Report> {
  for (const report of reportsOf(statement, context)) {
    yield { severity: "error", statement, ...report };
  }
}

function* reportsOf(statement: Statement, context: CheckContext): Iterable<Report> {
  if (hasPlainForm(statement) && policyTypeFacts[context.policy.type].resource !== "refused") {
    if (statement.has("Condition")) yield* conditionReports(statement);
    return;
  }
  yield* unknownMembers(statement);
  if (statement.effect !== "Allow" && statement.effect !== "Deny") yield* effect(statement);
  if (statement.sid === null) yield* sid(statement);
  if (statement.has("Principal") || statement.has("NotPrincipal")) {
    yield* conflict(statement, "Principal", "NotPrincipal", "principal_conflict", "principal");
    yield* principals(statement);
    yield* emptyPrincipals(statement);
  }
  if (statement.has("NotAction")) {
    yield* conflict(statement, "Action", "NotAction", "action_conflict", "action");
  }
  if (!statement.has("Action") && !statement.has("NotAction")) {
    yield {
      issue_type: "missing_action",
      field_name: "action",
      message:
        "The statement has neither `Action` nor `NotAction`, so it applies to no action and AWS refuses it.",
      suggestion: "Add an `Action` with the actions that are meant.",
      aws_issue_code: "MISSING_ACTION",
      fix: () => misspelt(statement, "Action", "NotAction"),
    };
  }
  yield* lists(statement, "Action", "NotAction", "EMPTY_ARRAY_ACTION");
  yield* resources(statement, context);
  yield* lists(statement, "Resource", "NotResource", "EMPTY_ARRAY_RESOURCE");
  if (statement.has("Condition")) yield* conditionReports(statement);
}

function misspelt(statement: Statement, ...missing: readonly StatementElement[]) {
  return misspeltMember(statement.raw, statement.node, statementElements, missing);
}

function* unknownMembers(statement: Statement): Iterable<Report> {
  const names = Object.keys(statement.raw);
  if (names.every((name) => statementElements.includes(name))) return;
  const unknown = names.filter((name) => !statementElements.includes(name));
  const [first] = unknown;
  if (first === undefined) return;
  yield {
    issue_type: "unknown_field",
    node: keyNode(statement.node, first),
    message: `The statement has ${unknown.length === 1 ? "a member" : "members"} that IAM does not know: ${quoteList(unknown.sort(), 50)}. AWS refuses the document.`,
    suggestion: `Remove ${unknown.length === 1 ? "it" : "them"} or correct the name; a statement has ${quoteList(statementElements)}, spelled exactly so.`,
    aws_issue_code: "INVALID_POLICY_ELEMENT",
    fix: () =>
      operatorsInCondition(statement.raw, statement.node) ??
      strayMembers(statement.raw, statement.node, statementElements),
  };
}

function* effect(statement: Statement): Iterable<Report> {
  if (!statement.has("Effect")) {
    yield {
      issue_type: "missing_effect",
      field_name: "effect",
      message: "The statement has no `Effect`: it neither allows nor denies, and AWS refuses it.",
      suggestion: 'Add `"Effect": "Allow"` or `"Effect": "Deny"`.',
      aws_issue_code: "MISSING_EFFECT",
      fix: () => misspelt(statement, "Effect"),
    };
    return;
  }
  const value = statement.raw.Effect;
  const meant = statement.allows ? "Allow" : statement.denies ? "Deny" : misspeltEffect(value);
  yield {
    issue_type: "invalid_effect",
    field_name: "effect",
    node: statement.at("Effect"),
    message: `\`Effect\` is ${quoteValue(value)}; it must be \`Allow\` or \`Deny\`, spelled exactly so.`,
    suggestion: meant ? `Write \`"Effect": "${meant}"\`.` : "Write `Allow` or `Deny`.",
    ...(meant
      ? fixedBy(() => correctedNode(statement.at("Effect"), meant), {
          title: "Correct the spelling of the Effect",
          effect: "repairs",
        })
      : {}),
    aws_issue_code: typeof value === "string" ? "INVALID_EFFECT" : "DATA_TYPE_MISMATCH",
  };
}

function* sid(statement: Statement): Iterable<Report> {
  if (!statement.has("Sid")) return;
  const value = statement.raw.Sid;
  if (value === null) return;
  yield {
    issue_type: "invalid_sid_type",
    field_name: "sid",
    node: statement.at("Sid"),
    message: `\`Sid\` is ${quoteValue(value)}; it must be a string.`,
    suggestion: "Write the statement id as a string of letters and digits, or leave it out.",
    fix: () => quoted(value, statement.at("Sid")),
    aws_issue_code: "DATA_TYPE_MISMATCH",
  };
}

function* conflict(
  statement: Statement,
  one: StatementElement,
  other: StatementElement,
  issue_type: string,
  field_name: FieldName,
): Iterable<Report> {
  if (!statement.has(one) || !statement.has(other)) return;
  yield {
    issue_type,
    field_name,
    node: statement.at(other),
    message: `The statement has both \`${one}\` and \`${other}\`; they exclude each other, and AWS refuses the document.`,
    suggestion: `Keep \`${one}\`, or put \`${other}\` into another statement.`,
    aws_issue_code: "UNSUPPORTED_ELEMENT_COMBINATION",
  };
}

function* principals(statement: Statement): Iterable<Report> {
  for (const element of ["Principal", "NotPrincipal"] as const) {
    if (!statement.has(element)) continue;
    const value = statement.raw[element];
    if (isRecord(value)) yield* principalValues(value, element, statement.at(element));
    if (typeof value === "string" || isRecord(value)) continue;
    yield {
      issue_type: "invalid_element_type",
      field_name: "principal",
      node: statement.at(element),
      message: `\`${element}\` is ${quoteValue(value)}; it must be \`"*"\` or an object such as \`{"AWS": "arn:aws:iam::123456789012:root"}\`.`,
      suggestion:
        "Write an object of principal type (`AWS`, `Service`, `Federated`, `CanonicalUser`) to principals.",
      aws_issue_code: Array.isArray(value) ? "INVALID_PRINCIPAL_FORMAT" : "DATA_TYPE_MISMATCH",
      fix: () =>
        listedPrincipals(value, statement.at(element)) ?? unlisted(value, statement.at(element)),
    };
  }
}

const fieldNames: Readonly<Record<string, FieldName>> = {
  Action: "action",
  NotAction: "not_action",
  Resource: "resource",
  NotResource: "not_resource",
};

function* lists(
  statement: Statement,
  one: StatementElement,
  other: StatementElement,
  emptyCode: string,
): Iterable<Report> {
  if (isListOfStrings(statement, one) && isListOfStrings(statement, other)) return;
  const present = [one, other].filter((element) => statement.has(element));
  const noun = one.toLowerCase();
  for (const element of present) {
    const wrong = notStrings(statement.raw[element], statement.at(element));
    if (!wrong) continue;
    yield {
      issue_type: "invalid_element_type",
      field_name: fieldNames[element] ?? null,
      node: wrong.node,
      message: wrong.inside
        ? `\`${element}\` holds ${wrong.inside}; it must be a string or a list of strings.`
        : `\`${element}\` is ${quoteValue(statement.raw[element])}; it must be a string or a list of strings.`,
      suggestion: `Write each ${noun} as a string.`,
      aws_issue_code: "DATA_TYPE_MISMATCH",
      fix: () => flattened(statement.raw[element], statement.at(element)),
    };
  }
  for (const element of present) {
    const value = statement.raw[element];
    if (!Array.isArray(value) || value.length > 0) continue;
    yield {
      issue_type: "empty_element",
      field_name: fieldNames[element] ?? null,
      node: statement.at(element),
      message: `\`${element}\` is an empty list; AWS requires at least one ${noun} in it and refuses the statement.`,
      suggestion: `List the ${noun}s that are meant, or remove the statement.`,
      fix: () => (element === one ? withoutStatement(statement) : null),
      aws_issue_code: emptyCode,
    };
  }
}

function* resources(statement: Statement, context: CheckContext): Iterable<Report> {
  const { type } = context.policy;
  const present = (["Resource", "NotResource"] as const).filter((name) => statement.has(name));
  const [first] = present;
  const rule = policyTypeFacts[type].resource;
  if (rule === "refused") {
    if (!first) return;
    yield {
      issue_type: "unexpected_resource",
      field_name: "resource",
      node: statement.at(first),
      message: `The statement has ${quoteList(present)}, which a role trust policy must not have: the role it belongs to is the only resource, and IAM refuses the document.`,
      suggestion: `Remove ${quoteList(present)}.`,
      fix: () => ({
        title: "Remove the resource, which a trust policy cannot have",
        effect: "repairs",
        edits: present.map((name) => removeMember(statement.at(name))),
      }),
      aws_issue_code: "ROLE_TRUST_POLICY_SYNTAX_ERROR_RESOURCE",
    };
    return;
  }
  if (present.length > 1) {
    yield* conflict(statement, "Resource", "NotResource", "resource_conflict", "resource");
  }
  // What an RCP must say of resources is for policy_type_validation.
  if (first || rule === "own rules") return;
  const service = onlyService(statement);
  // ECR's repository policies work without a resource.
  // https://docs.aws.amazon.com/AmazonECR/latest/userguide/repository-policies.html
  if (rule !== "required" && service === "ecr") return;
  // A key policy needs one, and `*` is this key.
  // https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-overview.html
  if (rule !== "required" && service === "kms") {
    yield {
      issue_type: "missing_resource",
      field_name: "resource",
      message:
        "The statement has no `Resource`. KMS requires one in a key policy, where `*` means the key itself.",
      suggestion: 'Add `"Resource": "*"`.',
      aws_issue_code: "MISSING_RESOURCE",
      ...fixedBy(() => correctedStatement(statement, { Resource: "*" }), {
        title: "Add Resource *, which in a key policy means the key",
        effect: "repairs",
      }),
    };
    return;
  }
  const refused = rule === "required";
  yield {
    issue_type: "missing_resource",
    field_name: "resource",
    severity: refused ? "error" : "info",
    message: refused
      ? "The statement has neither `Resource` nor `NotResource`, so it applies to no resource and AWS refuses it."
      : "The statement has neither `Resource` nor `NotResource`. Most services require one in their resource policies and refuse the document without it.",
    suggestion: 'Add a `Resource` with the ARNs that are meant, or `"*"` for all.',
    aws_issue_code: "MISSING_RESOURCE",
    fix: () =>
      misspelt(statement, "Resource", "NotResource") ??
      (refused ? withResource(statement, context) : null),
  };
}
