import { asciiLower } from "../ascii.ts";
import { didYouMean, quote } from "../checks/shared/quote.ts";
import { ToolError } from "../errors.ts";
import { loadServices } from "../services/load-services.ts";
import type { Service, ServiceData } from "../services/model.ts";
import { suggestServices } from "../services/suggest.ts";

/** More than any service prefix has; a cut name is unknown, too. */
const longestName = 256;

/**
 * Loads the service that a query is about.
 * @throws {ToolError} `missing_parameter`, `unknown_service`.
 */
export async function serviceOf(
  input: { readonly kind: string; readonly service: string },
  services: ServiceData,
  signal: AbortSignal | undefined,
): Promise<Service> {
  if (input.service === "") throw missingParameter(input.kind, "service");
  // No service has so long a name, and a text of megabytes takes its time.
  const prefix = asciiLower(input.service.slice(0, longestName));
  await loadServices(services, [prefix], signal);
  const service = services.get(prefix);
  if (!service) {
    throw new ToolError(
      "unknown_service",
      `\`${input.kind}\`: the service ${quote(input.service)} is not in the reference data of ` +
        `${services.date}.${hint(suggestServices(services, prefix))}`,
    );
  }
  return service;
}

/** The tool error for a parameter that the kind needs and that is missing or empty. */
export function missingParameter(kind: string, field: string): ToolError {
  return new ToolError("missing_parameter", `The kind \`${kind}\` needs \`${field}\`.`);
}

/** @returns The sentence that asks whether one of these was meant, after a space; nothing for none. */
export function hint(near: readonly string[]): string {
  return near.length === 0 ? "" : ` ${didYouMean(near)}`;
}
