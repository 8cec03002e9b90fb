import { checkCases } from "../../test/support/check-cases.ts";
import { trust, web } from "../../test/support/trust-statement.ts";
import { actionValidation } from "./action-validation.ts";
import { policyTypeValidation } from "./policy-type-validation.ts";
import { trustPolicyValidation } from "./trust-policy-validation.ts";

const account = "arn:aws:iam::111122223333";
const oidc = (provider: string) => `${account}:oidc-provider/${provider}`;
const saml = `${account}:saml-provider/idp`;

const wrongType = {
  issue_type: "invalid_principal_type_for_assume_action",
  severity: "high",
  field_name: "principal",
} as const;
const wrongProvider = {
  ...wrongType,
  severity: "error",
  issue_type: "invalid_provider_format",
} as const;
const missing = {
  issue_type: "missing_required_condition_for_assume_action",
  severity: "high",
  field_name: "condition",
} as const;
const _deputy = { ...wrongType, issue_type: "confused_deputy_risk" } as const;

checkCases(trustPolicyValidation, [
  {
    name: "asks for the type of principal that suits the action, once per type",
    statement: trust(
      { Federated: [saml, saml], CanonicalUser: "a", AWS: `${account}:root` },
      "sts:assumerole",
    ),
    findings: [
      {
        ...wrongType,
        action: "sts:AssumeRole",
        path: "/Statement/0/Principal/Federated/0",
        message:
          "`sts:AssumeRole` cannot be used by a principal of type `Federated`; it takes `AWS`, `Service`.",
        example: null,
      },
      { ...wrongType, message: /`CanonicalUser`/ },
    ],
  },
  {
    name: "reads every statement with a principal that is not a Deny, whatever the policy",
    statement: [
      { ...trust({ Federated: saml }, "sts:AssumeRole"), Resource: "arn:aws:s3:::b" },
      { ...trust({ Federated: saml }, "sts:AssumeRole"), Effect: "Unknown" },
      { ...trust({ Federated: saml }, "sts:AssumeRole"), Effect: "Deny" },
    ],
    findings: [
      { ...wrongType, at: 0 },
      { ...wrongType, at: 1 },
    ],
  },
  {
    name: "does not read Deny statements, SCPs and RCPs",
    statement: { ...trust("*", "sts:AssumeRoleWithWebIdentity"), Effect: "Deny", Resource: "*" },
    type: "RESOURCE_CONTROL_POLICY",
    findings: [],
  },
  {
    name: "finds the rules by name, by pattern and by `sts:*` in any letter case, each once",
    statement: trust({ AWS: `${account}:root` }, ["STS:ASSUMEROLEWITH*", "sts:AssumeRoleWithSAML"]),
    findings: [
      { ...wrongType, action: "sts:AssumeRoleWithSAML" },
      {
        ...missing,
        action: "sts:AssumeRoleWithSAML",
        path: "/Statement/0/Action/0",
        message:
          "`sts:AssumeRoleWithSAML` needs a condition on `SAML:aud`. No principal of the statement is of a type that can use `sts:AssumeRoleWithSAML`.",
        example: null,
      },
      { ...wrongType, action: "sts:AssumeRoleWithWebIdentity" },
      { ...missing, action: "sts:AssumeRoleWithWebIdentity", message: /No principal/ },
    ],
  },
  {
    name: "leaves a type of principal that does not exist, and a name that no service has, to other checks",
    statement: [
      trust({ aws: `${account}:root` }, "sts:AssumeRole"),
      trust({ Service: "sns.amazonaws.co" }, "sts:AssumeRole"),
      trust({ AWS: `${account}:root` }, "AssumeRole"),
    ],
    peers: [policyTypeValidation, actionValidation],
    findings: [],
  },
  {
    name: "leaves `*` to other checks, and statements without an action or a principal alone",
    statement: [
      trust({ Federated: saml }, ["*", "*:*", "AssumeRole*"]),
      { Effect: "Allow", Principal: { Federated: saml }, NotAction: "sts:AssumeRole" },
      { Effect: "Allow", Action: "sts:AssumeRole", Resource: "*" },
    ],
    findings: [],
  },
  {
    name: "lets session tags, source identities and contexts stand beside any assume action",
    statement: trust(
      { Federated: saml },
      ["sts:AssumeRoleWithSAML", "sts:TagSession", "sts:SetSourceIdentity", "sts:SetContext"],
      { StringEquals: { "saml:AUD": "https://signin.aws.amazon.com/saml" } },
    ),
    findings: [],
  },
  {
    name: "asks for a provider of the right kind, for each that is not one",
    statement: trust(
      { Federated: [oidc("idp.example.com"), "idp.example.com", saml] },
      "sts:AssumeRoleWithSAML",
      { StringEquals: { "SAML:aud": "x" } },
    ),
    findings: [
      {
        ...wrongProvider,
        action: "sts:AssumeRoleWithSAML",
        path: "/Statement/0/Principal/Federated/0",
        message: /is not the ARN of a SAML provider/,
        aws_issue_code: "MISMATCHED_ACTION_FOR_PRINCIPAL",
      },
      { ...wrongProvider, path: "/Statement/0/Principal/Federated/1" },
    ],
  },
  {
    name: "accepts the four domains that AWS knows as providers",
    statement: [
      web("cognito-identity.amazonaws.com", {
        "cognito-identity.amazonaws.com:aud": "pool",
        "cognito-identity.amazonaws.com:amr": "authenticated",
      }),
      web("accounts.google.com", {
        "accounts.google.com:aud": "a",
        "accounts.google.com:sub": "b",
      }),
      web("graph.facebook.com", { "graph.facebook.com:app_id": "1" }),
      web("openid-license-manager.amazonaws.com", {
        "openid-license-manager.amazonaws.com:amr":
          "aws:license-manager:token-issuer-account-id:111122223333",
      }),
      web("www.amazon.com", { "www.amazon.com:app_id": "1" }),
    ],
    findings: [],
  },
  {
    name: "asks for no claims of an action that no provider of the statement can use",
    statement: {
      ...web(`${account}:saml-provider/a`, { "SAML:aud": "https://signin.aws.amazon.com/saml" }),
      Action: ["sts:AssumeRoleWithSAML", "sts:AssumeRoleWithWebIdentity"],
    },
    findings: [{ issue_type: "invalid_provider_format", severity: "error" }],
  },
  {
    name: "they ask for the same where they stand as the ARN of a provider",
    statement: web(oidc("graph.facebook.com"), { "graph.facebook.com:app_id": "1" }),
    findings: [],
  },
  {
    name: "the letter case of a provider's ARN counts",
    statement: web(`${account}:OIDC-provider/idp.example.com`, { "a:aud": "1", "a:sub": "1" }),
    findings: [wrongProvider],
  },
  {
    name: "without a usable provider any key of that claim counts",
    statement: [
      web(saml, { "x:aud": "y", "x:sub": "z" }),
      web("arn:aws:iam::111122223333:oidc-provider/${var.issuer}", { "x:aud": "y", "x:amr": "z" }),
    ],
    findings: [{ ...wrongProvider, at: 0 }],
  },
  {
    name: "a template placeholder may be any text in a provider",
    statement: [
      "arn:aws:iam::${AWS::AccountId}:oidc-provider/idp.example.com",
      "arn:${AWS::Partition}:iam::{{ account }}:oidc-provider/idp.example.com",
      "arn:aws:iam::111122223333:${provider}",
      "arn:aws:iam::${rest}",
      "${aws_iam_openid_connect_provider.idp.arn}",
      "${prefix}/idp.example.com",
      "arn:aws:iam::111122223333:oidc-provider/${a}-${b}",
      "arn:aws-${x}:iam::1111${y}:oidc-provider/idp",
    ].map((provider) =>
      web(provider, {
        "x:aud": "a",
        "x:sub": "b",
        "idp.example.com:aud": "a",
        "idp.example.com:sub": "b",
        "idp:aud": "a",
        "idp:sub": "b",
      }),
    ),
    findings: [],
  },
  {
    name: "a placeholder does not make a provider of the wrong kind right",
    statement: web("arn:aws:iam::${AWS::AccountId}:saml-provider/idp", {
      "x:aud": "a",
      "x:sub": "b",
    }),
    findings: [wrongProvider],
  },
  {
    name: "placeholders are plain text when the setting says so",
    statement: web("arn:aws:iam::${AWS::AccountId}:oidc-provider/idp", {
      "x:aud": "a",
      "x:sub": "b",
    }),
    settings: { allow_template_variables: false },
    findings: [wrongProvider],
  },
  {
    name: "own rules replace all built-in ones, and order and names are theirs",
    statement: trust({ AWS: `${account}:root`, Federated: saml }, [
      "sts:AssumeRole",
      "sts:AssumeRoleWithSAML",
    ]),
    options: {
      validation_rules: {
        "sts:AssumeRole": {
          allowed_principal_types: ["AWS"],
          required_conditions: ["sts:ExternalId", ["aws:PrincipalOrgID", "aws:PrincipalAccount"]],
        },
      },
    },
    findings: [
      { ...wrongType, action: "sts:AssumeRole", message: /`Federated`; it takes `AWS`/ },
      {
        ...missing,
        action: "sts:AssumeRole",
        message: /on `sts:ExternalId` and \(`aws:PrincipalOrgID` or `aws:PrincipalAccount`\)\./,
      },
    ],
  },
  {
    name: "says which provider the action needs, and carries AWS's code in a trust policy",
    type: "TRUST_POLICY",
    statement: trust(
      { Federated: ["login.example.com", oidc("idp.example.com"), "ldap", saml] },
      "sts:AssumeRoleWithSAML",
      { StringEquals: { "SAML:aud": "https://signin.aws.amazon.com/saml" } },
    ),
    findings: [
      { ...wrongProvider, aws_issue_code: "MISMATCHED_ACTION_FOR_PRINCIPAL" },
      {
        ...wrongProvider,
        message: `\`${oidc("idp.example.com")}\` is not the ARN of a SAML provider, which \`sts:AssumeRoleWithSAML\` needs.`,
        suggestion:
          "Give the provider as `arn:aws:iam::ACCOUNT:saml-provider/NAME`, or use the assume-role action that suits it.",
        aws_issue_code: "MISMATCHED_ACTION_FOR_PRINCIPAL",
      },
      {
        ...wrongProvider,
        aws_issue_code: "INVALID_FEDERATED_PRINCIPAL_SYNTAX_IN_ROLE_TRUST_POLICY",
      },
    ],
  },
  {
    name: "an unknown domain is not accepted as an OIDC provider",
    type: "TRUST_POLICY",
    statement: web(["ldap.example.com", saml], { "x:aud": "1", "x:sub": "1" }),
    options: { severity: "medium" },
    findings: [
      {
        ...wrongProvider,
        severity: "medium",
        message: /is not the ARN of an OIDC provider/,
        aws_issue_code: "INVALID_FEDERATED_PRINCIPAL_SYNTAX_IN_ROLE_TRUST_POLICY",
      },
      { ...wrongProvider, severity: "medium", aws_issue_code: "MISMATCHED_ACTION_FOR_PRINCIPAL" },
    ],
  },
  {
    name: "in the policy of a resource the provider is high, without a code of AWS",
    type: "RESOURCE_POLICY",
    statement: { ...web(saml), Resource: "*" },
    findings: [{ ...wrongProvider, severity: "high", aws_issue_code: null }],
  },
  {
    name: "all but some principals can use the action that asks for claims",
    type: "TRUST_POLICY",
    statement: {
      Effect: "Allow",
      NotPrincipal: { AWS: `${account}:root` },
      Action: "sts:AssumeRoleWithSAML",
    },
    findings: [{ ...missing, message: /another sign-in endpoint is accepted too\.$/ }],
  },
  {
    name: "a claim is not added for a pattern that covers an action of other principals",
    statement: trust({ AWS: `${account}:root` }, "sts:*"),
    findings: [
      { ...wrongType, action: "sts:AssumeRoleWithSAML" },
      { ...missing, fix: null },
      { ...wrongType, action: "sts:AssumeRoleWithWebIdentity" },
      { ...missing, fix: null },
    ],
  },
]);
