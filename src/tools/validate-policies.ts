import type { z } from "zod";
import { validatePolicies as contract } from "../../spec/tools/validate-policies.ts";
import type { ValidateTask } from "../pool/types.ts";
import { runValidation } from "./run-validation.ts";
import { implement, type ToolContext, type ToolResult } from "./tool.ts";

/**
 * Calls with more policy text than this, in UTF-16 code units, run in a worker. On the main thread they
 * could block the event loop for more than about 10 ms (YAML is the slowest to parse).
 */
const inlineText = 16 * 1024;

const decoder = new TextDecoder();

type Output = z.input<typeof contract.output>;

/** Length of the policies given as text. The limit for bodies already bounds those given as objects. */
function textLength(policies: readonly unknown[]): number {
  let length = 0;
  for (const entry of policies) {
    const text =
      typeof entry === "object" && entry !== null && "policy" in entry ? entry.policy : entry;
    if (typeof text === "string") length += text.length;
  }
  return length;
}

async function inWorker(
  task: Omit<ValidateTask, "maxResultBytes">,
  { runtime, signal, maxResultBytes }: ToolContext,
): Promise<ToolResult<Output>> {
  const { prepared, severity_counts } = await runtime.pool.validate(
    { ...task, maxResultBytes },
    signal,
  );
  return {
    get output(): Output {
      return contract.output.parse(JSON.parse(decoder.decode(prepared.json)));
    },
    prepared,
    severity_counts,
  };
}

export const validatePolicies = implement(
  contract,
  (input, context) =>
    textLength(input.policies) > inlineText
      ? inWorker({ args: input }, context)
      : runValidation(input, context),
  {
    hasRequestTimeout: true,
    runDeferred: (body, context) => inWorker({ body }, context),
    policyCount: (args) =>
      typeof args === "object" &&
      args !== null &&
      "policies" in args &&
      Array.isArray(args.policies)
        ? args.policies.length
        : 0,
  },
);
