import { checkCases } from "../../test/support/check-cases.ts";
import { wildcardAction } from "./wildcard-action.ts";

const bucket = "arn:aws:s3:::example-bucket/*";
const allow = (Action: unknown, more: object = {}) => ({
  Effect: "Allow",
  Action,
  Resource: bucket,
  ...more,
});
const found = { issue_type: "overly_permissive", severity: "medium" } as const;

checkCases(wildcardAction, [
  {
    name: "reports an Allow of every action, at the entry",
    statement: allow("*"),
    findings: [
      {
        ...found,
        at: 0,
        field_name: "action",
        action: null,
        path: "/Statement/0/Action",
        message:
          "The action `*` grants every action of every service, those that AWS adds later included.",
        suggestion: /^List the actions/,
        example: /s3:GetObject/,
        risk_category: "privilege_escalation",
      },
    ],
  },
  {
    name: "knows every spelling of everything",
    statement: [allow("**"), allow("*:*"), allow(["s3:GetObject", "**:*"])],
    findings: [
      { ...found, at: 0, message: /`\*\*`/ },
      { ...found, at: 1, message: /`\*:\*`/ },
      { ...found, at: 2, path: "/Statement/2/Action/1" },
    ],
  },
  {
    name: "reports a statement once, however many of its entries mean everything",
    statement: allow(["*", "*:*"]),
    findings: [{ ...found, path: "/Statement/0/Action/0" }],
  },
  {
    name: "reads the effect in any letter case",
    statement: allow("*", { Effect: " allow " }),
    findings: [found],
  },
  {
    name: "keeps the finding under a condition",
    statement: allow("*", { Condition: { Bool: { "aws:MultiFactorAuthPresent": "true" } } }),
    findings: [found],
  },
  {
    name: "passes over patterns that leave something out, NotAction, Deny and other effects",
    statement: [
      allow(["s3:*", "s3:Get*", "*:Get*", "?*"]),
      { Effect: "Allow", NotAction: "*", Resource: bucket },
      allow("*", { Effect: "Deny" }),
      allow("*", { Effect: "Grant" }),
    ],
    findings: [],
  },
  {
    name: "judges trust and resource policies, not SCPs, which only bound",
    statement: allow("*"),
    type: "SERVICE_CONTROL_POLICY",
    findings: [],
  },
  {
    name: "does not judge RCPs",
    statement: allow("*", { Principal: "*" }),
    type: "RESOURCE_CONTROL_POLICY",
    findings: [],
  },
  {
    name: "takes the configured severity and texts as they are, braces included",
    statement: allow("*"),
    options: { severity: "high", message: "No {stars}, $& please", suggestion: "", example: "" },
    findings: [
      {
        issue_type: "overly_permissive",
        severity: "high",
        message: "No {stars}, $& please",
        suggestion: null,
        example: null,
      },
    ],
  },
]);
