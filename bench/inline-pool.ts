import { validatePolicies } from "../spec/tools/validate-policies.ts";
import { readPage, writePages } from "../src/analyze/aws-answer.ts";
import { documentToSend } from "../src/analyze/document.ts";
import { writeAnalysis } from "../src/analyze/write-analysis.ts";
import { argumentsOf, parseBody, readEnvelope } from "../src/pool/reader.ts";
import type { ValidationPool } from "../src/pool/types.ts";
import { writeQuery } from "../src/query/run-query.ts";
import { encodeOutput, writeFitting } from "../src/results/prepared-output.ts";
import type { Runtime } from "../src/runtime.ts";
import { runValidation } from "../src/tools/run-validation.ts";

/** The pool's work without the pool: everything on the event loop, with the engine's own pauses. */
export function inlinePool(runtime: () => Runtime): ValidationPool {
  return {
    readEnvelope: async (parts, { deferrable, policyTools }) =>
      readEnvelope(Buffer.concat(parts), {
        deferrable,
        policyTools,
        mostValues: Number.POSITIVE_INFINITY,
        wholeBytes: Number.POSITIVE_INFINITY,
      }),
    async validate({ body, maxResultBytes }, { signal }) {
      const input = validatePolicies.input.parse(argumentsOf(parseBody(body)));
      const validated = await runValidation(input, { runtime: runtime(), maxResultBytes, signal });
      const prepared = encodeOutput(
        writeFitting(validatePolicies.output, validated, maxResultBytes),
      );
      const { severity_counts = {} } = validated;
      return { kind: "done", prepared, severity_counts };
    },
    readDocument: ({ text, limits }) => documentToSend(text, limits),
    analyze: (task, { signal }) => writeAnalysis(task, runtime().services, signal),
    query: (task, { signal }) => writeQuery(task, runtime().services, signal),
    readAnswerPage: async (task) => readPage(task),
    writeAnswerPages: async (task) => writePages(task),
    warmUp: async () => {},
    figures: () => ({ running: 0, waiting: 0, threads: 0 }),
    close: async () => {},
  };
}
