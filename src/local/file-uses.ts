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
  readonly #uses = new Map<string, Promise<readonly Use[]>>();

  /** @param base Folders above this one are not read; absent: only the file's own folder is. */
  constructor(files: readonly FoundFile[], base: string | undefined) {
    this.#base = base;
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
    const exact = matching.filter(({ isExact }) => isExact);
    const types = new Set((exact.length > 0 ? exact : matching).map(({ type }) => type));
    const [only = null] = types;
    return types.size === 1 ? only : null;
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
  /** The whole path is known. */
  readonly isExact: boolean;
  matches(path: string): boolean;
}

async function readUses(folder: string): Promise<readonly Use[]> {
  const texts = [...(await textsIn(folder)).values()];
  const { fileUsesIn, mayReadFiles } = await import("../containers/hcl/file-uses.ts");
  if (!texts.some((text) => mayReadFiles.test(text))) return [];
  const uses = await fileUsesIn(texts);
  return uses.map(({ path, policyType }) => {
    const isExact = !path.includes(null);
    if (isExact) {
      const whole = resolve(folder, path.join(""));
      return { type: policyType, isExact, matches: (other) => other === whole };
    }
    const pattern = patternOf(path);
    const start = `${folder}${sep}`;
    return {
      type: policyType,
      isExact,
      matches: (other) => other.startsWith(start) && pattern.test(other.slice(start.length)),
    };
  });
}

/** An unknown part is in one segment of the path, since it is usually a name. */
function patternOf(path: readonly (string | null)[]): RegExp {
  const source = path.map((part) =>
    part === null ? "[^/\\\\]+" : part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
  );
  return new RegExp(`^${source.join("")}$`);
}
