import type { NeededInput } from "../../../spec/finding.ts";
import { isKnownArnService } from "../../access-analyzer/services.ts";
import type { CheckContext } from "../../engine/check.ts";
import { memo } from "../../memo.ts";
import { splitArn } from "../../policy/arn.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Policy } from "../../policy/model.ts";
import type { Action, Service } from "../../services/model.ts";
import { hasNarrowerFormats, narrowerFormat } from "./arn-formats.ts";
import { kebab } from "./kebab.ts";
import { isOtherWay } from "./sample-arn.ts";

/** An example has to pass the checks, so that a fix can be tried with it. */
const known: Readonly<Record<string, Omit<NeededInput, "placeholder">>> = {
  region: { meaning: "Region of the resource", example: "eu-west-1" },
  "account-id": { meaning: "Account of 12 digits", example: "111122223333" },
  "key-id": { meaning: "Id of the KMS key", example: "1234abcd-12ab-34cd-56ef-1234567890ab" },
  "secret-id": {
    meaning: "Name of the secret, with the hyphen and six characters that AWS adds",
    example: "example-secret-AbCdEf",
  },
  "vpc-id": { meaning: "Id of the VPC", example: "vpc-0a1b2c3d4e5f6a7b8" },
  service: { meaning: "Service that gets the role", example: "lambda" },
  "service-principal": {
    meaning: "Service that the role is linked to",
    example: "autoscaling.amazonaws.com",
  },
};

/** @returns what the author has to give for `<name>`. */
export function input(name: string, meaning?: string, example?: string): NeededInput {
  const fact = known[name];
  return {
    placeholder: `<${name}>`,
    meaning: meaning ?? fact?.meaning ?? `The ${name.replaceAll("-", " ")}`,
    example: example ?? exampleOf(name),
  };
}

/** @returns the example for `<name>`. */
export function exampleOf(name: string): string {
  const example = known[name]?.example;
  if (example !== undefined) return example;
  if (/(?:^|-)account-id$/.test(name)) return "111122223333";
  return name === "organization-id" ? "a1b2c3d4e5" : `example-${name}`;
}

export const accountInput = input("account-id");
export const vpcInput = input("vpc-id");
export const serviceInput = input("service");

/** ARNs with placeholders, and what these ask for. */
export interface OpenArns {
  readonly arns: readonly string[];
  readonly inputs: readonly NeededInput[];
}

/** Placeholders of the reference whose name says little, or whose values have a form. */
const names: Readonly<Record<string, string>> = {
  Account: "account-id",
  AccountId: "account-id",
  Region: "region",
  BucketName: "bucket-name",
  RoleNameWithPath: "role-name",
  UserNameWithPath: "user-name",
  GroupNameWithPath: "group-name",
  PolicyNameWithPath: "policy-name",
  KeyId: "key-id",
};

/** A format of the reference with placeholders. */
interface OpenFormat {
  /** Service field. */
  readonly owner: string;
  /** The text around the partition. */
  readonly parts: readonly string[];
  /** The ARN in the partition `aws`, that of nearly all policies. */
  readonly inAws: string;
  readonly inputs: readonly NeededInput[];
}

/**
 * A format of the reference with placeholders: `arn:${Partition}:kms:${Region}:${Account}:key/${KeyId}`
 * becomes `arn:aws:kms:<region>:<account-id>:key/<key-id>`.
 * @returns null for a format without a service, or with a field too few: that of MediaConnect's offerings has
 * no account, so AWS takes `offering` for one.
 */
function openFormat(format: string): OpenFormat | null {
  const { service: owner, account = "" } = splitArn(format) ?? {};
  if (!owner || !/^(?:\*|aws|[0-9]{12}|.*\$\{.*)?$/.test(account)) return null;
  const inputs = new Map<string, NeededInput>();
  const texts = format.split("${Partition}").map((part) =>
    part.replace(/\$\{([^}]*)\}/g, (_, name: string) => {
      if (name === "ObjectName") return "*";
      const placeholder = names[name] ?? kebab(name);
      inputs.set(placeholder, input(placeholder));
      return `<${placeholder}>`;
    }),
  );
  return { owner, parts: texts, inAws: texts.join("aws"), inputs: [...inputs.values()] };
}

/** By service and type: nearly every fix of a wildcard asks for some, and a service has at most some hundreds. */
const formatsOf = memo((_: Service) => new Map<string, OpenFormat | null>());

function formatOf(service: Service, type: string): OpenFormat | null {
  const known = formatsOf(service);
  let found = known.get(type);
  if (found === undefined) {
    const [format] = service.resourceType(type)?.arnFormats ?? [];
    found = format ? openFormat(format) : null;
    known.set(type, found);
  }
  return found;
}

const partitions = new FactSlot<Policy, string>();

/** The partition of the ARNs of the policy. */
export function partitionOf(policy: Policy): string {
  const known = partitions.get(policy);
  if (known !== undefined) return known;
  const found = firstPartition(policy);
  partitions.set(policy, found);
  return found;
}

function firstPartition({ statements }: Policy): string {
  for (const { resources } of statements) {
    for (const { text } of resources) {
      const partition = splitArn(text)?.partition ?? "";
      if (/^aws[a-z-]*$/.test(partition)) return partition;
    }
  }
  return "aws";
}

/** @returns one ARN for each of the types. */
export function openArnsOfTypes(
  wanted: readonly { readonly types: readonly string[]; readonly service: Service }[],
  context: Pick<CheckContext, "policy" | "services">,
): OpenArns {
  const formats = new Set<OpenFormat>();
  for (const { types, service } of wanted) {
    for (const type of types) {
      const format = formatOf(service, type);
      if (format) formats.add(format);
    }
  }
  return arnsOf(formats, context);
}

function arnsOf(
  formats: Iterable<OpenFormat>,
  { policy, services }: Pick<CheckContext, "policy" | "services">,
): OpenArns {
  const partition = partitionOf(policy);
  const inputs = new Map<string, NeededInput>();
  const arns = new Set<string>();
  for (const { owner, parts, inAws, inputs: needed } of formats) {
    // Some formats are of services that the reference no longer has.
    if (!isKnownArnService(services, owner)) continue;
    arns.add(partition === "aws" ? inAws : parts.join(partition));
    for (const one of needed) inputs.set(one.placeholder, one);
  }
  return { arns: [...arns], inputs: [...inputs.values()] };
}

/** @returns one ARN for each type of resource that one of the actions works on; none if one of them lacks ARNs. */
export function openArns(
  wanted: readonly { readonly actions: readonly Action[]; readonly service: Service }[],
  context: Pick<CheckContext, "policy" | "services">,
): OpenArns {
  const lists = new Set<readonly OpenFormat[]>();
  let last: readonly string[] | undefined;
  for (const { actions, service } of wanted) {
    const [first] = actions;
    const isOne = actions.length === 1 && !hasNarrowerFormats(service);
    const types = isOne ? first?.resourceTypes : undefined;
    // Neighbours in a list mostly work on the same types, which are one list in the data of their service.
    if (types !== undefined && types === last) continue;
    last = types;
    const found = formatsOfActions(actions, service);
    if (found.length === 0) return { arns: [], inputs: [] };
    lists.add(found);
  }
  const [first, ...others] = Array.from(lists, (list) => arnsOfList(list, context));
  if (!first || others.length === 0) return first ?? { arns: [], inputs: [] };
  const arns = new Set(first.arns);
  const inputs = new Map(first.inputs.map((one) => [one.placeholder, one]));
  for (const more of others) {
    for (const arn of more.arns) arns.add(arn);
    for (const one of more.inputs) inputs.set(one.placeholder, one);
  }
  return { arns: [...arns], inputs: [...inputs.values()] };
}

interface KnownArns {
  readonly services: CheckContext["services"];
  readonly found: OpenArns;
}

/** In the partition `aws`, that of nearly all policies. */
const arnsInAws = new WeakMap<readonly OpenFormat[], KnownArns>();

function arnsOfList(
  list: readonly OpenFormat[],
  context: Pick<CheckContext, "policy" | "services">,
): OpenArns {
  if (partitionOf(context.policy) !== "aws") return arnsOf(list, context);
  const known = arnsInAws.get(list);
  if (known?.services === context.services) return known.found;
  const found = arnsOf(list, context);
  arnsInAws.set(list, { services: context.services, found });
  return found;
}

/** By what a pattern matches: policies share most patterns, and one may match hundreds of actions. */
const formatsByActions = new WeakMap<readonly Action[], readonly OpenFormat[]>();

function formatsOfActions(actions: readonly Action[], service: Service): readonly OpenFormat[] {
  const [first] = actions;
  if (first && actions.length === 1) return formatsOfAction(first, service);
  let formats = formatsByActions.get(actions);
  if (!formats) {
    const all = actions.map((action) => formatsOfAction(action, service));
    formats = all.some(({ length }) => length === 0) ? [] : [...new Set(all.flat())];
    formatsByActions.set(actions, formats);
  }
  return formats;
}

/** By the list of types: the actions of a service share most lists. */
const formatsByTypes = new WeakMap<readonly string[], readonly OpenFormat[]>();
/** By the names of the types, for data in which each action has its own list. */
const formatLists = memo((_: Service) => new Map<string, readonly OpenFormat[]>());

/** By the format, which few actions have. */
const narrowerFormats = new Map<string, readonly OpenFormat[]>();

function formatsOfAction(action: Action, service: Service): readonly OpenFormat[] {
  const narrower = narrowerFormat(action, service);
  if (narrower !== undefined) {
    const known = narrowerFormats.get(narrower) ?? [openFormat(narrower) ?? []].flat();
    narrowerFormats.set(narrower, known);
    return known;
  }
  const { resourceTypes } = action;
  let formats = formatsByTypes.get(resourceTypes);
  if (!formats) {
    const own = resourceTypes.filter((type) => !isOtherWay(type));
    const types = own.length > 0 ? own : resourceTypes;
    const lists = formatLists(service);
    const id = types.join(" ");
    formats = lists.get(id);
    if (!formats) {
      const found = types.map((type) => formatOf(service, type));
      formats = found.every((format) => format !== null) ? found : [];
      lists.set(id, formats);
    }
    formatsByTypes.set(resourceTypes, formats);
  }
  return formats;
}
