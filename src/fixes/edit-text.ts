import type { PatchOperation } from "../../spec/finding.ts";
import { type Layout, layoutOf, type Splice, spliced } from "./layout.ts";

const byteOrderMark = "\uFEFF";

/**
 * Applies a patch to the text of a policy: comments, order of members, indentation, quotes, line ends,
 * byte order mark and final newline stay.
 * @param isJson False: the text is YAML.
 * @returns null if an operation has no place in the text, for example in what a YAML alias repeats.
 */
export async function editText(
  text: string,
  patch: readonly PatchOperation[],
  isJson: boolean,
): Promise<string | null> {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  let body = text.slice(mark.length);
  const layout = layoutOf(body);
  const spliceOf = await splicer(isJson);
  for (const operation of patch) {
    if (operation.op === "test") continue;
    const splice = spliceOf(body, operation, layout);
    if (!splice) return null;
    body = spliced(body, splice);
  }
  return mark + body;
}

type Splicer = (
  text: string,
  operation: Exclude<PatchOperation, { op: "test" }>,
  layout: Layout,
) => Splice | null;

/** Loaded with the first text that is edited, because both slow the cold start of a function. */
async function splicer(isJson: boolean): Promise<Splicer> {
  if (isJson) return (await import("./json-edit.ts")).jsonSplice;
  return (await import("./yaml-edit.ts")).yamlSplice;
}
