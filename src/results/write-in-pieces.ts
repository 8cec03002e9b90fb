import { ActionDetails, ExpandedPattern, QueryOutput } from "../../spec/tools/query.ts";
import { Yielder } from "../yielder.ts";
import { type WrittenOutput, writeOutput } from "./prepared-output.ts";
import { resultBytes } from "./result-size.ts";

/**
 * Checks and writes the answer to a query result by result, and lets the event loop turn in between: five hundred
 * patterns can match 350,000 actions.
 * @param refuse Called with a number of bytes that the complete result has at least, when that is too many.
 * @throws {z.ZodError} If the output does not match the schema.
 */
export async function writeInPieces(
  output: QueryOutput,
  {
    maxResultBytes,
    refuse,
    signal,
  }: {
    readonly maxResultBytes: number;
    readonly refuse: (bytes: number) => never;
    readonly signal: AbortSignal | undefined;
  },
): Promise<WrittenOutput> {
  const fitting = (written: WrittenOutput): WrittenOutput => {
    const bytes = resultBytes(written);
    if (bytes > maxResultBytes) refuse(bytes);
    return written;
  };
  if (!("results" in output)) {
    return fitting(writeOutput(QueryOutput.parse(output)));
  }
  const { kind, results } = output;
  const schema = kind === "action_details" ? ActionDetails : ExpandedPattern;
  const yielder = new Yielder(signal);
  const pieces: string[] = [];
  const texts: string[] = [];
  let bytes = 0;
  for (const result of results) {
    const piece = JSON.stringify(schema.parse(result));
    const text = JSON.stringify(piece).slice(1, -1);
    bytes += Buffer.byteLength(piece) + Buffer.byteLength(text);
    if (bytes > maxResultBytes) refuse(bytes);
    pieces.push(piece);
    texts.push(text);
    if (yielder.isDue) await yielder.yieldNow();
  }
  const head = `{"kind":${JSON.stringify(kind)},"results":[`;
  const json = `${head}${pieces.join()}]}`;
  const text = `${JSON.stringify(head).slice(0, -1)}${texts.join()}]}"`;
  return fitting({ json, text, truncated: false });
}
