import type { Report } from "../../engine/check.ts";
import { addMember } from "../../fixes/edits.ts";
import type { Entry, Statement } from "../../policy/model.ts";
import { rcpServices } from "../../policy/rcp-services.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { isRecord } from "../../record.ts";
import { correctedNode } from "../shared/corrected.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote, quoteList, quoteValue } from "../shared/quote.ts";
import { isStarPrincipal } from "../shared/rcp-shape.ts";
import { inCondition, inConditionFix, needsCondition } from "./refused-principals.ts";

/** @returns lower-case prefixes that RCPs may name; one with a wildcard is not a service. */
export function supportedServices(additional: readonly string[]): ReadonlySet<string> {
  const more = additional
    .map((prefix) => prefix.trim().toLowerCase())
    .filter((prefix) => prefix !== "" && !hasWildcard(prefix));
  return new Set([...rcpServices, ...more]);
}

/** All that keeps a statement from being one of a resource control policy, in order. */
export function* checkRcpStatement(
  statement: Statement,
  supported: ReadonlySet<string>,
): Iterable<Report> {
  if (isFullAccess(statement)) return;
  for (const report of reportsOf(statement, supported)) {
    yield { severity: "error", statement, ...report };
  }
}

const notElements = ["NotPrincipal", "NotAction", "NotResource"] as const;

/** The statement of RCPFullAWSAccess, which Organizations attaches itself. */
function isFullAccess(statement: Statement): boolean {
  const { Condition } = statement.raw;
  return (
    statement.allows &&
    isStarPrincipal(statement) &&
    isStarAlone(statement.actions) &&
    isStarAlone(statement.resources) &&
    !notElements.some((element) => statement.has(element)) &&
    (!statement.has("Condition") || (isRecord(Condition) && Object.keys(Condition).length === 0))
  );
}

function isStarAlone(entries: readonly Entry[]): boolean {
  return entries.length === 1 && entries[0]?.text === "*";
}

function* reportsOf(statement: Statement, supported: ReadonlySet<string>): Iterable<Report> {
  if (statement.has("Effect") && statement.effect?.toLowerCase() !== "deny") {
    yield {
      issue_type: "invalid_rcp_effect",
      field_name: "effect",
      node: statement.at("Effect"),
      message: `\`Effect\` is ${quoteValue(statement.raw.Effect)}; a statement of an RCP can only deny.`,
      suggestion: 'Write `"Effect": "Deny"` for what no principal may do; an RCP grants nothing.',
      aws_issue_code: "RCP_SYNTAX_ERROR_ALLOW",
    };
  }
  yield* principals(statement);
  yield* actions(statement, supported);
  if (statement.notActions.length > 0) {
    yield {
      issue_type: "invalid_rcp_not_action",
      field_name: "action",
      node: statement.at("NotAction"),
      message: "The statement has `NotAction`, which an RCP cannot have.",
      suggestion: "List the actions to deny in `Action`, for instance `s3:*`.",
      aws_issue_code: "RCP_SYNTAX_ERROR_NOTACTION",
    };
  }
  if (!statement.has("Resource") && !statement.has("NotResource")) {
    yield {
      issue_type: "missing_rcp_resource",
      field_name: "resource",
      message:
        "The statement has neither `Resource` nor `NotResource`; a statement of an RCP needs one.",
      suggestion: 'Add `"Resource": "*"`, or the ARNs that are meant.',
      aws_issue_code: "MISSING_RESOURCE",
    };
  }
}

function* principals(statement: Statement): Iterable<Report> {
  const suggestion =
    'Write `"Principal": "*"`. To exempt some principals, use a condition on `aws:PrincipalArn` or `aws:PrincipalOrgID`.';
  const report = { field_name: "principal", suggestion } as const;
  if (statement.has("NotPrincipal")) {
    yield {
      ...report,
      issue_type: "invalid_rcp_not_principal",
      ...fixedBy(() => inCondition(statement, "NotPrincipal", { Principal: "*" }), inConditionFix),
      node: statement.at("NotPrincipal"),
      message: "The statement has `NotPrincipal`, which an RCP cannot have.",
      aws_issue_code: "RCP_SYNTAX_ERROR_PRINCIPAL",
    };
  } else if (!statement.has("Principal")) {
    yield {
      ...report,
      issue_type: "missing_rcp_principal",
      fix: () => ({
        title: "Add the principal that every statement of an RCP has",
        effect: "repairs",
        edits: [addMember(statement.node, "Principal", "*")],
      }),
      message:
        'The statement has no `Principal`; in an RCP every statement says `"Principal": "*"`.',
      aws_issue_code: "MISSING_PRINCIPAL",
    };
  } else if (!isStarPrincipal(statement)) {
    const isNamed = needsCondition(statement, "Principal", "RESOURCE_CONTROL_POLICY");
    yield {
      ...report,
      issue_type: "invalid_rcp_principal",
      node: statement.at("Principal"),
      ...(isNamed
        ? fixedBy(() => inCondition(statement, "Principal", { Principal: "*" }), inConditionFix)
        : fixedBy(() => correctedNode(statement.at("Principal"), "*"), {
            title: "Write the principal that every statement of an RCP has",
            effect: "repairs",
          })),
      message: `\`Principal\` is ${showPrincipal(statement.raw.Principal)}; in an RCP it must be the string \`"*"\`.`,
      aws_issue_code: "RCP_SYNTAX_ERROR_PRINCIPAL",
    };
  }
}

function showPrincipal(value: unknown): string {
  return isRecord(value) ? quote(JSON.stringify(value)) : quoteValue(value);
}

function* actions(statement: Statement, supported: ReadonlySet<string>): Iterable<Report> {
  const services = () => `RCPs cover ${quoteList([...supported].sort(), 100)}`;
  const unsupported: Entry[] = [];
  for (const entry of statement.actions) {
    if (entry.text !== "*") {
      if (!supported.has(prefixOf(entry.text))) unsupported.push(entry);
      continue;
    }
    yield {
      issue_type: "invalid_rcp_wildcard_action",
      field_name: "action",
      node: entry.node,
      message: "The action is the bare `*`; an RCP must name the services it denies.",
      suggestion: `Name services, for instance \`s3:*\`. ${services()}.`,
      aws_issue_code: "RCP_SYNTAX_ERROR_ACTION",
    };
  }
  const [first] = unsupported;
  if (!first) return;
  const names = [...new Set(unsupported.map(({ text }) => text))];
  yield {
    issue_type: "unsupported_rcp_service",
    field_name: "action",
    node: first.node,
    message: `RCPs do not cover the service of ${quoteList(names, 20)}, so Organizations refuses the document.`,
    suggestion: `Remove ${names.length === 1 ? "the action" : "these actions"}, or deny ${names.length === 1 ? "it" : "them"} in an SCP. ${services()}.`,
    aws_issue_code: "RCP_SYNTAX_ERROR_ACTION",
  };
}

/** Text before the first colon, or all of it. A prefix with a wildcard is that of no service. */
function prefixOf(action: string): string {
  const colon = action.indexOf(":");
  return (colon < 0 ? action : action.slice(0, colon)).toLowerCase();
}
