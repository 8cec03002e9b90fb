import {
  type Case,
  type Claim,
  type Claims,
  covers,
  first,
  isNode,
  matches,
  type Node,
  services,
  testsOf,
  texts,
} from "./case.ts";

/** @returns every principal of the statement as text. */
function principalsOf({ Principal, NotPrincipal }: Case["statement"]): string[] {
  const both = [Principal, NotPrincipal];
  return both.flatMap((one) => (isNode(one) ? Object.values(one).flatMap(texts) : texts(one)));
}

const sourceKeys = /^aws:source(?:arn|account|orgid|orgpaths)$/i;

const isListed: Claim = ({ statement, quoted: [principal = ""] }) =>
  principalsOf(statement).includes(principal)
    ? null
    : `${principal} is not a principal of the statement`;

/** A test of the statement names the service. */
const testsService: Claim = ({ statement, quoted: [service = "", key = ""] }) =>
  testsOf(statement).some(
    (test) => test.key === key && test.values.some((value) => String(value) === service),
  )
    ? null
    : `no test of ${key} has ${service}`;

/** The witness of a public statement: its action, its resource and its statement. */
const witness: Claim = ({ finding, statements }) => {
  const label = /^Statement (?:`([^`]*)`|(\d+))/.exec(finding.message);
  const number = label?.[1] ?? label?.[2] ?? "";
  const statement =
    statements.find(({ Sid }, at) =>
      label?.[1] === undefined ? at + 1 === Number(number) : Sid === number,
    ) ?? {};
  const action = /call `([^`]*)`/.exec(finding.message)?.[1] ?? "";
  const resource = /` on `([^`]*)`/.exec(finding.message)?.[1] ?? "";
  const resources = texts(statement.Resource).map((one) => one.replace(/\$\{[^}]*\}/g, "*"));
  return first(
    statement.Effect !== "Allow" && `statement ${number} is not an Allow`,
    !covers(statement, action) && `statement ${number} does not cover ${action}`,
    resource !== "" &&
      resources.length > 0 &&
      !resources.some((one) => matches(one, resource) || one.startsWith("execute-api:/")) &&
      `statement ${number} does not cover ${resource}`,
  );
};

const missingClaims: Claim = ({ statement, quoted: [action = ""], finding }) => {
  const needed = /needs (?:a condition|conditions) on (.*?)\. /.exec(finding.message)?.[1] ?? "";
  const keys = [...needed.matchAll(/`([^`]*)`/g)].map(([, text = ""]) => text.toLowerCase());
  const tested = testsOf(statement).find(
    ({ key, operator }) =>
      keys.includes(key.toLowerCase()) && !finding.message.includes(`\`${operator}\``),
  );
  return first(
    !covers(statement, action) && `the statement does not cover ${action}`,
    keys.length === 0 && "no key is named",
    tested !== undefined && `${tested.key} is tested under ${tested.operator}`,
  );
};

const hasTest: Claim = ({ statement, quoted }) =>
  testsOf(statement).some(({ key }) => quoted.includes(key)) ? null : "no test has such a key";

const isDeny: Claim = ({ statement }) => (statement.Effect === "Deny" ? null : "it is not a Deny");

const carveOut: Claim = (example) =>
  first(
    isDeny(example),
    hasTest(example),
    !/Not/.test(example.quoted[1] ?? example.quoted[0] ?? "") &&
      !example.quoted.some((text) => /Not/.test(text)) &&
      "the operator is not negated",
  );

export const element =
  (name: string, isThere: boolean): Claim =>
  ({ statement }) =>
    name in statement === isThere ? null : `${name} is ${isThere ? "not " : ""}there`;

const principalValue: Claim = (example) => {
  const [value = ""] = example.quoted;
  const { message } = example.finding;
  const all = principalsOf(example.statement);
  return first(
    !all.some((one) => example.quoted.includes(one)) &&
      !Object.keys(example.statement.Principal ?? {}).includes(value) &&
      "no principal is named",
    /64 hexadecimal/.test(message) && /^[0-9a-f]{64}$/i.test(value) && "it has them",
    /has a wildcard/.test(message) && !/[*?]/.test(value) && "it has none",
    /12 digits/.test(message) && /(?:^|:)\d{12}(?:$|:)/.test(value) && "it has 12 digits",
  );
};

export const principalClaims: Claims = {
  "no_public_access/public_access": witness,
  "principal_validation/service_principal_wildcard": ({ statement }) =>
    principalsOf(statement).includes("*") ? null : "no principal is `*`",
  "principal_validation/ineffective_deny_carve_out": carveOut,
  "principal_validation/literal_wildcard_deny_carve_out": carveOut,
  "principal_validation/missing_principal_condition_any_of": (example) =>
    principalsOf(example.statement).some((one) => example.finding.message.includes(one))
      ? null
      : "no principal of the statement is named",
  "principal_validation/policy_lock_out": (example) => {
    const [action = ""] = example.quoted;
    if (/^The key policy allows/.test(example.finding.message)) {
      const allows = (one: Node) => one.Effect === "Allow" && covers(one, action);
      const isService = ({ Principal }: Node) =>
        isNode(Principal) && Object.keys(Principal).join() === "Service";
      const isAllowed = example.statements.some((one) => allows(one) && !isService(one));
      return isAllowed ? "a statement allows the action" : null;
    }
    return first(
      isDeny(example),
      !covers(example.statement, action) && "it does not cover the action",
      !principalsOf(example.statement).includes("*") && "it names its principals",
    );
  },
  "trust_policy_validation/confused_deputy_risk": (example) =>
    first(
      /names the service and not the source/.test(example.finding.message)
        ? testsService(example)
        : isListed(example),
      /no condition names the source/.test(example.finding.message) &&
        testsOf(example.statement).some(
          ({ key, operator }) => sourceKeys.test(key) && !/Not|IfExists|Null/.test(operator),
        ) &&
        "a condition names the source",
    ),
  "trust_policy_validation/service_never_calls": (example) =>
    first(
      isListed(example),
      !covers(example.statement, example.quoted[1] ?? "") && "it does not cover the action",
      example.quoted[0] === example.quoted[2] && "the service itself is said to call",
    ),
  "trust_policy_validation/missing_external_id": (example) =>
    first(
      !example.quoted.includes(String(example.node)) && "the principal is another one",
      !/^(?:arn:[^:]+:(?:iam|sts)::)?\d{12}(?::|$)/.test(String(example.node)) && "no account",
      /asks .* for the external id/.test(example.finding.message) &&
        !example.statements.some((one) =>
          testsOf(one).some(({ key }) => /^sts:ExternalId$/i.test(key)),
        ) &&
        "no statement asks for it",
      testsOf(example.statement).some(
        ({ key, operator }) => /^sts:ExternalId$/i.test(key) && operator === "StringEquals",
      ) && "an external id is required",
    ),
  "trust_policy_validation/invalid_principal_type_for_assume_action": ({ statement, quoted }) =>
    first(
      !covers(statement, quoted[0] ?? "") && "it does not cover the action",
      !isNode(statement.Principal) || !((quoted[1] ?? "") in statement.Principal)
        ? "no such principal"
        : null,
    ),
  "trust_policy_validation/invalid_provider_format": (example) =>
    first(
      isListed(example),
      /of an OIDC/.test(example.finding.message) &&
        /^arn:[^:]+:iam::\d{12}:oidc-provider\/[^:]+$/.test(example.quoted[0] ?? "") &&
        "it is an OIDC provider",
      /of a SAML/.test(example.finding.message) &&
        /^arn:[^:]+:iam::\d{12}:saml-provider\//.test(example.quoted[0] ?? "") &&
        "it is a SAML provider",
    ),
  "trust_policy_validation/missing_required_condition_for_assume_action": missingClaims,
  "trust_policy_validation/unexpected_trust_action": ({ statement, quoted }) =>
    first(
      !("NotAction" in statement) &&
        !texts(statement.Action).some((one) => quoted.includes(one)) &&
        "it is not there",
      quoted.some((one) => /^sts:(?:Assume|Tag|Set)\w+$/.test(one)) && "it is one",
    ),
  "trust_policy_validation/missing_tag_session": ({ statements, quoted: [service = ""] }) =>
    statements.some(
      (one) => JSON.stringify(one.Principal).includes(service) && covers(one, "sts:TagSession"),
    )
      ? "it may tag the session"
      : null,
  "trust_policy_validation/missing_action_for_roles_anywhere_trust_policy": ({
    statement,
    quoted,
  }) => (quoted.some((action) => !covers(statement, action)) ? null : "it has them"),
  "not_principal_validation/not_principal_usage": (example) =>
    first(
      isDeny(example),
      element("NotPrincipal", true)(example),
      /without its account `([^`]*)`/.test(example.finding.message) &&
        principalsOf(example.statement).includes(example.quoted.at(-1) ?? "") &&
        "the account is listed",
    ),
  "not_principal_validation/not_principal_with_allow": element("NotPrincipal", true),
  "rcp_best_practices/rcp_blanket_deny": (example) =>
    first(isDeny(example), testsOf(example.statement).length > 0 && "it has a condition"),
  "rcp_best_practices/rcp_missing_service_carveout": (example) =>
    first(isDeny(example), hasTest(example)),
  "rcp_best_practices/rcp_carveout_missing_ifexists": (example) =>
    first(isDeny(example), hasTest(example)),
  "rcp_best_practices/rcp_missing_related_principal_condition_key": hasTest,
  "rcp_best_practices/rcp_missing_related_service_principal_condition_key": hasTest,
  "rcp_best_practices/rcp_missing_service_condition_key_null_check": hasTest,
  "policy_type_validation/endpoint_policy_open": (example) =>
    first(
      !principalsOf(example.statement).includes("*") && "it names its principals",
      !texts(example.statement.Resource).includes("*") && "it names its resources",
    ),
  "policy_type_validation/nothing_allowed": ({ statements }) =>
    statements.some(({ Effect }) => Effect === "Allow") ? "a statement allows" : null,
  "policy_type_validation/missing_principal": element("Principal", false),
  "policy_type_validation/unexpected_principal": element("Principal", true),
  "policy_type_validation/invalid_principal": element("Principal", true),
  "policy_type_validation/invalid_not_principal": element("NotPrincipal", true),
  "policy_type_validation/invalid_principal_value": principalValue,
  "policy_type_validation/invalid_rcp_effect": ({ statement }) =>
    statement.Effect === "Deny" ? "it denies" : null,
  "policy_type_validation/invalid_rcp_principal": ({ statement }) =>
    statement.Principal === "*" ? "it is `*`" : null,
  "policy_type_validation/policy_type_hint": ({ finding, statements }) => {
    if (/have no policies/.test(finding.message)) {
      const prefixes = statements.flatMap(({ Action }) =>
        texts(Action).map((action) => action.split(":")[0] ?? ""),
      );
      const writing = prefixes.find(
        (prefix) =>
          prefix !== "ec2" &&
          services.get(prefix)?.actions.some(({ name }) => /^Put\w*ResourcePolicy$/.test(name)),
      );
      return first(
        prefixes.length === 0 && "it has no actions",
        writing !== undefined && `${writing} has resource policies`,
      );
    }
    const types = /checked as (\w+), but (?:its content is that|it has the form) of an? (\w+)/.exec(
      finding.message,
    );
    return types?.[1] === types?.[2] ? "it names one type twice" : null;
  },
  "policy_type_validation/unsupported_rcp_service": ({ node, quoted: [action] }) =>
    texts(node).includes(action ?? "") ? null : "it is not there",
};
