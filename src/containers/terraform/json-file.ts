import type { PolicyType } from "../../../spec/policy.ts";
import { isRecord } from "../../record.ts";
import { documentAt, type Fill, shownPath } from "../document-at.ts";
import { fillInterpolations, placeholdersIn } from "../placeholders.ts";
import { notRead, objectPlace } from "../places.ts";
import type { Container, Place, PlaceFacts, Reading, Source } from "../types.ts";
import type { Unknowns } from "../unknowns.ts";
import { nodeAt, type Path, spanAt, valueAt } from "../values.ts";
import { organizationsType, type PolicyAttribute, policyAttributes } from "./attributes.ts";
import { DocumentRenderer } from "./rendered-document.ts";

/** Terraform's language in JSON syntax, as the CDK for Terraform writes it. */
export const terraformJson: Container = {
  kind: "terraform",
  recognises: ({ value }) =>
    isRecord(value) &&
    (hasAwsTypes(value.resource) || isRecord(valueAt(value, ["data", "aws_iam_policy_document"]))),
  read: (source, reading) => [...placesIn(source, reading)].slice(0, reading.maxPlaces),
};

function hasAwsTypes(resources: unknown): boolean {
  return (
    isRecord(resources) &&
    Object.entries(resources).some(([type, named]) => type.startsWith("aws_") && isRecord(named))
  );
}

function* placesIn(source: Source, reading: Reading): Generator<Place> {
  /** Types of the users of each data source. */
  const uses = new Map<string, Set<PolicyType>>();
  for (const [type, name, path] of blocksOf(source.value, "resource")) {
    for (const attribute of policyAttributes(type)) {
      for (const within of pathsOf(valueAt(source.value, path), attribute.path)) {
        const at = [...path, ...within];
        const policyType = typeOf(attribute, valueAt(source.value, [...path, "type"]));
        if (policyType === null) continue;
        const document = documentName(valueAt(source.value, at));
        if (document && isRecord(valueAt(source.value, ["data", documents, document]))) {
          uses.set(document, (uses.get(document) ?? new Set()).add(policyType));
          continue;
        }
        const address = `${type}.${name}.${shownPath(within)}`;
        const { service } = attribute;
        const facts = { address, policyType, service, resourceType: type };
        const place = placeAt(source, at, facts, reading);
        if (place) yield place;
      }
    }
  }
  for (const [type, name, path] of blocksOf(source.value, "data")) {
    if (type !== documents) continue;
    const types = [...(uses.get(name) ?? [null])];
    for (const policyType of types) {
      const place = documentPlace(source, path, name, policyType, reading);
      if (place) yield place;
    }
  }
}

const documents = "aws_iam_policy_document";

/** Blocks of one name can be in a list. */
function* blocksOf(file: unknown, section: string): Generator<[string, string, Path]> {
  const types = valueAt(file, [section]);
  for (const [type, named] of Object.entries(isRecord(types) ? types : {})) {
    for (const [name, block] of Object.entries(isRecord(named) ? named : {})) {
      const path = [section, type, name];
      if (isRecord(block)) yield [type, name, path];
      for (const index of Array.isArray(block) ? block.keys() : [])
        yield [type, name, [...path, index]];
    }
  }
}

function pathsOf(value: unknown, path: readonly string[], before: Path = []): Path[] {
  const [step, ...rest] = path;
  if (step === undefined) return [before];
  if (step === "[]" && Array.isArray(value)) {
    return value.flatMap((item, index) => pathsOf(item, rest, [...before, index]));
  }
  if (step === "[]") return pathsOf(value, rest, before);
  if (!isRecord(value) || !Object.hasOwn(value, step)) return [];
  return pathsOf(value[step], rest, [...before, step]);
}

function typeOf({ policyType }: PolicyAttribute, written: unknown): PolicyType | null {
  return policyType === "by type" ? organizationsType(written) : policyType;
}

function documentName(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const [, name] =
    /^\$\{data\.aws_iam_policy_document\.([\w-]+)(?:\[[^\]]*\])?\.(?:minified_)?json\}$/.exec(
      value,
    ) ?? [];
  return name ?? null;
}

function placeAt(
  source: Source,
  path: Path,
  facts: Omit<PlaceFacts, "path">,
  reading: Reading,
): Place | null {
  const value = valueAt(source.value, path);
  const [only] = typeof value === "string" ? placeholdersIn(value) : [];
  if (only && only.start === 0 && only.end === (value as string).length) {
    const shown = only.source.length > 100 ? `${only.source.slice(0, 97)}...` : only.source;
    const span = spanAt(source.root, path);
    // The CDK for Terraform writes calls such as `jsonencode({…})`.
    const reason = /^(?!(?:template)?file\()\w+\(/.test(shown)
      ? `The policy is the value of \`${shown}\`; functions are not evaluated in files of JSON syntax.`
      : `The value of \`${shown}\` is not in this file.`;
    return notRead({ ...facts, path }, reason, { form: "text", span });
  }
  const fill: Fill = (text, offsets) => fillInterpolations({ text, offsets }, reading.unknowns);
  return documentAt(source, path, facts, reading, fill);
}

function documentPlace(
  source: Source,
  path: Path,
  name: string,
  policyType: PolicyType | null,
  reading: Reading,
): Place | null {
  const address = `data.${documents}.${name}`;
  const root = nodeAt(source.root, path);
  const after = filledIn(valueAt(source.value, path), reading.unknowns, 0);
  const renderer = new DocumentRenderer(reading.unknowns);
  const rendered = renderer.render({ address, after, unknown: undefined, root });
  if (!rendered) return null;
  const facts = { address, path, policyType };
  const place = objectPlace(facts, { value: rendered.value, root: root && rendered.node });
  return { ...place, form: "blocks" };
}

/** A copy with tokens in place of what Terraform fills in. */
function filledIn(value: unknown, unknowns: Unknowns, level: number): unknown {
  if (typeof value === "string") {
    const text = value.replaceAll("&{", "$${");
    return fillInterpolations({ text, offsets: null }, unknowns).text;
  }
  if (typeof value !== "object" || value === null || level > 20) return value;
  if (Array.isArray(value)) return value.map((item) => filledIn(item, unknowns, level + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, filledIn(part, unknowns, level + 1)]),
  );
}
