import { parseJson, withoutByteOrderMark } from "../json/parse.ts";
import { jsonPositions } from "../json/positions.ts";
import { measureJson } from "../json/text.ts";
import type { Origin } from "../json/text-tree.ts";
import type { Source } from "./types.ts";

export interface SourceText {
  readonly name?: string | null;
  readonly text: string;
  readonly origin?: Origin | undefined;
  /** Texts of the other Terraform files of its folder. */
  readonly neighbours?: readonly string[];
}

/** Reads a text as JSON or YAML, in this order. Never throws because of the text. */
export async function readSource(from: SourceText): Promise<Source> {
  const { name = null, text, origin, neighbours = [] } = from;
  const about = { name, text, origin, neighbours };
  if (isTerraform(name)) return { ...about, value: undefined, root: null };
  if (/^\uFEFF?[\t\n\r ]*[[{]/.test(text)) {
    const { tooDeepAt, brackets } = measureJson(text);
    if (tooDeepAt >= 0) return { ...about, value: undefined, root: null };
    try {
      const value = parseJson(withoutByteOrderMark(text));
      return { ...about, value, root: jsonPositions(text, brackets) };
    } catch {
      // Not JSON: flow-style YAML begins like this too.
    }
  }
  const { readYaml } = await import("../policy/yaml-text.ts");
  const yaml = readYaml(text, { tags: "functions" });
  if ("refused" in yaml) return { ...about, value: undefined, root: null };
  return { ...about, value: yaml.value, root: yaml.root };
}

/** @returns A source for a JSON value, without text and positions. */
export function valueSource(value: unknown): Source {
  return { name: null, text: null, origin: undefined, neighbours: [], value, root: null };
}

/** The language of Terraform, OpenTofu and Terragrunt is told by the name of the file; its text can look like anything. */
export function isTerraform(name: string | null): boolean {
  return name !== null && /\.(?:tf|tofu)$|(?:^|[\\/])terragrunt\.hcl$/i.test(name);
}

/** Whether a file is one of a Terraform module, whose files share their locals. That of Terragrunt has its own. */
export function isOfModule(name: string | null): boolean {
  return isTerraform(name) && !/\.hcl$/i.test(name ?? "");
}
