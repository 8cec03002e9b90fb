import type { CheckContext, Report } from "../../engine/check.ts";
import { addConditions } from "../../fixes/edits.ts";
import type { PrincipalEntry, Statement } from "../../policy/model.ts";
import { limitingEntries, readCondition } from "../shared/condition-limits.ts";
import { statementWithCondition } from "../shared/corrected.ts";
import { withEdit } from "../shared/fixed-by.ts";
import { input } from "../shared/placeholders.ts";
import { quote } from "../shared/quote.ts";

/** Day on which the list below was taken from its source. */
const listDate = "2026-11-26";

/**
 * Accounts from which vendors take roles of many customers. The source names the page of each vendor:
 * https://github.com/fwdcloudsec/known_aws_accounts
 */
const vendors: ReadonlyMap<string, string> = new Map([
  ["006742885340", "Palo Alto Networks Cortex"],
  ["008923505280", "Grafana Cloud"],
  ["012615275169", "Tenable"],
  ["061190967865", "CloudZero"],
  ["134183635603", "SignalFx"],
  ["165736516723", "Cloudability"],
  ["188619942792", "Prisma Cloud"],
  ["197857026523", "Microsoft Sentinel"],
  ["324880187172", "Spacelift"],
  ["336818582268", "Rapid7"],
  ["352813966189", "CloudCheckr"],
  ["414351767826", "Databricks"],
  ["432263259397", "Microsoft Cost Management"],
  ["434813966438", "Lacework"],
  ["454464851268", "CloudHealth"],
  ["464622532012", "Datadog"],
  ["509560245411", "Dynatrace"],
  ["634729597623", "Check Point CloudGuard"],
  ["754728514883", "New Relic"],
  ["834469178297", "Fivetran"],
  ["913128560467", "env0"],
  ["922761411349", "Spot"],
  ["926226587429", "Sumo Logic"],
  ["956993596390", "Vanta"],
  ["976280145156", "Orca Security"],
]);

const externalId = "sts:ExternalId";

/**
 * A role for a vendor that any customer of the vendor can have it take.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_common-scenarios_third-party.html
 */
export function* missingExternalId(
  statement: Statement,
  { policy }: Pick<CheckContext, "policy">,
): Generator<Report> {
  const { allows, principals, actions } = statement;
  if (!allows || policy.type !== "TRUST_POLICY") return;
  const entry = actions.find(({ text }) => /^sts:(?:assumerole|\*)$/i.test(text));
  const vendor = principals.find((one) => vendorOf(one) !== undefined);
  const name = vendor && vendorOf(vendor);
  if (!entry || !vendor || name === undefined) return;
  if (limitingEntries(statement).some(({ keyLower }) => keyLower === "sts:externalid")) return;
  const isTested = readCondition(statement).of(externalId).length > 0;
  yield {
    issue_type: "missing_external_id",
    node: vendor.node,
    field_name: "principal",
    action: entry.text,
    message: `${quote(vendor.text)} is in an account from which ${name} takes roles of many customers (list of ${listDate}), and ${isTested ? "the test of" : "no condition tests"} ${quote(externalId)}${isTested ? " lets every value through" : ""}. Another customer who knows the ARN of this role can have ${name} use it.`,
    suggestion: `Require with \`StringEquals\` the ${quote(externalId)} that ${name} shows for your account.`,
    ...(isTested
      ? {}
      : {
          correction: () =>
            statementWithCondition(statement, {
              StringEquals: { [externalId]: "example-external-id" },
            }),
          fix: () =>
            withEdit(
              addConditions(statement, { StringEquals: { [externalId]: "<external-id>" } }),
              {
                title: "Require the external id",
                effect: "narrows",
                needs_input: [input("external-id", `The external id that ${name} shows`)],
                argument: "A further test in an Allow lets no further request in.",
              },
            ),
        }),
  };
}

function vendorOf({ type, text }: PrincipalEntry): string | undefined {
  if (type !== "AWS") return undefined;
  const account = /^(?:arn:aws:(?:iam|sts)::)?(\d{12})(?::|$)/.exec(text)?.[1];
  return account === undefined ? undefined : vendors.get(account);
}
