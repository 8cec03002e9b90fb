import { z } from "zod";
import { Finding } from "./findings.ts";

/** What the supervisor tells a fuzzing process, as JSON in its arguments. */
export const Orders = z.strictObject({
  target: z.string(),
  /** File that exports `open`. */
  module: z.string(),
  seed: z.string(),
  /** Number of the first case. */
  from: z.int(),
  forMs: z.number(),
  /** Cases after which to end; absent: only time counts. */
  maxCases: z.int().optional(),
  /** Whether to end with the first failure. */
  untilFound: z.boolean(),
  /** How long a case may be made smaller. */
  reduceMs: z.number(),
  /** Where the running case is kept. */
  caseFile: z.string(),
  /** A reproducer: its input is run once, and nothing else. */
  replay: z.string().optional(),
});
export type Orders = z.output<typeof Orders>;

/** What a fuzzing process tells its supervisor. */
export const Report = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("progress"), cases: z.int() }),
  z.strictObject({ kind: z.literal("failure"), cases: z.int(), signature: z.string() }),
  z.strictObject({ kind: z.literal("finding"), signature: z.string(), finding: Finding }),
  z.strictObject({ kind: z.literal("done"), cases: z.int() }),
]);
export type Report = z.infer<typeof Report>;
