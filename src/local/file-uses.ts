import { dirname, resolve, sep } from "node:path";
import type { PolicyType } from "../../spec/policy.ts";
import { isTerraform } from "../containers/source.ts";
import { type FoundFile, isWithin } from "./collect-files.ts";
import { textsIn } from "./terraform-folder.ts";

/** A module reads policies from its own folder or from folders in it, rarely deeper than this. */
const maxLevels = 4;

/** Finds the type of a policy file by its use in Terraform: `policy = file("deploy.json")`. */
export class FileUses {
  readonly #base: string | undefined;
  /** Folders of the Terraform files that are validated, which may refer to files anywhere. */
  readonly #folders: ReadonlySet<string>;
  readonly #paths: ReadonlySet<string>;
  readonly #uses = new Map<string, Promise<readonly Use[]>>();

  /** @param base Folders above this one are not read; absent: only the file's own folder is. */
  constructor(files: readonly FoundFile[], base: string | undefined) {
    this.#base = base;
    this.#paths = new Set(files.flatMap(({ path }) => path ?? []));
    this.#folders = new Set(
      files.flatMap(({ path }) => (path !== null && isTerraform(path) ? [dirname(path)] : [])),
    );
  }

  /** @returns The policy type that all uses of a file agree on, those with its full path first; null: none. */
  async typeOf(path: string | null): Promise<PolicyType | null> {
    if (path === null || isTerraform(path)) return null;
    const folders = new Set([...this.#around(path), ...this.#folders]);
    const matching: Use[] = [];
    for (const folder of folders) {
      for (const use of await this.#usesOf(folder)) if (use.matches(path)) matching.push(use);
    }
    const exact = matching.filter(({ file }) => file !== null);
    const types = new Set((exact.length > 0 ? exact : matching).map(({ type }) => type));
    const [only = null] = types;
    return types.size === 1 ? only : null;
  }

  /**
   * @returns The arguments of a Terraform file's module that only read files which are validated themselves,
   * and how many.
   */
  async validatedFor(path: string | null): Promise<ReadonlyMap<string, number>> {
    if (path === null || !isTerraform(path)) return new Map();
    const uses = await this.#usesOf(dirname(path));
    const covered = new Map<string, number>();
    for (const [address, all] of Map.groupBy(uses, (use) => use.address)) {
      const isWhole = all.every(({ file }) => file !== null && this.#paths.has(file));
      if (isWhole) covered.set(address, all.length);
    }
    return covered;
  }

  #around(path: string): string[] {
    const folders = [dirname(path)];
    for (let level = 1; level < maxLevels; level++) {
      const folder = dirname(folders.at(-1) ?? path);
      if (this.#base === undefined || !isWithin(this.#base, folder)) break;
      folders.push(folder);
    }
    return folders;
  }

  #usesOf(folder: string): Promise<readonly Use[]> {
    const known = this.#uses.get(folder);
    if (known) return known;
    const uses = readUses(folder);
    this.#uses.set(folder, uses);
    return uses;
  }
}

interface Use {
  readonly type: PolicyType;
  readonly address: string;
  /** Null: parts of the path are not known. */
  readonly file: string | null;
  matches(path: string): boolean;
}

async function readUses(folder: string): Promise<readonly Use[]> {
  const texts = [...(await textsIn(folder)).values()];
  const { fileUsesIn, mayReadFiles } = await import("../containers/hcl/file-uses.ts");
  if (!texts.some((text) => mayReadFiles.test(text))) return [];
  const uses = await fileUsesIn(texts);
  return uses.map(({ path, policyType: type, address }) => {
    if (!path.some((part) => part === null || part === "**")) {
      const file = resolve(folder, path.join(""));
      return { type, address, file, matches: (other) => other === file };
    }
    const start = `${folder}${sep}`;
    return {
      type,
      address,
      file: null,
      matches: (other) => other.startsWith(start) && hasParts(other.slice(start.length), path),
    };
  });
}

/**
 * Whether a text has the parts in this order and nothing else. An unknown part is in one segment of the path, since it
 * is usually a name. Takes as many steps as there are parts, times the length of the text: as a regular expression,
 * many unknown parts took years.
 */
function hasParts(text: string, parts: readonly (string | null)[]): boolean {
  let ends = new Set([0]);
  for (const part of parts) {
    const isUnknown = part === null || part === "**";
    ends = isUnknown ? endsOfUnknown(text, ends, part) : endsOf(text, ends, part);
    if (ends.size === 0) return false;
  }
  return ends.has(text.length);
}

/** @returns Where a known part may end, if it may begin at these places. */
function endsOf(text: string, starts: ReadonlySet<number>, part: string): Set<number> {
  const found = [...starts].filter((start) => text.startsWith(part, start));
  return new Set(found.map((start) => start + part.length));
}

/** @param part Null: it has a character and no separator. `**`: it may be empty, and have folders in it. */
function endsOfUnknown(text: string, starts: ReadonlySet<number>, part: "**" | null): Set<number> {
  const ends = new Set<number>();
  let isOpen = false;
  for (let at = 0; at <= text.length; at++) {
    if (part === "**") {
      isOpen ||= starts.has(at);
      if (isOpen) ends.add(at);
      continue;
    }
    if (isOpen) ends.add(at);
    isOpen = (isOpen || starts.has(at)) && !/[\\/\\]/.test(text.charAt(at));
  }
  return ends;
}
