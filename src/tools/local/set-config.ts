import type { z } from "zod";
import { setConfig as contract } from "../../../spec/tools/local/set-config.ts";
import { type ConfigText, parseConfigText } from "../../config/read.ts";
import { StartupError, ToolError } from "../../errors.ts";
import { isTooDeep } from "../../json/depth.ts";
import type { Session } from "../../local/session.ts";
import { isRecord } from "../../record.ts";
import { implement } from "../tool.ts";
import { shownInstructions, shownOverlay } from "./get-config.ts";

type Input = z.output<typeof contract.input>;

/** Maximum size of a session's config; these are short texts. */
const maxBytes = 262_144;

/** `set_config`, which exists in local mode only. */
export function setConfig(session: Session) {
  return implement(contract, async (input) => {
    const { action, custom_instructions: instructions } = input;
    let warnings: readonly string[] = [];
    if (action === "clear") {
      refuseExtra(input, ["config", "yaml", "custom_instructions"]);
      session.reset();
    } else {
      const overlay = await overlayOf(input);
      try {
        if (overlay) warnings = session.applyOverlay(overlay);
      } catch (error) {
        throw asToolError(error);
      }
      if (typeof instructions === "string") session.setInstructions(instructions);
    }
    return {
      output: {
        config_digest: session.runtime.digest,
        session_config: shownOverlay(session),
        custom_instructions: shownInstructions(session),
        warnings: [...warnings],
      },
    };
  });
}

type Overlay = Parameters<Session["applyOverlay"]>[0];

async function overlayOf(input: Input): Promise<Overlay | null> {
  if (input.action === "load") {
    refuseExtra(input, ["config"]);
    if (typeof input.yaml !== "string") throw invalid("load needs yaml.");
    refuseLarge(Buffer.byteLength(input.yaml), "yaml");
    return requireMapping(await parsed(input.yaml));
  }
  refuseExtra(input, ["yaml"]);
  const { config, custom_instructions: instructions } = input;
  if (!config) {
    if (typeof instructions === "string") return null;
    throw invalid("set needs config or custom_instructions.");
  }
  if (isTooDeep(config)) throw invalid("config nests too deep.");
  refuseLarge(Buffer.byteLength(JSON.stringify(config)), "config");
  return { value: config, lineOf: () => null };
}

async function parsed(yaml: string): Promise<ConfigText> {
  try {
    return await parseConfigText(yaml, "of this session");
  } catch (error) {
    throw asToolError(error);
  }
}

function requireMapping(text: ConfigText): Overlay {
  const { value } = text;
  if (!isRecord(value)) throw invalid("yaml: a config is a mapping of keys.");
  if (isTooDeep(value)) throw invalid("yaml nests too deep.");
  return { value, lineOf: text.lineOf };
}

function refuseExtra(input: Input, fields: readonly (keyof Input)[]): void {
  const given = fields.filter((field) => input[field] !== undefined && input[field] !== null);
  if (given.length > 0) throw invalid(`${input.action} does not take ${given.join(", ")}.`);
}

function refuseLarge(bytes: number, field: string): void {
  if (bytes <= maxBytes) return;
  throw invalid(`${field} has ${bytes} bytes; the limit is ${maxBytes}.`);
}

function invalid(message: string): ToolError {
  return new ToolError("invalid_arguments", message);
}

/** The YAML library recurses, so deep nesting overflows the stack. */
function asToolError(error: unknown): unknown {
  if (error instanceof RangeError) return invalid("yaml nests too deep.");
  return error instanceof StartupError ? invalid(error.message) : error;
}
