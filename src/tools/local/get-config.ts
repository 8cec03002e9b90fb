import { localGetConfig as contract } from "../../../spec/tools/local/get-config.ts";
import type { Session } from "../../local/session.ts";
import { getConfig } from "../get-config.ts";
import { masked } from "../masked.ts";
import { implement } from "../tool.ts";

/** The instructions of a session, as callers see them. */
export function shownInstructions({ instructions }: Session) {
  const { text, source } = instructions;
  return { has_instructions: text !== null, instructions: text, source };
}

/** The overlay of a session, as callers see it; secrets are masked as in the config. */
export function shownOverlay({ overlay }: Session): Record<string, unknown> | null {
  return overlay && (masked(overlay) as Record<string, unknown>);
}

/** `get_config` of local mode: also the paths and what `set_config` changed. */
export function localGetConfig(session: Session) {
  return implement(contract, async (input, context) => {
    const { output } = await getConfig.run(input, context);
    return {
      output: {
        ...output,
        source: session.overlay ? ("session" as const) : output.source,
        config_path: session.configPath,
        session_config: shownOverlay(session),
        root: session.root,
        custom_instructions: shownInstructions(session),
      },
    };
  });
}
