import type { Report } from "../../engine/check.ts";
import { quote } from "../shared/quote.ts";

/** What is wrong with a name. */
export type Fault = Pick<Report, "severity" | "message" | "suggestion" | "aws_issue_code"> & {
  /** The action that is meant, where one name is clearly the nearest. */
  readonly meant?: string;
  /** Nothing in the reference is like it. */
  readonly isDead?: boolean;
  /** A name without a service. */
  readonly isBare?: boolean;
};

/** Dropped from the reference by AWS, which still takes their prefixes in policies. */
const formerServices: ReadonlySet<string> = new Set([
  "deepcomposer",
  "deeplens",
  "deepracer",
  "elastic-inference",
  "iot1click",
  "zocalo",
]);

/** @returns null for a service that AWS never had. */
export function formerService(text: string, service: string): Fault | null {
  if (!formerServices.has(service)) return null;
  return {
    severity: "low",
    message: `${quote(text)} is an action of the service ${quote(service)}, which AWS has removed from its reference. AWS still accepts the prefix, but there is nothing left to grant or deny.`,
    suggestion: "Remove the action.",
    isDead: true,
  };
}

/**
 * Names in policies that AWS publishes and that its reference does not list: no call is authorized by them.
 * https://docs.aws.amazon.com/sns/latest/dg/sns-access-policy-use-cases.html
 * https://github.com/aws-samples/service-control-policy-examples (Protect-cloud-platform-resource)
 * Slow logs in the guide of Elasticsearch Service: https://github.com/awsdocs/amazon-elasticsearch-service-developer-guide
 */
const printedNames: ReadonlySet<string> = new Set([
  "sns:receive",
  "aws-marketplace:createprivatemarketplace",
  "aws-marketplace:updateprivatemarketplacesettings",
  "logs:putlogeventsbatch",
]);

/** Actions that AWS's documentation grants and its reference does not list; all but the first three are for IoT Core policies. */
const unlistedActions: ReadonlySet<string> = new Set([
  // For AWS RAM: https://docs.aws.amazon.com/lake-formation/latest/dg/hybrid-cross-account.html
  "glue:shareresource",
  // For AWS RAM: https://docs.aws.amazon.com/network-firewall/latest/APIReference/API_PutResourcePolicy.html
  "network-firewall:updatefirewall",
  // https://docs.aws.amazon.com/serverlessrepo/latest/devguide/security_iam_resource-based-policy-examples.html
  "serverlessrepo:deploy",
  // https://docs.aws.amazon.com/iot/latest/developerguide/authorizing-direct-aws.html
  "iot:assumerolewithcertificate",
  // https://docs.aws.amazon.com/iot/latest/developerguide/basic-jobs-example.html
  "iot:getpendingjobexecutions",
  "iot:startnextpendingjobexecution",
  "iot:updatejobexecution",
  // https://docs.aws.amazon.com/greengrass/v2/developerguide/device-auth.html
  "greengrass:getdeploymentconfiguration",
  "greengrass:listthinggroupsforcoredevice",
  "greengrass:putcertificateauthorities",
  "greengrass:verifyclientdeviceidentity",
  "greengrass:verifyclientdeviceiotcertificateassociation",
  // https://docs.aws.amazon.com/greengrass/v1/developerguide/device-auth.html
  "greengrass:assumeroleforgroup",
  "greengrass:createcertificate",
  "greengrass:getdeploymentartifacts",
  "greengrass:updatecoredeploymentstatus",
]);

/** @returns whether AWS documents the action, although its reference lacks it. */
export function isUnlistedAction(text: string): boolean {
  return unlistedActions.has(text.toLowerCase());
}

/** @returns null for a name that AWS's documentation does not print. */
export function printedName(text: string): Fault | null {
  if (!printedNames.has(text.toLowerCase())) return null;
  return {
    severity: "low",
    message: `${quote(text)} is in policies that AWS publishes, but AWS's reference has no such action. It grants and denies nothing.`,
    suggestion: "Remove the action.",
    aws_issue_code: "INVALID_ACTION",
    isDead: true,
  };
}
