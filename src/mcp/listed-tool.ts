import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import type { ToolContract } from "../../spec/contract.ts";
import { toolSchema } from "../../spec/tool-schema.ts";

type Io = "input" | "output";
type JsonSchema = Record<string, unknown>;

const dialect = "https://json-schema.org/draft/2020-12/schema";

/**
 * The entry of a tool in `tools/list`. Built once at start-up, because the SDK's registration would
 * convert the schemas on every call.
 */
export function listedTool(contract: ToolContract): ListedTool {
  return {
    name: contract.name,
    title: contract.title,
    description: contract.description,
    inputSchema: objectSchema(contract, "input"),
    outputSchema: objectSchema(contract, "output"),
    annotations: contract.mutates
      ? { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }
      : { readOnlyHint: true, openWorldHint: contract.openWorld },
  };
}

/** Adds `type` to unions of objects: clients of 2025-11-25 and older reject a list with a schema without it. */
function objectSchema(contract: ToolContract, io: Io): JsonSchema & { type: "object" } {
  const schema: JsonSchema = { $schema: dialect, ...toolSchema(contract, io) };
  if (schema.type !== undefined && schema.type !== "object") {
    throw new TypeError(`The ${io} of ${contract.name} is not an object.`);
  }
  return { ...schema, type: "object" };
}
