import { z } from "zod";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import type { Entry } from "../policy/model.ts";
import { suggestActions, suggestServices } from "../services/suggest.ts";
import { didYouMean, quote } from "./shared/quote.ts";
import { withinBudget } from "./shared/suggestion-budget.ts";

export const actionValidation = defineCheck({
  check_id: "action_validation",
  default_severity: "error",
  description: "Every action, and every action pattern, names something that exists.",
  docstring: `Looks up each value of \`Action\` and \`NotAction\` in the AWS service reference and reports those that name
nothing: a value that is not \`service:Name\`, a service nobody knows, an action the service does not have, a
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
      severity: "check",
      when: "A value is not service:Name, its service or action is unknown, or its pattern matches no action.",
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

  *runStatement(statement, context) {
    yield* judge(statement.actions, "action", context);
    yield* judge(statement.notActions, "not_action", context);
  },
});

function* judge(
  entries: readonly Entry[],
  field_name: "action" | "not_action",
  context: CheckContext,
): Iterable<Report> {
  for (const { text, node } of entries) {
    if (text === "*") continue;
    const fault = faultOf(text, context);
    if (fault) yield { issue_type: "invalid_action", node, field_name, action: text, ...fault };
  }
}

/** Dropped from the reference by AWS, which still takes their prefixes in policies. */
const formerServices: ReadonlySet<string> = new Set([
  "deepcomposer",
  "deeplens",
  "deepracer",
  "iot1click",
  "zocalo",
]);

function formerService(text: string, service: string): Fault {
  return {
    message: `${quote(text)} names no action any more: AWS has dropped the service ${quote(service)} from its reference. It still accepts the prefix, but there is nothing left to grant or deny.`,
    suggestion: "Remove the action.",
  };
}

type Fault = Pick<Report, "message" | "suggestion" | "aws_issue_code">;

function faultOf(text: string, { match, services, policy }: CheckContext): Fault | null {
  const found = match(text);
  const dated = `in the reference data of ${services.date}`;
  switch (found.kind) {
    case "action":
      return null;
    case "any":
    case "malformed":
      return malformed(text);
    case "unknown_service": {
      if (formerServices.has(found.service)) return formerService(text, found.service);
      const near = withinBudget(policy, () => suggestServices(services, found.service));
      const rest = text.slice(text.indexOf(":"));
      return {
        message: `${quote(text)} names no action: there is no service ${quote(found.service)} ${dated}.`,
        suggestion: nearest(near.map((prefix) => prefix + rest)),
        aws_issue_code: "INVALID_SERVICE_IN_ACTION",
      };
    }
    case "unknown_action": {
      const near = withinBudget(policy, () => suggestActions(found.service, found.name));
      return {
        message: `${quote(text)} names no action: ${quote(found.service.prefix)} has no ${quote(found.name)} ${dated}.`,
        suggestion: nearest(near),
        aws_issue_code: "INVALID_ACTION",
      };
    }
    case "pattern": {
      const name = text.slice(text.indexOf(":") + 1);
      // All of a known service is right even where the data lists none of its actions.
      if (found.actions.length > 0 || /^\*+$/.test(name)) return null;
      const near = withinBudget(policy, () =>
        suggestActions(found.service, name.replace(/[*?]/g, "")),
      );
      return {
        message: `The pattern ${quote(text)} matches no action of ${quote(found.service.prefix)} ${dated}.`,
        suggestion: nearest(near),
        aws_issue_code: "INVALID_ACTION",
      };
    }
  }
}

function nearest(names: readonly string[]): string {
  return names.length > 0
    ? didYouMean(names)
    : "Look the name up in the service authorization reference.";
}

/** In the order in which a reader would see the faults. */
function malformed(text: string): Fault {
  const colon = text.indexOf(":");
  const prefix = text.slice(0, colon);
  const name = text.slice(colon + 1);
  if (colon < 0) {
    return {
      message: `${quote(text)} is no action: an action is written \`service:Name\`, and the colon is missing.`,
      suggestion: /^\*+$/.test(text)
        ? "Write `*` for every action, or better name the actions."
        : "Put the service prefix in front, for instance `s3:GetObject`.",
    };
  }
  if (/\s/.test(text)) {
    return {
      message: `${quote(text)} is no action: it holds blanks.`,
      suggestion: `Write ${quote(text.replace(/\s+/g, ""))}.`,
    };
  }
  if (/[*?]/.test(prefix)) {
    return {
      message: `${quote(text)} has a wildcard in the service prefix, which AWS refuses; the prefix must name one service.`,
      suggestion: `Write one action per service, for instance ${quote(`s3:${name || "*"}`)}. Wildcards after the colon are fine.`,
      aws_issue_code: "WILDCARD_IN_SERVICE_NAME",
    };
  }
  if (prefix === "" || name === "") {
    return {
      message: `${quote(text)} is no action: the ${prefix === "" ? "service prefix before" : "name after"} the colon is missing.`,
      suggestion: "Write `service:Name`, for instance `s3:GetObject`.",
    };
  }
  return {
    message: `${quote(text)} is no action: the service prefix may hold letters, digits, \`-\` and \`_\`, the name \`*\` and \`?\` besides.`,
    suggestion:
      "Write `service:Name`, for instance `s3:GetObject`; policy variables are not replaced in actions.",
  };
}
