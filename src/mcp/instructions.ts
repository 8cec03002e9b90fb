import { type Profile, profiles } from "../../spec/scopes.ts";
import type { Runtime } from "../runtime.ts";

/**
 * What every client is told about this server: the same for all callers, since it may be cached for
 * all of them. Names nothing that the profile has removed. Operator text stands under its own heading.
 */
export function instructionsFor({
  settings,
  customInstructions,
}: Pick<Runtime, "settings" | "customInstructions">): string {
  const own = builtIn(settings.profile);
  const { text, source } = customInstructions;
  // In local mode the config may be the repository's under review: its words are not the user's.
  const isProjects = settings.mode === "local" && source === "config";
  const author = isProjects
    ? "the config of this project or session"
    : "the operator of this server";
  return text === null ? own : `${own}\n\n## From ${author}\n\n${text}`;
}

function builtIn(profile: Profile): string {
  const { tags } = profiles[profile];
  const looksUp = tags === null || tags.includes("query");
  const rules = looksUp
    ? [
        "Never guess an ARN format: `query` kind `arn_formats`.",
        "Always confirm that actions exist: `query` kind `action_details`.",
      ]
    : [
        "Never guess an ARN format: ask for it.",
        "Always confirm that actions exist: validation reports those that do not.",
      ];
  return `You review AWS IAM policies for least privilege.

- Grant only what the task needs.
- Name specific ARNs; no wildcard resource on write actions.
- Put conditions on sensitive actions.
- ${rules.join("\n- ")}
- New policies have Version 2012-10-17.
- At most two \`validate_policies\` calls per request, with \`detail\` \`full\` when you mean to fix: mend \`error\` and \`critical\` findings by the finding's \`example\`, present the others as information. When in doubt, present the policy.

Resources: iam://checks, iam://checks/{check_id}, iam://sensitive-actions/{category}.`;
}
