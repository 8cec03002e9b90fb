import { getConfig as contract } from "../../spec/tools/get-config.ts";
import { maskedObject } from "./masked.ts";
import { implement } from "./tool.ts";

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
