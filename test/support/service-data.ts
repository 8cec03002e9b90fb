import { createHash } from "node:crypto";
import { asciiLower, byCodePoint } from "../../src/ascii.ts";
import { type AwsServiceDefinition, factsFromDefinition } from "../../src/services/definition.ts";
import type { Service, ServiceData } from "../../src/services/model.ts";
import { compileService } from "../../src/services/service.ts";

/**
 * Service data from definitions in the layout of the AWS service reference, all in memory.
 * @throws {z.ZodError} When a definition does not have that layout.
 */
export function serviceDataFrom(
  definitions: Iterable<AwsServiceDefinition>,
  options: { readonly date: string },
): ServiceData {
  const digest = createHash("sha256");
  const services = new Map<string, Service>();
  for (const definition of definitions) {
    digest.update(JSON.stringify(definition));
    const service = compileService(factsFromDefinition(definition));
    services.set(service.prefix, service);
  }
  return {
    source: "directory",
    date: options.date,
    hash: digest.digest("hex"),
    prefixes: [...services.keys()].sort(byCodePoint),
    get: (prefix) => services.get(asciiLower(prefix)),
    load: async () => {},
    warmUp: async () => {},
  };
}
