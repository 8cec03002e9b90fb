import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { ToolContract } from "../../spec/contract.ts";

type Io = "input" | "output";
type JsonSchema = Record<string, unknown>;

/**
 * What `tools/list` says of a tool. Made once at start-up: schemas are converted here and nowhere else,
 * which the SDK's own registration would do on every call.
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

/** Unions of objects come without `type`; clients of 2025-11-25 and older refuse such a list. */
function objectSchema(contract: ToolContract, io: Io): JsonSchema & { type: "object" } {
  const schema: JsonSchema = z.toJSONSchema(contract[io], { io });
  if (schema.type !== undefined && schema.type !== "object") {
    throw new TypeError(`The ${io} of ${contract.name} is not an object.`);
  }
  return { ...schema, type: "object" };
}
