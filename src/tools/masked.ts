import { Severity } from "../../spec/severity.ts";
import { isRecord } from "../record.ts";

const secretKey =
  /secret|password|passwd|passphrase|token|api_?key|access_?key|private_?key|credential/i;

/**
 * Masks values that may be secrets: custom checks and unknown settings can have values of any shape.
 * Severities are not masked, because options map categories such as `credential_exposure` to them.
 * @returns A copy in which every text under a key that suggests a secret, at any depth, is `***`.
 */
export function masked(value: unknown, secret = false): unknown {
  if (Array.isArray(value)) return value.map((member) => masked(member, secret));
  if (isRecord(value)) return maskedObject(value, secret);
  const hide = secret && typeof value === "string" && value !== "";
  return hide && !Severity.safeParse(value).success ? "***" : value;
}

/** Like {@link masked}. */
export function maskedObject(value: object, secret = false): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      masked(member, secret || secretKey.test(key)),
    ]),
  );
}
