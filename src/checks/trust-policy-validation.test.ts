import { checkCases } from "../../test/support/check-cases.ts";
import { actionValidation } from "./action-validation.ts";
import { policyTypeValidation } from "./policy-type-validation.ts";
import { trustPolicyValidation } from "./trust-policy-validation.ts";

const account = "arn:aws:iam::111122223333";
const oidc = (provider: string) => `${account}:oidc-provider/${provider}`;
const gitHub = "token.actions.githubusercontent.com";
const saml = `${account}:saml-provider/idp`;

const trust = (Principal: unknown, Action: unknown, Condition?: object) => ({
  Effect: "Allow",
  Principal,
  Action,
  ...(Condition ? { Condition } : {}),
});
const web = (Federated: unknown, keys: Record<string, string> = {}) =>
  trust({ Federated }, "sts:AssumeRoleWithWebIdentity", { StringEquals: keys });

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
const deputy = { ...wrongType, issue_type: "confused_deputy_risk" } as const;

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
    name: "Google's audience is one application, so a missing subject is medium there",
    statement: web("accounts.google.com", { "accounts.google.com:aud": "a" }),
    findings: [
      {
        issue_type: "missing_required_condition_for_assume_action",
        severity: "medium",
        message: /everyone who has a token of `accounts\.google\.com` that matches/,
      },
    ],
  },
  {
    name: "Google's subject is one account, so a missing audience is medium there",
    statement: web("accounts.google.com", { "accounts.google.com:sub": "107768730699967087212" }),
    findings: [
      {
        issue_type: "missing_required_condition_for_assume_action",
        severity: "medium",
        message:
          /a token that these Google accounts have for another application is accepted too\.$/,
      },
    ],
  },
  {
    name: "and a pattern of Google's subjects is not one account",
    statement: {
      ...web("accounts.google.com", {}),
      Condition: { StringLike: { "accounts.google.com:sub": "1*" } },
    },
    findings: [{ severity: "high" }],
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
    name: "Amazon and Facebook logins need their app_id, no subject",
    statement: web("www.amazon.com", { "www.amazon.com:aud": "1" }),
    findings: [
      {
        ...missing,
        message: /needs a condition on `www\.amazon\.com:app_id`\./,
        example: null,
      },
    ],
  },
  {
    name: "a web identity needs audience and subject, in the words of its provider",
    statement: web(oidc(gitHub)),
    findings: [
      {
        ...missing,
        action: "sts:AssumeRoleWithWebIdentity",
        condition_key: null,
        path: "/Statement/0/Condition",
        message: new RegExp(`needs conditions on \`${gitHub}:aud\` and \`${gitHub}:sub\`\\.`),
        aws_issue_code: "MISSING_GITHUB_REPO_CONDITION_KEY",
      },
    ],
  },
  {
    name: "names the claim of unauthenticated users for Cognito, which sends it",
    statement: web("cognito-identity.amazonaws.com", { "cognito-identity.amazonaws.com:aud": "p" }),
    findings: [
      {
        ...missing,
        severity: "medium",
        message:
          /`cognito-identity\.amazonaws\.com:sub` or `cognito-identity\.amazonaws\.com:amr`\./,
      },
    ],
  },
  {
    name: "the users of one client of a company's own provider are medium, all workloads of one high",
    statement: [
      web(oidc("idp.example.com"), { "idp.example.com:aud": "reports-app" }),
      web(oidc("idp.example.com"), { "idp.example.com:aud": "sts.amazonaws.com" }),
      web(oidc("oidc.eks.eu-west-1.amazonaws.com/id/ABC"), {
        "oidc.eks.eu-west-1.amazonaws.com/id/ABC:aud": "reports-app",
      }),
    ],
    findings: [
      { ...missing, at: 0, severity: "medium" },
      { ...missing, at: 1 },
      { ...missing, at: 2 },
    ],
  },
  {
    name: "carries AWS's code for a provider none of whose keys is there",
    statement: [
      web(oidc("idp.example.com"), { "aws:PrincipalTag/x": "y" }),
      web(oidc("idp.example.com"), { "idp.example.com:aud": "y" }),
    ],
    findings: [
      { at: 0, aws_issue_code: "MISSING_CONDITION_KEY_FOR_OIDC_PRINCIPAL" },
      { at: 1, aws_issue_code: null },
    ],
  },
  {
    name: "keys of another provider do not count",
    statement: web(oidc(gitHub), {
      "SAML:aud": "x",
      "gitlab.com:sub": "y",
      [`${gitHub}:sub`]: "z",
    }),
    findings: [
      { ...missing, message: /is a key of another provider, so no token of this provider meets/ },
    ],
  },
  {
    name: "with several providers one of them is enough",
    statement: web([oidc("a.example.com"), oidc("b.example.com")], {
      "b.example.com:aud": "x",
      "b.example.com:sub": "y",
    }),
    findings: [],
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
    name: "shared providers whose tenant is not in the subject need the key that AWS demands",
    statement: [
      web(oidc("oidc.vercel.com"), { "oidc.vercel.com:aud": "https://vercel.com/team" }),
      web(oidc("api.pulumi.com/oidc"), { "api.pulumi.com/oidc:aud": "aws:org" }),
      web(oidc("sandboxes.cloud"), { "sandboxes.cloud:aud": "x" }),
      web(oidc("sts.windows.net/33e01921-4d64-4f8c-a055-5bdaffd5e33d"), {
        "sts.windows.net/33e01921-4d64-4f8c-a055-5bdaffd5e33d:aud": "x",
        "sts.windows.net/33e01921-4d64-4f8c-a055-5bdaffd5e33d:sub": "x",
      }),
      web(oidc("gitlab.com"), { "gitlab.com:aud": "x" }),
      web(oidc("sts.windows.net/33e01921-4d64-4f8c-a055-5bdaffd5e33d/"), {
        "sts.windows.net/33e01921-4d64-4f8c-a055-5bdaffd5e33d/:aud": "x",
        "sts:RoleSessionName": "MicrosoftSentinel_workspace",
      }),
    ],
    findings: [
      { ...missing, at: 3, message: /on `sts:RoleSessionName`\./ },
      { ...missing, at: 4, message: /on `gitlab\.com:sub`\./ },
    ],
  },
  {
    name: "conditions that limit nothing do not count: Null, negated, IfExists, `*`, ForAllValues alone",
    statement: [
      { Null: { "SAML:aud": "false" } },
      { StringNotEquals: { "SAML:aud": "x" } },
      { StringEqualsIfExists: { "SAML:aud": "x" } },
      { StringLike: { "SAML:aud": "*" } },
      { "ForAllValues:StringEquals": { "SAML:aud": "x" } },
      { "ForAllValues:StringEquals": { "SAML:aud": "x" }, Null: { "SAML:aud": "false" } },
    ].map((condition) => trust({ Federated: saml }, "sts:AssumeRoleWithSAML", condition)),
    findings: [0, 1, 2, 3, 4].map((at) => ({ ...missing, at })),
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
    name: "a service needs a source, in trust and in resource policies, per principal",
    statement: [
      trust({ Service: ["sns.amazonaws.com", "s3.amazonaws.com"] }, "sts:AssumeRole"),
      {
        ...trust({ Service: "s3.amazonaws.com" }, "sns:Publish"),
        Resource: "arn:aws:sns:us-east-1:111122223333:t",
      },
    ],
    findings: [
      {
        ...deputy,
        at: 0,
        action: null,
        path: "/Statement/0/Principal/Service/0",
        message: /`sns\.amazonaws\.com` may use this resource/,
        example: /"aws:SourceAccount": "\$\{aws:ResourceAccount\}"/,
      },
      { ...deputy, at: 0, path: "/Statement/0/Principal/Service/1" },
      { ...deputy, at: 1, aws_issue_code: "RESTRICT_ACCESS_TO_SERVICE_PRINCIPAL" },
    ],
  },
  {
    name: "each of the four source keys protects a service, if it limits",
    statement: [
      ...["aws:SourceArn", "aws:sourceaccount", "aws:SourceOrgID", "aws:SourceOrgPaths"].map(
        (key) =>
          trust({ Service: "sns.amazonaws.com" }, "sts:AssumeRole", {
            StringEquals: { [key]: "x" },
          }),
      ),
      trust({ Service: "sns.amazonaws.com" }, "sts:AssumeRole", {
        Null: { "aws:SourceArn": "false" },
      }),
      trust({ Service: "sns.amazonaws.com" }, "sts:AssumeRole", {
        ArnLikeIfExists: { "aws:SourceArn": "x" },
      }),
      trust({ Service: "sns.amazonaws.com" }, "sts:AssumeRole", {
        ArnLike: { "aws:SourceArn": "*" },
      }),
    ],
    findings: [4, 5, 6].map((at) => ({ ...deputy, severity: "low" as const, at })),
  },
  {
    name: "EC2 and Lambda are exempt in any partition and letter case, and `*` is left to another check",
    statement: trust(
      {
        Service: ["*", "EC2.amazonaws.com.cn", "lambda.amazonaws.com", "edgelambda.amazonaws.com"],
      },
      "sts:AssumeRole",
    ),
    findings: [],
  },
  {
    name: "in a trust policy a service without a source is low",
    type: "TRUST_POLICY",
    statement: trust({ Service: "states.amazonaws.com" }, "sts:AssumeRole"),
    findings: [
      {
        ...deputy,
        severity: "low",
        suggestion: /arn:aws:states:REGION:ACCOUNT:stateMachine:NAME/,
        aws_issue_code: null,
      },
    ],
  },
  ...[
    [{ StringEquals: { "kms:ViaService": "s3.eu-west-1.amazonaws.com" } }, "medium"],
    [{ StringEquals: { "kms:CallerAccount": "111122223333" } }, "medium"],
  ].map(([condition, severity]) => ({
    name: `in a key policy ${JSON.stringify(condition)} is not a source of a service`,
    type: "RESOURCE_POLICY" as const,
    statement: {
      ...trust({ Service: "sns.amazonaws.com" }, "kms:Decrypt", condition as object),
      Resource: "*",
    },
    findings: [{ ...deputy, severity: severity as "medium" }],
  })),
  {
    name: "an encryption context with an account says whose data it is",
    type: "RESOURCE_POLICY",
    statement: {
      ...trust({ Service: "logs.eu-west-1.amazonaws.com" }, ["kms:Encrypt*", "kms:Decrypt*"], {
        ArnLike: {
          "kms:EncryptionContext:aws:logs:arn": "arn:aws:logs:eu-west-1:111122223333:log-group:*",
        },
      }),
      Resource: "*",
    },
    findings: [],
  },
  {
    name: "the account in the path says whose load balancer logs they are",
    type: "RESOURCE_POLICY",
    statement: ["111122223333/*", "*"].map((path) => ({
      ...trust({ Service: "logdelivery.elasticloadbalancing.amazonaws.com" }, "s3:PutObject"),
      Resource: `arn:aws:s3:::logs/AWSLogs/${path}`,
    })),
    findings: [{ ...deputy, at: 1 }],
  },
  {
    name: "the ARN of a bucket needs the account beside it",
    type: "RESOURCE_POLICY",
    statement: [{}, { StringEquals: { "aws:SourceAccount": "111122223333" } }].map((more) => ({
      ...trust({ Service: "s3.amazonaws.com" }, "lambda:InvokeFunction", {
        ArnLike: { "aws:SourceArn": "arn:aws:s3:::uploads" },
        ...more,
      }),
      Resource: "arn:aws:lambda:eu-west-1:111122223333:function:f",
    })),
    findings: [
      {
        ...deputy,
        at: 0,
        message: /someone else can own the name later/,
        example: /"aws:SourceAccount": "111122223333"/,
      },
    ],
  },
  {
    name: "the id of a skill says which Alexa skill calls",
    type: "RESOURCE_POLICY",
    statement: {
      ...trust({ Service: "alexa-appkit.amazon.com" }, "lambda:InvokeFunction", {
        StringEquals: { "lambda:EventSourceToken": "amzn1.ask.skill.11111111" },
      }),
      Resource: "arn:aws:lambda:eu-west-1:111122223333:function:f",
    },
    findings: [],
  },
  {
    name: "Alexa sends the id of the skill and no account",
    type: "RESOURCE_POLICY",
    statement: {
      ...trust({ Service: "alexa-appkit.amazon.com" }, "lambda:InvokeFunction"),
      Resource: "arn:aws:lambda:eu-west-1:111122223333:function:f",
    },
    findings: [{ ...deputy, suggestion: /`lambda:EventSourceToken`/, example: null }],
  },
  {
    name: "a statement that AWS's guides print without a source is medium",
    type: "RESOURCE_POLICY",
    statement: {
      ...trust({ Service: "events.amazonaws.com" }, "sns:Publish"),
      Resource: "arn:aws:sns:eu-west-1:111122223333:t",
    },
    findings: [{ ...deputy, severity: "medium" }],
  },
  {
    name: "a missing audience is medium where the subject tells customers apart",
    statement: web(oidc(gitHub), { [`${gitHub}:sub`]: "repo:o/r:ref:refs/heads/main" }),
    findings: [
      {
        ...missing,
        severity: "medium",
        example: new RegExp(`"${gitHub}:aud": "sts.amazonaws.com"`),
      },
    ],
  },
  {
    name: "a missing audience stays high where it tells customers apart",
    statement: web("cognito-identity.amazonaws.com", {
      "cognito-identity.amazonaws.com:amr": "authenticated",
    }),
    findings: [missing],
  },
  {
    name: "IAM accepts only assume-role actions in a trust policy",
    type: "TRUST_POLICY",
    statement: [
      trust({ AWS: `${account}:root` }, ["sts:AssumeRole", "s3:GetObject"]),
      trust({ AWS: `${account}:root` }, "*"),
      { Effect: "Allow", Principal: { AWS: `${account}:root` }, NotAction: "sts:AssumeRole" },
      trust({ AWS: `${account}:root` }, "sts:GetCallerIdentity"),
    ],
    findings: [
      {
        at: 0,
        issue_type: "unexpected_trust_action",
        severity: "error",
        path: "/Statement/0/Action/1",
      },
      { at: 1, issue_type: "unexpected_trust_action", example: /"Action": "sts:AssumeRole"/ },
      { at: 2, issue_type: "unexpected_trust_action", field_name: "not_action" },
      { at: 3, issue_type: "unexpected_trust_action" },
    ],
  },
  {
    name: "EKS Pod Identity needs sts:TagSession in some statement",
    type: "TRUST_POLICY",
    statement: [trust({ Service: "pods.eks.amazonaws.com" }, "sts:AssumeRole")],
    findings: [
      {
        at: 0,
        issue_type: "missing_tag_session",
        severity: "high",
        path: "/Statement/0/Principal/Service",
        example: /"sts:AssumeRole",\s+"sts:TagSession"/,
      },
      { at: 0, issue_type: "confused_deputy_risk" },
    ],
  },
  {
    name: "does not say that a service assumes the role by a statement that only lets it tag the session",
    type: "TRUST_POLICY",
    statement: [
      {
        ...trust({ Service: "states.amazonaws.com" }, "sts:AssumeRole"),
        Condition: { StringEquals: { "aws:SourceAccount": "111122223333" } },
      },
      trust({ Service: "states.amazonaws.com" }, ["sts:TagSession", "STS:setSourceIdentity"]),
    ],
    findings: [],
  },
  {
    name: "EKS Pod Identity with both actions",
    type: "TRUST_POLICY",
    statement: [
      trust({ Service: "pods.eks.amazonaws.com" }, ["sts:AssumeRole", "sts:tagsession"], {
        StringEquals: { "aws:SourceAccount": "111122223333" },
      }),
    ],
    findings: [],
  },
  {
    name: "shows the action that suits the principal",
    type: "TRUST_POLICY",
    statement: [
      trust({ AWS: `${account}:root` }, "sts:AssumeRoleWithWebIdentity"),
      trust({ Federated: saml }, "sts:AssumeRole"),
    ],
    findings: [
      { ...wrongType, at: 0, example: /"Action": "sts:AssumeRole"/ },
      { ...missing, at: 0 },
      { ...wrongType, at: 1, example: /"sts:AssumeRoleWithSAML".*"SAML:aud"/s },
    ],
  },
]);
