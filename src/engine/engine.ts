import type { ConfigException } from "../../spec/suppression.ts";
import { defaultTypeGlobs } from "../policy/default-type-globs.ts";
import { typeByLabel } from "../policy/type-globs.ts";
import type { ServiceData } from "../services/model.ts";
import { compileExceptions } from "./exceptions.ts";
import type { Registry } from "./registry.ts";
import type { Engine, EngineSettings } from "./types.ts";

/** Builds the engine for `validatePolicy`, once per process. */
export function createEngine(
  config: {
    readonly settings: EngineSettings;
    readonly policy_types: Parameters<typeof typeByLabel>[0];
    readonly exceptions?: readonly ConfigException[];
  },
  registry: Registry,
  services: ServiceData,
  onCheckError: Engine["onCheckError"],
): Engine {
  return {
    registry,
    settings: config.settings,
    typeByConfig: typeByLabel(config.policy_types),
    typeByName: typeByLabel(defaultTypeGlobs),
    services,
    exceptions: compileExceptions(config.exceptions ?? []),
    now: Date.now,
    onCheckError,
  };
}
