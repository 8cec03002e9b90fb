import { z } from "zod";
import { type CodePlace, defineCheck } from "../engine/check.ts";
import { replaceValue } from "../fixes/edits.ts";
import type { FixProposal } from "../fixes/proposal.ts";
import { type NodeRef, pointerOf } from "../json/node.ts";
import { splitArn } from "../policy/arn.ts";
import type { Entry, Statement } from "../policy/model.ts";
import { type ArnFormat, allFormatsOf } from "../services/arn-overlap.ts";
import { matchAction } from "../services/match-action.ts";
import type { Service } from "../services/model.ts";
import { type MeantArn, withEmptyFields, withServiceOf } from "./shared/meant-arn.ts";
import { input } from "./shared/placeholders.ts";

const withoutAccount = fieldFix("account", "", "Leave the account of the ARN empty");
const withoutRegion = fieldFix("region", "", "Leave the Region of the ARN empty");
const withAccount = fieldFix("account", "<account-id>", "Name the account in the ARN");
const withRegion = fieldFix("region", "<region>", "Name the Region in the ARN");

/**
 * Resources of AWS whose ARNs have no Region or no account, although the reference lists both fields:
 * https://docs.aws.amazon.com/personalize/latest/dg/native-recipes-search.html
 * https://docs.aws.amazon.com/securityhub/latest/userguide/securityhub-findings-providers.html
 * https://docs.aws.amazon.com/braket/latest/developerguide/braket-devices.html
 * https://docs.aws.amazon.com/wellarchitected/latest/userguide/lenses.html
 * https://docs.aws.amazon.com/dataexchange/latest/userguide/data-sets.html
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-iam-template.html
 */
const ownedByAws: ReadonlyMap<string, RegExp> = new Map([
  ["braket", /^device\//],
  ["cloudformation", /^type\//],
  ["dataexchange", /^data-sets\//],
  ["personalize", /^(?:recipe|algorithm|feature-transformation)\//],
  ["securityhub", /^(?:product|ruleset|standards)\//],
  ["wellarchitected", /^lens\//],
]);

/** Customers' resources have every field that the reference lists, so such an ARN matches none. */
function severityOfMissing({ issue, statement }: CodePlace): "error" | "warning" {
  const arn = splitArn(entryOf(issue.nodes[0], statement)?.text ?? "");
  return arn && ownedByAws.get(arn.service)?.test(arn.resource) ? "warning" : "error";
}

/** @returns the entry of `Resource` or `NotResource` at the node. */
function entryOf(node: NodeRef | undefined, statement: Statement | null): Entry | undefined {
  return [...(statement?.resources ?? []), ...(statement?.notResources ?? [])].find(
    (one) => node && pointerOf(one.node) === pointerOf(node),
  );
}

/** An empty field is certain; the value of a missing one is for the author to give. */
function fieldFix(field: "account" | "region", value: string, title: string) {
  return ({ issue, statement, services }: CodePlace): FixProposal | null => {
    const entry = entryOf(issue.nodes[0], statement);
    const arn = entry && splitArn(entry.text);
    if (!entry || !arn) return null;
    // With both fields empty, the format says which of them the ARN lacks.
    if (value !== "" && arn.region === "" && arn.account === "") {
      const service = services.get(arn.service);
      const meant = service && withEmptyFields(entry.text, formatsOf([service]));
      return meant ? fixTo(entry, meant, "Fill in the empty fields of the ARN") : null;
    }
    const region = field === "region" ? value : arn.region;
    const account = field === "account" ? value : arn.account;
    const { prefix, partition, service, resource } = arn;
    return {
      title,
      effect: value === "" ? "repairs" : "changes",
      edits: [
        replaceValue(entry.node, [prefix, partition, service, region, account, resource].join(":")),
      ],
      ...(value === "" ? {} : { needs_input: [input(value.slice(1, -1))] }),
    };
  };
}

/** The service of the actions, where the ARN is that of a resource of theirs. */
function otherService({ issue, statement, services }: CodePlace): FixProposal | null {
  const entry = entryOf(issue.nodes[0], statement);
  if (!entry || !statement) return null;
  const named = new Set<Service>();
  for (const { text } of statement.actions) {
    const found = matchAction(services, text);
    if (found.kind === "action" || found.kind === "pattern") named.add(found.service);
    if (named.size > mostServices) return null;
  }
  const meant = withServiceOf(entry.text, formatsOf(named), services);
  return meant && fixTo(entry, meant, "Write the service of the actions in the ARN");
}

/** A statement for more services than these says little about one ARN. */
const mostServices = 5;

function formatsOf(services: Iterable<Service>): readonly ArnFormat[] {
  return Array.from(services, (one) => allFormatsOf(one)).flat();
}

function fixTo({ node }: Entry, { text, inputs }: MeantArn, title: string): FixProposal {
  return {
    title,
    effect: inputs.length === 0 ? "repairs" : "changes",
    edits: [replaceValue(node, text)],
    needs_input: inputs,
  };
}

export const arnFields = defineCheck({
  check_id: "arn_fields",
  default_severity: "error",
  description:
    "The Region and the account of an ARN are there where its service has them, and only there.",
  docstring: `Reports ARNs in \`Resource\` and \`NotResource\` whose Region or account field no ARN of the service can have.

- A Region or an account where the ARNs of the service have none: the ARN matches nothing.
- An empty Region or account where every ARN of the service has one: the ARN matches nothing. Some resources of AWS, such
  as the recipes of Amazon Personalize, have no account; there it is a warning.

Wildcards and variables fit every field.`,
  risk_explanation: "The statement does not apply to the resource that its author means.",
  risk_category: "validation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-arns",
  remediation_steps: [
    "Look the ARN format up with `query` kind `arn_formats` and fill or empty the field.",
  ],
  options: z.strictObject({}),
  issue_types: {
    field_not_allowed: {
      severity: "check",
      when: "An ARN names a Region or an account where ARNs of the service have none.",
    },
    missing_field: {
      severity: ["error", "warning"],
      when: "The Region or account is empty where every ARN of the service has one.",
    },
    unknown_service: {
      severity: "warning",
      when: "The service of an ARN is not in the reference data.",
    },
  },
  // The engine reports what AWS's own policy check finds; see src/access-analyzer/rules.
  aws_codes: {
    ARN_ACCOUNT_NOT_ALLOWED: { issue_type: "field_not_allowed", fix: withoutAccount },
    ARN_REGION_NOT_ALLOWED: { issue_type: "field_not_allowed", fix: withoutRegion },
    INVALID_SERVICE: { issue_type: "unknown_service", severity: "warning", fix: otherService },
    MISSING_ARN_ACCOUNT: {
      issue_type: "missing_field",
      severity: severityOfMissing,
      fix: withAccount,
    },
    MISSING_ARN_REGION: {
      issue_type: "missing_field",
      severity: severityOfMissing,
      fix: withRegion,
    },
  },
  examples: {
    bad: [
      {
        title: "IAM has no Regions.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "iam:GetRole",
              Resource: "arn:aws:iam:eu-west-1:111122223333:role/reports",
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "The Region of a role is empty.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "iam:GetRole",
              Resource: "arn:aws:iam::111122223333:role/reports",
            },
          ],
        },
      },
    ],
  },
});
