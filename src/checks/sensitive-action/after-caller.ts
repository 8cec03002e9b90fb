import type { Entry, Statement } from "../../policy/model.ts";
import { correctedStatement } from "../shared/corrected.ts";
import { quote } from "../shared/quote.ts";

/** `user/${aws:username}*` matches the caller and every user whose name goes on after that of the caller. */
const goesOn = /^(arn:[^:]*:iam:[^:]*:[^:]*:user\/(?:[^$]*\/)?\$\{aws:username\})[*?]+$/i;

/**
 * @returns the first resource that is meant for the caller and also names other users; IAM compares names as text:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_variables.html
 */
export function resourceAfterCaller({ resources }: Statement): Entry | undefined {
  return resources.find(({ text }) => goesOn.test(text));
}

/** What a finding about such a resource says beside what all say. */
export function adviceAfterCaller({ text }: Entry): { readonly why: string; readonly how: string } {
  const own = text.replace(goesOn, "$1");
  return {
    why: `${quote(text)} is every user whose name begins with that of the caller.`,
    how: `Write ${quote(own)}, which is the caller alone.`,
  };
}

/** The statement with resources of the caller alone. */
export function withCallerAlone(statement: Statement) {
  const texts = statement.resources.map(({ text }) => text.replace(goesOn, "$1"));
  return correctedStatement(statement, { Resource: texts.length === 1 ? texts[0] : texts });
}
