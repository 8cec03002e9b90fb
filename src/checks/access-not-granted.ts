import { policyTypeOf } from "../../spec/policy.ts";
import type { ConfiguredSeverity } from "../../spec/severity.ts";
import type { Answer, Violation } from "../access/answers.ts";
import { readBlock } from "../access/document.ts";
import { askGranted } from "../access/questions.ts";
import { accessTypeOf } from "../access/types.ts";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import {
  type Forbidden,
  type GrantedOptions,
  grantedOptions,
} from "./access-not-granted/options.ts";
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
  exampleOf,
  kindNote,
  statementName,
  statementOf,
} from "./shared/access/words.ts";
import { quote } from "./shared/quote.ts";

type Context = CheckContext<GrantedOptions>;

const version = "2012-10-17";
const noPassRole = { forbidden: [{ id: "no-passrole", actions: ["iam:PassRole"] }] };

export const accessNotGranted = defineCheck({
  check_id: "access_not_granted",
  default_severity: "high",
  description: "The policy grants nothing that this organisation forbids.",
  docstring: `Asks for each entry of \`forbidden\` whether the policy allows a request with one of its actions on one of its resources, outside every condition block of \`unless\`. Without entries nothing is asked.

The policy's own Deny statements count, and several statements count together. The answer is \`holds\` (proven for every request), \`violated\` with a request that proves it, or \`undecided\` with the construct that stopped the proof.

Each entry has an \`id\`, \`actions\` and \`resources\` (wildcards anywhere), and may have \`unless\`, \`policy_types\`, \`severity\`, \`message\`, \`suggestion\` and \`ignore_patterns\`.`,
  risk_explanation:
    "A grant that the organisation rules out reaches production in a policy that looks harmless.",
  risk_category: "privilege_escalation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-checks-validating-policies.html",
  remediation_steps: [
    "Take out the entry that grants it, or narrow its resource",
    "Where the organisation has an exception, add the condition that it asks for",
  ],
  options: grantedOptions,
  issue_types: {
    forbidden_access: {
      severity: "check",
      when: "A statement grants what an entry forbids; the entry's severity wins, low where it grants nothing today.",
    },
    forbidden_access_undecided: {
      severity: "check",
      when: "It could not be decided; undecided_severity sets the severity, at most the entry's.",
    },
  },
  examples: {
    bad: [
      {
        title: "Everything includes the action that is forbidden.",
        options: noPassRole,
        policy: { Version: version, Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }] },
      },
    ],
    good: [
      {
        title: "A Deny takes the forbidden action back.",
        options: noPassRole,
        policy: {
          Version: version,
          Statement: [
            { Effect: "Allow", Action: "iam:*", Resource: "*" },
            { Effect: "Deny", Action: "iam:Pass*", Resource: "*" },
          ],
        },
      },
    ],
  },

  *ask(context) {
    if (context.options.forbidden.length === 0) return;
    const type = accessTypeOf(context.policy.type);
    const policy = accessDocument(context.policy);
    for (const entry of context.options.forbidden) {
      if (!isAskedOf(entry, context)) continue;
      const { id, actions, resources } = entry;
      const unless = entry.unless.map((block) => readBlock(block) ?? []);
      const asking = askGranted(
        policy,
        { actions, resources, unless },
        type,
        searchOptions(context),
      );
      yield { id, asking };
    }
  },

  *runPolicy(context) {
    for (const { id, answer } of context.answers) {
      const entry = context.options.forbidden.find((one) => one.id === id);
      if (!entry) continue;
      for (const violation of answer.violations) {
        const found = report(entry, violation, context);
        const { statement = null, action = null, resource = null } = found;
        const ignored = { statement, action, resource, condition_key: null };
        if (!context.ignores(entry.ignore_patterns, ignored)) yield found;
      }
      if (isUndecided(answer)) yield undecided(entry, answer, context);
    }
  },
});

const usualTypes: readonly string[] = ["IDENTITY_POLICY", "RESOURCE_POLICY", "TRUST_POLICY"];

function isAskedOf({ policy_types }: Forbidden, { policy }: Context): boolean {
  if (policy_types === null) return usualTypes.includes(policy.type);
  return policy_types.some((word) => policyTypeOf(word) === policy.type);
}

function report(entry: Forbidden, violation: Violation, context: Context): Report {
  const { statement_index, statement_sid, kind, witness } = violation;
  const name = statementName(statement_sid, statement_index);
  const statement = statementOf(context.policy, statement_index);
  const example = exampleOf(witness, statement);
  const note = kindNote(kind, context.services.date);
  const values: Readonly<Record<string, string>> = {
    action: actionsOf(violation, statement),
    resource: quote(violation.resource_entry ?? "*"),
    statement: name,
  };
  const fill = (text: string) =>
    text.replace(/\{(action|resource|statement)\}/g, (whole, key) => values[key] ?? whole);
  return {
    ...violationFields(violation, context),
    issue_type: "forbidden_access",
    severity: severityOf(violation, entry.severity ?? context.severity),
    identity: entry.id,
    message:
      entry.message === null
        ? `${name} allows ${values.action}, which this organisation forbids (${quote(entry.id)}). ${example}${note}`
        : fill(entry.message),
    suggestion:
      entry.suggestion === null
        ? entry.unless.length > 0
          ? "Take the entry out, or add the condition under which the organisation allows it."
          : "Take the entry out, or deny the action on the resources that are forbidden."
        : fill(entry.suggestion),
  };
}

/** From least to most severe. */
const order: readonly ConfiguredSeverity[] = [
  "none",
  "info",
  "low",
  "medium",
  "warning",
  "high",
  "error",
  "critical",
];

function undecided(entry: Forbidden, answer: Answer, context: Context): Report {
  const own = undecidedSeverity(context);
  const { severity: most } = entry;
  return {
    issue_type: "forbidden_access_undecided",
    severity: most !== null && order.indexOf(most) < order.indexOf(own) ? most : own,
    identity: entry.id,
    message: `Whether this policy allows what this organisation forbids (${quote(entry.id)}) could not be decided: ${reasonOf(answer)}`,
    suggestion: undecidedSuggestion(answer),
    ...undecidedFields(answer, context),
  };
}
