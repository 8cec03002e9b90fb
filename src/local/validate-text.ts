import type { PolicyType } from "../../spec/policy.ts";
import type { PlaceIn, PlacePairs } from "../containers/pair-places.ts";
import { Unknowns } from "../containers/unknowns.ts";
import { resultOf } from "../engine/batch.ts";
import { validatePolicy } from "../engine/run.ts";
import type { Engine } from "../engine/types.ts";
import { countSeverities } from "../engine/verdict.ts";
import type { Runtime } from "../runtime.ts";
import { containerDocuments, removedDocuments } from "./container-documents.ts";
import { compareWith, type EarlierText } from "./earlier-text.ts";
import { mayHavePolicy } from "./may-have-policy.ts";
import { isPolicyShaped, mentionsPolicy } from "./policy-shape.ts";
import { partsOf, type ReadPart, readFileParts } from "./read-parts.ts";
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
  /** Its earlier version; null or absent: there is none. */
  readonly baseline?: EarlierText | null;
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
  /** Ask also of a policy what it allows that is new in its file. Default: false. */
  readonly asksOfNew?: boolean;
  /** Called with the places that only the earlier version of a file has, if there are any. */
  readonly onRemoved?: ((file: string, removed: readonly PlaceIn[]) => void) | undefined;
}

/** Validates the text of one file, document by document. */
export async function validateText(
  file: FileText,
  runtime: Runtime,
  options: ValidateTextOptions,
): Promise<ValidatedDocument[]> {
  const { label, text, baseline = null, named = true, place = null } = file;
  const { maxDocuments, maxFileBytes, onSkip, signal, onRemoved } = options;
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
  const engine = place === null ? runtime.engine : engineOfFile(runtime.engine);
  const unknowns = new Unknowns();
  const read = await readFileParts(parts, { ...file, unknowns, maxFileBytes });
  const compared =
    baseline && (await compareWith(baseline, read, { label, unknowns, maxFileBytes }));
  const { earlier = null, pairs = null, removed = [] } = compared ?? {};
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
    const before = earlier && (earlier[index] ?? ("new" as const));
    const at = { file, document, before, pairs };
    validated.push(...(await validatePart(part, at, engine, options)));
  }
  if (removed.length > 0) {
    onRemoved?.(label, removed);
    const { name = label } = file;
    const { declaredType } = options;
    const gone = { label, name, document: null, declaredType };
    const documents = await removedDocuments(removed, gone, engine, signal);
    validated.push(
      ...documents.map((one) => ({ ...one, file: label, document: null, place, text })),
    );
  }
  return validated;
}

interface PartPlace {
  readonly file: FileText;
  /** Index in the file. Null: the file has only one document. */
  readonly document: number | null;
  /** Its earlier version; `new`: there is none; null: nothing is compared. */
  readonly before: ReadPart | "new" | null;
  /** The places of the whole file; null: nothing is compared. */
  readonly pairs: PlacePairs | null;
}

/** @returns one result for a policy; one for each policy of a container. */
async function validatePart(
  part: ReadPart,
  { file, document, before, pairs }: PartPlace,
  engine: Engine,
  { declaredType, maxFileBytes, signal, asksOfNew = false }: ValidateTextOptions,
): Promise<readonly ValidatedDocument[]> {
  const { label, name = label, place = null, usedAs = null, text } = file;
  const { readElsewhere = new Map() } = file;
  const about = { file: label, document, place, text };
  if (part.container) {
    const input = { name, label, document, declaredType, usedAs, readElsewhere, pairs, asksOfNew };
    const results = await containerDocuments(part.container, input, engine, signal);
    return results.map((one) => ({ ...one, ...about }));
  }
  const bytes = Buffer.byteLength(part.text);
  if (bytes > maxFileBytes) {
    return [unread({ label, place }, tooLarge(bytes, maxFileBytes), declaredType)];
  }
  // Where the earlier version is a template, the places in it are other policies.
  const earlier = before === null || before === "new" || before.container ? null : before.document;
  const isNew = before !== null && earlier === null && asksOfNew;
  const input = {
    ...{ document: part.document, name, declaredType, label: name, usedAs },
    baseline: earlier,
    comparison: isNew ? ({ kind: "new" } as const) : null,
  };
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
