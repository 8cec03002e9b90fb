import type { z } from "zod";
import { severitiesLeftOut } from "../../spec/severity.ts";
import { getConfig as contract } from "../../spec/tools/get-config.ts";
import { dayOf, hasExpired } from "../engine/exceptions.ts";
import { effectiveSeverity } from "../engine/severities.ts";
import { writeOutput } from "../results/prepared-output.ts";
import type { Runtime } from "../runtime.ts";
import { maskedObject } from "./masked.ts";
import { implement, type ToolResult } from "./tool.ts";

type Output = z.input<typeof contract.output>;

/** A cached output, and the values on which it depends. */
interface CachedAnswer {
  readonly runtime: Runtime;
  readonly date: string;
  readonly hash: string;
  /** In UTC: it decides which exceptions have expired. */
  readonly day: string;
  readonly result: ToolResult<Output>;
}

/** Cached outputs by list of tool names; there is one such list per set of scopes. */
const cachedAnswers = new WeakMap<readonly string[], CachedAnswer>();

/** Between calls only the reference data and the day can change, so the output is cached. */
export const getConfig = implement(contract, async (_input, { runtime, toolNames }) => {
  const { date, hash } = runtime.services;
  const day = dayOf(runtime.engine.now());
  const last = cachedAnswers.get(toolNames);
  const isCurrent = last?.date === date && last.hash === hash && last.day === day;
  if (last?.runtime === runtime && isCurrent) return last.result;
  const output = outputFor(runtime, toolNames, day);
  const result = { output, prepared: writeOutput(contract.output.parse(output)) };
  cachedAnswers.set(toolNames, { runtime, date, hash, day, result });
  return result;
});

/** A gap in the list of failing severities is rarely intended, so it is shown beside the list. */
function leftOutOf({ fail_on_severity }: Runtime["config"]["settings"]) {
  const leftOut = severitiesLeftOut(fail_on_severity);
  return leftOut.length > 0 ? { fail_on_severity_left_out: leftOut } : {};
}

function shownExceptions({ exceptions }: Runtime["config"], day: string) {
  if (!exceptions) return {};
  const shown = exceptions.map((one) => ({
    ...one,
    is_expired: hasExpired({ expires: one.expires ?? null }, day),
  }));
  return { exceptions: shown };
}

function outputFor(runtime: Runtime, toolNames: readonly string[], day: string): Output {
  const { config, settings, services, customInstructions } = runtime;
  return {
    has_config: runtime.configSource === "file",
    config: {
      settings: { ...maskedObject(config.settings), ...leftOutOf(config.settings) },
      checks: Object.fromEntries(
        Object.entries(config.checks).map(([id, section]) => {
          const registered = runtime.registry.get(id);
          const effective = registered && effectiveSeverity(registered);
          return [id, { ...maskedObject(section), ...effective }];
        }),
      ),
      ...shownExceptions(config, day),
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
  };
}
