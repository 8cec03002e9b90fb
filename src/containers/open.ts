import { isRecord } from "../record.ts";
import { hasFunctions, isFragment } from "./cloudformation/fragment.ts";
import { recognise } from "./registry.ts";
import { readSource, type SourceText, valueSource } from "./source.ts";
import { splitDocuments } from "./split-documents.ts";
import { isTemplateText } from "./template-text.ts";
import type { Container, Place, Source } from "./types.ts";
import { markedPartly } from "./unknown-statements.ts";
import { Unknowns } from "./unknowns.ts";

/** Maximum number of places that one source is read for. */
const maxPlaces = 10_000;

/** A container with the places of its policies. */
export interface Opened {
  readonly source: Source;
  readonly container: Container;
  readonly unknowns: Unknowns;
  readonly places: readonly Place[];
}

/**
 * Takes the policies out of a template, plan, manifest or answer. Never throws because of its input.
 * @param unknowns Of another version of the text, so that equal values of both have equal tokens.
 * @returns null for a policy, and for everything that no container kind recognises.
 */
export async function openText(
  text: SourceText,
  unknowns: Unknowns = new Unknowns(),
): Promise<Opened | null> {
  return open(await readSource(text), unknowns);
}

/** Like {@link openText}, for a value given as an object. */
export async function openValue(value: unknown): Promise<Opened | null> {
  return open(valueSource(value), new Unknowns());
}

/**
 * Opens a text, or each YAML document of it, or a value.
 * @param name Of the file.
 * @param neighbours Texts of the other Terraform files of its folder.
 * @returns none for a policy and for what no container kind recognises.
 */
export async function openAll(
  input: unknown,
  name: string | null,
  neighbours: readonly string[] = [],
): Promise<readonly Opened[]> {
  if (typeof input !== "string") {
    const opened = await openValue(input);
    return opened ? [opened] : [];
  }
  const whole = await openText({ name, text: input, neighbours });
  if (whole) return [whole];
  const parts = splitDocuments(input);
  if (parts.length < 2) return [];
  const opened: Opened[] = [];
  for (const { text, origin } of parts) {
    const one = await openText({ name, text, origin });
    if (one) opened.push(one);
  }
  return opened;
}

async function open(source: Source, unknowns: Unknowns): Promise<Opened | null> {
  if (isPolicyShaped(source.value) && !isTemplateText(source) && !isFragment(source)) return null;
  const container = recognise(source);
  if (!container) return null;
  unknowns.nextVersion();
  const places: Place[] = [];
  for (const place of await container.read(source, { unknowns, maxPlaces })) {
    if (places.length >= maxPlaces) break;
    places.push(markedPartly(place, unknowns));
  }
  return { source, container, unknowns, places };
}

/** A function of a template: a member in JSON, a tag in YAML. */
const functionMark = /\bFn::|"Ref"|\bRef:|![A-Z]/;

/**
 * Whether an input is a policy and nothing around it, as most inputs are. A policy template is not, and
 * neither is a policy with functions of CloudFormation: they become values before AWS reads it.
 */
export function isBarePolicy(value: unknown, input: unknown, name: string | null): boolean {
  if (!isPolicyShaped(value)) return false;
  if (typeof input !== "string") return !hasFunctions(value);
  return !functionMark.test(input) && !isTemplateText({ name, text: input, value });
}

function isPolicyShaped(value: unknown): boolean {
  return isRecord(value) && Object.hasOwn(value, "Statement") && !Object.hasOwn(value, "Resources");
}
