import { keyNode } from "../../json/node.ts";
import type { ConditionEntry, PrincipalEntry, Statement } from "../../policy/model.ts";
import { hasWildcard } from "../../policy/wildcard.ts";
import { isRecord } from "../../record.ts";
import { quoted } from "../text.ts";
import type { Issue, Subject } from "../types.ts";

const principalKeys: ReadonlySet<string> = new Set([
  "AWS",
  "Service",
  "Federated",
  "CanonicalUser",
]);
const sourceKeys: ReadonlySet<string> = new Set([
  "aws:sourcearn",
  "aws:sourceaccount",
  "aws:sourceorgid",
  "aws:sourceorgpaths",
]);

/** Names in lower case and a domain, whatever the partition. */
const serviceForm = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/** The form of Principal and NotPrincipal, in policies that have one. */
export function* principalForm(statement: Statement, subject: Subject): Generator<Issue> {
  const { type } = subject;
  if (type !== "resource" && type !== "trust" && type !== "rcp") return;
  for (const name of ["Principal", "NotPrincipal"] as const) {
    if (!statement.has(name)) continue;
    const value = statement.raw[name];
    const node = statement.at(name);
    if (isRecord(value)) {
      for (const key of Object.keys(value)) {
        if (principalKeys.has(key)) continue;
        yield {
          code: "INVALID_PRINCIPAL_KEY",
          details: `${quoted(key)} is not a kind of principal. Use \`AWS\`, \`Service\`, \`Federated\` or \`CanonicalUser\`.`,
          nodes: [keyNode(node, key)],
        };
      }
    } else if (value !== "*") {
      yield {
        code: "INVALID_PRINCIPAL_FORMAT",
        details: `\`${name}\` is neither \`"*"\` nor an object. Write \`{"AWS": "…"}\`.`,
        nodes: [node],
      };
    }
  }
  if (type !== "rcp" && statement.has("NotPrincipal")) {
    if (type === "trust") {
      yield {
        code: "ROLE_TRUST_POLICY_SYNTAX_ERROR_NOTPRINCIPAL",
        details: "A role trust policy takes no `NotPrincipal`. Name the principals.",
        nodes: [statement.at("NotPrincipal")],
      };
    }
    if (statement.effect === "Allow") {
      yield {
        code: "ALLOW_WITH_NOT_PRINCIPAL",
        details: "`NotPrincipal` in an Allow lets everyone else in. Name the principals.",
        nodes: [statement.at("NotPrincipal")],
      };
    }
  }
  if (type === "rcp") return;
  for (const entry of [...statement.principals, ...statement.notPrincipals]) {
    if (isRecord(statement.raw.Principal) || isRecord(statement.raw.NotPrincipal)) {
      yield* principalValue(entry, subject);
    }
  }
}

function* principalValue(
  { type: key, text, node }: PrincipalEntry,
  { resourceType }: Subject,
): Generator<Issue> {
  const issue = (code: Issue["code"], details: string): Issue => ({ code, details, nodes: [node] });
  const lone = text === "*" && key === "AWS";
  if (hasWildcard(text) && !lone && principalKeys.has(key)) {
    yield issue(
      "UNSUPPORTED_WILDCARD_IN_PRINCIPAL",
      `${quoted(text)} holds a wildcard, which a principal cannot. Name the whole principal, or test \`aws:PrincipalArn\`.`,
    );
  }
  // Without a type of the resource it may be the trust policy of a role.
  if (key === "Federated" && resourceType !== null) {
    yield issue(
      "FEDERATED_PRINCIPAL_NOT_SUPPORTED",
      "Only role trust policies take federated principals.",
    );
  }
  if (key === "Service" && !hasWildcard(text) && !text.includes("${") && !serviceForm.test(text)) {
    yield issue(
      "INVALID_SERVICE_PRINCIPAL_FORMAT",
      `${quoted(text)} is not a service principal. Write it in lower case with its domain, such as \`ec2.amazonaws.com\`.`,
    );
  }
  if (key !== "AWS") return;
  const advice = "IAM shows this id when the principal was deleted. Name its ARN.";
  if (text.startsWith("AROA")) {
    yield issue("INVALID_ROLE_REFERENCE", `${quoted(text)} is the id of a role. ${advice}`);
  } else if (text.startsWith("AIDA")) {
    yield issue("INVALID_USER_REFERENCE", `${quoted(text)} is the id of a user. ${advice}`);
  }
}

/** Access of services to the resource, without a test of whose request it is. */
export function* servicePrincipals(statement: Statement, { type }: Subject): Generator<Issue> {
  if (type !== "resource" || statement.effect !== "Allow") return;
  const services = statement.principals.filter((entry) => entry.type === "Service");
  if (services.length === 0) return;
  const { conditions } = statement;
  const isGuarded = conditions.some(({ keyLower }) => sourceKeys.has(keyLower));
  const advice =
    "Test `aws:SourceArn`, `aws:SourceAccount`, `aws:SourceOrgID` or `aws:SourceOrgPaths`.";
  if (!isGuarded) {
    for (const { text, node } of services) {
      yield {
        code: "RESTRICT_ACCESS_TO_SERVICE_PRINCIPAL",
        details: `No source key limits on whose behalf ${quoted(text)} uses this resource. ${advice}`,
        nodes: [node],
      };
    }
    const weaker = conditions.find(({ keyLower }) => keyLower === "aws:referer");
    if (weaker) {
      yield {
        code: "RECOMMENDED_CONDITION_KEY_FOR_SERVICE_PRINCIPAL",
        details: `${quoted(weaker.key)} does not say whose request it is. ${advice}`,
        nodes: [weaker.keyNode],
      };
    }
  }
  // Requests that a service makes for itself have no organization of a principal.
  const absent = conditions.find(({ keyLower }) => /^aws:principalorg(?:id|paths)$/.test(keyLower));
  const [first] = services;
  if (absent && first && services.length === statement.principals.length) {
    yield {
      code: "UNSUPPORTED_CONDITION_KEY_FOR_SERVICE_PRINCIPAL",
      details: `Requests of ${quoted(first.text)} never have ${quoted(absent.key)}, so the test says nothing about them. ${advice}`,
      nodes: [first.node, absent.keyNode],
    };
  }
}

/** The shape that resource control policies must have. */
export function* rcpShape(statement: Statement, { type }: Subject): Generator<Issue> {
  if (type !== "rcp") return;
  const { raw } = statement;
  if (statement.has("NotPrincipal") || (statement.has("Principal") && raw.Principal !== "*")) {
    yield {
      code: "RCP_SYNTAX_ERROR_PRINCIPAL",
      details: '`Principal` of a resource control policy is `"*"`. Limit by conditions.',
      nodes: [statement.at(statement.has("NotPrincipal") ? "NotPrincipal" : "Principal")],
    };
  }
  const isFull =
    raw.Principal === "*" && [raw.Resource].flat().join() === "*" && !statement.has("Condition");
  if (statement.effect === "Allow" && !isFull) {
    yield {
      code: "RCP_SYNTAX_ERROR_ALLOW",
      details: "An Allow of a resource control policy applies to everyone, everything, always.",
      nodes: [statement.node],
    };
  }
  if (statement.effect === "Deny") yield* rcpDeny(statement);
}

/** `Null` `false` on the account or the ARN of the source: one that narrows a Deny to calls of services. */
function testsSourceExists({ keyLower, operator, values }: ConditionEntry): boolean {
  return (
    /^aws:source(?:account|arn)$/.test(keyLower) &&
    operator?.base.name === "Null" &&
    !operator.ifExists &&
    values.some(({ text }) => text.toLowerCase() === "false")
  );
}

const principalOf = /^aws:principal(?:arn|account|orgid|orgpaths)$|^aws:principaltag\//;

/** Keys that need a companion in a Deny, so that calls of AWS's services are not denied by mistake. */
function* rcpDeny({ conditions }: Statement): Generator<Issue> {
  const tests = (name: string, operator: string, value: string, ifExists: boolean) =>
    conditions.some(
      (entry) =>
        entry.keyLower === name &&
        entry.operator?.base.name === operator &&
        entry.operator.ifExists === ifExists &&
        entry.values.some(({ text }) => text.toLowerCase() === value),
    );
  const service = "aws:principalisawsservice";
  for (const entry of conditions) {
    // The companion of a source key, which is in no need of companions.
    if (testsSourceExists(entry)) continue;
    const { key, keyLower, keyNode } = entry;
    const nodes = [keyNode];
    if (principalOf.test(keyLower) && !tests(service, "Bool", "false", true)) {
      yield {
        code: "RCP_MISSING_RELATED_PRINCIPAL_CONDITION_KEY",
        details: `The test of ${quoted(key)} may also deny calls that AWS services make for you. Add \`"BoolIfExists": {"aws:PrincipalIsAWSService": "false"}\` to the condition.`,
        nodes,
      };
    }
    if (!sourceKeys.has(keyLower)) continue;
    // Every call of a service is signed and so has the key: `Bool` asks the same as `BoolIfExists`
    // here, and AWS publishes this Deny with `Bool` (aws-samples/data-perimeter-policy-examples,
    // resource_control_policies/identity_perimeter_rcp.json).
    if (!tests(service, "Bool", "true", true) && !tests(service, "Bool", "true", false)) {
      yield {
        code: "RCP_MISSING_RELATED_SERVICE_PRINCIPAL_CONDITION_KEY",
        details: `Only calls that AWS services make have ${quoted(key)}, and this Deny does not say that it is about these calls. Add \`"BoolIfExists": {"aws:PrincipalIsAWSService": "true"}\` to the condition.`,
        nodes,
      };
    }
    if (!conditions.some(testsSourceExists)) {
      yield {
        code: "RCP_MISSING_SERVICE_CONDITION_KEY_NULL_CHECK",
        details: `Some calls that AWS services make do not have ${quoted(key)}, and this Deny does not test whether a source account is there. Add \`"Null": {"aws:SourceAccount": "false"}\` to the condition.`,
        nodes,
      };
    }
  }
}

/** Sessions listed beside the role that they belong to. */
export function* redundantSessions(statement: Statement, { type }: Subject): Generator<Issue> {
  if (type !== "trust") return;
  const roles = new Set(
    statement.principals
      .map(({ text }) => /^arn:[^:]*:iam::(\d{12}):role\/(?:.*\/)?([^/]+)$/.exec(text))
      .flatMap((parts) => (parts ? [`${parts[1]}/${parts[2]}`] : [])),
  );
  for (const { text, node } of statement.principals) {
    // The check reference writes sessions with `iam` as well.
    const parts = /^arn:[^:]*:(?:sts|iam)::(\d{12}):assumed-role\/([^/]+)\//.exec(text);
    if (!parts || !roles.has(`${parts[1]}/${parts[2]}`)) continue;
    yield {
      code: "REDUNDANT_PRINCIPAL_IN_ROLE_TRUST_POLICY",
      details: `${quoted(text)} is a session of a role that is listed too. Remove one.`,
      nodes: [node],
    };
  }
}
