import { splitArn } from "./arn.ts";
import type { AttachedResource } from "./model.ts";

interface Named {
  /** What people call such a resource. */
  readonly noun: string;
  /** The name in the last part of the ARN, as the first group. */
  readonly name: RegExp;
}

/**
 * Services whose resource policies are attached to one resource with a name that its owner chooses. Keys and file
 * systems are not here: AWS gives them their ids, so a template cannot say whether an id is their own.
 * Forms: the resource types of each service in
 * https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
const kinds: Readonly<Record<string, Named>> = {
  s3: { noun: "bucket", name: /^([^/:]+)(?:\/|$)/ },
  sqs: { noun: "queue", name: /^([^:/]+)$/ },
  sns: { noun: "topic", name: /^([^:/]+)(?::|$)/ },
  dynamodb: { noun: "table", name: /^table\/([^/]+)/ },
  kinesis: { noun: "stream", name: /^stream\/([^/]+)/ },
  ecr: { noun: "repository", name: /^repository\/(.+)$/ },
  es: { noun: "domain", name: /^domain\/([^/]+)/ },
  events: { noun: "event bus", name: /^event-bus\/(.+)$/ },
  backup: { noun: "backup vault", name: /^backup-vault:(.+)$/ },
};

/** @returns The resource that an ARN names, or that a part of it belongs to; null for other kinds. */
export function namedResource(arn: string): AttachedResource | null {
  const parts = splitArn(arn);
  const kind = parts && kindOf(parts.service);
  const [, name] = (kind && parts && kind.name.exec(parts.resource)) ?? [];
  return parts && name !== undefined ? { service: parts.service, name } : null;
}

/** @param service Action prefix. @returns What people call its resources; null: they are not told apart by name. */
export function nounOf(service: string): string | null {
  return kindOf(service)?.noun ?? null;
}

function kindOf(service: string): Named | null {
  return Object.hasOwn(kinds, service) ? (kinds[service] ?? null) : null;
}
