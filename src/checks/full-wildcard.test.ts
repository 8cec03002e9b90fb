import { expect, test } from "vitest";
import { checkCases } from "../../test/support/check-cases.ts";
import { engineFor } from "../../test/support/run-check.ts";
import { validatePolicy } from "../engine/run.ts";
import { parseDocument } from "../policy/document.ts";
import { fullWildcard } from "./full-wildcard.ts";
import { wildcardAction } from "./wildcard-action.ts";
import { wildcardResource } from "./wildcard-resource.ts";

const admin = { Effect: "Allow", Action: "*", Resource: "*" };
const found = { issue_type: "security_risk", severity: "critical", field_name: "action" } as const;

checkCases(fullWildcard, [
  {
    name: "reports every action on every resource, at the action",
    statement: admin,
    findings: [
      {
        ...found,
        at: 0,
        action: null,
        path: "/Statement/0/Action",
        message:
          "The action `*` on the resource `*` grants every action on every resource: administrator access to the whole account.",
        suggestion: /^Replace both wildcards/,
      },
    ],
  },
  {
    name: "knows every spelling of everything",
    statement: { ...admin, Action: "*:*", Resource: ["**"] },
    findings: [found],
  },
  {
    name: "does not care about narrower entries or conditions beside the wildcards",
    statement: {
      ...admin,
      Action: ["s3:GetObject", "*"],
      Resource: ["arn:aws:s3:::b/*", "*"],
      Condition: { Bool: { "aws:MultiFactorAuthPresent": "true" } },
    },
    findings: [
      {
        ...found,
        path: "/Statement/0/Action/1",
        message: /, except where conditions or Deny statements prevent it\.$/,
      },
    ],
  },
  {
    name: "says that a Deny of the policy may prevent something, also one with a condition",
    statement: [
      admin,
      {
        Effect: "Deny",
        Action: "*",
        Resource: "*",
        Condition: { StringNotEquals: { "aws:RequestedRegion": "eu-west-1" } },
      },
    ],
    findings: [{ ...found, message: /, except where conditions or Deny statements prevent it\.$/ }],
  },
  {
    name: "leaves out what a Deny of the policy takes back for certain",
    statement: [admin, { ...admin, Effect: "Deny" }],
    findings: [],
  },
  {
    name: "takes the configured texts, and an empty one as none",
    statement: [admin],
    options: { message: "Too wide.", suggestion: "", example: "{}" },
    findings: [{ ...found, message: "Too wide.", suggestion: null, example: "{}" }],
  },
  {
    name: "needs both wildcards, in an Allow",
    statement: [
      { ...admin, Resource: "arn:aws:s3:::*" },
      { ...admin, Action: "s3:*" },
      { Effect: "Allow", NotAction: "iam:*", Resource: "*" },
      { Effect: "Allow", Action: "*" },
    ],
    findings: [],
  },
  {
    name: "does not check SCPs",
    statement: admin,
    type: "SERVICE_CONTROL_POLICY",
    findings: [],
  },
]);

async function check(statements: readonly object[], config: Record<string, unknown> = {}) {
  const engine = engineFor([wildcardAction, wildcardResource, fullWildcard], config);
  const document = await parseDocument({ Version: "2012-10-17", Statement: statements });
  const input = { document, name: null, declaredType: null, label: "policy-0" };
  const { findings } = await validatePolicy(input, engine);
  return findings;
}

const idsOf = (
  findings: readonly { readonly check_id: string; readonly statement_index: number }[],
) => findings.map(({ check_id, statement_index }) => `${check_id} ${statement_index}`);

test("replaces the narrower checks on a statement of nothing but wildcards, and names them", async () => {
  const findings = await check([admin, { ...admin, Resource: "arn:aws:s3:::b" }]);
  expect(idsOf(findings)).toEqual(["full_wildcard 0", "wildcard_action 1"]);
  expect(findings[0]?.message).toMatch(/2 .*`wildcard_action`, `wildcard_resource`/);
});

test("replaces nothing where narrower entries, NotAction or NotResource show a finer intent", async () => {
  for (const finer of [
    { Action: ["*", "kms:Decrypt"] },
    { Resource: ["*", "arn:aws:s3:::b"] },
    { NotAction: "iam:*" },
    { NotResource: "arn:aws:s3:::b" },
  ]) {
    expect(idsOf(await check([{ ...admin, ...finer }]))).toEqual([
      "wildcard_action 0",
      "wildcard_resource 0",
      "full_wildcard 0",
    ]);
  }
});

test("replaces nothing when its own finding is ignored or hidden, or when the setting is off", async () => {
  const narrower = ["wildcard_action 0", "wildcard_resource 0"];
  const ignored = { full_wildcard: { ignore_patterns: [{ action: ".*" }] } };
  expect(idsOf(await check([admin], ignored))).toEqual(narrower);
  const hidden = { full_wildcard: { hide_severities: ["critical"] } };
  expect(idsOf(await check([admin], hidden))).toEqual(narrower);
  const off = { settings: { suppress_superseded_findings: false } };
  expect(idsOf(await check([admin], off))).toEqual([...narrower, "full_wildcard 0"]);
});
