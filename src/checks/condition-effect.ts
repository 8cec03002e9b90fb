import { z } from "zod";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import type { Policy, Statement } from "../policy/model.ts";
import { absentKey, addressAtEndpoint } from "./condition-effect/absent-keys.ts";
import { refusesItsArns } from "./condition-effect/arns-and-tests.ts";
import { stopsBothWays } from "./condition-effect/both-ways.ts";
import { effectOfDate } from "./condition-effect/by-date.ts";
import { effectOfPresence } from "./condition-effect/by-presence.ts";
import { effectOfValues } from "./condition-effect/by-value.ts";
import { callersOfOthers } from "./condition-effect/caller-accounts.ts";
import { contradictions } from "./condition-effect/contradictions.ts";
import { unknownCreateActions } from "./condition-effect/create-actions.ts";
import { type Effect, isReadable, type ReadableEntry } from "./condition-effect/effect.ts";
import { examples } from "./condition-effect/examples.ts";
import { excludingEffect } from "./condition-effect/excluded.ts";
import { deniesExternalId, presentExternalId } from "./condition-effect/external-id.ts";
import { stoppedGlobalServices } from "./condition-effect/global-services.ts";
import { invertedEffect } from "./condition-effect/inverted.ts";
import {
  oneItemEscapes,
  oneItemIsEnough,
  optionalPrefix,
  scanPasses,
} from "./condition-effect/limits-of-lists.ts";
import { effectOfNumbers } from "./condition-effect/numbers.ts";
import { oneOfSeveral } from "./condition-effect/one-of-several.ts";
import { exemptsItsCallers } from "./condition-effect/own-callers.ts";
import { tagsOfOwnUser } from "./condition-effect/own-tags.ts";
import { otherPartitions } from "./condition-effect/partitions.ts";
import { misspeltPodTag } from "./condition-effect/pod-tags.ts";
import { stoppedServiceCalls } from "./condition-effect/service-calls.ts";
import { stopsServicesAlone } from "./condition-effect/service-carve-out.ts";
import { misspeltServices } from "./condition-effect/service-names.ts";
import { foreignSources } from "./condition-effect/source-service.ts";
import { stoppedService } from "./condition-effect/stopped-services.ts";
import { tagsOfCaller } from "./condition-effect/tags-of-caller.ts";
import { testedTogether } from "./condition-effect/tested-together.ts";

export const conditionEffect = defineCheck({
  check_id: "condition_effect",
  default_severity: "high",
  description: "Conditions can hold, can fail, and do not say the opposite of what is meant.",
  docstring: `Works out what each entry of a condition does, whatever the request says, and reports

- **conditions that never hold** (\`condition_never_true\`): tests on one key that exclude each other, an end that
  has passed, a value that the key can never have (a private address in \`aws:SourceIp\`, an account of 11 digits, a
  root or unit in place of an organization id, \`ecs-tasks\` in place of \`ecs-tasks.amazonaws.com\`, objects of a bucket in
  \`aws:SourceArn\`, a resource for which the service makes no such calls, an ARN in place of an id, TLS version \`12\`), callers of another account or partition than the principals, a Region or an account other than that of the ARNs, a key that requests of the principals never have, an exemption for
  \`*\` or for the roles of every account. An Allow then grants nothing, a Deny stops no request;
- **conditions that always hold** although the author means a limit (\`condition_always_true\`): ranges that together
  cover every address, an impossible value under a negated operator, \`Null\` \`false\` on a key that every request has,
  and, in an Allow, \`IfExists\` or \`ForAllValues\` on a key that calls of users and roles lack, or that a scan lacks
  (\`dynamodb:LeadingKeys\`); two Denies, of which one stops the requests from other addresses and the other those from
  other VPC endpoints, so that every request meets one of them;
- **conditions that say the opposite** (\`condition_inverted\`): a Deny of encrypted requests, of those with MFA, of
  the own organization, or of the calls of services that a perimeter exempts; an Allow that excludes the external id, account, organization, network or boundary that it
  should require;
- **Regions without the global services** (\`global_services_denied\`): a Deny of an SCP that keeps the organization to
  some Regions and thereby stops IAM, Route 53 or CloudFront, whose requests have the Region \`us-east-1\`;
- **callers without the calls of services** (\`service_calls_denied\`): a Deny of everything outside some addresses,
  without \`aws:ViaAWSService\`, which also stops what services such as CloudFormation do for the caller; a Deny of
  everyone outside an organization, a network or some roles, without \`aws:PrincipalIsAWSService\`, which takes back what
  another statement allows a service;
- **requirements that are tested together** (\`tags_tested_together\`, \`requirements_tested_together\`): a Deny of requests
  that lack several tags, or break several requirements such as TLS and encryption, in one condition, so that one of
  them is enough to pass;
- **one item lets the others through** (\`other_values_pass\`): \`ForAnyValue\` in an Allow, or \`ForAllValues\` in a Deny, on
  keys with all items of a request, such as \`dynamodb:LeadingKeys\` and \`aws:TagKeys\`;
- **tags that callers can set** (\`tag_set_by_caller\`): a test of a resource's tag in an Allow of an identity policy that
  also allows setting any tag on these resources, and a test by the caller's tags beside an Allow for users to set their own;
- **one bad value of several** (\`value_never_matches\`): a misspelt service, an account of 11 digits, a value that is
  not on the list of the key.

A negated operator holds for requests without the key, with or without \`IfExists\`; that alone is not reported. Values with
policy variables or template placeholders are not compared. The day of the reference data is the earliest time that a
request can have.`,
  risk_explanation:
    "A condition that never holds switches its statement off, and one that always holds limits nothing. Neither is what the policy seems to say.",
  risk_category: "validation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html",
  remediation_steps: [
    "Look up when requests carry the key, and what its values look like.",
    "Write a value that requests can have, or use the key that was meant.",
    "Remove tests that contradict each other or test nothing.",
  ],
  options: z.strictObject({}),
  issue_types: {
    condition_never_true: {
      severity: ["error", "high", "medium", "info"],
      when: "A test can never hold: error in an Allow or a trust policy, high in a Deny; medium where that is so for some of the principals; info for a Deny of sessions that have expired.",
    },
    condition_always_true: {
      severity: ["high", "info"],
      when: "A test always holds where a limit is meant; info for a start that has passed.",
    },
    condition_inverted: {
      severity: "check",
      when: "A Deny stops the safe requests, or an Allow excludes what it should require.",
    },
    global_services_denied: {
      severity: "medium",
      when: "A Deny of an SCP on aws:RequestedRegion stops services that have one endpoint for all Regions.",
    },
    service_calls_denied: {
      severity: ["high", "medium"],
      when: "A Deny of all actions outside some addresses also stops the calls that AWS services make for the caller (medium), or a Deny for everyone the requests of a service that another statement lets in (high).",
    },
    tags_tested_together: {
      severity: "check",
      when: "A Deny asks that several tags are absent at once, so requests with one of them pass.",
    },
    requirements_tested_together: {
      severity: "check",
      when: "A Deny asks that several requirements are broken at once, so requests that meet one of them pass.",
    },
    other_values_pass: {
      severity: ["high", "medium"],
      when: "A set operator looks at one item of a request in an Allow, or at all of them in a Deny, so that one item lets the others through; medium in a Deny.",
    },
    tag_set_by_caller: {
      severity: ["high", "medium"],
      when: "An identity policy limits an Allow by a tag of the resource and lets its callers set any tag on it: high where the tag tells callers apart, or limits credentials, rights or commands, else medium.",
    },
    value_never_matches: {
      severity: "check",
      when: "One of several values is misspelt, or has a form that the key never has.",
    },
  },
  examples,

  element: "Condition",
  *runStatement(statement, context) {
    if (statement.conditions.length === 0) return;
    // One finding for an entry: the first thing that decides it.
    const reported: unknown[] = [];
    for (const entry of statement.conditions) {
      const effect = isReadable(entry) ? effectOf(entry, statement, context) : null;
      if (!effect) continue;
      reported.push(entry);
      yield reportOf(effect, statement, context.policy);
    }
    if (statement.conditions.length === 1 && statement.principals.length === 0) return;
    const seen = new Set(reported);
    for (const effect of effectsOfStatement(statement, context.policy)) {
      if (seen.has(effect.entry)) continue;
      seen.add(effect.entry);
      yield reportOf(effect, statement, context.policy);
    }
  },
});

/** What decides an entry by itself. */
function effectOf(
  entry: ReadableEntry,
  statement: Statement,
  context: Pick<CheckContext, "policy" | "services" | "peer" | "match">,
): Effect | null {
  const { policy, services } = context;
  return (
    addressAtEndpoint(entry, statement, policy) ??
    effectOfValues(entry, statement, context) ??
    misspeltServices(entry, statement, context) ??
    unknownCreateActions(entry, statement, context) ??
    refusesItsArns(entry, statement) ??
    presentExternalId(entry, statement, policy) ??
    deniesExternalId(entry, statement, policy) ??
    absentKey(entry, statement, policy) ??
    effectOfPresence(entry, statement, policy) ??
    effectOfDate(entry, statement, services.date) ??
    effectOfNumbers(entry) ??
    exemptsItsCallers(entry, statement, policy) ??
    stopsServicesAlone(entry, statement, context) ??
    invertedEffect(entry, statement, policy) ??
    excludingEffect(entry, statement, policy) ??
    (statement.denies
      ? (stopsBothWays(entry, statement, policy) ??
        stoppedGlobalServices(entry, statement, policy) ??
        stoppedServiceCalls(entry, statement, policy) ??
        stoppedService(entry, statement, context))
      : (oneItemIsEnough(entry, statement) ??
        optionalPrefix(entry, statement) ??
        scanPasses(entry, statement, context) ??
        misspeltPodTag(entry, statement))) ??
    oneItemEscapes(entry, statement) ??
    oneOfSeveral(entry, statement, context) ??
    tagsOfCaller(entry, statement, context) ??
    tagsOfOwnUser(entry, statement, policy)
  );
}

/** What decides entries together with others, or with the principals. */
function* effectsOfStatement(statement: Statement, policy: Policy): Iterable<Effect> {
  const { conditions, principals } = statement;
  if (conditions.length > 1) yield* contradictions(statement);
  if (principals.length > 0) {
    yield* foreignSources(statement);
    yield* callersOfOthers(statement);
    yield* otherPartitions(statement, policy);
  }
  if (conditions.length > 1) yield* testedTogether(statement, policy);
}

const issueTypes = {
  never: "condition_never_true",
  always: "condition_always_true",
  inverted: "condition_inverted",
  global: "global_services_denied",
  forwarded: "service_calls_denied",
  together: "tags_tested_together",
  joined: "requirements_tested_together",
  others: "other_values_pass",
  value: "value_never_matches",
  tagged: "tag_set_by_caller",
} as const;

function reportOf(effect: Effect, statement: Statement, policy: Policy): Report {
  const { kind, entry, reason, suggestion, code, severity, node, correction, fix } = effect;
  const consequence = effect.consequence ?? consequenceOf(kind, statement);
  const bySeverity = severity ?? severityOf(kind, statement, policy);
  return {
    issue_type: issueTypes[kind],
    ...(bySeverity ? { severity: bySeverity } : {}),
    field_name: "condition",
    condition_key: entry.key,
    node: node ?? entry.keyNode,
    about: entry.keyNode,
    message: consequence === "" ? reason : `${reason} ${consequence}`,
    suggestion,
    aws_issue_code: code ?? null,
    ...(correction ? { correction } : {}),
    ...(fix ? { fix } : {}),
  };
}

/** Null: the severity of the check. */
function severityOf(kind: Effect["kind"], statement: Statement, { type }: Policy) {
  if (kind !== "never") return null;
  return statement.denies && type !== "TRUST_POLICY" ? ("high" as const) : ("error" as const);
}

function consequenceOf(kind: Effect["kind"], { allows, denies }: Statement): string {
  if (kind === "never") {
    if (allows) return "The condition never holds, so this Allow grants nothing.";
    return denies
      ? "The condition never holds, so this Deny stops no request."
      : "The condition never holds, so the statement never applies.";
  }
  if (allows) return "This entry limits nothing.";
  return denies
    ? "This entry always holds, so it does not narrow what is denied."
    : "This entry always holds.";
}
