import type { z } from "zod";
import { validatePolicies as contract } from "../../spec/tools/validate-policies.ts";
import { parsedOutput } from "../results/prepared-output.ts";
import { runValidation } from "./run-validation.ts";
import { implement, type ToolContext, type ToolResult } from "./tool.ts";

type Output = z.input<typeof contract.output>;

async function inWorker(
  body: Uint8Array,
  { runtime, signal, maxResultBytes, turnKey, leaveMainThread }: ToolContext,
): Promise<ToolResult<Output>> {
  leaveMainThread();
  const { prepared, severity_counts } = await runtime.pool.validate(
    { body, maxResultBytes },
    { caller: turnKey, signal },
  );
  return {
    get output(): Output {
      return contract.output.parse(parsedOutput(prepared));
    },
    prepared,
    severity_counts,
  };
}

export const validatePolicies = implement(
  contract,
  (input, context) => runValidation(input, context),
  {
    needsReferenceData: true,
    runDeferred: inWorker,
    policyCount: (args) =>
      typeof args === "object" &&
      args !== null &&
      "policies" in args &&
      Array.isArray(args.policies)
        ? args.policies.length
        : 0,
  },
);
