import { isRecord } from "../record.ts";
import { isEncoded } from "./encoded-template.ts";
import { isOfOtherTools, placeholdersIn } from "./placeholders.ts";
import type { Container, Source } from "./types.ts";

/**
 * A policy with `${…}` placeholders or `%{ … }` directives that Terraform's `templatefile` or another
 * tool fills in, alone in its file.
 */
export const templateText: Container = {
  kind: "template_text",
  recognises: isTemplateText,
  async read(source, reading) {
    const { readTemplateText } = await import("./hcl/template-text.ts");
    return [await readTemplateText(source, reading)];
  },
};

const isTemplateName = (name: string) => /\.(?:tftpl|tpl|tmpl)$/i.test(name);

/** Only files: for a policy that is sent alone, a `${name}` is what AWS would get. */
export function isTemplateText({
  name,
  text,
  value,
}: Pick<Source, "name" | "text" | "value">): boolean {
  if (name === null || text === null) return false;
  if (isTemplateName(name) && isEncoded(text)) return true;
  const isPolicy = isRecord(value)
    ? Object.hasOwn(value, "Statement")
    : value === undefined && /^\s*\{[\s\S]*"Statement"[\s\S]*"Effect"/.test(text);
  if (!isPolicy) return false;
  if (isTemplateName(name) || text.includes("%{")) return true;
  for (const { source } of placeholdersIn(text)) {
    if (!isOfOtherTools(source)) return true;
  }
  return false;
}
