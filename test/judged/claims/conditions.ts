import { isIP } from "node:net";
import {
  type Case,
  type Claim,
  type Claims,
  first,
  services,
  type Test,
  testsOf,
  texts,
} from "./case.ts";

/** The tests of the statement that the message names: their operator and their key are both quoted. */
function named({ statement, quoted, finding }: Case): Test[] {
  const all = testsOf(statement);
  const both = all.filter(({ operator, key }) => quoted.includes(key) && quoted.includes(operator));
  if (both.length > 0) return both;
  return all.filter(({ key }) => quoted.includes(key) || key === finding.condition_key);
}

/** "this Allow" and "this Deny" are said of such statements, and the key has a test. */
function base(example: Case): string | null {
  const { message } = example.finding;
  const effect = /\b[Tt]h(?:is|e) (Allow|Deny)\b/.exec(message)?.[1];
  return first(
    named(example).length === 0 && "no test of the statement has this key",
    effect !== undefined && example.statement.Effect !== effect && `the effect is not ${effect}`,
  );
}

/** @returns a claim about at least one of the tests that the message names. */
const about =
  (holds: (test: Test, example: Case) => boolean, complaint: string): Claim =>
  (example) =>
    first(base(example), !named(example).some((test) => holds(test, example)) && complaint);

const isPresent = ({ statement }: Case, key: string) =>
  testsOf(statement).some(
    (test) =>
      test.operator === "Null" &&
      test.key.toLowerCase() === key.toLowerCase() &&
      test.values.every((value) => String(value) === "false"),
  );

const wildcard = /[*?]/;
const operators =
  /^(?:For(?:All|Any)Values?:)?(?:String(?:Not)?(?:Equals(?:IgnoreCase)?|Like)|Numeric(?:Not)?Equals|Numeric(?:Less|Greater)Than(?:Equals)?|Date(?:Not)?Equals|Date(?:Less|Greater)Than(?:Equals)?|Bool|BinaryEquals|(?:Not)?IpAddress|Arn(?:Not)?(?:Equals|Like))(?:IfExists)?$|^Null$/i;
const regions =
  /^(?:us|eu|ap|sa|ca|me|af|il|mx|cn|us-gov|eusc-de)-(?:north|south|east|west|central|northeast|southeast|northwest|southwest)-[1-7]$/;

/** @returns whether the text is a value of the kind that the message asks for. */
function isValue(message: string, text: string): boolean {
  if (/takes a decimal number/.test(message)) return /^-?\d+(?:\.\d+)?$/.test(text);
  if (/takes an IP address/.test(message))
    return isIP(text.split("/")[0] ?? "") !== 0 && Number(text.split("/")[1] ?? 0) <= 32;
  if (/takes `true` or `false`/.test(message)) return /^(?:true|false)$/i.test(text);
  if (/takes an ISO 8601/.test(message))
    return !Number.isNaN(Date.parse(text)) || /^\d+$/.test(text);
  return false;
}

const hasQuotedValue: Claim = (example) => {
  const { quoted, finding } = example;
  const values = named(example).flatMap((test) => test.values.map(String));
  return first(
    base(example),
    !quoted.some((text) => values.includes(text)) && "no value of the test is named",
    values.includes(quoted[0] ?? "") &&
      isValue(finding.message, quoted[0] ?? "") &&
      "it is such a value",
  );
};

const typeMismatch: Claim = (example) => {
  const type = /values of type (\w+)/.exec(example.finding.message)?.[1];
  const [, key = ""] = example.quoted;
  const known = services.get(key.split(":")[0] ?? "")?.conditionKey(key)?.types;
  return first(
    base(example),
    type !== undefined &&
      known !== undefined &&
      !known.includes(type) &&
      `the reference says ${known}`,
  );
};

const mfa = (operator: RegExp, value: string) =>
  about(
    (test) => operator.test(test.operator) && test.values.some((one) => String(one) === value),
    "the test is another one",
  );

const variables: Claim = ({ finding, node, policy, quoted }) => {
  const { message } = finding;
  const text = typeof node === "string" ? node : JSON.stringify(node);
  return first(
    /^`\$\{|^The variable `\$\{/.test(message) &&
      !text.includes(quoted[0] ?? "") &&
      "it is not there",
    /has no `Version`/.test(message) && "Version" in policy && "it has a Version",
    /`Version` is `2008-10-17`/.test(message) &&
      policy.Version !== "2008-10-17" &&
      "another Version",
    /contains a space/.test(message) && !/\$\{[^}]*\s/.test(text) && "it contains none",
  );
};

/** Why a Deny by a source key leaves the calls of users and roles alone; null where it does not. */
function sparesUsers(statement: Case["statement"]): string | null {
  const tests = testsOf(statement);
  return first(
    statement.Effect !== "Deny" && "it is no Deny",
    tests.some(
      ({ operator, key, values }) =>
        operator === "Null" &&
        /^aws:Source/i.test(key) &&
        values.every((one) => `${one}` === "false"),
    ) && "it asks that a source is there",
    tests.some(
      ({ key, values }) =>
        /^aws:PrincipalIsAWSService$/i.test(key) && values.every((one) => `${one}` === "true"),
    ) && "it is about services",
  );
}

const comparisons: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  NumericEquals: (left, right) => left === right,
  NumericLessThan: (left, right) => left < right,
  NumericLessThanEquals: (left, right) => left <= right,
  NumericGreaterThan: (left, right) => left > right,
  NumericGreaterThanEquals: (left, right) => left >= right,
};

/** Tries numbers that the key can have: "No value of …" must meet none of them, "Every value of …" all. */
function numberSentence({ finding: { message } }: Case): string | null {
  const [, which, key = "", operator = "", text = ""] =
    /^(No|Every) value of `([^`]+)` meets `(\w+?)(?:IfExists)?` `([^`]+)`/.exec(message) ?? [];
  if (which === undefined) return null;
  const compare = comparisons[operator];
  const tried = /tlsversion/i.test(key) ? [1, 1.1, 1.2, 1.3] : [0, 1, 60, 3600, 1e6];
  const met = tried.filter((value) => compare?.(value, Number(text)));
  return met.length === (which === "No" ? 0 : tried.length) ? null : `${met.join(", ")} meet it`;
}

export const conditionClaims: Claims = {
  "condition_type_mismatch/type_mismatch": typeMismatch,
  "condition_type_mismatch/type_mismatch_usable": typeMismatch,
  "condition_type_mismatch/wildcard_without_like": about(
    ({ operator, values }) =>
      !/Like/.test(operator) && values.some((one) => wildcard.test(String(one))),
    "no literal operator has a wildcard",
  ),
  "condition_type_mismatch/invalid_region": (example) =>
    first(base(example), regions.test(example.quoted[0] ?? "") && "it is a Region"),
  "condition_type_mismatch/invalid_value_format": hasQuotedValue,
  "condition_type_mismatch/invalid_kms_key_value": hasQuotedValue,
  "condition_type_mismatch/invalid_operator": ({ quoted: [operator = ""], statement }) =>
    first(
      !testsOf(statement).some((test) => test.operator === operator) && "it is not there",
      operators.test(operator) && "it is an operator",
    ),
  "condition_type_mismatch/invalid_condition_data_type": about(
    ({ values }) => new Set(values.map((one) => typeof one)).size > 1,
    "the types are the same",
  ),
  "condition_effect/condition_never_true": (example) =>
    first(base(example), numberSentence(example)),
  "condition_effect/condition_always_true": (example) =>
    first(
      base(example),
      numberSentence(example),
      /stops these calls too/.test(example.finding.message) && sparesUsers(example.statement),
    ),
  "condition_effect/condition_inverted": base,
  "condition_effect/global_services_denied": (example) =>
    first(
      base(example),
      texts(example.statement.NotAction).some((one) => one.startsWith("iam:")) && "it spares IAM",
      JSON.stringify(example.statement.Condition).includes("us-east-1") && "it names us-east-1",
    ),
  "condition_effect/service_calls_denied": (example) =>
    first(
      base(example),
      testsOf(example.statement).some(({ key }) =>
        /^aws:(?:ViaAWSService|CalledVia|PrincipalIsAWSService)/i.test(key),
      ) && "it spares the calls of services",
      /takes back what statement/.test(example.finding.message) &&
        !example.statements.some(({ Principal }) =>
          JSON.stringify(Principal ?? "").includes(`"${example.quoted[2]}"`),
        ) &&
        "no statement lets the service in",
    ),
  "condition_effect/tags_tested_together": (example) =>
    first(
      base(example),
      named(example).length < 2 && "fewer than two tags are tested",
      !named(example).every(
        ({ operator, values }) =>
          operator === "Null" && values.every((value) => String(value) === "true"),
      ) && "a tag need not be absent",
    ),
  "condition_effect/requirements_tested_together": (example) =>
    first(
      base(example),
      new Set(named(example).map(({ key }) => key.toLowerCase())).size < 2 &&
        "fewer than two requirements are tested",
      named(example).some(({ values }) => values.some((value) => `${value}` === "true")) &&
        !named(example).some(({ operator }) => operator === "Null") &&
        "a requirement is met",
    ),
  "condition_effect/tag_set_by_caller": ({ finding, statements, statement, quoted }) => {
    const [action = "", resource = ""] = quoted.slice(-3);
    const others = statements.filter((one) => one !== statement && one.Condition === undefined);
    return first(
      finding.condition_key === null && "no key",
      !/resourcetag\//i.test(finding.condition_key ?? "") && "no tag of a resource is tested",
      !others.some(
        (one) => texts(one.Action).includes(action) && texts(one.Resource).includes(resource),
      ) && "no other statement sets tags without a condition",
    );
  },
  "condition_effect/other_values_pass": about(({ key, operator }, { statement }) => {
    if (!/^(?:dynamodb|route53):|^aws:TagKeys$|contextkeys$|objecttagkeys$/i.test(key))
      return false;
    if (statement.Effect === "Deny") return /^ForAllValues:(?!.*Not)/i.test(operator);
    return /^ForAnyValue:/i.test(operator);
  }, "the test does not let other items through"),
  "condition_effect/value_never_matches": about(
    ({ values }, { quoted }) => values.length > 1 && quoted.some((text) => values.includes(text)),
    "the value is not one of several",
  ),
  "condition_effect/confirm_audience_claim_type": about(
    ({ key }) => /:aud$/i.test(key),
    "no audience",
  ),
  "condition_effect/invalid_service_principal_format": about(
    ({ key, values }) =>
      /^aws:CalledVia/i.test(key) && values.some((one) => String(one).split(".").length > 3),
    "the value has one name and a suffix",
  ),
  "condition_effect/equivalent_to_null_false": about(
    ({ operator, values }) =>
      !/Not/.test(operator) && values.some((one) => /^\*+$/.test(String(one))),
    "the test compares a value",
  ),
  "condition_effect/equivalent_to_null_true": about(
    ({ operator, values }) =>
      /Not/.test(operator) && values.some((one) => /^\*+$/.test(String(one))),
    "the test compares a value",
  ),
  "condition_effect/invalid_condition_multiple_boolean": about(
    ({ values }, { finding }) => finding.message.includes(`has ${values.length} values`),
    "another number of values",
  ),
  "condition_effect/variable_usage_too_permissive": about(
    ({ values }, { quoted: [text = ""] }) => text.includes("${") && values.includes(text),
    "the variable is not there",
  ),
  "condition_effect/wildcard_usage_too_permissive": about(
    ({ values }, { quoted: [text = ""] }) => /[*?]/.test(text) && values.includes(text),
    "the wildcard is not there",
  ),
  "set_operator_validation/forallvalues_allow_without_null_check": about(
    ({ operator, key }, example) => /^ForAllValues:/i.test(operator) && !isPresent(example, key),
    "presence is tested, or the operator is another one",
  ),
  "set_operator_validation/foranyvalue_deny_without_null_check": about(
    ({ operator, key }, example) => /^ForAnyValue:/i.test(operator) && !isPresent(example, key),
    "presence is tested, or the operator is another one",
  ),
  "set_operator_validation/missing_set_operator": about(
    ({ operator }) => !/^For/i.test(operator),
    "it has a set operator",
  ),
  "set_operator_validation/set_operator_on_single_valued_key": about(
    ({ operator }) => /^For/i.test(operator),
    "it has no set operator",
  ),
  "ifexists_condition_usage/ifexists_on_always_present_key": about(
    ({ operator }) => /IfExists$/i.test(operator),
    "no IfExists",
  ),
  "ifexists_condition_usage/ifexists_weakens_security_condition": about(
    ({ operator }) => /IfExists$/i.test(operator),
    "no IfExists",
  ),
  "mfa_condition_antipattern/mfa_antipattern_bool_false": mfa(/^Bool$/, "false"),
  "mfa_condition_antipattern/mfa_antipattern_boolif_exists_false": mfa(/^BoolIfExists$/, "false"),
  "mfa_condition_antipattern/mfa_antipattern_null_false": mfa(/^Null$/, "false"),
  "mfa_condition_antipattern/mfa_antipattern_null_true": mfa(/^Null$/, "true"),
  "mfa_condition_antipattern/mfa_antipattern_age_in_deny": ({ statement }) =>
    first(
      statement.Effect !== "Deny" && "no Deny",
      !testsOf(statement).some(
        ({ key, operator }) =>
          /^aws:MultiFactorAuthAge$/i.test(key) && /^NumericGreaterThan(?:Equals)?$/.test(operator),
      ) && "no minimum of the age",
      testsOf(statement).some(({ key }) => /^aws:MultiFactorAuthPresent$/i.test(key)) &&
        "MFA is tested besides",
    ),
  "policy_variables/invalid_policy_variable": variables,
  "federated_subject/weak_federated_subject": about(
    ({ values }, { quoted }) => values.some((one) => quoted.includes(String(one))),
    "the subject is not a value of the test",
  ),
  "condition_effect/specific_github_repo_and_branch_recommended": about(
    ({ key, values }, { quoted: [text = ""] }) =>
      /:sub$/i.test(key) && values.includes(text) && !/[*?]|:ref:refs\/heads\//.test(text),
    "the subject names a branch, or is not a value of the test",
  ),
  "address_ranges/private_range": (example) =>
    first(
      base(example),
      !texts(example.node).some((text) => /^(?:10|172|192)\./.test(text)) && "public",
    ),
};
