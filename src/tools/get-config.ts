import { getConfig as contract } from "../../spec/tools/get-config.ts";
import { isJsonObject } from "../config/merge.ts";
import { implement } from "./tool.ts";

const secretKey = /secret|password|passwd|token|api_?key|private_?key|credential/i;

/** Custom checks take options of any shape; what looks like a secret is not for callers' eyes. */
export function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      secretKey.test(key) && typeof member === "string" && member !== "" ? "***" : masked(member),
    ]),
  );
}

function maskedObject(value: object): Record<string, unknown> {
  const copy = masked(value);
  return isJsonObject(copy) ? copy : {};
}

export const getConfig = implement(contract, async (_input, { runtime, toolNames }) => {
  const { config, settings, services, customInstructions } = runtime;
  return {
    output: {
      has_config: runtime.configSource === "file",
      config: {
        settings: maskedObject(config.settings),
        checks: Object.fromEntries(
          Object.entries(config.checks).map(([id, section]) => [id, maskedObject(section)]),
        ),
      },
      source: runtime.configSource,
      config_digest: runtime.digest,
      mode: settings.mode,
      profile: settings.profile,
      tool_count: toolNames.length,
      tool_names: [...toolNames],
      custom_instructions: {
        has_instructions: customInstructions.text !== null,
        instructions: customInstructions.text,
        source: customInstructions.source,
      },
      reference_data: { source: services.source, date: services.date, hash: services.hash },
    },
  };
});
