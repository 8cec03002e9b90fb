import { memo } from "../memo.ts";
import { keyType } from "../policy/condition-key-type.ts";
import type { ConditionType } from "../policy/condition-operator.ts";
import { globalConditionKey } from "../policy/global-condition-keys.ts";
import { identityProviderKey } from "../policy/identity-provider-key.ts";
import type { Service, ServiceLookup } from "../services/model.ts";
import { ownerOfBorrowedKey } from "./borrowed.ts";

/** What is known of a condition key. */
export interface KeyFacts {
  /** Null: not published. */
  readonly type: ConditionType | null;
  readonly multivalued: boolean;
}

const tagKey = /^aws:(?:resource|request|principal)tag\/./is;
const singleString: KeyFacts = { type: "String", multivalued: false };

/** Facts about keys of a service in AWS's spelling, which nearly all policies use; no text of a caller is kept. */
const factsBySpelling = memo((_: Service) => new Map<string, KeyFacts>());

/** Keys that AWS treats as multivalued since 2023-10 although the reference says String. */
const multivaluedKeys: ReadonlySet<string> = new Set(["codestar-connections:provideraction"]);

/**
 * @param services Absent: global keys only.
 * @returns undefined for a key that is not known.
 */
export function keyFacts(services: ServiceLookup | undefined, key: string): KeyFacts | undefined {
  const colon = key.indexOf(":");
  const prefix = ownerOfBorrowedKey(key) ?? key.slice(0, colon);
  const service = key.startsWith("aws:") ? undefined : services?.get(prefix);
  const before = service && factsBySpelling(service).get(key);
  if (before) return before;
  if (tagKey.test(key)) return singleString;
  const global = globalConditionKey(key);
  if (global) return global;
  if (!services || /^aws:/i.test(key)) return undefined;
  const claim = identityProviderKey(key)?.claim;
  if (claim) return { type: "String", multivalued: claim === "amr" };
  // A placeholder in the name of a key matches any text, also one with a wildcard, as ValidatePolicy was seen to read it.
  const found = service?.conditionKey(key) ?? service?.conditionKey(key.replaceAll(/[*?]/g, "x"));
  if (!service || !found) return undefined;
  const [name = ""] = found.types;
  const read = keyType(name);
  const multivalued = read?.multivalued === true || multivaluedKeys.has(key.toLowerCase());
  const facts: KeyFacts = { type: read?.type ?? null, multivalued };
  if (found.name === key) factsBySpelling(service).set(found.name, facts);
  return facts;
}

/** @returns whether the key is that of the tags of a service, such as `ec2:ResourceTag`, without a tag. */
export function lacksTagKey(service: Service, keyLower: string): boolean {
  const name = keyLower.endsWith("/") ? keyLower.slice(0, -1) : keyLower;
  return service.conditionKeys.some((one) => {
    const slash = one.name.indexOf("/");
    return slash > 0 && one.name.slice(0, slash).toLowerCase() === name;
  });
}
