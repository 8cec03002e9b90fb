import type { CheckContext } from "../../engine/check.ts";
import type { Action, Service } from "../../services/model.ts";
import { snippet } from "../shared/texts.ts";

const fallback = ["arn:aws:s3:::example-bucket", "arn:aws:s3:::example-bucket/reports/*"];

/** @returns a `Resource` of the kind that the first known action takes. */
export function exampleResource(
  actions: readonly string[],
  { match }: Pick<CheckContext, "match">,
): string {
  for (const text of actions) {
    const meaning = match(text);
    if (meaning.kind !== "action" && meaning.kind !== "pattern") continue;
    const candidates = meaning.kind === "action" ? [meaning.action] : meaning.actions;
    const arn = arnOf(candidates, meaning.service);
    if (arn) return snippet({ Resource: arn });
  }
  return snippet({ Resource: fallback });
}

function arnOf(actions: readonly Action[], service: Service): string | undefined {
  for (const { resourceTypes } of actions) {
    for (const name of resourceTypes) {
      const [format] = service.resourceType(name)?.arnFormats ?? [];
      if (format) return fillFormat(format);
    }
  }
  return undefined;
}

const samples: ReadonlyMap<string, string> = new Map([
  ["Partition", "aws"],
  ["Region", "eu-central-1"],
  ["Account", "111122223333"],
]);

/** `arn:${Partition}:kms:${Region}:${Account}:key/${KeyId}` with samples, other parts by their names. */
function fillFormat(format: string): string {
  return format.replace(/\$\{([^}]*)\}/g, (_, name: string) => samples.get(name) ?? name);
}
