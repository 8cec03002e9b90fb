import { z } from "zod";
import { ConfiguredSeverity } from "../../../../spec/severity.ts";

/** Options of every check that asks a question about access. */
export function questionOptions(undecided: "medium" | null) {
  return {
    max_steps: z
      .int()
      .min(1_000)
      .max(10_000_000)
      .default(200_000)
      .describe("Work that one question may take; past it the answer is undecided."),
    undecided_severity: ConfiguredSeverity.nullable()
      .default(undecided)
      .describe("Severity of an undecided answer; null: the check's."),
    max_statements: z
      .int()
      .min(1)
      .max(200)
      .default(20)
      .describe("Most statements that one question reports."),
  };
}

export interface QuestionOptions {
  readonly max_steps: number;
  readonly undecided_severity: z.output<typeof ConfiguredSeverity> | null;
  readonly max_statements: number;
}
