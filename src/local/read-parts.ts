import { extname } from "node:path";
import { isBarePolicy, type Opened, openText } from "../containers/open.ts";
import { splitDocuments } from "../containers/split-documents.ts";
import type { Unknowns } from "../containers/unknowns.ts";
import type { Origin } from "../json/text-tree.ts";
import { parseDocument } from "../policy/document.ts";
import type { PolicyDocument } from "../policy/model.ts";

/** One version of a file. */
export interface FileVersion {
  readonly label: string;
  /** Texts of the other Terraform files of its folder. */
  readonly neighbours?: readonly string[];
  /** Shared by the versions that are compared. */
  readonly unknowns?: Unknowns | undefined;
  /** Maximum size of one policy. */
  readonly maxFileBytes: number;
}

/** One document of a file: a template, plan or answer that holds policies, or anything else. */
export type ReadPart = { readonly text: string } & (
  | { readonly container: Opened; readonly document: PolicyDocument | null }
  | { readonly container: null; readonly document: PolicyDocument }
);

/** Reads the documents of a file. */
export async function readFileParts(
  parts: ReturnType<typeof partsOf>,
  version: FileVersion,
): Promise<ReadPart[]> {
  const read: ReadPart[] = [];
  for (const part of parts) read.push(await readPart(part, version));
  return read;
}

async function readPart(
  part: ReturnType<typeof partsOf>[number],
  { label, neighbours = [], unknowns, maxFileBytes }: FileVersion,
): Promise<ReadPart> {
  const { text, origin } = part;
  const about = { name: label, neighbours, ...part };
  // A text over the limit for policies can only be a container: it is parsed once, as 10 MB take time.
  const large = text.length > maxFileBytes ? await openText(about, unknowns) : null;
  if (large) return { container: large, document: null, text };
  const document = await parseDocument(text, origin);
  const isBare = isBarePolicy(document.raw, text, label);
  return { container: isBare ? null : await openText(about, unknowns), document, text };
}

/** The templates, plans and answers of a file. */
export function containersOf(read: readonly ReadPart[]): readonly Opened[] {
  return read.flatMap(({ container }) => container ?? []);
}

/** The documents of a file's text, with their positions. */
export function partsOf(label: string, text: string): ReturnType<typeof splitDocuments> {
  const isWhole = [".json", ".tf", ".tofu", ".hcl"].includes(extname(label).toLowerCase());
  return isWhole ? [{ text, origin: wholeFile }] : splitDocuments(text);
}

const wholeFile: Origin = { line: 0, offset: 0 };
