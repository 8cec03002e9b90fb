import { z } from "zod";

/** OAuth scopes of this server. */
export const Scope = z.enum(["iam:validate", "iam:query", "iam:analyze", "iam:config"]);
export type Scope = z.infer<typeof Scope>;

/** Tags of tools, resources and prompts. */
export const Tag = z.enum(["validate", "query", "analyze", "orgconfig", "fix"]);
export type Tag = z.infer<typeof Tag>;

/** The scope that opens a tag; null: open to every authenticated caller, on purpose. */
export const scopeOfTag: Record<Tag, Scope | null> = {
  validate: "iam:validate",
  query: "iam:query",
  analyze: "iam:analyze",
  orgconfig: "iam:config",
  fix: null,
};

/** Profiles remove components when the server is built, for every caller alike. Null: keep all. */
export const Profile = z.enum(["full", "validate-only", "validate-and-query", "read-only"]);
export type Profile = z.infer<typeof Profile>;

export interface ProfileRule {
  readonly description: string;
  readonly tags: readonly Tag[] | null;
  /** Removes tools that change state. */
  readonly readOnly?: boolean;
}

export const profiles: Record<Profile, ProfileRule> = {
  full: { description: "Everything.", tags: null },
  "validate-only": { description: "Only what validates policies.", tags: ["validate"] },
  "validate-and-query": {
    description: "Validation and look-ups in the AWS reference data.",
    tags: ["validate", "query"],
  },
  "read-only": {
    description: "Nothing that changes state; in hosted mode the same as full.",
    tags: null,
    readOnly: true,
  },
};
