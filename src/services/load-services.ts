import { ToolError } from "../errors.ts";
import type { ServiceData } from "./model.ts";

/** Data of existing services could not be loaded. Without it, look-ups would report them as unknown. */
export class ServicesUnavailable extends Error {
  override name = "ServicesUnavailable";
}

/**
 * Loads services into memory for one call.
 * @throws {ToolError} `not_ready` if data could not be fetched: without it, existing services and
 * actions would be reported as unknown.
 * @throws The signal's reason when it fires.
 */
export async function loadServices(
  services: ServiceData,
  prefixes: Iterable<string>,
  signal?: AbortSignal,
): Promise<void> {
  try {
    await services.load(prefixes, signal);
  } catch (error) {
    if (!(error instanceof ServicesUnavailable)) throw error;
    throw new ToolError("not_ready", error.message);
  }
}
