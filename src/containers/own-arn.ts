/**
 * ARNs of resources with policies, by the service of the actions:
 * https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
const forms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    backup: "backup-vault:{name}",
    dynamodb: "table/{name}",
    ecr: "repository/{name}",
    elasticfilesystem: "file-system/{name}",
    es: "domain/{name}",
    events: "event-bus/{name}",
    "execute-api": "{name}",
    glacier: "vaults/{name}",
    kinesis: "stream/{name}",
    kms: "key/{name}",
    lambda: "function:{name}",
    logs: "log-group:{name}",
    secretsmanager: "secret:{name}-AbCdEf",
    ses: "identity/{name}",
    sns: "{name}",
    sqs: "{name}",
  }).map(([service, resource]) => [
    service,
    `arn:{partition}:${service}:{region}:{account}:${resource}`,
  ]),
);

/**
 * A policy of a resource is for that resource, so an unknown ARN in it is one that its actions work on.
 * @returns the form of that ARN, with `{partition}`, `{region}`, `{account}` and `{name}`; null for a statement without
 *     principals, and where the actions are of several services or of one without a form.
 */
export function ownArnOf(statement: Readonly<Record<string, unknown>>): string | null {
  const { Principal, NotPrincipal, Action } = statement;
  if (Principal === undefined && NotPrincipal === undefined) return null;
  const actions = [Action].flat().filter((one) => typeof one === "string");
  const services = new Set(actions.map((one) => one.slice(0, one.indexOf(":")).toLowerCase()));
  const [service = ""] = services;
  if (services.size !== 1) return null;
  if (service !== "s3") return forms.get(service) ?? null;
  const bucket = "arn:{partition}:s3:::{name}";
  // One ARN for objects alone is that of objects; beside one with its own `/*` it is that of the bucket.
  const { Resource } = statement;
  const isAlone = typeof Resource === "string" && !/\/[^/]*$/.test(Resource);
  return isAlone && actions.every((one) => /Object/i.test(one)) ? `${bucket}/{name}` : bucket;
}
