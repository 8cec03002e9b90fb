import type { Node } from "web-tree-sitter";
import type { PolicyType } from "../../../spec/policy.ts";
import { type Block, fileBlocks, textOf } from "./blocks.ts";
import { hasTooMuchSpace, withTree } from "./parser.ts";
import { isMerged } from "./reasons.ts";
import { Users } from "./users.ts";

/** A policy in another file that an argument of a Terraform module reads. */
export interface FileUse {
  /** Path relative to the module's folder. Null is a part that is not known, and `**` one with folders. */
  readonly path: readonly (string | null)[];
  readonly policyType: PolicyType;
  /** Of the argument: `aws_iam_policy.deploy.policy`. */
  readonly address: string;
}

/** What has a reference to another file in it. */
export const mayReadFiles = /\b(?:file|templatefile|local_file)\b/;

const textSource = String.raw`"(?:[^"$\\\n]|\$\{[^{}\n]*\})+"`;
const nameSource = String.raw`(?:path|each|local)\.[\p{ID_Continue}-]+`;
const call = new RegExp(
  String.raw`\b(?:file|templatefile)\s*\(\s*(${textSource}|${nameSource})`,
  "gu",
);
const fileset = new RegExp(
  String.raw`\bfileset\s*\(\s*(${textSource}|${nameSource})\s*,\s*(${textSource})\s*\)`,
  "gu",
);
const localName = /\blocal\.([\p{ID_Continue}-]+)/gu;
const dataName = /\bdata\.(template_file|local_file)\.([\p{ID_Continue}-]+)/gu;

/** Data sources that read a file, and the argument that has its path. */
const readers: Readonly<Record<string, string | undefined>> = {
  template_file: "template",
  local_file: "filename",
};

/** @returns The files that the texts of one Terraform module read as policies, each with the type of its use. */
export async function fileUsesIn(texts: readonly string[]): Promise<FileUse[]> {
  const text = texts.join("\n");
  // Such a file is reported where its own policies are read.
  if (hasTooMuchSpace(text)) return [];
  return withTree(text, ({ rootNode }) => {
    const blocks = [...fileBlocks(rootNode, text)];
    const users = new Users(text, blocks);
    const paths = new Paths(text, blocks);
    const uses: FileUse[] = [];
    const add = (expression: Node, block: Block | null, use: Omit<FileUse, "path">) => {
      for (const path of paths.of(expression, block)) uses.push({ path, ...use });
    };
    for (const block of blocks) {
      for (const { attribute, address, policyType } of users.argumentsOf(block)) {
        if (policyType === null) continue;
        for (const { expression } of users.follow(attribute.expression, block)) {
          add(expression, block, { policyType, address });
        }
      }
      const [source, name = ""] = block.labels;
      if (source !== "aws_iam_policy_document") continue;
      const address = `data.aws_iam_policy_document.${name}`;
      for (const { expression } of [...block.attributes.values()].filter(isMerged)) {
        for (const { policyType } of users.of(name)) {
          if (policyType !== null) add(expression, block, { policyType, address });
        }
      }
    }
    return uses;
  });
}

type Path = FileUse["path"];

/** Finds the paths in expressions. */
class Paths {
  readonly #text: string;
  readonly #locals = new Map<string, string>();
  /** By `template_file.name`. */
  readonly #data = new Map<string, readonly Path[]>();

  constructor(text: string, blocks: readonly Block[]) {
    this.#text = text;
    for (const { type, attributes } of blocks) {
      if (type !== "locals") continue;
      for (const { name, expression } of attributes.values()) {
        this.#locals.set(name, textOf(expression, text));
      }
    }
    for (const { type, labels, attributes } of blocks) {
      const [source = "", name = ""] = labels;
      const argument = type === "data" ? attributes.get(readers[source] ?? "") : undefined;
      if (!argument) continue;
      const written = textOf(argument.expression, text);
      this.#data.set(
        `${source}.${name}`,
        this.#called(source === "local_file" ? `file(${written})` : written, []),
      );
    }
  }

  /** @returns The paths of the files that an expression reads. */
  of(expression: Node, block: Block | null): readonly Path[] {
    const written = textOf(expression, this.#text);
    const each = block?.attributes.get("for_each");
    const entries =
      each && /\beach\./.test(written) ? this.#withLocals(textOf(each.expression, this.#text)) : "";
    const sets = [...entries.matchAll(fileset)].flatMap(([, folder = "", glob = ""]) =>
      knownOf(this.#parts(`"${this.#inText(folder)}/${unquoted(glob)}"`)),
    );
    const called = this.#called(written, sets);
    const found = called.length > 0 ? called : this.#called(entries, sets);
    const data = [...written.matchAll(dataName)].flatMap(
      ([, source, name]) => this.#data.get(`${source}.${name}`) ?? [],
    );
    return [...found, ...data];
  }

  /** @param sets Paths of the files that the entries of `for_each` are. */
  #called(written: string, sets: readonly Path[]): readonly Path[] {
    const paths: Path[] = [];
    let isEntry = false;
    for (const [, path = ""] of written.matchAll(call)) {
      const known = knownOf(this.#parts(path));
      paths.push(...known);
      // An entry of `fileset` may have folders in it.
      isEntry ||= !known.some((one) => one.at(-1) !== null);
    }
    return isEntry ? [...paths, ...sets] : paths;
  }

  /** An expression with those of the locals that it refers to. */
  #withLocals(written: string, seen: Set<string> = new Set()): string {
    const parts = [written];
    for (const [, name = ""] of written.matchAll(localName)) {
      const local = this.#locals.get(name);
      if (local === undefined || seen.has(name) || seen.size >= 10) continue;
      seen.add(name);
      parts.push(this.#withLocals(local, seen));
    }
    return parts.join("\n");
  }

  #inText(argument: string): string {
    return argument.startsWith('"') ? unquoted(argument) : `\${${argument}}`;
  }

  #parts(argument: string): Path {
    const path = this.#inText(argument)
      .replaceAll(/\$\{\s*local\.([\p{ID_Continue}-]+)\s*\}/gu, (all, name: string) => {
        const local = this.#locals.get(name) ?? "";
        return /^"[^"\n]*"$/.test(local) ? unquoted(local) : all;
      })
      // The root module and the working folder are nearly always the module's folder.
      .replace(/^\$\{\s*path\.(?:module|root|cwd)\s*\}\/*/, "")
      .replace(/^(?:\.\/)+/, "");
    return path
      .split(/(\$\{[^{}]*\}|\*+)/)
      .filter((part) => part !== "")
      .map((part) => (part.startsWith("${") || part === "*" ? null : part));
  }
}

const unquoted = (text: string) => text.slice(1, -1);

/** @returns The path; none if neither a folder nor the name or kind of the file is known. */
function knownOf(path: Path): Path[] {
  const known = path.filter((part) => part !== null).join("");
  const ending = known.search(/\.\w+$/);
  const isNamed = ending >= 0 && /[\p{L}\d]/u.test(known.slice(0, ending));
  return isNamed || /[\p{L}\d]\/|\.json$/iu.test(known) ? [path] : [];
}
