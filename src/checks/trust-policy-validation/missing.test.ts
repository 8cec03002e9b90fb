import { expect } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { trust, web } from "../../../test/support/trust-statement.ts";
import { trustPolicyValidation } from "../trust-policy-validation.ts";

const account = "arn:aws:iam::111122223333";
const oidc = (provider: string) => `${account}:oidc-provider/${provider}`;
const gitHub = "token.actions.githubusercontent.com";
const saml = `${account}:saml-provider/idp`;

const missing = {
  issue_type: "missing_required_condition_for_assume_action",
  severity: "high",
  field_name: "condition",
} as const;

/** A fix that asks for these placeholders. */
const asks = (...placeholders: string[]) =>
  expect.objectContaining({
    effect: "narrows",
    needs_input: placeholders.map((placeholder) => expect.objectContaining({ placeholder })),
  });

/** A fix that removes this operator and adds the exact test of the audience. */
const replaces = (operator: string) =>
  expect.objectContaining({
    needs_input: [],
    patch: expect.arrayContaining([
      expect.objectContaining({ op: "remove", path: expect.stringMatching(`/${operator}$`) }),
      expect.objectContaining({ op: "add", value: "sts.amazonaws.com" }),
    ]),
  });

checkCases(trustPolicyValidation, [
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
    name: "says what the missing test lets happen",
    type: "TRUST_POLICY",
    statement: [
      web(oidc("idp.example.com"), { "idp.example.com:sub": "reports" }),
      trust({ Federated: saml }, "sts:AssumeRoleWithSAML"),
      web(oidc("idp.example.com")),
      web(oidc("idp.example.com"), { "idp.example.com:aud": "reports" }),
      web(oidc("accounts.google.com"), { "SAML:aud": "x" }),
    ],
    findings: [
      {
        ...missing,
        severity: "medium",
        message:
          /\. Without it, a token that the provider issued for another client id of the same provider is accepted too\.$/,
      },
      {
        ...missing,
        path: "/Statement/1/Action",
        message:
          /\. Without it, a response that the provider issued for another sign-in endpoint is accepted too\.$/,
        suggestion: /^Add the missing keys under an operator such as `StringEquals`/,
      },
      {
        ...missing,
        message:
          /\. Without them, everyone who has a token of `idp\.example\.com` that matches the other conditions can assume the role\.$/,
      },
      { ...missing, severity: "medium", message: /\. Without it, everyone who has a token of/ },
      { ...missing, message: /`SAML:aud` is a key of another provider/, fix: null },
    ],
  },
  {
    name: "says it of a rule of the configuration, which is about no provider",
    statement: trust({ AWS: `${account}:root` }, "sts:AssumeRole"),
    options: {
      validation_rules: { "sts:AssumeRole": { required_conditions: ["sts:ExternalId"] } },
    },
    findings: [
      {
        ...missing,
        message:
          "`sts:AssumeRole` needs a condition on `sts:ExternalId`. Without it, the statement admits more callers than it should.",
      },
    ],
  },
  {
    name: "says why a test of the key does not count, and a fix puts the value in its place",
    statement: [
      ["StringEqualsIfExists", "sts.amazonaws.com"],
      ["StringLike", "*"],
      ["StringEqualsIfExists", "other"],
      ["StringNotEquals", "sts.amazonaws.com"],
      ["ForAllValues:StringEquals", "sts.amazonaws.com"],
    ].map(([operator = "", value]) =>
      trust({ Federated: oidc(gitHub) }, "sts:AssumeRoleWithWebIdentity", {
        [operator]: { [`${gitHub}:aud`]: value },
        StringEquals: { [`${gitHub}:sub`]: "repo:o/r:ref:refs/heads/main" },
      }),
    ),
    findings: [
      {
        at: 0,
        message: /also holds for requests without the key/,
        fix: replaces("StringEqualsIfExists"),
      },
      { at: 1, message: /matches every value/, fix: replaces("StringLike") },
      { at: 2, fix: null },
      { at: 3, fix: null },
      { at: 4, fix: null },
    ],
  },
  {
    name: "a fix asks for the values that only the author knows",
    statement: [
      web(oidc("idp.example.com"), { "idp.example.com:sub": "reports" }),
      web("openid-license-manager.amazonaws.com"),
      web("cognito-identity.amazonaws.com", {
        "cognito-identity.amazonaws.com:amr": "authenticated",
      }),
    ],
    findings: [
      { at: 0, fix: asks("<audience>") },
      { at: 1, fix: asks("<account-id>") },
      { at: 2, fix: asks("<identity-pool-id>") },
    ],
  },
  {
    name: "and also for the keys of a rule of the configuration",
    statement: trust({ Federated: oidc("idp.example.com") }, "sts:AssumeRoleWithWebIdentity"),
    options: {
      validation_rules: {
        "sts:AssumeRoleWithWebIdentity": {
          required_conditions: ["*:department", "sts:RoleSessionName"],
        },
      },
    },
    findings: [
      {
        ...missing,
        severity: "medium",
        path: "/Statement/0/Action",
        fix: asks("<claim-value>", "<role-session-name>"),
      },
    ],
  },
  {
    name: "carries AWS's code for GitHub without a subject, and none for several providers",
    statement: [
      web(oidc(gitHub), { [`${gitHub}:aud`]: "sts.amazonaws.com" }),
      web([oidc("a.example.com"), oidc("b.example.com")]),
    ],
    findings: [
      { ...missing, at: 0, aws_issue_code: "MISSING_GITHUB_REPO_CONDITION_KEY" },
      { ...missing, at: 1, aws_issue_code: null },
    ],
  },
]);
