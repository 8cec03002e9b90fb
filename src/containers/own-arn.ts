import type { Action, Service, ServiceLookup } from "../services/model.ts";

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
 *     principals, and where the actions are of several services or work on no resource.
 */
export function ownArnOf(
  statement: Readonly<Record<string, unknown>>,
  data: Pick<ServiceLookup, "get">,
): string | null {
  const { Principal, NotPrincipal, Action } = statement;
  if (Principal === undefined && NotPrincipal === undefined) return null;
  const actions = [Action].flat().filter((one) => typeof one === "string");
  const services = new Set(actions.map((one) => one.slice(0, one.indexOf(":")).toLowerCase()));
  const [service = ""] = services;
  if (services.size !== 1) return null;
  if (service !== "s3") return forms.get(service) ?? formOf(actions, data.get(service));
  const bucket = "arn:{partition}:s3:::{name}";
  // One ARN for objects alone is that of objects; beside one with its own `/*` it is that of the bucket.
  const { Resource } = statement;
  const isAlone = typeof Resource === "string" && !/\/[^/]*$/.test(Resource);
  return isAlone && actions.every((one) => /Object/i.test(one)) ? `${bucket}/{name}` : bucket;
}

/** Actions of one statement that are looked up. */
const mostActions = 20;

/** The form of the type that most of the actions work on, as the reference lists it; of the service, where no name is known. */
function formOf(entries: readonly string[], service: Service | undefined): string | null {
  if (!service) return null;
  const named = entries
    .slice(0, mostActions)
    .flatMap((entry) => service.action(entry.slice(entry.indexOf(":") + 1)) ?? []);
  const type = named.length > 0 ? commonType(named) : commonTypeOf(service);
  const [format] = (type !== null && service.resourceType(type)?.arnFormats) || [];
  return (
    format?.replaceAll(/\$\{(\w+)\}/g, (_, part: string) => fields.get(part) ?? "{name}") ?? null
  );
}

function commonType(actions: readonly Action[]): string | null {
  const uses = new Map<string, number>();
  let most: string | null = null;
  for (const type of actions.flatMap(({ resourceTypes }) => resourceTypes)) {
    const count = (uses.get(type) ?? 0) + 1;
    uses.set(type, count);
    if (most === null || count > (uses.get(most) ?? 0)) most = type;
  }
  return most;
}

const ofServices = new WeakMap<Service, string | null>();

function commonTypeOf(service: Service): string | null {
  let type = ofServices.get(service);
  if (type === undefined) {
    type = commonType(service.actions);
    ofServices.set(service, type);
  }
  return type;
}

/** Names of the reference for the fields of an ARN; the others are parts of the resource. */
const fields: ReadonlyMap<string, string> = new Map([
  ["Partition", "{partition}"],
  ["Region", "{region}"],
  ["Account", "{account}"],
]);
