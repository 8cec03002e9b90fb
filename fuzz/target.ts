import type { z } from "zod";
import type { Outputs } from "./outputs.ts";
import type { Random } from "./random.ts";

/**
 * A part of the product under fuzzing. A case is plain JSON and holds all that decides what happens,
 * so that it can be written down before it runs, made smaller, and run again.
 */
export interface Target<Case = unknown> {
  readonly schema: z.ZodType<Case>;
  generate(random: Random): Case;
  /** @throws {Broken} When an invariant does not hold; whatever else it throws is broken too. */
  run(input: Case): Promise<void>;
  close(): Promise<void>;
}

/** What a module of a target exports as `open`. */
export type OpenTarget = (outputs: Outputs) => Promise<Target>;
