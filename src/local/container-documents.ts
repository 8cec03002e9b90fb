import type { Finding } from "../../spec/finding.ts";
import type { PolicyType } from "../../spec/policy.ts";
import type { Opened } from "../containers/open.ts";
import type { PlaceIn, PlacePairs } from "../containers/pair-places.ts";
import { isTerraform } from "../containers/source.ts";
import type { Place } from "../containers/types.ts";
import { type BatchResult, resultOf } from "../engine/batch.ts";
import { validatePolicy } from "../engine/run.ts";
import type { Engine } from "../engine/types.ts";
import {
  type ContainerResult,
  validateContainer,
  validateRemoved,
} from "../engine/validate-container.ts";

/** The file that holds a container. */
export interface ContainerFile {
  /** As shown. */
  readonly label: string;
  /** Name for patterns of the config and for fingerprints. */
  readonly name: string;
  /** Declared by the caller, for places that do not say their type. */
  readonly declaredType: PolicyType | null;
  /** By the use of the file, for the same places; null or absent: not known. */
  readonly usedAs?: PolicyType | null;
  /** Index of the document in the file; null: the file has only one. */
  readonly document: number | null;
  /** Arguments whose documents are in other files of the run, and how many those are. */
  readonly readElsewhere?: ReadonlyMap<string, number>;
  /** The places of the earlier version of the file; null or absent: nothing is compared. */
  readonly pairs?: PlacePairs | null;
  /** Compare also policies that are new in the file. Default: false. */
  readonly asksOfNew?: boolean;
}

/** The result for one policy of a container in a file. */
export interface ContainerDocument extends BatchResult {
  readonly was_checked: boolean;
}

/**
 * Validates the policies of a template, plan or answer in a file.
 * @returns One result for each, or one that says that there is none; nothing for a Terraform file
 * without policies, because most have none.
 * @throws As `validatePolicy`.
 */
export async function containerDocuments(
  given: Opened,
  file: ContainerFile,
  engine: Engine,
  signal?: AbortSignal,
): Promise<ContainerDocument[]> {
  const { label, readElsewhere = new Map(), pairs = null, asksOfNew = false } = file;
  const validated: ContainerDocument[] = [];
  const opened = { ...given, places: withoutRead(given.places, readElsewhere) };
  if (opened.places.length === 0 && isTerraform(label)) return validated;
  const input = { ...inputOf(file), opened, pairs, asksOfNew };
  for await (const one of validateContainer(input, engine, validatePolicy, signal)) {
    validated.push(documentOf(one, label));
  }
  return validated;
}

/**
 * What the removal of policies from a file allows.
 * @returns One result for each that only set limits.
 * @throws As `validatePolicy`.
 */
export async function removedDocuments(
  removed: readonly PlaceIn[],
  file: ContainerFile,
  engine: Engine,
  signal?: AbortSignal,
): Promise<ContainerDocument[]> {
  const validated: ContainerDocument[] = [];
  const results = validateRemoved(removed, inputOf(file), engine, validatePolicy, signal);
  for await (const one of results) validated.push(documentOf(one, file.label));
  return validated;
}

function inputOf({ name, declaredType, usedAs = null, document }: ContainerFile) {
  return { name, label: name, declaredType, usedAs, entry: document ?? 0 };
}

function documentOf(
  { validated, unwrapped }: ContainerResult<Finding>,
  label: string,
): ContainerDocument {
  return {
    ...resultOf(validated, { name: label, label }),
    // A place that is not read has a finding that says so, and does not fail the run.
    was_checked: validated.was_checked || unwrapped.state === "not_read",
    unwrapped,
  };
}

/** The places without those that are reported with the file that they read. */
function withoutRead(
  places: readonly Place[],
  readElsewhere: ReadonlyMap<string, number>,
): readonly Place[] {
  if (readElsewhere.size === 0) return places;
  const unread = Map.groupBy(places, ({ state, address }) =>
    state === "not_read" && readElsewhere.has(address) ? address : null,
  );
  return places.filter(({ state, address }) => {
    if (state !== "not_read") return true;
    // One more place than files has another value, such as a variable.
    const files = readElsewhere.get(address);
    return files === undefined || unread.get(address)?.length !== files;
  });
}
