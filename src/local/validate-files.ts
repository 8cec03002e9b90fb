import { relative, sep } from "node:path";
import { requestTooLarge } from "../engine/batch.ts";
import type { FixCounts } from "../engine/fix-policy.ts";
import type { Runtime } from "../runtime.ts";
import { type FoundFile, isWithin } from "./collect-files.ts";
import type { EarlierText } from "./earlier-text.ts";
import { FileUses } from "./file-uses.ts";
import { withSources } from "./plan-sources.ts";
import { mentionsPolicy } from "./policy-shape.ts";
import { readText } from "./read-text.ts";
import { TerraformFolder } from "./terraform-folder.ts";
import {
  type FileText,
  TooManyDocuments,
  type ValidateTextOptions,
  validateText,
} from "./validate-text.ts";
import { unread, type ValidatedDocument } from "./validated-document.ts";

export interface ValidateFilesOptions extends ValidateTextOptions {
  /** Maximum size of templates, plans and answers that hold policies. Default: `maxFileBytes`. */
  readonly maxContainerBytes?: number;
  /** Maximum size of all files. Absent: no limit. */
  readonly maxTotalBytes?: number;
  /** The earlier version of a file; null: there is none. */
  readonly baselineOf?: ((file: FoundFile) => Promise<EarlierText | null>) | undefined;
  /** Edits the text of a file; the edited text is validated. Absent: the text is validated as it is. */
  readonly edit?:
    | ((file: FileText) => Promise<{ readonly text: string; readonly counts: FixCounts }>)
    | undefined;
  /** Called after each file. */
  readonly onFile?: ((done: number) => void) | undefined;
  /**
   * Folder to which the names are relative that patterns of the config and fingerprints use, so that
   * they are the same from every working directory. Default: the label.
   */
  readonly base?: string | undefined;
}

/**
 * Reads and validates files one after another. If a file cannot be read or parsed, it gets a finding;
 * no file is skipped.
 * @throws {ToolError} If the files exceed `maxTotalBytes`.
 * @throws {TooManyDocuments}
 * @throws The signal's reason when it fires.
 */
export async function validateFiles(
  files: readonly FoundFile[],
  runtime: Runtime,
  options: ValidateFilesOptions,
): Promise<ValidatedDocument[]> {
  const validated: ValidatedDocument[] = [];
  const { maxTotalBytes = Number.POSITIVE_INFINITY } = options;
  const folder = new TerraformFolder();
  const uses = new FileUses(files, options.base);
  let total = 0;
  for (const [index, file] of files.entries()) {
    options.signal?.throwIfAborted();
    const { label, place, named } = file;
    const { maxFileBytes, maxContainerBytes = maxFileBytes } = options;
    const read = await readText(file, Math.max(maxFileBytes, maxContainerBytes));
    if ("fault" in read) {
      if (!named && read.skip && options.onSkip) {
        options.onSkip({ file: label, document: null, reason: read.skip });
      } else {
        validated.push(unread(file, read.fault, options.declaredType));
      }
    } else {
      const baseline = (await options.baselineOf?.(file)) ?? null;
      const name = nameIn(options.base, place) ?? label;
      const neighbours = await folder.neighboursOf(file.path);
      const usedAs = mentionsPolicy(read.text) ? await uses.typeOf(file.path) : null;
      const about = { usedAs, readElsewhere: await uses.validatedFor(file.path) };
      const input = { label, name, place, text: read.text, baseline, named, neighbours, ...about };
      const edited = await options.edit?.(input);
      const text = edited?.text ?? read.text;
      const results = await validateText({ ...input, text }, runtime, options);
      const documents = withEdit(
        await withSources(results, { path: file.path, label, text, base: options.base }),
        edited && { policy: text === read.text ? null : text, counts: edited.counts },
      );
      // Skipped files do not count: a repository may have any number of them.
      if (documents.length > 0) total += Buffer.byteLength(read.text);
      if (total > maxTotalBytes) throw requestTooLarge(total, maxTotalBytes, index + 1);
      validated.push(...documents);
    }
    if (validated.length > options.maxDocuments) {
      throw new TooManyDocuments(`there are more than ${options.maxDocuments} documents`);
    }
    options.onFile?.(index + 1);
  }
  return validated;
}

/** The first document of a file has the edited text of the whole file, as that of a template has the template. */
function withEdit(
  documents: readonly ValidatedDocument[],
  fixed: ValidatedDocument["fixed"],
): readonly ValidatedDocument[] {
  if (!fixed) return documents;
  return documents.map((one, index) => ({
    ...one,
    fixed: index === 0 ? fixed : { policy: null, counts: {} },
  }));
}

/** @returns The path of a file relative to a folder, with `/`; undefined if it is not below the folder. */
export function nameIn(base: string | undefined, place: string): string | undefined {
  if (base === undefined || !isWithin(base, place)) return undefined;
  return relative(base, place).replaceAll(sep, "/");
}
