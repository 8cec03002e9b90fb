import { relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { inPlaceOrder } from "../../engine/place-order.ts";
import { isWithin } from "../../local/collect-files.ts";
import { partsOf } from "../../local/read-parts.ts";
import type { ValidatedDocument } from "../../local/validated-document.ts";
import { artifactUri } from "../../reports/artifact-uri.ts";
import type { ReportPolicy, ReportSource } from "../../reports/types.ts";

/**
 * A validated document as reports show it; the number of a document in its file is part of the name.
 * @param base Absolute: the root of the repository, else the root of the run. Paths that other tools
 * look up are relative to it.
 */
export function reportPolicy(validated: ValidatedDocument, base: string | null): ReportPolicy {
  const { label, document, text, unwrapped } = validated;
  const part = document === null || text === null ? undefined : partsOf(label, text)[document];
  return {
    file: document === null ? label : `${label} (document ${document + 1})`,
    place: unwrapped ? placeOf(unwrapped) : null,
    source: sourceOf(validated, base),
    result: {
      ...validated,
      findings: inPlaceOrder(validated.findings, null),
      fails_policy: !validated.is_valid,
    },
    text,
    ...(part && { part: { text: part.text, offset: part.origin.offset } }),
  };
}

function placeOf({ label, source }: NonNullable<ValidatedDocument["unwrapped"]>): string {
  return source ? `${label} in ${source.file}:${source.line}` : label;
}

function sourceOf(
  { label, place }: ValidatedDocument,
  base: string | null,
): ReportSource | undefined {
  if (place === null) return undefined;
  if (base === null || !isWithin(base, place)) {
    return { path: label, repositoryPath: place, uri: pathToFileURL(place).href };
  }
  const path = relative(base, place).replaceAll(sep, "/");
  return { path: label, repositoryPath: path, uri: artifactUri(path, "file") };
}
