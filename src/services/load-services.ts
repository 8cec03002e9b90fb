import { ToolError } from "../errors.ts";
import type { ServiceData } from "./model.ts";

/** Services that exist but could not be had; without them every look-up would call them unknown. */
export class ServicesUnavailable extends Error {
  override name = "ServicesUnavailable";
}

/**
 * Brings services into memory for one call.
 * @throws {ToolError} `not_ready` when data that exists could not be fetched: a verdict without it
 * would call real services and actions unknown.
 * @throws the signal's reason when it fires.
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
