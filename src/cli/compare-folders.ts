import { relative, resolve } from "node:path";
import { collectFiles, type FoundFile } from "../local/collect-files.ts";
import { removedDocuments } from "../local/container-documents.ts";
import type { EarlierText } from "../local/earlier-text.ts";
import { TerraformFolder } from "../local/terraform-folder.ts";
import { validateFiles } from "../local/validate-files.ts";
import { engineOfFile } from "../local/validate-text.ts";
import type { ValidatedDocument } from "../local/validated-document.ts";
import { earlierAt } from "./against.ts";
import type { CompareContext } from "./compare-sides.ts";
import { movesBetween, removedIn, type Version } from "./moves.ts";
import { type RemovedPolicy, removedPolicy } from "./removed.ts";
import { asUsage, maxContainerBytes, maxFiles, type Outcome } from "./validate-inputs.ts";

/**
 * Compares the files of two folders that have the same path in them. A policy that is in another file now is compared with
 * what it was there.
 */
export async function compareFolders(
  old: string,
  changed: string,
  { declaredType, session }: CompareContext,
): Promise<Outcome> {
  const { runtime, root, configPath, base } = session;
  const { max_policy_bytes, max_policies } = runtime.settings;
  const bound = Math.max(maxFiles, max_policies);
  const maxBytes = Math.max(max_policy_bytes, maxContainerBytes);
  const filesIn = (folder: string, mayBeEmpty: boolean) => {
    const options = { root: root ?? "/", confined: false, maxFiles: bound, except: [configPath] };
    return asUsage(() => collectFiles({ paths: [folder] }, { ...options, mayBeEmpty }));
  };
  const found = await filesIn(changed, false);
  const before = versionsIn(old, await filesIn(old, true), maxBytes);
  const now = versionsIn(changed, found, maxBytes);
  const moves = await movesBetween(before, now, max_policy_bytes);
  const removed: RemovedPolicy[] = [];
  const onRemoved = (file: string, places: Parameters<typeof removedPolicy>[1][]) =>
    void removed.push(...places.map((one) => removedPolicy(file, one)));
  const earlierOf = async (file: FoundFile): Promise<EarlierText> => {
    const path = pathIn(changed, file);
    const earlier = (await before.get(path)?.read()) ?? { text: null };
    return { ...earlier, ...moves.get(path) };
  };
  const documents: ValidatedDocument[] = await asUsage(() =>
    validateFiles(found, runtime, {
      ...{ declaredType, maxFileBytes: max_policy_bytes, maxContainerBytes, maxDocuments: bound },
      ...{ base, asksOfNew: true, onSkip: () => {}, baselineOf: earlierOf },
      onRemoved: (file, places) => onRemoved(file, [...places]),
    }),
  );
  for (const [path, version] of before) {
    if (now.has(path)) continue;
    const { label } = version;
    const gone = await removedIn(version, moves.get(path)?.movedAway, max_policy_bytes);
    if (gone === "policy") {
      removed.push({ file: label, address: "", earlier_line: 1, resource_type: null });
      continue;
    }
    onRemoved(label, [...gone]);
    const file = { label, name: label, document: null, declaredType };
    for (const one of await removedDocuments(gone, file, engineOfFile(runtime.engine))) {
      documents.push({ ...one, file: label, document: null, place: null, text: null });
    }
  }
  const told = documents.filter(({ answers, is_valid }) => answers.length > 0 || !is_valid);
  return { documents: told, skipped: [], removed };
}

function versionsIn(
  folder: string,
  files: readonly FoundFile[],
  maxBytes: number,
): ReadonlyMap<string, Version> {
  const folders = new TerraformFolder();
  return new Map(
    files.map((file) => {
      const { label, place } = file;
      return [pathIn(folder, file), { label, read: () => earlierAt(place, folders, maxBytes) }];
    }),
  );
}

function pathIn(folder: string, { place }: FoundFile): string {
  return relative(resolve(folder), place);
}
