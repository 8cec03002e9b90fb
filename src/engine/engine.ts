import type { ResolvedConfig } from "../config/resolved.ts";
import { defaultTypeGlobs } from "../policy/default-type-globs.ts";
import { typeByLabel } from "../policy/type-globs.ts";
import type { ServiceData } from "../services/model.ts";
import type { Registry } from "./registry.ts";
import type { Engine } from "./run.ts";

/** Puts together what `validatePolicy` works with, once per process. */
export function createEngine(
  config: Pick<ResolvedConfig, "settings" | "policy_types">,
  registry: Registry,
  services: ServiceData,
  onCheckError: Engine["onCheckError"],
): Engine {
  return {
    registry,
    settings: config.settings,
    typeByLabel: typeByLabel([...config.policy_types, ...defaultTypeGlobs]),
    services,
    onCheckError,
  };
}
