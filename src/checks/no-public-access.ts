import { z } from "zod";
import { PolicyType } from "../../spec/policy.ts";
import type { Services, Violation } from "../access/answers.ts";
import { askPublic } from "../access/public.ts";
import type { AccessRequest } from "../access/request.ts";
import { signedLike } from "../access/signed.ts";
import { accessTypeOf } from "../access/types.ts";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import { letsInCallers } from "../policy/type-facts.ts";
import type { ServiceLookup } from "../services/model.ts";
import { narrowedPublicSubject } from "./federated-subject/public-fix.ts";
import { questionOptions } from "./shared/access/options.ts";
import {
  accessDocument,
  isUndecided,
  reasonOf,
  searchOptions,
  severityOf,
  undecidedFields,
  undecidedSeverity,
  undecidedSuggestion,
  violationFields,
} from "./shared/access/reports.ts";
import {
  exampleOf,
  isBetterSigned,
  kindNote,
  statementName,
  statementOf,
} from "./shared/access/words.ts";

const options = z.strictObject({
  ...questionOptions("medium"),
  extra_trusted_keys: z
    .array(z.string().min(1))
    .default([])
    .describe("Further condition keys whose fixed values count as a limit of who may call."),
});
type Context = CheckContext<z.output<typeof options>>;

const version = "2012-10-17";
const open = {
  Effect: "Allow",
  Principal: "*",
  Action: "s3:GetObject",
  Resource: "arn:aws:s3:::example-site/*",
};

export const noPublicAccess = defineCheck({
  check_id: "no_public_access",
  default_severity: "critical",
  description: "A resource or trust policy lets in only callers that it names.",
  docstring: `Asks whether a request of somebody whom the policy does not name is allowed: of anyone without signing in, of an account, a service or a customer of a shared identity provider that does not occur in the policy.

Naming means a fixed value in the policy itself: an account, an organization, a network, a source, the customer of a provider. Keys that callers set themselves, such as tags, \`aws:UserAgent\` or \`sts:ExternalId\`, name no caller. Conditions, Deny statements and several statements count together, so a principal \`*\` with a fixed limit is not public.

A template may also keep the resource off the internet. The policy of an OpenSearch domain in a VPC lets in only callers of that VPC. A private API can be called through the VPC endpoints of every AWS account, unless the policy names some.

The answer is \`holds\` (proven for every request), \`violated\` with a request that proves it, or \`undecided\` with the construct that stopped the proof.`,
  risk_explanation:
    "Anyone who finds the resource can use it: strangers read or change data, or assume a role.",
  risk_category: "resource_exposure",
  documentation_url:
    "https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html#access-control-block-public-access-policy-status",
  remediation_steps: [
    "Name the accounts, roles or services that need access",
    "Where `*` is needed, limit it to an organization, an account, a network or a source with a fixed value",
  ],
  applies_to_policy_types: PolicyType.options.filter(letsInCallers),
  options,
  issue_types: {
    public_access: {
      severity: ["critical", "high", "low"],
      when: "A statement lets in callers that the policy does not name; high where only VPC endpoints reach the resource, low where it grants nothing today.",
    },
    public_access_undecided: {
      severity: "medium",
      when: "It could not be decided; undecided_severity sets the severity.",
    },
  },
  examples: {
    bad: [
      {
        title: "Anyone may read the objects.",
        policy_type: "RESOURCE_POLICY",
        policy: { Version: version, Statement: [open] },
      },
    ],
    good: [
      {
        title: "Everyone, but only from one organization.",
        policy_type: "RESOURCE_POLICY",
        policy: {
          Version: version,
          Statement: [
            { ...open, Condition: { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } } },
          ],
        },
      },
    ],
  },

  *ask(context) {
    const { policy, options } = context;
    const extraTrustedKeys = options.extra_trusted_keys;
    const { service = null, network = null } = policy;
    // `*` as the action means those of the resource that has the policy.
    const services = service === null ? {} : { services: usualIn(context.services, service) };
    const search = { ...searchOptions(context), ...services, extraTrustedKeys, network };
    yield {
      id: null,
      asking: askPublic(accessDocument(policy), accessTypeOf(policy.type), search),
    };
  },

  *runPolicy(context) {
    for (const { answer } of context.answers) {
      for (const violation of answer.violations) yield report(violation, context);
      if (!isUndecided(answer)) continue;
      yield {
        issue_type: "public_access_undecided",
        severity: undecidedSeverity(context),
        message: `Whether this policy lets in callers that it does not name could not be decided: ${reasonOf(answer)}`,
        suggestion: undecidedSuggestion(answer),
        ...undecidedFields(answer, context),
      };
    }
  },
});

function usualIn(services: ServiceLookup, service: string): Services {
  return {
    get: (prefix) => services.get(prefix),
    prefixes: services.prefixes,
    usual: [service],
  };
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-private-apis.html */
const endpointNote =
  " The API is private, so the call comes through a VPC endpoint for `execute-api`, and any AWS account can create one in the Region.";

function report(violation: Violation, context: Context): Report {
  const { statement_index, statement_sid, kind, witness, principal_entry } = violation;
  const statement = statementOf(context.policy, statement_index);
  const entry = principal_entry === null ? undefined : statement?.principals[principal_entry];
  const node = entry?.node ?? statement?.at("NotPrincipal");
  const isPrivate = context.policy.network === "vpc_endpoints";
  // A caller needs an account and an endpoint, so the internet does not find the resource.
  const severity = isPrivate ? (context.configuredSeverity ?? "high") : context.severity;
  const shown = isBetterSigned(witness, statement) ? signed(witness, context) : witness;
  return {
    ...violationFields(violation, context),
    ...(node && { node }),
    reasons: statement?.conditions.map(({ keyNode }) => keyNode) ?? [],
    field_name: "principal",
    issue_type: "public_access",
    severity: severityOf(violation, severity),
    message: `${statementName(statement_sid, statement_index)} lets in callers that the policy does not name. ${exampleOf(ofStranger(shown), statement)}${isPrivate ? endpointNote : ""}${kindNote(kind, context.services.date)}`,
    suggestion: isPrivate
      ? "Name the VPC endpoints or VPCs that need access, in a condition on `aws:SourceVpce` or `aws:SourceVpc` with a fixed value."
      : witness.principal.type === "Federated"
        ? "Test a claim that only tokens of your users or jobs have, such as the subject, with a fixed value."
        : "Name the accounts, organization or services that need access, in the principal or in a condition with a fixed value.",
    ...(statement ? { fix: () => narrowedPublicSubject(statement) } : {}),
  };
}

/** The request with a signature, where the policy allows that one too. */
function signed(witness: AccessRequest, context: Context): AccessRequest {
  const { policy } = context;
  const document = accessDocument(policy);
  return (
    signedLike(witness, document, accessTypeOf(policy.type), searchOptions(context)) ?? witness
  );
}

/** The account of a resource that the policy leaves open is made up, and must not be shown as that of the caller. */
function ofStranger(request: AccessRequest): AccessRequest {
  const accountOf = (arn: string) => arn.split(":", 5)[4] ?? "";
  const account = accountOf(request.resource);
  const isOwn = request.principal.type === "AWS" && accountOf(request.principal.arn) === account;
  return isOwn && account !== "" ? { ...request, resource: "*" } : request;
}
