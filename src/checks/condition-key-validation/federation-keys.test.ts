import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { conditionKeyValidation } from "../condition-key-validation.ts";

const test = (...keys: string[]) => ({
  StringEquals: Object.fromEntries(keys.map((key) => [key, "x"])),
});
const on = (Action: unknown, Condition: object) => ({
  Effect: "Allow",
  Action,
  Resource: "*",
  Condition,
});
const trust = (Action: unknown, ...keys: string[]) => ({
  Effect: "Allow",
  Principal: { Federated: "arn:aws:iam::111122223333:oidc-provider/token.example.com" },
  Action,
  Condition: test(...keys),
});
const webIdentity = "sts:AssumeRoleWithWebIdentity";
const saml = "sts:AssumeRoleWithSAML";
const invalid = { issue_type: "invalid_condition_key", severity: "error" as const };

checkCases(
  conditionKeyValidation,
  [
    {
      name: "claims that stay with a session are keys of every action",
      type: "IDENTITY_POLICY",
      statement: on(
        "s3:GetObject",
        test(
          "saml:sub",
          "SAML:sub_type",
          "saml:namequalifier",
          "www.amazon.com:user_id",
          "graph.facebook.com:id",
          "accounts.google.com:aud",
          "id.example.com/tenant:amr",
        ),
      ),
      findings: [],
    },
    ...[
      "saml:aud",
      "www.amazon.com:aud",
      "graph.facebook.com:sub",
      "accounts.google.com:email",
      "id.example.com/tenant:email",
      "accounts.google.com",
    ].map((key) => ({
      name: `requests for other actions do not carry ${key}`,
      type: "IDENTITY_POLICY" as const,
      statement: on("s3:GetObject", test(key)),
      findings: [{ ...invalid, condition_key: key }],
    })),
    ...[
      "token.actions.githubusercontent.com:repository_owner",
      "gitlab.example.com/group:namespace_path",
      "agent.buildkite.com:organization_slug",
    ].map((key) => ({
      name: `a claim that tells tenants apart is not reported: ${key}`,
      type: "TRUST_POLICY" as const,
      statement: trust(["sts:TagSession", webIdentity], key),
      findings: [],
    })),
    {
      name: "a claim that tells tenants apart beside an assertion, which has none",
      type: "TRUST_POLICY",
      statement: trust(saml, "gitlab.example.com:namespace_path"),
      findings: [{ ...invalid, action: saml }],
    },
    {
      name: "a claim beside sts:TagSession: the test works, and AWS's own check says otherwise",
      type: "TRUST_POLICY",
      statement: trust([webIdentity, "sts:TagSession"], "token.example.com:sub"),
      findings: [
        {
          issue_type: "invalid_condition_key",
          severity: "info",
          action: "sts:TagSession",
          message:
            "AWS's own policy check says that `sts:TagSession` does not support `token.example.com:sub`. Beside an `AssumeRoleWith…` action the test works: the sign-in carries the key.",
          suggestion:
            "To satisfy that check, put `sts:TagSession` into a statement without this condition.",
          aws_issue_code: "UNSUPPORTED_ACTION_FOR_CONDITION_KEY",
        },
      ],
    },
    {
      name: "a key of the assertion and a tag of the session beside sts:TagSession",
      type: "TRUST_POLICY",
      statement: [
        trust([saml, "sts:SetSourceIdentity"], "saml:aud"),
        trust([saml, "sts:TagSession"], "aws:RequestTag/team"),
        trust(["sts:AssumeRole", "sts:TagSession"], "aws:RequestTag/team"),
      ],
      findings: [],
    },
    {
      name: "a claim beside sts:TagSession alone, which starts no session",
      type: "TRUST_POLICY",
      statement: trust(["sts:TagSession"], "token.example.com:sub"),
      findings: [{ ...invalid, action: "sts:TagSession" }],
    },
    {
      name: "a claim of a token beside an assertion",
      type: "TRUST_POLICY",
      statement: trust([saml, "sts:TagSession"], "token.example.com:sub"),
      findings: [{ ...invalid, action: saml }],
    },
    {
      name: "a claim of a token beside sts:AssumeRole, which brings none",
      type: "TRUST_POLICY",
      statement: trust([webIdentity, "sts:AssumeRole"], "token.example.com:sub"),
      findings: [{ issue_type: "invalid_condition_key", action: "sts:AssumeRole" }],
    },
  ],
  embeddedServices(),
);
