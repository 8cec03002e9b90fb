import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { resourceLines } from "../containers/hcl/resource-lines.ts";
import { isWithin } from "./collect-files.ts";
import { textsIn } from "./terraform-folder.ts";
import type { ValidatedDocument } from "./validated-document.ts";

/** `module.app["eu"].data.aws_iam_policy_document.read`: the modules, and the resource without its index. */
const resourceAddress =
  /^((?:module\.[\w-]+(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?\.)*)((?:data\.)?[a-z]\w*\.[\w-]+)/;
/** Folders of modules that are looked into for one plan. */
const maxFolders = 50;

/** The block of a resource: the `.tf` file and its line. */
type Block = NonNullable<NonNullable<ValidatedDocument["unwrapped"]>["source"]>;

export interface Plan {
  /** Absolute; null: it is no file. */
  readonly path: string | null;
  /** As reports show it: the files are named relative to the same folder. */
  readonly label: string;
  readonly text: string;
  /** Modules outside this folder are not read. Absent: the folder of the plan. */
  readonly base?: string | undefined;
}

/**
 * Adds to the policies of a plan or state where their resources are written, if the `.tf` files are beside it:
 * `terraform show -json` gives addresses, and people edit blocks. Modules are followed as far as their source
 * is a folder.
 */
export async function withSources(
  documents: readonly ValidatedDocument[],
  plan: Plan,
): Promise<readonly ValidatedDocument[]> {
  const isPlanned = documents.some(({ unwrapped }) => unwrapped && ofPlan(unwrapped.kind));
  if (plan.path === null || !isPlanned) return documents;
  const folders = new Folders(plan, dirname(plan.path));
  const found: ValidatedDocument[] = [];
  for (const one of documents) {
    const { unwrapped } = one;
    const source =
      unwrapped && ofPlan(unwrapped.kind) && (await folders.blockOf(unwrapped.address));
    found.push(source ? { ...one, unwrapped: { ...unwrapped, source } } : one);
  }
  return found;
}

function ofPlan(kind: string): boolean {
  return kind === "terraform_plan" || kind === "terraform_state";
}

/** The folders of a plan's modules, each read once. */
class Folders {
  readonly #plan: Plan;
  readonly #folder: string;
  readonly #blocks = new Map<string, Promise<ReadonlyMap<string, Block>>>();
  #root: unknown;

  constructor(plan: Plan, folder: string) {
    this.#plan = plan;
    this.#folder = folder;
  }

  async blockOf(address: string): Promise<Block | null> {
    const [, modules = "", resource = ""] = resourceAddress.exec(address) ?? [];
    const folder = this.#folderOf(namesOf(modules));
    if (folder === null || resource === "") return null;
    let blocks = this.#blocks.get(folder);
    if (!blocks) {
      if (this.#blocks.size >= maxFolders) return null;
      blocks = this.#read(folder);
      this.#blocks.set(folder, blocks);
    }
    return (await blocks).get(resource) ?? null;
  }

  /** @returns the module's folder, relative to the plan's; null if its source is not a folder. */
  #folderOf(modules: readonly string[]): string | null {
    let folder = ".";
    let module = modules.length > 0 ? this.#rootModule() : undefined;
    for (const name of modules) {
      const call = memberOf(memberOf(module, "module_calls"), name);
      const source = memberOf(call, "source");
      if (typeof source !== "string" || !/^\.\.?(?:\/|$)/.test(source)) return null;
      folder = join(folder, source);
      module = memberOf(call, "module");
    }
    return folder;
  }

  #rootModule(): unknown {
    if (this.#root === undefined) {
      try {
        this.#root = memberOf(
          memberOf(JSON.parse(this.#plan.text), "configuration"),
          "root_module",
        );
      } catch {
        // A plan that is not JSON was read as YAML; only its modules are not followed.
        this.#root = null;
      }
    }
    return this.#root;
  }

  async #read(folder: string): Promise<ReadonlyMap<string, Block>> {
    const { base = this.#folder, label } = this.#plan;
    const blocks = new Map<string, Block>();
    // A link must not lead to files that the run may not read.
    const real = await realpath(join(this.#folder, folder)).catch(() => null);
    const allowed = await realpath(base).catch(() => null);
    if (real === null || allowed === null || !isWithin(allowed, real)) return blocks;
    for (const [name, text] of await textsIn(real)) {
      for (const [resource, line] of await resourceLines(text)) {
        blocks.set(resource, { file: join(dirname(label), folder, basename(name)), line });
      }
    }
    return blocks;
  }
}

function namesOf(modules: string): string[] {
  return Array.from(modules.matchAll(/(?:^|\.)module\.([\w-]+)/g), ([, name = ""]) => name);
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
