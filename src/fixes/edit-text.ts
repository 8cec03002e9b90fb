import type { PatchOperation } from "../../spec/finding.ts";
import { TextEditor } from "./text-editor.ts";

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
  const editor = await TextEditor.of(text, isJson);
  const edited = await editor.edit([patch]);
  return edited.failed.size > 0 ? null : edited.text;
}
