import type { Network } from "../policy/model.ts";
import { isRecord } from "../record.ts";

interface Setting {
  /** Names without underscores and letter case: `VPCOptions`, `vpc_options` and `vpcOptions` are one. */
  readonly path: readonly string[];
  readonly network: Network;
  /** Whether the values of the setting keep the resource off the internet. */
  readonly holds: (values: readonly unknown[]) => boolean;
}

const hasSubnet = (values: readonly unknown[]) =>
  values.some((value) => typeof value === "string" && value.trim() !== "");

const isPrivate = (values: readonly unknown[]) =>
  values.length > 0 && values.every((value) => value === "PRIVATE");

/**
 * Settings of a resource that keep it off the internet, by the service of its policy.
 * @see https://docs.aws.amazon.com/opensearch-service/latest/developerguide/vpc.html
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-private-apis.html
 * @see https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-api-endpointconfiguration.html
 */
const settings: ReadonlyMap<string, readonly Setting[]> = new Map<string, Setting[]>([
  ["es", [{ path: ["vpcoptions", "subnetids"], network: "vpc", holds: hasSubnet }]],
  [
    "execute-api",
    ["types", "type"].map((name) => ({
      path: ["endpointconfiguration", name],
      network: "vpc_endpoints",
      holds: isPrivate,
    })),
  ],
]);

/** The names of nested blocks that have such settings. */
export const networkBlocks: ReadonlySet<string> = new Set(
  [...settings.values()].flatMap((list) => list.map(({ path: [block = ""] }) => block)),
);

/** A name without what templates write it with. */
export const lettersOf = (name: string) => name.replaceAll("_", "").toLowerCase();

/**
 * Another account reaches a private domain name only if the owner shares it, whatever the policy says.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-private-custom-domains.html
 */
const isDomainName = (resourceType: string | null | undefined) =>
  /domain_?name/i.test(resourceType ?? "");

/**
 * @param values The settings of the resource, where a token replaces an unknown value and what may be empty is left out.
 * @returns the network that alone reaches the resource; null: the internet does, or may.
 */
export function networkOf(
  service: string | null | undefined,
  resourceType: string | null | undefined,
  values: unknown,
): Network | null {
  if (isDomainName(resourceType)) return null;
  const found = settings
    .get(service ?? "")
    ?.find(({ path, holds }) => holds(valuesAt(values, path)));
  return found?.network ?? null;
}

/** The values at a path; a nested block may be an object or a list of objects. */
function valuesAt(from: unknown, path: readonly string[]): readonly unknown[] {
  if (Array.isArray(from)) return from.flatMap((one: unknown) => valuesAt(one, path));
  const [step, ...rest] = path;
  if (step === undefined) return from === undefined || from === null ? [] : [from];
  if (!isRecord(from)) return [];
  const name = Object.keys(from).find((one) => lettersOf(one) === step);
  return name === undefined ? [] : valuesAt(from[name], rest);
}
