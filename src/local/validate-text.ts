import { extname } from "node:path";
import type { PolicyType } from "../../spec/policy.ts";
import { isBarePolicy, type Opened, openText } from "../containers/open.ts";
import { splitDocuments } from "../containers/split-documents.ts";
import { resultOf } from "../engine/batch.ts";
import { validatePolicy } from "../engine/run.ts";
import type { Engine } from "../engine/types.ts";
import { countSeverities } from "../engine/verdict.ts";
import type { Origin } from "../json/text-tree.ts";
import { parseDocument } from "../policy/document.ts";
import type { PolicyDocument } from "../policy/model.ts";
import type { Runtime } from "../runtime.ts";
import { containerDocuments } from "./container-documents.ts";
import { mayHavePolicy } from "./may-have-policy.ts";
import { isPolicyShaped, mentionsPolicy } from "./policy-shape.ts";
import { tooLarge } from "./read-text.ts";
import { unparsed, unread, type ValidatedDocument } from "./validated-document.ts";

/** A file, or one document of it, that a search found and that is not a policy. */
export interface SkippedFile {
  readonly file: string;
  /** Index in the file, from 0. Null: the file has only one document. */
  readonly document: number | null;
  /** Why, as in "it is not a policy". */
  readonly reason: string;
}

/** The request has more documents than allowed. */
export class TooManyDocuments extends Error {
  override name = "TooManyDocuments";
}

/** The text of a file, and of its earlier version. */
export interface FileText {
  readonly label: string;
  /** Name for patterns of the config and for fingerprints. Default: the label. */
  readonly name?: string;
  /** Absolute path of the file as named. Null or absent: no file. */
  readonly place?: string | null;
  /** Texts of the other Terraform files of its folder. */
  readonly neighbours?: readonly string[];
  /** Policy type by the use of the file in Terraform; null or absent: not known. */
  readonly usedAs?: PolicyType | null;
  /** Arguments of a Terraform file whose documents are in other files of the run, and how many those are. */
  readonly readElsewhere?: ReadonlyMap<string, number>;
  /** False: the text is skipped if it is not a policy. */
  readonly named?: boolean;
  readonly text: string;
  /** Null or absent: there is none. */
  readonly baseline?: string | null;
}

export interface ValidateTextOptions {
  readonly declaredType: PolicyType | null;
  /** Maximum size of one policy; a larger one gets a finding. */
  readonly maxFileBytes: number;
  readonly maxDocuments: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called for each file, or document, that was found in a directory or by a glob and is not a policy;
   * it is not validated. Absent: all files are validated.
   */
  readonly onSkip?: ((skipped: SkippedFile) => void) | undefined;
}

/** Validates the text of one file, document by document. */
export async function validateText(
  file: FileText,
  runtime: Runtime,
  options: ValidateTextOptions,
): Promise<ValidatedDocument[]> {
  const { label, text, baseline = null, named = true, place = null } = file;
  const { maxDocuments, maxFileBytes, onSkip } = options;
  if (!named && onSkip && !mayHavePolicy(text, label)) {
    onSkip({ file: label, document: null, reason: "it is not a policy" });
    return [];
  }
  const parts = partsOf(label, text);
  if (parts.length > maxDocuments) {
    throw new TooManyDocuments(
      `${label} has ${parts.length} documents; the limit is ${maxDocuments}`,
    );
  }
  const earlier = baseline === null ? [] : partsOf(label, baseline);
  const engine = place === null ? runtime.engine : engineOfFile(runtime.engine);
  const read: ReadPart[] = [];
  for (const part of parts) read.push(await readPart(part, file, maxFileBytes));
  const reasons = named || !onSkip ? besideContainers(read) : reasonsToSkip(read);
  const validated: ValidatedDocument[] = [];
  for (const [index, part] of read.entries()) {
    const document = parts.length === 1 ? null : index;
    const reason = reasons[index] ?? null;
    if (reason !== null) {
      onSkip?.({ file: label, document, reason });
      continue;
    }
    // The nth document of a file is compared with the nth.
    const before = earlier[index]?.text ?? null;
    validated.push(...(await validatePart(part, { file, document, before }, engine, options)));
  }
  return validated;
}

async function readPart(
  part: ReturnType<typeof partsOf>[number],
  { label, neighbours = [] }: FileText,
  maxFileBytes: number,
): Promise<ReadPart> {
  const { text, origin } = part;
  const about = { name: label, neighbours, ...part };
  // A text over the limit for policies can only be a container: it is parsed once, as 10 MB take time.
  const large = text.length > maxFileBytes ? await openText(about) : null;
  if (large) return { container: large, document: null, text };
  const document = await parseDocument(text, origin);
  const isBare = isBarePolicy(document.raw, text, label);
  return { container: isBare ? null : await openText(about), document, text };
}

interface PartPlace {
  readonly file: FileText;
  /** Index in the file. Null: the file has only one document. */
  readonly document: number | null;
  /** Its earlier version; null: there is none. */
  readonly before: string | null;
}

/** @returns one result for a policy; one for each policy of a container. */
async function validatePart(
  part: ReadPart,
  { file, document, before }: PartPlace,
  engine: Engine,
  { declaredType, maxFileBytes, signal }: ValidateTextOptions,
): Promise<readonly ValidatedDocument[]> {
  const { label, name = label, place = null, usedAs = null, text } = file;
  const { readElsewhere = new Map() } = file;
  const about = { file: label, document, place, text };
  if (part.container) {
    const input = { name, label, document, declaredType, usedAs, readElsewhere };
    const results = await containerDocuments(part.container, input, engine, signal);
    return results.map((one) => ({ ...one, ...about }));
  }
  const bytes = Buffer.byteLength(part.text);
  if (bytes > maxFileBytes) {
    return [unread({ label, place }, tooLarge(bytes, maxFileBytes), declaredType)];
  }
  const baseline = before === null ? null : await parseDocument(before);
  const input = { document: part.document, name, declaredType, label: name, usedAs, baseline };
  const validated = await validatePolicy(input, engine, signal);
  const isSilent = part.document.raw === undefined && validated.findings.length === 0;
  const findings = isSilent ? unparsed(label, part.document) : validated.findings;
  return [
    {
      ...resultOf(validated, { name: label, label }),
      ...about,
      was_checked: validated.was_checked,
      findings,
      severity_counts: countSeverities(findings),
    },
  ];
}

/** The name of a file is not a caller's claim, so the config's `filepath` patterns apply to it. */
export function engineOfFile(engine: Engine): Engine {
  return { ...engine, settings: { ...engine.settings, trust_policy_names: true } };
}

/** One document of a file: a template, plan or answer that holds policies, or anything else. */
type ReadPart = { readonly text: string } & (
  | { readonly container: Opened; readonly document: PolicyDocument | null }
  | { readonly container: null; readonly document: PolicyDocument }
);

/**
 * @returns Why each document of a file that a search found is not validated; null: it is a policy or
 * holds some. In a file with policies, a document that does not parse may be one.
 */
function reasonsToSkip(read: readonly ReadPart[]): (string | null)[] {
  const hasPolicy = read.some(({ document }) => isPolicyShaped(document?.raw));
  return read.map(({ document, container, text }) => {
    if (container) return container.places.length > 0 ? null : "it holds no policy";
    if (document.raw !== undefined) {
      return isPolicyShaped(document.raw) ? null : "it is not a policy";
    }
    return hasPolicy || mentionsPolicy(text) ? null : "it is not JSON or YAML";
  });
}

/**
 * @returns Why each document of a file that is named is not validated: beside manifests that hold policies, other
 *     manifests are none.
 */
function besideContainers(read: readonly ReadPart[]): (string | null)[] {
  if (!read.some(({ container }) => container !== null)) return [];
  return read.map(({ document, container }) =>
    container || document.raw === undefined || isPolicyShaped(document.raw)
      ? null
      : "it is not a policy",
  );
}

/** The documents of a file's text, with their positions. */
export function partsOf(label: string, text: string): ReturnType<typeof splitDocuments> {
  const isWhole = [".json", ".tf", ".tofu"].includes(extname(label).toLowerCase());
  return isWhole ? [{ text, origin: wholeFile }] : splitDocuments(text);
}

const wholeFile: Origin = { line: 0, offset: 0 };
