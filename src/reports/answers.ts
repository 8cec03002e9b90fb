import type { AccessAnswer } from "../../spec/access.ts";

/** The question of an answer: its check, and the entry it asks about. */
export function questionOf({ check_id, question_id }: AccessAnswer): string {
  return question_id === null ? check_id : `${check_id} ${question_id}`;
}

/** What the answer is, in a few words. */
export function verdictOf({ verdict, violations = [], undecided_by }: AccessAnswer): string {
  if (verdict === "holds") return "holds for every request";
  if (verdict === "undecided")
    return `undecided: ${undecided_by[0]?.text ?? "no reason is known."}`;
  const statements = violations.map(({ statement_index }) => statement_index + 1);
  if (statements.length === 0) return "violated";
  return `violated by ${statements.length === 1 ? "statement" : "statements"} ${statements.join(", ")}`;
}
