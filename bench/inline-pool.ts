import { validatePolicies } from "../spec/tools/validate-policies.ts";
import { analyzeForAnswer } from "../src/access-analyzer/answer.ts";
import { documentToSend } from "../src/analyze/document.ts";
import { argumentsOf, parseBody, readEnvelope } from "../src/pool/reader.ts";
import type { ValidationPool } from "../src/pool/types.ts";
import { encodeOutput, writeFitting } from "../src/results/prepared-output.ts";
import type { Runtime } from "../src/runtime.ts";
import { runValidation } from "../src/tools/run-validation.ts";

/** The pool's work without the pool: everything on the event loop, with the engine's own pauses. */
export function inlinePool(runtime: () => Runtime): ValidationPool {
  return {
    readEnvelope: async (parts) => readEnvelope(Buffer.concat(parts)),
    async validate({ body, args, maxResultBytes }, signal) {
      const given = body ? argumentsOf(parseBody(body)) : args;
      const input = validatePolicies.input.parse(given);
      const judged = await runValidation(input, { runtime: runtime(), maxResultBytes, signal });
      const prepared = encodeOutput(writeFitting(validatePolicies.output, judged, maxResultBytes));
      const { severity_counts = {} } = judged;
      return { kind: "done", prepared, severity_counts };
    },
    readDocument: ({ text, limits }) => documentToSend(text, limits),
    analyze: (task, signal) => analyzeForAnswer(task, runtime().services, signal),
    figures: () => ({ running: 0, waiting: 0, threads: 0 }),
    close: async () => {},
  };
}
