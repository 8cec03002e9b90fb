import { z } from "zod";
import { editsBetween } from "../edit-distance.ts";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import { removeEntries, removeStatement, replaceValue } from "../fixes/edits.ts";
import type { FixProposal } from "../fixes/proposal.ts";
import type { NodeRef } from "../json/node.ts";
import { FactSlot } from "../policy/fact-slot.ts";
import type { Entry, Statement } from "../policy/model.ts";
import type { Service } from "../services/model.ts";
import { actionsOf } from "../services/statement-actions.ts";
import { suggestActions } from "../services/suggest.ts";
import {
  type Fault,
  formerService,
  isUnlistedAction,
  printedName,
} from "./action-validation/former-names.ts";
import { malformed } from "./action-validation/malformed.ts";
import {
  actionOfCall,
  actionsOfCall,
  mayListBuckets,
  meantService,
} from "./action-validation/other-names.ts";
import { suggestPatterns } from "./action-validation/suggest-patterns.ts";
import { correctedNode } from "./shared/corrected.ts";
import { joinedValues, separated, withoutEmptyTexts } from "./shared/list-fixes.ts";
import { didYouMean, joinWords, quote } from "./shared/quote.ts";
import { withinBudget } from "./shared/suggestion-budget.ts";

export const actionValidation = defineCheck({
  check_id: "action_validation",
  default_severity: "error",
  description: "Every action, and every action pattern, names something that exists.",
  docstring: `Looks up each value of \`Action\` and \`NotAction\` in the AWS service reference and reports those that name
nothing: a value that is not \`service:Name\`, an unknown service, an action the service does not have, a
pattern that no action of the service matches.

Letter case does not count. \`*\` and \`?\` are wildcards in the name; the service prefix takes none. The bare \`*\`
passes here. Where the name looks like a typing error, the nearest names are offered.

The reference data has a date, which the message gives: an action that AWS added later is not in it.`,
  risk_explanation:
    "A misspelt action grants or denies nothing. In an Allow the call fails with access denied; in a Deny the door that was meant to be shut stays open, and nothing says so.",
  risk_category: "validation",
  documentation_url:
    "https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html",
  remediation_steps: [
    "Look the action up in the service authorization reference.",
    "Correct the service prefix or the name; write it as `service:Name`.",
    "If the action is newer than the reference data, update the data.",
  ],
  options: z.strictObject({}),
  issue_types: {
    invalid_action: {
      severity: ["error", "low"],
      when: "A value is not service:Name, its service or action is unknown, or its pattern matches no action (follows the check; low for a name in policies that AWS publishes, and for a service that AWS has removed).",
    },
  },
  examples: {
    bad: [
      {
        title: "A letter is missing in the name, and a service prefix holds a wildcard.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: ["s3:GetObjct", "*:Describe*"],
              Resource: "arn:aws:s3:::reports/*",
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "Every name and pattern matches actions of the service.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: ["s3:GetObject", "s3:ListBucket*", "S3:putobject"],
              Resource: ["arn:aws:s3:::reports", "arn:aws:s3:::reports/*"],
            },
          ],
        },
      },
    ],
  },

  concerns: (statement, { match }) =>
    statement.notActions.length > 0 || !actionsOf(statement, match).areNames,

  *runStatement(statement, context) {
    yield* reportsOf(statement.actions, "action", statement, context);
    if (statement.notActions.length > 0) {
      yield* reportsOf(statement.notActions, "not_action", statement, context);
    }
  },
});

function* reportsOf(
  entries: readonly Entry[],
  field_name: "action" | "not_action",
  statement: Statement,
  context: CheckContext,
): Iterable<Report> {
  const element = field_name === "action" ? "Action" : "NotAction";
  const isAction = (text: string) => exists(text, context) || isMisspelt(text, context);
  for (const { text, node } of entries) {
    if (text === "*" || context.match(text).kind === "action") continue;
    const fault = faultOf(text, context);
    if (!fault) continue;
    const { meant: nearest, isDead, isBare, ...report } = fault;
    const isEither = mayListBuckets(text, statement);
    const meant = isEither ? undefined : nearest;
    const isJoined = joinedValues(text, isAction) !== null;
    const offered = meant !== undefined && mayBeOffered(meant, statement, context);
    yield {
      issue_type: "invalid_action",
      node,
      field_name,
      action: text,
      ...report,
      ...(isEither
        ? {
            suggestion:
              "Write `s3:ListAllMyBuckets` to list the buckets, or `s3:ListBucket` to list the objects of a bucket.",
          }
        : {}),
      ...(offered ? { correction: () => correctedNode(node, meant) } : {}),
      ...(meant !== undefined ? { fix: () => respelt(node, meant, context) } : {}),
      ...(isBare
        ? {
            fix: () =>
              text === "" ? withoutEmptyTexts(entries) : withPrefix(text, node, statement, context),
          }
        : {}),
      ...(isDead && field_name === "action"
        ? { fix: () => withoutDeadActions(statement, context) }
        : {}),
      ...(isJoined
        ? {
            suggestion: "Write each action as an entry of a list.",
            fix: () => separated(statement.raw[element], statement.at(element), isAction),
          }
        : {}),
    };
  }
}

/** Whether an action has the name, or matches the pattern. */
function exists(text: string, { match }: CheckContext): boolean {
  const found = match(text);
  return found.kind === "action" || (found.kind === "pattern" && found.actions.length > 0);
}

/** Whether it is clear which action a name of the right form means. */
function isMisspelt(text: string, context: CheckContext): boolean {
  return /^[\w-]+:[\w*?-]+$/.test(text) && faultOf(text, context)?.meant !== undefined;
}

function respelt(node: NodeRef, meant: string, context: CheckContext): FixProposal | null {
  if (!exists(meant, context)) return null;
  return {
    title: "Correct the name of the action",
    effect: "repairs",
    edits: [replaceValue(node, meant)],
  };
}

/** The prefix is certain where one service alone has an action of the name, or the resources are of one. */
function withPrefix(
  name: string,
  node: NodeRef,
  { resources }: Statement,
  { services, policy }: CheckContext,
): FixProposal | null {
  const { withAction } = services;
  const owners = withAction ? withinBudget(policy, () => [...withAction(name)]) : [];
  const named = new Set(resources.map(({ text }) => /^arn:[^:]*:([a-z0-9-]+):/.exec(text)?.[1]));
  const [owner] =
    owners.length > 1 ? owners.filter((one) => named.size === 1 && named.has(one)) : owners;
  if (owner === undefined) return null;
  return {
    title: "Write the prefix of the service that has the action",
    effect: "repairs",
    edits: [replaceValue(node, `${owner}:${name}`)],
  };
}

const dead = new FactSlot<Statement, readonly Entry[]>();

/** All actions of an Allow that do not exist and are like no other name go at once. */
function withoutDeadActions(statement: Statement, context: CheckContext): FixProposal | null {
  if (!statement.allows) return null;
  let found = dead.get(statement);
  if (!found) {
    found = statement.actions.filter(
      ({ text }) => text !== "*" && faultOf(text, context)?.isDead === true,
    );
    dead.set(statement, found);
  }
  if (found.length === 0) return null;
  if (found.length === statement.actions.length) {
    if (typeof statement.node.step !== "number") return null;
    return {
      title: "Remove the statement, whose actions AWS does not have",
      effect: "narrows",
      edits: [removeStatement(statement)],
      argument: "An Allow fewer allows no further request.",
    };
  }
  return {
    title: "Remove the actions that AWS does not have",
    effect: "narrows",
    edits: removeEntries(found),
    argument: "An Allow with fewer actions allows no further request.",
  };
}

/** A name that is guessed must not grant what needs a decision: only listing, and reading by ARN. */
function mayBeOffered(
  action: string,
  { denies, resources }: Statement,
  { match }: CheckContext,
): boolean {
  const found = match(action);
  if (found.kind !== "action") return false;
  if (denies || found.action.accessLevel === "list") return true;
  return found.action.accessLevel === "read" && !resources.some(({ text }) => text === "*");
}

function faultOf(text: string, context: CheckContext): Fault | null {
  const { match, services, policy } = context;
  const found = match(text);
  const dated = `in the reference data of ${services.date}`;
  switch (found.kind) {
    case "action":
      return null;
    case "any":
    case "malformed": {
      const fault = malformed(text);
      if (fault.meant === undefined || exists(fault.meant, context)) return fault;
      const next = faultOf(fault.meant, context);
      if (!next) return fault;
      const { meant: _, ...rest } = fault;
      return { ...rest, ...(next.meant === undefined ? {} : certain(next.meant)) };
    }
    case "unknown_service": {
      const former = formerService(text, found.service);
      if (former) return former;
      const { near, isCertain } = meantService(text, found.service, context, (one) =>
        exists(one, context),
      );
      return {
        message: `${quote(text)} is not a known action: there is no service ${quote(found.service)} ${dated}.`,
        suggestion: nearest(near),
        aws_issue_code: "INVALID_SERVICE_IN_ACTION",
        isDead: near.length === 0,
        ...(isCertain && near[0] !== undefined ? { meant: near[0] } : meantBy(text, near)),
      };
    }
    case "unknown_action": {
      if (isUnlistedAction(text)) return null;
      const printed = printedName(text);
      if (printed) return printed;
      const several = actionsOfCall(text);
      if (several.length > 0) {
        return {
          message: unknownAction(text, found, dated),
          suggestion: `Write ${joinWords(several.map((one) => quote(one)))}, which permit the call together.`,
          aws_issue_code: "INVALID_ACTION",
        };
      }
      const call = actionOfCall(text);
      const near =
        call === undefined
          ? withinBudget(policy, () => suggestActions(found.service, found.name))
          : [call];
      return {
        message: unknownAction(text, found, dated),
        suggestion:
          call === undefined ? nearest(near) : `Write ${quote(call)}, which permits the call.`,
        aws_issue_code: "INVALID_ACTION",
        isDead: near.length === 0,
        ...(call === undefined ? meantBy(text, near) : { meant: call }),
      };
    }
    case "pattern": {
      const name = text.slice(text.indexOf(":") + 1);
      // All of a known service is right even where the data lists none of its actions.
      if (found.actions.length > 0 || /^\*+$/.test(name)) return null;
      const near = withinBudget(policy, () =>
        suggestPatterns(found.service, name, (one) => exists(one, context)),
      );
      return {
        message: `The pattern ${quote(text)} matches no action of ${quote(found.service.prefix)} ${dated}.`,
        suggestion: nearest(near),
        aws_issue_code: "INVALID_ACTION",
        isDead: near.length === 0,
        ...meantBy(text, near),
      };
    }
  }
}

function unknownAction(
  text: string,
  { service, name }: { readonly service: Service; readonly name: string },
  dated: string,
): string {
  return `${quote(text)} is not a known action: ${quote(service.prefix)} has no ${quote(name)} ${dated}.`;
}

function certain(meant: string): Pick<Fault, "suggestion" | "meant"> {
  return { meant, suggestion: `Write ${quote(meant)}.` };
}

/** One or two letters off, and no other name as near. */
function meantBy(text: string, [first, second]: readonly string[]): { meant?: string } {
  const edits = (name: string) => editsBetween(name.toLowerCase(), text.toLowerCase());
  if (first === undefined || edits(first) > 2) return {};
  return second === undefined || edits(first) < edits(second) ? { meant: first } : {};
}

function nearest(names: readonly string[]): string {
  return names.length > 0
    ? didYouMean(names)
    : "Look the name up in the service authorization reference.";
}
