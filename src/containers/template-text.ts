import { isRecord } from "../record.ts";
import { isEncoded } from "./encoded-template.ts";
import { hasMarkedPlaceholder, isOfOtherTools, placeholdersIn } from "./placeholders.ts";
import type { Container, Source } from "./types.ts";

/**
 * A policy with placeholders such as `${…}`, `{{ … }}` and `__NAME__` or `%{ … }` directives that Terraform's `templatefile` or
 * another tool fills in, alone in its file.
 */
export const templateText: Container = {
  kind: "template_text",
  recognises: isTemplateText,
  async read(source, reading) {
    const { readTemplateText } = await import("./hcl/template-text.ts");
    return [await readTemplateText(source, reading)];
  },
};

const isTemplateName = (name: string) => /\.(?:tftpl|tpl|tmpl|j2)$/i.test(name);

/** Whether a text that is neither JSON nor YAML may be one without its placeholders. */
function mayBePolicy(text: string, isName: boolean): boolean {
  const statement = /^\s*\{/.test(text)
    ? text.indexOf('"Statement"')
    : isName
      ? text.search(/^Statement:[ \t\r]*$/m)
      : -1;
  return statement >= 0 && text.includes("Effect", statement);
}

/** Only files: for a policy that is sent alone, a `${name}` is what AWS would get. */
export function isTemplateText({
  name,
  text,
  value,
}: Pick<Source, "name" | "text" | "value">): boolean {
  if (name === null || text === null) return false;
  const isName = isTemplateName(name);
  if (isName && isEncoded(text)) return true;
  const isPolicy = isRecord(value)
    ? Object.hasOwn(value, "Statement")
    : value === undefined && mayBePolicy(text, isName);
  if (!isPolicy) return false;
  if (isName || text.includes("%{") || text.includes("{%") || hasMarkedPlaceholder(text))
    return true;
  for (const { source } of placeholdersIn(text)) {
    if (!isOfOtherTools(source)) return true;
  }
  return false;
}
