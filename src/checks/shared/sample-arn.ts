import { memo } from "../../memo.ts";
import type { Action, Service } from "../../services/model.ts";
import { narrowerFormat } from "./arn-formats.ts";
import { kebab } from "./kebab.ts";

const samples: ReadonlyMap<string, string> = new Map([
  ["Account", "111122223333"],
  ["RoleNameWithPath", "example-role"],
  ["UserNameWithPath", "example-user"],
  ["GroupNameWithPath", "example-group"],
  ["PolicyNameWithPath", "example-policy"],
  ["BucketName", "example-bucket"],
  ["ObjectName", "example/*"],
  ["SecretId", "example-secret-AbCdEf"],
  ["KeyId", "11111111-2222-3333-4444-555555555555"],
  ["ServicePrincipal", "autoscaling.amazonaws.com"],
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

/** @returns the form of an ARN for the type that a key of the service is named after, such as `ecs:cluster`. */
export function sampleArnOfKey(name: string, { resourceTypes }: Service): string | undefined {
  const bare = (text: string) => text.toLowerCase().replaceAll("-", "");
  const wanted = bare(name).replace(/arn$/, "");
  const [format] = resourceTypes.find((type) => bare(type.name) === wanted)?.arnFormats ?? [];
  return format && fillFormat(format);
}

/** @returns the form of an ARN for each type the action works on, at most `most` of them. */
export function sampleArns(action: Action, service: Service, most: number): readonly string[] {
  const forms = formsOf(action, service);
  return forms.length <= most ? forms : forms.slice(0, most);
}

/**
 * @param actions What a pattern of one service matches.
 * @returns the form of an ARN for the type that most actions of the service work on; undefined if they have none.
 */
export function sampleArnOf(actions: readonly Action[], service: Service): string | undefined {
  const before = commonForms.get(actions);
  if (before) return before.form;
  const form = commonFormOf(actions, service);
  commonForms.set(actions, { form });
  return form;
}

/** By what a pattern matches: policies share most patterns, and the lists of common ones are kept. */
const commonForms = new WeakMap<readonly Action[], { readonly form: string | undefined }>();

function commonFormOf(actions: readonly Action[], service: Service): string | undefined {
  const uses = usesOf(service);
  const rank = (type: string) => (isUnusual(type, service) ? 0 : (uses.get(type) ?? 0));
  const types = new Set(actions.flatMap(({ resourceTypes }) => resourceTypes));
  const [most] = [...types].toSorted((one, other) => rank(other) - rank(one));
  const [common] = (most !== undefined && service.resourceType(most)?.arnFormats) || [];
  const narrow = new Set(actions.map((action) => narrowerFormat(action, service)));
  // One form for all of the actions; undefined: some of them have the form of the type.
  const [own] = narrow.size === 1 ? narrow : [];
  const format = own ?? common;
  return format && fillFormat(format);
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

/** How many actions of the service work on each type. */
const usesOf = memo(({ actions }: Service): ReadonlyMap<string, number> => {
  const uses = new Map<string, number>();
  for (const { resourceTypes } of actions)
    for (const type of resourceTypes) uses.set(type, (uses.get(type) ?? 0) + 1);
  return uses;
});

function formatsOf(action: Action, service: Service): string[] {
  const narrower = narrowerFormat(action, service);
  if (narrower !== undefined) return [narrower];
  const uses = usesOf(service);
  const formats = action.resourceTypes.flatMap((type) => {
    const [format] = service.resourceType(type)?.arnFormats ?? [];
    return format
      ? [{ format, rank: rankOf(type, action, service), uses: uses.get(type) ?? 0 }]
      : [];
  });
  const ordered = formats.toSorted((one, other) => one.rank - other.rank || other.uses - one.uses);
  return [...new Set(ordered.map(({ format }) => format))];
}

/**
 * Lowest for the type that the name of the action has (`instance` for `StartInstances`), highest for
 * unusual ones.
 */
function rankOf(type: string, { name }: Action, service: Service): number {
  if (isUnusual(type, service)) return 3;
  const words = type.toLowerCase().split(/[^a-z0-9]+/);
  const action = name.toLowerCase();
  if (action.includes(words.join(""))) return 0;
  return words.some((word) => word.length > 3 && action.includes(word)) ? 1 : 2;
}

/** Types of other services, and other ways to a resource. */
function isUnusual(type: string, service: Service): boolean {
  const [format = ""] = service.resourceType(type)?.arnFormats ?? [];
  return isOtherWay(type) || format.split(":")[2] !== service.prefix;
}

/** Access points are another way to a bucket, and custom domains one to an API: most authors mean the thing itself. */
export function isOtherWay(type: string): boolean {
  return /accesspoint/i.test(type) || type === "execute-api-domain";
}
