import { type Caller, pathKeyOf } from "./callers.ts";
import { readInstant } from "./intervals.ts";
import type { RequestPrincipal } from "./request.ts";

/** Values of keys that every request has, where the documents leave them free. */
export interface FreeValues {
  readonly region: string;
  readonly userid: string;
}

/**
 * The value of a key that follows from the caller, from the request, or is free.
 * @param name Folded key.
 * @returns null where the request does not have the key.
 */
export function derivedValue(
  name: string,
  principal: RequestPrincipal,
  caller: Caller,
  context: ReadonlyMap<string, readonly string[]>,
  free: FreeValues,
): string | null {
  const arn = principal.type === "AWS" ? principal.arn : null;
  const known = context.get(name)?.[0] ?? null;
  switch (name) {
    case "aws:principalarn":
      return arn ?? known;
    case "aws:principalaccount":
      if (arn !== null) return arn.split(":")[4] ?? "";
      if (principal.type === "Anonymous") return "anonymous";
      return known ?? "777788889999";
    case "aws:principaltype":
      if (arn === null)
        return principal.type === "Anonymous" ? "Anonymous" : (known ?? "AssumedRole");
      return arn.endsWith(":root") ? "Account" : caller.kind === "user" ? "User" : "AssumedRole";
    case "aws:username":
      return caller.kind === "user" && arn !== null ? arn.slice(arn.lastIndexOf("/") + 1) : known;
    case "aws:principalisawsservice":
      if (arn !== null) return "false";
      return principal.type === "Service" ? "true" : known;
    case "aws:principalservicename":
      return principal.type === "Service" ? principal.name : known;
    case "aws:userid":
      return principal.type === "Anonymous" ? "anonymous" : (known ?? free.userid);
    case "aws:tokenissuetime":
      return (
        known ??
        (caller.kind === "role" || caller.kind === "session" ? "2030-01-01T00:00:00Z" : null)
      );
    case "aws:currenttime":
      return known ?? "2030-01-01T00:00:00Z";
    case "aws:epochtime":
      return epochOf(context.get("aws:currenttime")?.[0] ?? "2030-01-01T00:00:00Z");
    case "aws:requestedregion":
      return known ?? free.region;
    case "aws:securetransport":
      return known ?? "true";
    case "aws:multifactorauthpresent":
      return context.has("aws:multifactorauthage") ? "true" : known;
    default:
      return (
        known ?? organisationId(name, context) ?? (caller.present.has(name) ? "example" : null)
      );
  }
}

/** F12: the id is the first part of the path. */
function organisationId(
  name: string,
  context: ReadonlyMap<string, readonly string[]>,
): string | null {
  const path = pathKeyOf.get(name);
  const value = path === undefined ? undefined : context.get(path)?.[0];
  return value === undefined ? null : value.slice(0, value.indexOf("/"));
}

/** The same instant in seconds since 1970. */
export function epochOf(instant: string): string {
  const value = readInstant(instant) ?? 0n;
  const second = 1_000_000_000_000n;
  const rest = value % second;
  return rest === 0n
    ? (value / second).toString()
    : `${value / second}.${(rest / 1000n).toString().padStart(9, "0")}`;
}
