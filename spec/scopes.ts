import { z } from "zod";

/** OAuth scopes of this server. */
export const Scope = z.enum(["iam:validate", "iam:query", "iam:analyze", "iam:config"]);
export type Scope = z.infer<typeof Scope>;

/** Tags of tools, resources and prompts. */
export const Tag = z.enum(["validate", "query", "analyze", "orgconfig", "fix"]);
export type Tag = z.infer<typeof Tag>;

/** The scope required to use components with a tag; null: every authenticated caller may use them. */
export const scopeOfTag: Record<Tag, Scope | null> = {
  validate: "iam:validate",
  query: "iam:query",
  analyze: "iam:analyze",
  orgconfig: "iam:config",
  fix: null,
};

/** A profile removes tools, resources and prompts for all callers, when the server starts. */
export const Profile = z.enum(["full", "validate-only", "validate-and-query", "read-only"]);
export type Profile = z.infer<typeof Profile>;

export interface ProfileRule {
  readonly description: string;
  /** Only components with these tags remain. Null: all remain. */
  readonly tags: readonly Tag[] | null;
  /** Removes tools that change state. */
  readonly readOnly?: boolean;
}

export const profiles: Record<Profile, ProfileRule> = {
  full: { description: "Everything.", tags: null },
  "validate-only": { description: "Validation only.", tags: ["validate"] },
  "validate-and-query": {
    description: "Validation and look-ups in the AWS reference data.",
    tags: ["validate", "query"],
  },
  "read-only": {
    description: "Everything except tools that change state; in hosted mode the same as full.",
    tags: null,
    readOnly: true,
  },
};
