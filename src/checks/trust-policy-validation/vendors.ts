import type { PrincipalEntry } from "../../policy/model.ts";

/** Day on which the list below was taken from its source. */
export const listDate = "2026-11-26";

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

/** @returns the vendor whose account an `AWS` principal is, or belongs to. */
export function vendorOf(principal: PrincipalEntry): string | undefined {
  // Other partitions have account numbers of their own.
  const account = principal.text.startsWith("arn:aws-") ? undefined : accountOf(principal);
  return account === undefined ? undefined : vendors.get(account);
}

/** @returns the account that an `AWS` principal is, or belongs to. */
export function accountOf({ type, text }: PrincipalEntry): string | undefined {
  if (type !== "AWS") return undefined;
  return /^(?:arn:[^:]+:(?:iam|sts)::)?(\d{12})(?::|$)/.exec(text)?.[1];
}
