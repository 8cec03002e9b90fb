import type { PolicyType } from "../../spec/policy.ts";

/** A pattern over labels of policies and the type it gives. */
export interface TypeGlob {
  readonly pattern: string;
  readonly type: PolicyType;
  /** The pattern counts only for a policy that can be a trust policy: see `hasTrustForm`. */
  readonly needsTrustForm?: boolean;
  /** The pattern is tried on the last path segment only. Absent: on the whole label, too. */
  readonly isOfFile?: boolean;
}

/** Folders and file names that teams use for a type; tried after the patterns of the config. */
export const defaultTypeGlobs: readonly TypeGlob[] = [
  ...inFolders("SERVICE_CONTROL_POLICY", ["scp", "scps", "service[-_]control[-_]policies"]),
  ...ofFiles("SERVICE_CONTROL_POLICY", "scp"),
  ...inFolders("RESOURCE_CONTROL_POLICY", ["rcp", "rcps", "resource[-_]control[-_]policies"]),
  ...ofFiles("RESOURCE_CONTROL_POLICY", "rcp"),
  // A folder such as `roles-with-boundary` has all policies of its roles, not only the boundary.
  { pattern: "*boundary*", type: "PERMISSIONS_BOUNDARY", isOfFile: true },
  ...inFolders("PERMISSIONS_BOUNDARY", ["boundaries", "permission*boundaries"]),
  // Not by file name: a bucket policy that limits access to an endpoint is named for it, too.
  ...inFolders("ENDPOINT_POLICY", ["endpoint[-_]policies", "vpc*endpoint[-_]policies"]),
  { pattern: "**/*trust*", type: "TRUST_POLICY", needsTrustForm: true },
  { pattern: "**/*assume[-_]role*", type: "TRUST_POLICY", needsTrustForm: true },
];

function inFolders(type: PolicyType, folders: readonly string[]): TypeGlob[] {
  return folders.map((folder) => ({ pattern: `**/${folder}/**`, type }));
}

/** Not names that only begin with the word: `scp-administrator.json` may be the policy of a role. */
function ofFiles(type: PolicyType, word: string): TypeGlob[] {
  const patterns = [`${word}.json`, `*[-_.]${word}.json`, `*[-_.]${word}[-_]policy.json`];
  return patterns.map((pattern) => ({ pattern, type, isOfFile: true }));
}
