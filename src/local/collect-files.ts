import type { Dirent } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { BadGlob, compileGlob, type Glob } from "./glob.ts";

/** A file to validate, or the reason why it cannot be opened. */
export interface FoundFile {
  /** Path relative to the root if the file is below it, with `/` between segments; else as given. */
  readonly label: string;
  /** Absolute path without symbolic links. Null: the file must not be opened. */
  readonly path: string | null;
  /** Why it must not be opened. */
  readonly fault?: string;
  /** Absolute path as named, in which only the links of the root and of named directories are resolved. */
  readonly place: string;
  /** It was named in the request and not found in a directory or by a glob. */
  readonly named: boolean;
}

/** The request is invalid; the message says what to fix. */
export class BadRequest extends Error {
  override name = "BadRequest";
}

/** The request has more files than allowed. */
export class TooManyFiles extends Error {
  override name = "TooManyFiles";
}

export interface FileRequest {
  /** Files and directories. */
  readonly paths: readonly string[];
  /** Relative to the root. */
  readonly glob?: string | undefined;
  /** Whether a path with `*`, `?` or `{` that does not exist is a glob, as a shell takes it. */
  readonly expandsGlobs?: boolean;
}

export interface CollectOptions {
  /** Absolute. Relative paths are resolved against it. */
  readonly root: string;
  /** Only policy files below the root may be opened. */
  readonly confined: boolean;
  readonly maxFiles: number;
  /** Finding no file is no fault. Default: false. */
  readonly mayBeEmpty?: boolean;
  /** Files that are skipped in directories: the config, the baseline. */
  readonly except?: readonly (string | null)[];
  readonly signal?: AbortSignal | undefined;
}

/** Maximum number of directory entries that one request reads, files of every kind. */
const maxVisited = 200_000;

const kinds: ReadonlySet<string> = new Set([
  ".json",
  ".yaml",
  ".yml",
  ".template",
  ".tf",
  ".tofu",
  ".tftpl",
  ".tpl",
  ".j2",
]);
const kindsInWords = ".json, .yaml, .yml, .template, .tf, .tofu, .tftpl, .tpl or .j2 file";
/** Other files of HCL are those of many tools. */
const isPolicyName = (name: string) =>
  kinds.has(extname(name).toLowerCase()) || basename(name) === "terragrunt.hcl";

/** Folders of installed packages and of tools; they contain no policies of the project. */
const isSkippedFolder = (name: string) => name === "node_modules" || name.startsWith(".");

/**
 * Finds the files of a request, sorted within each directory, each once. In directories it finds
 * the files of these kinds at every depth, except in `node_modules` and in folders whose name
 * starts with a dot. Symbolic links to directories are not followed. A link to a file is followed if its
 * target is below the root or below the requested directory.
 * @throws {BadRequest} If a path does not exist or leads out of the root, or nothing is found and that is a fault.
 * @throws {TooManyFiles}
 */
export async function collectFiles(
  { paths, glob, expandsGlobs = false }: FileRequest,
  options: CollectOptions,
): Promise<FoundFile[]> {
  const collector = new Collector({ ...options, root: await realpath(options.root) });
  for (const path of paths) {
    if (expandsGlobs && (await collector.isPattern(path))) await collector.addPattern(path);
    else await collector.addPath(path);
  }
  if (glob !== undefined) await collector.addGlob(glob);
  const found = [...collector.found.values()];
  if (found.length === 0 && !options.mayBeEmpty) {
    const asked = [...paths, ...(glob === undefined ? [] : [glob])].join(", ");
    throw new BadRequest(`No ${kindsInWords} in ${asked}.`);
  }
  return found;
}

class Collector {
  /** By label. */
  readonly found = new Map<string, FoundFile>();
  readonly #options: CollectOptions;
  #visited = 0;

  constructor(options: CollectOptions) {
    this.#options = options;
  }

  async addPath(path: string): Promise<void> {
    // It would mean the root. In scripts it is a variable that is not set.
    if (path === "") throw new BadRequest("A path is empty; write . for this directory.");
    const { root, confined } = this.#options;
    let absolute = resolve(root, path);
    const real = await this.#existing(path, absolute);
    if (confined && !isWithin(root, real)) throw outside(path, root);
    // The path of the root may itself contain a link.
    if (!isWithin(root, absolute) && isWithin(root, real)) absolute = real;
    const folder = await stat(real).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (folder) {
      await this.#walk(real, real, absolute, null);
    } else if (confined && !isPolicyName(path)) {
      throw new BadRequest(`${path} is not a ${kindsInWords}.`);
    } else {
      await this.#addFile(absolute, await realpath(dirname(absolute)), true);
    }
  }

  /** Whether a path is a glob and not the name of a file with such characters. */
  async isPattern(path: string): Promise<boolean> {
    if (!/[*?{]/.test(path)) return false;
    const exists = await lstat(resolve(this.#options.root, path)).catch(() => null);
    return exists === null;
  }

  /**
   * Adds the files that a glob of the command line matches; unlike that of a request it may be absolute
   * or lead out of the root.
   */
  async addPattern(pattern: string): Promise<void> {
    const segments = (sep === "/" ? pattern : pattern.replaceAll(sep, "/")).split("/");
    const first = segments.findIndex((segment) => /[*?{]/.test(segment));
    const base = segments.slice(0, first).join("/");
    const folder = resolve(this.#options.root, base === "" && first > 0 ? "/" : base);
    const glob = compiled(segments.slice(first).join("/"));
    const real = await this.#existing(pattern, folder);
    let matched = false;
    await this.#walk(real, real, folder, (path) => {
      const matches = glob.matches(slashed(relative(folder, path)));
      matched ||= matches;
      return matches;
    });
    if (!matched) throw new BadRequest(`No ${kindsInWords} matches ${pattern}.`);
  }

  async addGlob(pattern: string): Promise<void> {
    const { root } = this.#options;
    const glob = compiled(pattern);
    const base = resolve(root, glob.base);
    const real = await realpath(base).catch(() => null);
    // A missing folder contains no files, and the base of a glob must not be a link out of the root.
    if (real !== null && isWithin(root, real)) {
      await this.#walk(real, real, base, (path) => glob.matches(this.#labelOf(path)));
    }
  }

  async #existing(path: string, absolute: string): Promise<string> {
    try {
      return await realpath(absolute);
    } catch (error) {
      const code = codeOf(error);
      const { root, confined } = this.#options;
      if (confined && !isWithin(root, absolute)) throw outside(path, root);
      // A broken link exists but its target does not: report it as a file that cannot be read.
      const exists = await lstat(absolute).catch(() => null);
      if (exists && code === "ENOENT") return absolute;
      throw new BadRequest(
        code === "ENOENT" ? `${path} does not exist.` : `${path} cannot be opened (${code}).`,
      );
    }
  }

  /**
   * @param real Folder to read.
   * @param within Targets of links must be below this folder or below the root.
   * @param shown The same folder, as named in the request.
   */
  async #walk(
    real: string,
    within: string,
    shown: string,
    matches: ((path: string) => boolean) | null,
  ): Promise<void> {
    for (const entry of await this.#entriesOf(real, shown)) {
      const { name } = entry;
      const path = join(shown, name);
      if (entry.isDirectory()) {
        if (!isSkippedFolder(name)) await this.#walk(join(real, name), within, path, matches);
      } else if (isPolicyName(name) && (!matches || matches(path))) {
        if (!this.#options.except?.includes(path)) await this.#addFile(path, within, false);
      }
    }
  }

  async #entriesOf(real: string, shown: string): Promise<Dirent[]> {
    this.#options.signal?.throwIfAborted();
    let entries: Dirent[];
    try {
      entries = await readdir(real, { withFileTypes: true });
    } catch (error) {
      this.#add({
        label: `${this.#labelOf(shown) || "."}/`,
        path: null,
        fault: `The directory cannot be read (${codeOf(error)})`,
        place: shown,
        named: false,
      });
      return [];
    }
    this.#visited += entries.length;
    if (this.#visited > maxVisited) {
      throw new TooManyFiles(`there are more than ${maxVisited} directory entries to search`);
    }
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async #addFile(place: string, within: string, named: boolean): Promise<void> {
    const { root, maxFiles } = this.#options;
    const label = this.#labelOf(place);
    const known = this.found.get(label);
    if (known) {
      if (named) this.#add({ ...known, named });
      return;
    }
    const found = { label, place, named };
    if (this.found.size >= maxFiles)
      throw new TooManyFiles(`there are more than ${maxFiles} files`);
    let real: string;
    try {
      real = await realpath(place);
      if (!isWithin(within, real) && !isWithin(root, real)) {
        const fault = "A symbolic link that leads out of the directory";
        this.#add({ ...found, path: null, fault });
      } else if ((await stat(real)).isFile()) {
        this.#add({ ...found, path: real });
      } else if (!(await stat(real)).isDirectory()) {
        this.#add({ ...found, path: null, fault: "Not a regular file" });
      }
    } catch (error) {
      const reason = codeOf(error) === "ENOENT" ? "its target does not exist" : codeOf(error);
      this.#add({ ...found, path: null, fault: `The file cannot be opened (${reason})` });
    }
  }

  #add(file: FoundFile): void {
    this.found.set(file.label, file);
  }

  #labelOf(path: string): string {
    const { root } = this.#options;
    return slashed(isWithin(root, path) ? relative(root, path) : path);
  }
}

function slashed(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

function outside(path: string, root: string): BadRequest {
  return new BadRequest(
    `${path} is outside ${root}. Only files below that directory can be read; use --root to choose another.`,
  );
}

function compiled(pattern: string): Glob {
  try {
    return compileGlob(pattern);
  } catch (error) {
    if (!(error instanceof BadGlob)) throw error;
    throw new BadRequest(`The glob cannot be used: ${error.message}.`);
  }
}

/** Whether a path is a folder or below it. Both must be without links. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The code of an error of the file system, such as `EACCES`, for a message. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
}
