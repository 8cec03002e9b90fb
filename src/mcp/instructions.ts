import type { Severity } from "../../spec/severity.ts";
import type { Runtime } from "../runtime.ts";
import type { View } from "./catalogue.ts";

/** The part of a caller's view that the instructions depend on. */
export type Visible = Pick<View, "toolNames" | "resources">;

/**
 * The instructions for a client when it connects. They mention only tools and resources that this
 * caller can see. The operator's text follows under a separate heading.
 */
export function instructionsFor({
  settings,
  customInstructions,
  engine,
}: Pick<Runtime, "settings" | "customInstructions" | "engine">): (visible: Visible) => string {
  const { text, source } = customInstructions;
  // In local mode the config may come from the repository under review, so its text is not the user's.
  const isFromProject = settings.mode === "local" && source === "config";
  const author = isFromProject
    ? "the config of this project or session"
    : "the operator of this server";
  return (visible) => {
    const builtIn = builtInFor(visible, engine.settings.fail_on_severity);
    return text === null ? builtIn : `${builtIn}\n\n## From ${author}\n\n${text}`;
  };
}

/** Severities as words: "`error`, `critical` or `high`". */
function severityWords(severities: readonly string[]): string {
  const quoted = severities.map((one) => `\`${one}\``);
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`;
}

/** @returns the sentence that says when a policy fails under the active config. */
export function failingSentence(failing: readonly string[]): string {
  return failing.length === 0
    ? "No severity fails a policy here: every finding is advice."
    : `A finding of severity ${severityWords(failing)} fails the policy; the others are advice.`;
}

function builtInFor({ toolNames, resources }: Visible, failing: readonly Severity[]): string {
  const sees = (tool: string) => toolNames.includes(tool);
  if (toolNames.length === 0) {
    return "This server validates AWS IAM policies. The access token of this connection has no scope for any of its tools: ask the operator of the server for one.";
  }
  const rules = [
    "Grant only what the task needs.",
    "Name specific ARNs; no wildcard resource on write actions.",
    "Put conditions on sensitive actions.",
    sees("query")
      ? "Never guess an ARN format: `query` kind `arn_formats`."
      : "Never guess an ARN format: ask for it.",
    sees("query")
      ? "Always confirm that actions exist: `query` kind `action_details`."
      : "Always confirm that actions exist.",
    "New policies have Version 2012-10-17.",
    ...(sees("validate_policies")
      ? [
          `At most two \`validate_policies\` calls per request, with \`detail\` \`fix\`. Pass \`fix\` \`["equivalent", "repairs"]\` and go on with \`fixed_policy\`. Of each finding that remains apply \`fix\`, write its \`example\` at its \`example_path\`, or follow its \`suggestion\`. ${failingSentence(failing)}`,
          "Where a finding needs a resource, a service or a tag that you do not know, ask the person; never invent one. When in doubt, present the policy.",
        ]
      : []),
  ];
  const addresses = resources.has("iam://checks")
    ? "\n\nResources: iam://checks, iam://checks/{check_id}, iam://sensitive-actions/{category}."
    : "";
  return `You review AWS IAM policies for least privilege.\n\n${rules.map((rule) => `- ${rule}`).join("\n")}${addresses}`;
}
