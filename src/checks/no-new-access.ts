import { z } from "zod";
import type { Violation } from "../access/answers.ts";
import { readDocument } from "../access/document.ts";
import { askNewAccess } from "../access/questions.ts";
import { accessTypeOf } from "../access/types.ts";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
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
- Where the action works on no resource of that kind, the finding is \`low\`, too.`,
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
    const { policy, baseline } = context;
    if (!baseline || !isRecord(baseline.raw)) return;
    const type = accessTypeOf(policy.type);
    const before = readDocument(baseline.raw, type);
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
        severity: undecidedSeverity(context),
        message: `Whether this policy allows more than its baseline could not be decided: ${reasonOf(answer)}`,
        suggestion: undecidedSuggestion(answer),
        ...undecidedFields(answer, context),
      };
    }
  },
});

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
  const note = kindNote(kind, context.services.date);
  const common = {
    severity: severityOf(violation, context.severity),
    ...violationFields(violation, context),
  };
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
