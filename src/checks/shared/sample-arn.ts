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
  // Access points are another way to a bucket; the bucket itself is what most authors mean.
  const types = action.resourceTypes.toSorted(
    (one, other) => Number(/accesspoint/i.test(one)) - Number(/accesspoint/i.test(other)),
  );
  const formats = types.flatMap((name) => {
    const [format] = service.resourceType(name)?.arnFormats ?? [];
    return format ? [format] : [];
  });
  return [...new Set(formats)];
}
