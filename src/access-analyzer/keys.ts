import { keyType } from "../policy/condition-key-type.ts";
import type { ConditionType } from "../policy/condition-operator.ts";
import { globalConditionKey } from "../policy/global-condition-keys.ts";
import { identityProviderKey } from "../policy/identity-provider-key.ts";
import type { Service, ServiceLookup } from "../services/model.ts";

/** What is known of a condition key. */
export interface KeyFacts {
  /** Null: not published. */
  readonly type: ConditionType | null;
  readonly multivalued: boolean;
}

const tagKey = /^aws:(?:resource|request|principal)tag\/./is;
const singleString: KeyFacts = { type: "String", multivalued: false };

/** Keys that AWS treats as multivalued since 2023-10 although the reference says String. */
const multivaluedKeys: ReadonlySet<string> = new Set(["codestar-connections:provideraction"]);

/**
 * @param services Absent: global keys only.
 * @returns undefined for a key that is not known.
 */
export function keyFacts(services: ServiceLookup | undefined, key: string): KeyFacts | undefined {
  if (tagKey.test(key)) return singleString;
  const global = globalConditionKey(key);
  if (global) return { type: global.type, multivalued: global.multivalued };
  if (!services || /^aws:/i.test(key)) return undefined;
  const claim = identityProviderKey(key)?.claim;
  if (claim) return { type: "String", multivalued: claim === "amr" };
  const colon = key.indexOf(":");
  const service = services.get(key.slice(0, colon));
  // A placeholder in the name of a key matches any text, also one with a wildcard: access-analyzer-codes 5.4.
  const found = service?.conditionKey(key) ?? service?.conditionKey(key.replaceAll(/[*?]/g, "x"));
  if (!found) return undefined;
  const [name = ""] = found.types;
  const read = keyType(name);
  const multivalued = read?.multivalued === true || multivaluedKeys.has(key.toLowerCase());
  return { type: read?.type ?? null, multivalued };
}

/** @returns whether the key is that of the tags of a service, such as `ec2:ResourceTag`, without a tag. */
export function lacksTagKey(service: Service, keyLower: string): boolean {
  const name = keyLower.endsWith("/") ? keyLower.slice(0, -1) : keyLower;
  return service.conditionKeys.some((one) => {
    const slash = one.name.indexOf("/");
    return slash > 0 && one.name.slice(0, slash).toLowerCase() === name;
  });
}
