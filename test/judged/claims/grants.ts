import {
  type Case,
  type Claims,
  covers,
  expand,
  first,
  hasKey,
  matches,
  referenceAction,
  services,
  testsOf,
  texts,
} from "./case.ts";

const isAll = (pattern: string) => /^[*:]+$/.test(pattern);

/** Compares a sentence about the presence of a condition with the statement. */
function aboutCondition({ finding: { message }, statement }: Case): string | null {
  const count = testsOf(statement).length;
  if (/without any condition/.test(message) && count > 0) return "the statement has a condition";
  if (/without a condition that limits|under a condition/.test(message) && count === 0)
    return "the statement has no condition";
  return null;
}

/** The actions that the message says are granted. */
const grantedNames = (example: Case) =>
  example.quoted.filter((text) => /^[a-z0-9-]+:[A-Za-z]+$/.test(text) && !text.startsWith("aws:"));

function notGranted(example: Case, names = grantedNames(example)): string | null {
  const wrong = names.find((name) => !covers(example.statement, name));
  return wrong === undefined ? null : `the statement does not grant ${wrong}`;
}

function wildcardResource(example: Case): string | null {
  const { finding, quoted, statement } = example;
  const list = /named resources: (.*?)(?: and \d+ more)?\.(?: |$)/.exec(finding.message)?.[1] ?? "";
  const actions = [...list.matchAll(/`([^`]*)`/g)].map(([, text = ""]) => text);
  const [entry = ""] = quoted;
  const unlimited = actions.find(
    (text) => !isAll(text) && expand(text).every(({ resourceTypes }) => resourceTypes.length === 0),
  );
  const writing = actions.find((text) =>
    expand(text).some(
      ({ resourceTypes, accessLevel }) =>
        resourceTypes.length > 0 && accessLevel !== "list" && accessLevel !== "read",
    ),
  );
  return first(
    !texts(statement.Resource).includes(entry) && `${entry} is not a resource of the statement`,
    actions.length === 0 && "no action is named",
    unlimited !== undefined && `${unlimited} takes no resource`,
    !actions.every((text) => texts(statement.Action).includes(text)) && "an action is not listed",
    /only describe/.test(finding.message) && writing !== undefined && `${writing} writes`,
    ...[...finding.message.matchAll(/The condition on `([^`]*)`/g)].map(
      ([, key = ""]) => !hasKey(statement, key) && `no condition on ${key}`,
    ),
  );
}

function serviceWildcard({ finding, quoted: [entry = ""], statement }: Case): string | null {
  if (services.get(entry.split(":")[0] ?? "") === undefined)
    return /every action of the service/.test(finding.message) ? null : "it has counts";
  const all = services.get(entry.split(":")[0] ?? "")?.actions ?? [];
  if (/grants the only action of the service/.test(finding.message))
    return all.length === 1 ? null : `the service has ${all.length} actions`;
  const said = /grants (?:all (\d+)|(\d+) of (\d+)) actions?/.exec(
    finding.message.replaceAll(",", ""),
  );
  const number = (pattern: RegExp) => Number(pattern.exec(finding.message)?.[1] ?? 0);
  const writes = [...all].filter(({ accessLevel }) => accessLevel === "write").length;
  return first(
    !texts(statement.Action).includes(entry) && `${entry} is not listed`,
    said === null && "no counts",
    Number(said?.[1] ?? said?.[3]) !== [...all].length &&
      "the service has another number of actions",
    Number(said?.[2] ?? 0) >= Number(said?.[3] ?? 1) && "a part is as large as the whole",
    number(/(\d+) that writes?/) > [...all].length && "more writes than actions",
    said?.[1] !== undefined && number(/(\d+) that writes?/) < writes && "fewer writes than known",
  );
}

function missingCondition(example: Case): string | null {
  const { message } = example.finding;
  const list = /^(?:The|\d+) sensitive actions? (?:`([^`]*)`)?/.exec(message);
  const count = /^(\d+) sensitive actions/.exec(message)?.[1];
  const named = list?.[1]
    ? [list[1]]
    : (/: (`.*?)\.(?: |$)/.exec(message)?.[1] ?? "").match(/[a-z0-9-]+:\w+/g);
  const more = Number(/and (\d+) more/.exec(message)?.[1] ?? 0);
  const known = (named ?? []).filter((name) => referenceAction(name) !== undefined);
  const resources = texts(example.statement.Resource);
  return first(
    named === null && "no action is named",
    notGranted(example, named ?? []),
    known.length !== named?.length && "an action is not in the reference data",
    count !== undefined && Number(count) !== (named?.length ?? 0) + more && "the count is wrong",
    /on every resource/.test(message) &&
      resources.length > 0 &&
      !resources.some((one) => /[*?]/.test(one)) &&
      "every resource is a name",
    /on named resources/.test(message) &&
      resources.includes("*") &&
      !example.statements.some(({ Effect }) => Effect === "Deny") &&
      "the statement has `*`, and no Deny takes anything back",
    aboutCondition(example),
  );
}

function escalation({ finding, statements }: Case): string | null {
  const members = finding.message.matchAll(/`([a-z0-9-]+:\w+)`(?: on `([^`]*)`)? \(([^)]*)\)/g);
  const complaints: (string | null | false)[] = [];
  let count = 0;
  for (const [, action = "", resource, places = ""] of members) {
    for (const place of places.split(/, | and /)) {
      const label = /^statement (?:`(.*)`|(\d+))$/.exec(place);
      if (!label) continue;
      const statement = statements.find(({ Sid }, at) =>
        label[1] === undefined ? at + 1 === Number(label[2]) : Sid === label[1],
      );
      count += 1;
      complaints.push(
        statement === undefined && `there is no ${place}`,
        statement?.Effect !== "Allow" && `${place} is not an Allow`,
        statement !== undefined &&
          !covers(statement, action) &&
          `${place} does not grant ${action}`,
      );
      const isThere = texts(statement?.Resource).includes(resource ?? "");
      if (resource !== undefined && places === place)
        complaints.push(!isThere && `${place} has no resource ${resource}`);
    }
  }
  return first(count === 0 && "no statement is named", ...complaints);
}

function requirement(example: Case): string | null {
  const { message } = example.finding;
  const [entry = ""] = example.quoted;
  const inner = /which covers (.*?)\)/.exec(message)?.[1] ?? "";
  const uncovered = (inner.match(/[a-z0-9-]+:\w+/g) ?? []).find(
    (name) => !matches(entry, name, true),
  );
  const [granted = "", rest = ""] = message.split("without");
  const keys = (/^[^.]*/.exec(rest)?.[0] ?? "").match(/(?:aws|iam|s3|ec2):\w+/g) ?? [];
  const unsaid = keys.find((key) =>
    testsOf(example.statement).some(
      (test) =>
        test.key.toLowerCase() === key.toLowerCase() && !message.includes(`\`${test.operator}\``),
    ),
  );
  return first(
    keys.length === 0 && "no key is named",
    uncovered !== undefined && `${entry} does not cover ${uncovered}`,
    notGranted(
      example,
      (granted.match(/[A-Za-z0-9-]+:\w+/g) ?? []).filter((name) => !name.endsWith(":")),
    ),
    unsaid !== undefined && `the statement tests ${unsaid}, and the message does not say so`,
  );
}

function passRole(example: Case): string | null {
  const { statement, finding } = example;
  const resources = texts(statement.Resource);
  return first(
    !covers(statement, "iam:PassRole") && "the statement does not grant iam:PassRole",
    /everything but the listed/.test(finding.message) && !statement.NotResource && "no NotResource",
    /on every role/.test(finding.message) &&
      !resources.some((one) => one === "*" || /role\/\*$/.test(one)) &&
      "the resources name roles",
  );
}

/** A claim about the exceptions of `NotAction` and `NotResource`. */
function exceptions(example: Case): string | null {
  const { statement, quoted, finding } = example;
  const listed = [...texts(statement.NotAction), ...texts(statement.NotResource)];
  const services_ = listed.map((entry) => entry.split(":")[0]);
  const words = new Set(["NotAction", "NotResource", ...listed, ...services_]);
  const wrong = quoted.find((text) => !words.has(text));
  const effect = /\bDeny\b/.test(finding.message) ? "Deny" : "Allow";
  return first(
    statement.Effect !== effect && "the effect is the other one",
    wrong !== undefined && `${wrong} is not among the exceptions`,
    /every (?:action|resource) \(/.test(finding.message) &&
      !listed.includes("*") &&
      "`*` is not listed",
    aboutCondition(example),
  );
}

export const grantClaims: Claims = {
  "wildcard_resource/overly_permissive": wildcardResource,
  "wildcard_action/overly_permissive": ({ statement, quoted: [entry = ""] }) =>
    first(!texts(statement.Action).includes(entry) && "not listed", !isAll(entry) && "not all"),
  "full_wildcard/security_risk": ({ statement, statements, finding }) =>
    first(
      !texts(statement.Action).some(isAll) && "no action grants everything",
      !texts(statement.Resource).includes("*") && "no resource is everything",
      /administrator access/.test(finding.message) &&
        (testsOf(statement).length > 0 || statements.some(({ Effect }) => Effect === "Deny")) &&
        "a condition or a Deny holds something back",
    ),
  "service_wildcard/overly_permissive": serviceWildcard,
  "sensitive_action/missing_condition": missingCondition,
  "sensitive_action/privilege_escalation": escalation,
  "action_condition_enforcement/missing_required_condition": requirement,
  "action_condition_enforcement/missing_required_condition_any_of": requirement,
  "action_condition_enforcement/forbidden_condition_present": ({ statement, finding }) =>
    hasKey(statement, finding.condition_key ?? "") ? null : "no test of the statement has the key",
  "action_condition_enforcement/pass_role_with_not_resource": passRole,
  "action_condition_enforcement/pass_role_with_star_in_resource": passRole,
  "action_condition_enforcement/pass_role_with_star_in_resource_and_not_action": passRole,
  "not_action_not_resource/combined_not_action_not_resource": exceptions,
  "not_action_not_resource/not_action_allow": exceptions,
  "not_action_not_resource/not_action_allow_ineffective": exceptions,
  "not_action_not_resource/not_action_allow_no_condition": exceptions,
  "not_action_not_resource/not_action_deny_ineffective": exceptions,
  "not_action_not_resource/not_action_deny_review": exceptions,
  "not_action_not_resource/not_resource_allow_ineffective": exceptions,
  "not_action_not_resource/not_resource_broad": exceptions,
  "not_action_not_resource/not_resource_deny_review": exceptions,
  "service_linked_roles/unrestricted_creation": ({ statement }) =>
    first(
      !covers(statement, "iam:CreateServiceLinkedRole") && "not granted",
      testsOf(statement).some(
        ({ key, values }) =>
          /^iam:AWSServiceName$/i.test(key) && !values.some((one) => /[*?]/.test(String(one))),
      ) && "a condition names the service",
    ),
};
