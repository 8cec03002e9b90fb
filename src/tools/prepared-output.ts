import type { PreparedOutput } from "./tool.ts";

const encoder = new TextEncoder();

/** @param output Has passed the tool's output schema. */
export function prepareOutput(output: { readonly truncated: boolean }): PreparedOutput {
  const json = JSON.stringify(output);
  return {
    json: encoder.encode(json),
    text: encoder.encode(JSON.stringify(json)),
    truncated: output.truncated,
  };
}
