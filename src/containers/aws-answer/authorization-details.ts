import type { PolicyType } from "../../../spec/policy.ts";
import { isRecord } from "../../record.ts";
import { Yielder } from "../../yielder.ts";
import { documentAt, shownPath } from "../document-at.ts";
import type { Place, Reading, Source } from "../types.ts";
import { type Path, valueAt } from "../values.ts";

const lists = ["UserDetailList", "GroupDetailList", "RoleDetailList", "Policies"] as const;

/** `aws iam get-account-authorization-details`: every policy of an account. */
export function isAuthorizationDetails(value: Readonly<Record<string, unknown>>): boolean {
  return lists.some((name) =>
    name === "Policies"
      ? Array.isArray(value.Policies) &&
        value.Policies.some((one) => isRecord(one) && Array.isArray(one.PolicyVersionList))
      : Array.isArray(value[name]),
  );
}

interface Found {
  readonly path: Path;
  readonly policyType: PolicyType;
  readonly label: string;
}

/** Answers of large accounts have tens of thousands of policies. */
export async function readAuthorizationDetails(source: Source, reading: Reading): Promise<Place[]> {
  const yielder = new Yielder(undefined);
  const places: Place[] = [];
  for (const { path, ...about } of documentsOf(source.value)) {
    if (yielder.shouldYield) await yielder.yieldNow();
    if (places.length >= reading.maxPlaces) break;
    const place = documentAt(source, path, { address: shownPath(path), ...about }, reading);
    if (place) places.push(place);
  }
  return places;
}

function* documentsOf(value: unknown): Generator<Found> {
  yield* inline(value, "UserDetailList", "UserName", "UserPolicyList");
  yield* inline(value, "GroupDetailList", "GroupName", "GroupPolicyList");
  for (const [role, path] of entriesAt(value, ["RoleDetailList"])) {
    yield {
      path: [...path, "AssumeRolePolicyDocument"],
      policyType: "TRUST_POLICY",
      label: `${name(role.RoleName)}/AssumeRolePolicyDocument`,
    };
  }
  yield* inline(value, "RoleDetailList", "RoleName", "RolePolicyList");
  for (const [policy, path] of entriesAt(value, ["Policies"])) {
    // Policies of AWS are not the user's to change.
    if (/^arn:[a-z-]+:iam::aws:/.test(name(policy.Arn))) continue;
    const { PermissionsBoundaryUsageCount: limits, AttachmentCount: attached } = policy;
    const isBoundary = typeof limits === "number" && limits > 0 && attached === 0;
    for (const [version, at] of entriesAt(policy, ["PolicyVersionList"])) {
      // Older versions grant nothing.
      if (version.IsDefaultVersion === false) continue;
      yield {
        path: [...path, ...at, "Document"],
        policyType: isBoundary ? "PERMISSIONS_BOUNDARY" : "IDENTITY_POLICY",
        label: name(policy.PolicyName),
      };
    }
  }
}

function* inline(value: unknown, list: string, owner: string, policies: string): Generator<Found> {
  for (const [entry, path] of entriesAt(value, [list])) {
    for (const [policy, at] of entriesAt(entry, [policies])) {
      yield {
        path: [...path, ...at, "PolicyDocument"],
        policyType: "IDENTITY_POLICY",
        label: `${name(entry[owner])}/${name(policy.PolicyName)}`,
      };
    }
  }
}

function* entriesAt(
  value: unknown,
  path: Path,
): Generator<[Readonly<Record<string, unknown>>, Path]> {
  const list = valueAt(value, path);
  for (const [index, entry] of (Array.isArray(list) ? list : []).entries()) {
    if (isRecord(entry)) yield [entry, [...path, index]];
  }
}

const name = (value: unknown): string => (typeof value === "string" ? value : "");
