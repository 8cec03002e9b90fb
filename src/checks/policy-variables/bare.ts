import type { FieldName } from "../../../spec/finding.ts";
import type { Report } from "../../engine/check.ts";
import { globalConditionKey } from "../../policy/global-condition-keys.ts";
import type { Entry, Statement } from "../../policy/model.ts";
import { correctedNode } from "../shared/corrected.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";

/**
 * `$aws:username`, `$(aws:username)`, `{aws:username}` and `&{aws:username}`, which Terraform replaces in the blocks of
 * `aws_iam_policy_document` alone. A brace behind `$` is a variable, and one behind `%`, `#` or another brace belongs to
 * a template language.
 * https://registry.terraform.io/providers/hashicorp/aws/latest/docs/data-sources/iam_policy_document
 */
const bare = /(?<![$&%#{}])(?:\$(?=aws:)|\$\(|&?\{)(aws:[A-Za-z]+(?:\/[\w.-]+)?)[)}]?/gi;

/** Names of condition keys that are written as variables, but not as AWS reads them. */
export function* bareVariables(statement: Statement): Iterable<Report> {
  yield* inEntries(statement.resources, "resource");
  yield* inEntries(statement.notResources, "not_resource");
  for (const { key, values } of statement.conditions) {
    yield* inEntries(values, "condition", { condition_key: key });
  }
}

function* inEntries(
  entries: readonly Pick<Entry, "text" | "node">[],
  field_name: FieldName,
  about: Pick<Report, "condition_key"> = {},
): Iterable<Report> {
  for (const { text, node } of entries) {
    if (!/[${]\(?aws:/i.test(text)) continue;
    const [written = "", key = ""] =
      text.matchAll(bare).find(([, name = ""]) => isSingle(name)) ?? [];
    if (written === "") continue;
    const meant = `\${${key}}`;
    yield {
      issue_type: "invalid_policy_variable",
      field_name,
      ...about,
      ...(field_name.endsWith("resource") ? { resource: text } : {}),
      node,
      message: `${quote(written)} is plain text to AWS, which replaces only names in \`\${…}\`, so no request matches it.`,
      suggestion: `Write ${quote(meant)}.`,
      aws_issue_code: null,
      ...fixedBy(
        () =>
          correctedNode(
            node,
            text.replaceAll(written, () => meant),
          ),
        {
          title: "Write the policy variable with dollar sign and braces",
          effect: "changes",
        },
      ),
    };
  }
}

/** Tags and keys with one value, which is what variables are for. */
function isSingle(name: string): boolean {
  return globalConditionKey(name)?.multivalued === false;
}
