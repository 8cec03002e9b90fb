import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { defineToolContract } from "../../spec/contract.ts";
import type { ToolErrorKind } from "../../spec/errors.ts";
import { ToolError } from "../../src/errors.ts";
import { implement, type Tool } from "../../src/tools/tool.ts";
import { Lines } from "./lines.ts";

const text = z.strictObject({ text: z.string().optional() });

function contract(name: string, errors: readonly ToolErrorKind[] = []) {
  return defineToolContract({
    name,
    title: name,
    tag: "validate",
    description: `${name}, for tests.`,
    input: text,
    output: text,
    errors,
  });
}

/** Tools that end in every way a call can end. */
export interface FaultTools {
  readonly tools: readonly Tool[];
  /** A line per call of a waiting tool that has begun. */
  readonly started: Lines;
  /** Lets every `wait` go on. */
  release(): void;
}

export function faultTools(): FaultTools {
  const started = new Lines();
  const gate = Promise.withResolvers<void>();
  const counted = { policyCount: () => 3 };
  const tools = [
    implement(contract("explode"), async (input) => {
      throw new Error(`broken on ${input.text}\n    at ${input.text} (/x.ts:1:1)`, {
        cause: new TypeError(`${input.text}`),
      });
    }),
    implement(contract("refuse"), async () => {
      throw new ToolError("invalid_policy_entry", "policies[0] is not a policy.");
    }),
    implement(contract("answer_wrong"), async (input) => ({
      // Not what the contract says, as a defect would have it.
      output: { text: "fine", [input.text ?? "extra"]: 1 } as { text: string },
    })),
    implement(
      contract("wait", ["request_timeout"]),
      async (input) => {
        started.push("wait");
        await gate.promise;
        return { output: input, severity_counts: { low: 2, error: 1 } };
      },
      counted,
    ),
    implement(
      contract("wait_politely", ["request_timeout"]),
      async (_input, { signal }) => {
        started.push("wait_politely");
        const { promise, reject } = Promise.withResolvers<never>();
        signal.addEventListener("abort", () => reject(signal.reason));
        return promise;
      },
      counted,
    ),
    implement(
      contract("needs_data", ["request_timeout", "not_ready"]),
      async (input) => ({ output: input }),
      {
        ...counted,
        needsReferenceData: true,
      },
    ),
    implement(contract("who_am_i"), async (_input, { turnKey }) => {
      for (let turn = 0; turn < 5; turn += 1) await setImmediate();
      return { output: { text: turnKey.replace("subject ", "") } };
    }),
  ];
  return { tools, started, release: () => gate.resolve() };
}
