/**
 * Services whose requests have `aws:VpceAccount`, `aws:VpceOrgID` and `aws:VpceOrgPaths`, as of 2026.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-vpceaccount
 */
const ofAllKeys: readonly string[] = [
  "acm-pca",
  "applicationinsights",
  "apprunner",
  "athena",
  "cloudformation",
  "comprehendmedical",
  "compute-optimizer",
  "datasync",
  "discovery",
  "dynamodb",
  "ebs",
  "ecr",
  "ecs",
  "firehose",
  "gamelift",
  "healthlake",
  "iam",
  "iotfleetwise",
  "iotwireless",
  "kinesisanalytics",
  "kms",
  "lambda",
  "medical-imaging",
  "omics",
  "payment-cryptography",
  "polly",
  "rbin",
  "rekognition",
  "route53",
  "s3",
  "scheduler",
  "servicediscovery",
  "servicequotas",
  "shield",
  "ssm-contacts",
  "storagegateway",
  "textract",
  "transcribe",
  "transfer",
];
/** Those whose requests have the keys of the organization only. */
const ofOrganizationKeys: readonly string[] = [
  "b2bi",
  "cassandra",
  "cognito-identity",
  "dms",
  "ds-data",
  "identitystore",
  "iottwinmaker",
  "network-firewall",
  "pricing",
  "ses",
  "sms-voice",
  "sqs",
  "workmail",
];

const forAccount: ReadonlySet<string> = new Set(ofAllKeys);
const forOrganization: ReadonlySet<string> = new Set([...ofAllKeys, ...ofOrganizationKeys]);
const servicesByKey: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["aws:vpceaccount", forAccount],
  ["aws:vpceorgid", forOrganization],
  ["aws:vpceorgpaths", forOrganization],
]);

/**
 * @param keyLower A condition key in lower case.
 * @returns whether requests for every action of an `Action` entry can have the key; null for a key that is
 *   none of the three.
 */
export function endpointKeySupport(keyLower: string): ((action: string) => boolean) | null {
  const services = servicesByKey.get(keyLower);
  if (!services) return null;
  return (action) => {
    const lower = action.toLowerCase();
    // AWS lists IAM "except for the iam:PassRole action".
    if (lower === "iam:passrole") return false;
    const colon = lower.indexOf(":");
    return colon > 0 && services.has(lower.slice(0, colon));
  };
}
