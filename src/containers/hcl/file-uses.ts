import type { PolicyType } from "../../../spec/policy.ts";
import { type Attribute, type Block, fileBlocks, textOf } from "./blocks.ts";
import { withTree } from "./parser.ts";
import { isMerged } from "./reasons.ts";
import { Users } from "./users.ts";

/** A policy in another file that an argument of a Terraform module reads. */
export interface FileUse {
  /** Path relative to the module's folder. Null in the list is a part that is not known. */
  readonly path: readonly (string | null)[];
  readonly policyType: PolicyType;
  /** Of the argument: `aws_iam_policy.deploy.policy`. */
  readonly address: string;
}

/** What has a reference to another file in it. */
export const mayReadFiles = /\b(?:file|templatefile|local_file)\b/;

const call = /\b(?:file|templatefile)\s*\(\s*"((?:[^"$\\\n]|\$\{[^{}\n]*\})+)"/g;
const dataName = /\bdata\.(template_file|local_file)\.([\p{ID_Continue}-]+)/gu;

/** Data sources that read a file, and the argument that has its path. */
const readers: Readonly<Record<string, string | undefined>> = {
  template_file: "template",
  local_file: "filename",
};

/** @returns The files that the texts of one Terraform module read as policies, each with the type of its use. */
export function fileUsesIn(texts: readonly string[]): Promise<FileUse[]> {
  const text = texts.join("\n");
  return withTree(text, ({ rootNode }) => {
    const blocks = [...fileBlocks(rootNode, text)];
    const users = new Users(text, blocks);
    const data = dataFiles(blocks, text);
    const uses: FileUse[] = [];
    const add = (
      { expression }: Pick<Attribute, "expression">,
      address: string,
      type: PolicyType | null,
    ) => {
      if (type === null) return;
      const written = textOf(expression, text);
      for (const path of [...pathsIn(written), ...referredIn(written, data)]) {
        uses.push({ path, policyType: type, address });
      }
    };
    for (const block of blocks) {
      for (const { attribute, address, policyType } of users.argumentsOf(block)) {
        for (const followed of users.follow(attribute.expression, block))
          add(followed, address, policyType);
      }
      const [source, name = ""] = block.labels;
      if (source !== "aws_iam_policy_document") continue;
      for (const attribute of [...block.attributes.values()].filter(isMerged)) {
        for (const { policyType } of users.of(name))
          add(attribute, `data.aws_iam_policy_document.${name}`, policyType);
      }
    }
    return uses;
  });
}

type Paths = FileUse["path"][];

function dataFiles(blocks: readonly Block[], text: string): ReadonlyMap<string, Paths> {
  const found = new Map<string, Paths>();
  for (const { type, labels, attributes } of blocks) {
    const [source = "", name = ""] = labels;
    const argument = type === "data" ? attributes.get(readers[source] ?? "") : undefined;
    if (!argument) continue;
    const written = textOf(argument.expression, text);
    const paths = pathsIn(source === "local_file" ? `file(${written})` : written);
    found.set(`${source}.${name}`, paths);
  }
  return found;
}

function referredIn(written: string, data: ReadonlyMap<string, Paths>): Paths {
  return [...written.matchAll(dataName)].flatMap(
    ([, source, name]) => data.get(`${source}.${name}`) ?? [],
  );
}

function pathsIn(written: string): Paths {
  return [...written.matchAll(call)].flatMap(([, path = ""]) => partsOf(path));
}

/** @returns One path, or none if nothing but the kind of the file is known. */
function partsOf(path: string): Paths {
  // The root module and the working folder are nearly always the module's folder where a path begins with them.
  const relative = path
    .replace(/^\$\{\s*path\.(?:module|root|cwd)\s*\}\/*/, "")
    .replace(/^(?:\.\/)+/, "");
  const parts = relative.split(/(\$\{[^{}]*\})/).filter((part) => part !== "");
  const known = parts.filter((part) => !part.startsWith("${")).join("");
  if (!/[\p{L}\d].*\.\w+$/u.test(known) && !/\.json$/i.test(known)) return [];
  return [parts.map((part) => (part.startsWith("${") ? null : part))];
}
