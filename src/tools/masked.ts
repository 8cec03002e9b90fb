import { Severity } from "../../spec/severity.ts";
import { isJsonObject } from "../config/merge.ts";

const secretKey =
  /secret|password|passwd|passphrase|token|api_?key|access_?key|private_?key|credential/i;

/**
 * Custom checks and unknown settings take values of any shape; what looks like a secret is not for
 * callers' eyes. A severity is none: options may map categories such as `credential_exposure` to one.
 * @returns a copy in which every text under a key that speaks of a secret, at any depth, is `***`.
 */
export function masked(value: unknown, secret = false): unknown {
  if (Array.isArray(value)) return value.map((member) => masked(member, secret));
  if (isJsonObject(value)) return maskedObject(value, secret);
  const hide = secret && typeof value === "string" && value !== "";
  return hide && !Severity.safeParse(value).success ? "***" : value;
}

/** As {@link masked}. */
export function maskedObject(value: object, secret = false): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      masked(member, secret || secretKey.test(key)),
    ]),
  );
}
