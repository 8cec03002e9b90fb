import type { CheckContext } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import { quote } from "../shared/quote.ts";

const mostPlaces = 10;

/** @returns statements by their Sid, else by line, else by number from 1. */
export function placesOf(
  statements: ReadonlySet<Statement>,
  { policy }: Pick<CheckContext, "policy">,
): string[] {
  const places = Array.from(statements.values().take(mostPlaces), (statement) => {
    if (statement.sid) return `statement ${quote(statement.sid)}`;
    const line = policy.document.locate(statement.node)?.start.line;
    return line === undefined ? `statement ${statement.index + 1}` : `line ${line}`;
  });
  const left = statements.size - mostPlaces;
  return left > 0 ? [...places, `and ${left} more statements`] : places;
}
