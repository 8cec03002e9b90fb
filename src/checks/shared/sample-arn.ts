import type { Action, Service } from "../../services/model.ts";

const samples: ReadonlyMap<string, string> = new Map([
  ["Account", "111122223333"],
  ["RoleNameWithPath", "example-role"],
  ["UserNameWithPath", "example-user"],
  ["GroupNameWithPath", "example-group"],
  ["PolicyNameWithPath", "example-policy"],
  ["BucketName", "example-bucket"],
  ["ObjectName", "example/*"],
  ["KeyId", "11111111-2222-3333-4444-555555555555"],
]);

/** `arn:${Partition}:kms:${Region}:${Account}:key/${KeyId}` with samples, other parts by their names. */
function fillFormat(format: string): string {
  const [prefix, partition, service, region, account, ...resource] = format.split(":");
  return [
    prefix,
    partition && "aws",
    service,
    region?.includes("$") ? "us-east-1" : region,
    account?.includes("$") ? "111122223333" : account,
    ...resource.map(fillNames),
  ].join(":");
}

function fillNames(part = ""): string {
  return part.replace(
    /\$\{([^}]*)\}/g,
    (_, name: string) => samples.get(name) ?? `example-${kebab(name)}`,
  );
}

function kebab(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
}

/** @returns the form of an ARN for each type the action works on, at most `most` of them. */
export function sampleArns(action: Action, service: Service, most: number): readonly string[] {
  const forms = formsOf(action, service);
  return forms.length <= most ? forms : forms.slice(0, most);
}

const known = new WeakMap<Action, readonly string[]>();

/** The reference data never changes, so the forms of an action are worked out once. */
function formsOf(action: Action, service: Service): readonly string[] {
  let forms = known.get(action);
  if (!forms) {
    forms = formatsOf(action, service).map(fillFormat);
    known.set(action, forms);
  }
  return forms;
}

function formatsOf(action: Action, service: Service): string[] {
  const formats = action.resourceTypes.flatMap((type) => {
    const [format] = service.resourceType(type)?.arnFormats ?? [];
    return format ? [{ format, rank: rankOf(type, format, action) }] : [];
  });
  const ordered = formats.toSorted((one, other) => one.rank - other.rank);
  return [...new Set(ordered.map(({ format }) => format))];
}

/**
 * Lowest for the type that the name of the action has (`instance` for `StartInstances`), highest for types
 * of other services and for access points, which are another way to a bucket.
 */
function rankOf(type: string, format: string, { name, service }: Action): number {
  if (/accesspoint/i.test(type) || format.split(":")[2] !== service) return 2;
  return name.toLowerCase().includes(type.toLowerCase().replace(/[^a-z0-9]/g, "")) ? 0 : 1;
}
