import type { AccessAnswer, AccessRequest } from "../../spec/access.ts";
import type { AccessRequest as Request } from "../access/request.ts";
import type { Check, QuestionAnswer } from "./check.ts";

/** @returns the answers to a check's questions as callers see them, without internal ones. */
export function publicAnswers(
  check: Check,
  answers: readonly QuestionAnswer[],
): readonly AccessAnswer[] {
  return answers.flatMap((one) => (one.isInternal ? [] : [publicAnswer(check, one)]));
}

function publicAnswer({ check_id }: Check, { id, answer }: QuestionAnswer): AccessAnswer {
  const { verdict, violations, undecided_by, steps } = answer;
  return {
    check_id,
    question_id: id,
    verdict,
    violations: violations.map(({ resource_entry: _r, principal_entry: _p, ...violation }) => ({
      ...violation,
      entries: [...violation.entries],
      witness: publicRequest(violation.witness),
    })),
    undecided_by: undecided_by.map(({ construct, path, side, text }) => ({
      construct,
      path,
      side,
      text,
    })),
    steps,
  };
}

function publicRequest({ context, ...rest }: Request): AccessRequest {
  const copy: Record<string, string[]> = {};
  for (const [key, values] of Object.entries(context)) copy[key] = [...values];
  const { placeholders, ...request } = rest;
  return {
    ...request,
    context: copy,
    ...(placeholders && { placeholders: { ...placeholders } }),
  };
}
