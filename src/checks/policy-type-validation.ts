import { z } from "zod";
import { type CheckContext, defineCheck } from "../engine/check.ts";
import { checkPrincipals } from "./policy-type-validation/check-principals.ts";
import { checkRcpStatement, supportedServices } from "./policy-type-validation/check-rcp.ts";
import { nothingAllowed } from "./policy-type-validation/nothing-allowed.ts";
import { openEndpoint } from "./policy-type-validation/open-endpoint.ts";
import { principalValueReports } from "./policy-type-validation/principal-values.ts";
import { typeHint } from "./policy-type-validation/type-hint.ts";

const options = z.strictObject({
  additional_rcp_services: z
    .array(z.string())
    .default([])
    .describe("Service prefixes that RCPs may name beside those AWS documents."),
});
type Options = z.output<typeof options>;

export const policyTypeValidation = defineCheck({
  check_id: "policy_type_validation",
  default_severity: "error",
  description:
    "The policy keeps the rules of its type: principals where they belong, and the narrow grammar of resource control policies.",
  docstring: `What a statement must and must not have depends on where the policy goes:

- **Identity policies, permissions boundaries, session policies and SCPs** have no \`Principal\` and no
  \`NotPrincipal\`: they apply to the principal that has them.
- **Resource policies and VPC endpoint policies** need \`Principal\` or \`NotPrincipal\` in every statement, **trust policies** a \`Principal\`.
- **RCPs** take statements that \`Deny\`, with \`"Principal": "*"\`, \`Action\` naming actions of services that RCPs
  cover (never the bare \`*\`, never \`NotAction\`), and \`Resource\` or \`NotResource\`. The one \`Allow\` accepted is
  AWS's own full-access statement. \`additional_rcp_services\` adds services that AWS has not documented yet.

Principals in a form that AWS refuses are reported: a wildcard beside other text, a group, an account id of other than
12 digits, a service under \`AWS\`, a key in the wrong letter case, an identity provider outside a trust policy, a
service principal that does not exist.

A policy whose content looks like another type than the one that was found for it gets a hint to declare its type.
A permissions boundary and a VPC endpoint policy need an \`Allow\`: with Denies only they allow nothing.
A VPC endpoint policy that lets everyone reach every resource gets a hint as well: it is AWS's default, and no perimeter.
Severities are fixed: a configured one has no effect.`,
  risk_explanation:
    "AWS refuses a policy that breaks the rules of its type. A policy that is validated as the wrong type also gets wrong answers from every other check.",
  risk_category: "configuration",
  documentation_url: "https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies.html",
  remediation_steps: [
    "Declare the type of the policy when submitting it.",
    "Add or remove `Principal` as the type demands.",
    "Write RCPs as denials for `Principal` `*` on services that RCPs cover.",
  ],
  options,
  issue_types: {
    policy_type_hint: {
      severity: "info",
      when: "The content looks like a policy of another type, or only a VPC endpoint can have it.",
    },
    endpoint_policy_open: {
      severity: "info",
      when: "A VPC endpoint policy allows everyone to reach every resource of every account.",
    },
    nothing_allowed: {
      severity: "error",
      when: "A permissions boundary or a VPC endpoint policy has no Allow statement, and does not deny everything on purpose.",
    },
    missing_principal: {
      severity: "error",
      when: "A statement of a resource or trust policy has no principal.",
    },
    unexpected_principal: {
      severity: "error",
      when: "A statement of an identity policy has Principal.",
    },
    invalid_principal: { severity: "error", when: "A statement of an SCP has Principal." },
    invalid_not_principal: {
      severity: "error",
      when: "A statement of an identity policy, a trust policy or an SCP has NotPrincipal.",
    },
    invalid_principal_value: {
      severity: ["error", "warning"],
      when: "A principal has a form that AWS refuses; a warning for a well-formed service principal that is not known.",
    },
    invalid_rcp_effect: { severity: "error", when: "A statement of an RCP does not deny." },
    invalid_rcp_not_principal: {
      severity: "error",
      when: "A statement of an RCP has NotPrincipal.",
    },
    missing_rcp_principal: { severity: "error", when: "A statement of an RCP has no Principal." },
    invalid_rcp_principal: {
      severity: "error",
      when: "Principal of an RCP is not the string *.",
    },
    invalid_rcp_wildcard_action: { severity: "error", when: "An action of an RCP is the bare *." },
    unsupported_rcp_service: {
      severity: "error",
      when: "Actions of an RCP belong to services that RCPs do not cover.",
    },
    invalid_rcp_not_action: { severity: "error", when: "A statement of an RCP has NotAction." },
    missing_rcp_resource: {
      severity: "error",
      when: "A statement of an RCP has neither Resource nor NotResource.",
    },
  },
  examples: {
    bad: [
      {
        title: "A bucket policy that forgets to say who may read.",
        policy_type: "RESOURCE_POLICY",
        policy: {
          Version: "2012-10-17",
          Statement: [
            { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" },
          ],
        },
      },
      {
        title: "An RCP for a service that RCPs do not cover, with the principal as an object.",
        policy_type: "RESOURCE_CONTROL_POLICY",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Deny",
              Principal: { AWS: "*" },
              Action: "ec2:*",
              Resource: "*",
              Condition: { Bool: { "aws:SecureTransport": "false" } },
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "A bucket policy that names its principal.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Principal: { AWS: "arn:aws:iam::123456789012:role/Reporting" },
              Action: "s3:GetObject",
              Resource: "arn:aws:s3:::reports/*",
            },
          ],
        },
      },
      {
        title: "An RCP that refuses unencrypted transport.",
        policy_type: "RESOURCE_CONTROL_POLICY",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Deny",
              Principal: "*",
              Action: ["s3:*", "sqs:*"],
              Resource: "*",
              Condition: { Bool: { "aws:SecureTransport": "false" } },
            },
          ],
        },
      },
    ],
  },

  *runPolicy(context: CheckContext<Options>) {
    const { policy, options } = context;
    const hint = typeHint(policy);
    if (hint) yield hint;
    if (policy.type === "RESOURCE_CONTROL_POLICY") {
      const supported = supportedServices(options.additional_rcp_services);
      for (const statement of policy.statements) yield* checkRcpStatement(statement, supported);
      return;
    }
    for (const statement of policy.statements) {
      yield* checkPrincipals(statement, policy.type);
      yield* principalValueReports(statement, context);
    }
    const nothing = nothingAllowed(policy);
    if (nothing) yield nothing;
    const open = openEndpoint(policy);
    if (open) yield open;
  },
});
