import { query as contract, type QueryInput, type QueryOutput } from "../../spec/tools/query.ts";
import { writeQuery } from "../query/run-query.ts";
import { parsedOutput } from "../results/prepared-output.ts";
import { implement } from "./tool.ts";

/** Queries with more values than this are answered in a worker: an answer of 1 MB took the main thread 25 ms. */
const mostOnMainThread = 24;

export const query = implement(
  contract,
  async (input, { runtime, signal, maxResultBytes, turnKey, leaveMainThread }) => {
    const { pool, services } = runtime;
    const task = { input, maxResultBytes };
    const isLarge = valuesOf(input).length > mostOnMainThread;
    if (isLarge) leaveMainThread();
    const prepared = isLarge
      ? await pool.query(task, { caller: turnKey, signal })
      : await writeQuery(task, services, signal);
    return {
      get output(): QueryOutput {
        return contract.output.parse(parsedOutput(prepared));
      },
      prepared,
    };
  },
  { needsReferenceData: true },
);

function valuesOf(input: QueryInput): readonly string[] {
  if (input.kind === "action_details") return input.actions;
  return input.kind === "expand_wildcard" ? input.patterns : [];
}
