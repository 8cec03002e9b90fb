import { z } from "zod";
import { absentPolicy } from "../access/absent.ts";
import type { Asking, Violation } from "../access/answers.ts";
import { readDocument } from "../access/document.ts";
import { askNewAccess } from "../access/questions.ts";
import { accessTypeOf } from "../access/types.ts";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import type { Doubt } from "../engine/comparison.ts";
import { typeInWords } from "../policy/type-facts.ts";
import { isRecord } from "../record.ts";
import { questionOptions } from "./shared/access/options.ts";
import {
  accessDocument,
  isUndecided,
  reasonOf,
  searchOptions,
  severityOf,
  undecidedFields,
  undecidedSeverity,
  undecidedSuggestion,
  violationFields,
} from "./shared/access/reports.ts";
import {
  actionsOf,
  entriesOf,
  exampleOf,
  kindNote,
  statementName,
  statementOf,
} from "./shared/access/words.ts";

const options = z.strictObject({
  ...questionOptions(null),
  unknown_actions: z
    .enum(["report", "ignore"])
    .default("report")
    .describe(
      "ignore: new access to actions that the reference data does not list yet is not reported.",
    ),
});
type Context = CheckContext<z.output<typeof options>>;

const reads = {
  Effect: "Allow",
  Action: "s3:GetObject",
  Resource: "arn:aws:s3:::example-reports/*",
};
const version = "2012-10-17";

export const noNewAccess = defineCheck({
  check_id: "no_new_access",
  default_severity: "high",
  description: "The policy allows no request that its baseline does not allow.",
  docstring: `Compares the policy with the \`baseline\` of its entry, by meaning and not by text. Without a baseline nothing is asked.

The answer is \`holds\` (proven for every request), \`violated\` with a request that proves it, or \`undecided\` with the construct that stopped the proof. Every request shown was confirmed by a second program.

- A Deny that is gone counts as new access where an Allow reaches what it denied.
- A wildcard also grants actions that AWS adds later. Where only those are new, the finding is \`low\`; \`unknown_actions: ignore\` leaves it out.
- Where the action works on no resource of that kind, the finding is \`low\`, too.
- Policies inside templates, plans and other files are compared place by place, with values that the file does not give taken for the same in both versions. A policy in a new place is compared with no access, or, if policies of its type only set limits, with no limits.`,
  risk_explanation:
    "A change that looks like a cleanup may widen what somebody can do; a reviewer rarely sees it in the text.",
  risk_category: "privilege_escalation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-checks-validating-policies.html",
  remediation_steps: [
    "Decide whether the new access is meant",
    "Take out the entry that grants it, or restore the Deny that is gone",
  ],
  options,
  issue_types: {
    new_access: {
      severity: ["high", "low"],
      when: "A statement allows a request that the baseline does not allow; low where it grants nothing today.",
    },
    removed_deny: {
      severity: ["high", "low"],
      when: "A statement allows a request that a Deny of the baseline denied; low where it grants nothing today.",
    },
    new_access_undecided: {
      severity: "check",
      when: "It could not be decided; undecided_severity sets the severity.",
    },
    removed_limit: {
      severity: ["high", "low"],
      when: "Only where versions of a file are compared: a policy that limits others, such as a permissions boundary, is gone.",
    },
    baseline_unreadable: { severity: "error", when: "The baseline is not a policy document." },
  },
  examples: {
    bad: [
      {
        title: "The new version may also write.",
        baseline: { Version: version, Statement: [reads] },
        policy: {
          Version: version,
          Statement: [{ ...reads, Action: ["s3:GetObject", "s3:PutObject"] }],
        },
      },
    ],
    good: [
      {
        title: "The new version is the old one with a narrower resource.",
        baseline: { Version: version, Statement: [reads] },
        policy: {
          Version: version,
          Statement: [{ ...reads, Resource: "arn:aws:s3:::example-reports/2026/*" }],
        },
      },
    ],
  },

  *ask(context) {
    const { policy, baseline, comparison } = context;
    if (comparison?.kind === "undecided") {
      yield { id: null, asking: answered(comparison.by) };
      return;
    }
    const isNew = comparison?.kind === "new";
    const raw = isNew ? absentPolicy(policy.type) : baseline?.raw;
    if (!isRecord(raw)) return;
    const type = accessTypeOf(policy.type);
    const before = readDocument(raw, type);
    const search = {
      ...searchOptions(context),
      ignoresUnknownActions: context.options.unknown_actions === "ignore",
    };
    yield { id: null, asking: askNewAccess(accessDocument(policy), before, type, search) };
  },

  *runPolicy(context) {
    if (context.baseline && !isRecord(context.baseline.raw)) yield unreadable;
    for (const { answer } of context.answers) {
      for (const violation of answer.violations) yield report(violation, context);
      if (!isUndecided(answer)) continue;
      yield {
        issue_type: "new_access_undecided",
        severity: isUnchanged(context) ? "warning" : undecidedSeverity(context),
        message: `Whether this policy allows more than its baseline could not be decided: ${reasonOf(answer)}`,
        suggestion: undecidedSuggestion(answer),
        ...undecidedFields(answer, context),
      };
    }
  },
});

/** The answer to a question that was not asked. */
function* answered({ construct, side, text }: Doubt): Asking {
  yield null;
  const undecided_by = [{ construct, path: "", side, text, key: null }];
  return { verdict: "undecided", violations: [], undecided_by, steps: 0, decided: new Set() };
}

/** What the file says in this place is the same in both versions; what it means is not known. */
function isUnchanged({ comparison }: Context): boolean {
  return comparison?.kind === "undecided" && comparison.by.isUnchanged === true;
}

const unreadable: Report = {
  issue_type: "baseline_unreadable",
  severity: "error",
  message: "The baseline is not a policy document, so the policy was not compared with it.",
  suggestion: "Send the earlier version of the policy as `baseline`, as an object or as its text.",
};

function report(violation: Violation, context: Context): Report {
  const { statement_index, statement_sid, reason, kind, witness } = violation;
  const name = statementName(statement_sid, statement_index);
  const statement = statementOf(context.policy, statement_index);
  const example = exampleOf(witness, statement);
  // A resource that its template does not give may be one that the action works on.
  const isOpen = context.policy.document.openTexts?.has(violation.resource_entry ?? "") === true;
  const isGrant = kind === "unfitting" && isOpen;
  const note = isGrant ? "" : kindNote(kind, context.services.date);
  const common = {
    severity: isGrant ? context.severity : severityOf(violation, context.severity),
    ...violationFields(violation, context),
  };
  if (context.comparison?.kind === "removed") {
    const what = typeInWords(context.policy.type);
    return {
      ...common,
      issue_type: "removed_limit",
      message: `The old version has ${what} in this place, which sets limits, and the new version has none. ${example}${note}`,
      suggestion: "Restore the policy, unless another policy sets the same limits.",
    };
  }
  if (context.comparison?.kind === "new") {
    return {
      ...common,
      issue_type: "new_access",
      message: `${name} allows ${entriesOf(violation, statement)}, and the old version has no policy in this place. ${example}${note}`,
      suggestion: "Review the policy: all that it allows is new.",
    };
  }
  if (reason !== "denied_before") {
    return {
      ...common,
      issue_type: "new_access",
      message: `${name} allows ${entriesOf(violation, statement)} where the baseline does not. ${example}${note}`,
      suggestion: "Take the entry out if the new access is not meant, or narrow the statement.",
    };
  }
  const deny = denyName(violation, context);
  return {
    ...common,
    issue_type: "removed_deny",
    message: `${name} allows ${actionsOf(violation, statement)}, which ${deny} of the baseline denied and nothing denies now. ${example}${note}`,
    suggestion: `Restore ${deny} of the baseline, or take the entry out.`,
  };
}

function denyName({ other_statement }: Violation, { baseline }: Context): string {
  const index = other_statement ?? 0;
  const raw = isRecord(baseline?.raw) ? baseline.raw.Statement : undefined;
  const statement: unknown = Array.isArray(raw) ? raw[index] : raw;
  const sid = isRecord(statement) && typeof statement.Sid === "string" ? statement.Sid : null;
  return statementName(sid, index).replace("Statement", "statement");
}
