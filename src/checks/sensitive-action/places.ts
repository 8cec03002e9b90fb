import type { CheckContext } from "../../engine/check.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import { quote } from "../shared/quote.ts";

const mostPlaces = 10;

/**
 * @returns statements by their Sid, else by line, else by number from 1. Also by number where the lines
 * would not tell them apart, as in a policy of one line.
 */
export function placesOf(
  statements: ReadonlySet<Statement>,
  { policy }: Pick<CheckContext, "policy">,
): string[] {
  const shown = [...statements].slice(0, mostPlaces);
  const left = statements.size - mostPlaces;
  const places = placesOfAll(shown, policy);
  return left > 0 ? [...places, `and ${left} more statements`] : places;
}

function placesOfAll(shown: readonly Statement[], policy: Policy): string[] {
  const unnamed = shown.filter(({ sid }) => !sid);
  // Lines are looked for only where they are needed.
  if (unnamed.length === 0) return shown.map(({ sid }) => `statement ${quote(sid ?? "")}`);
  const lineOf = ({ node }: Statement) => policy.document.locate(node)?.start.line;
  const lines = unnamed.map(lineOf);
  const ends = [policy.statements.at(0), policy.statements.at(-1)];
  const inOneLine =
    ends[0] !== ends[1] && new Set(ends.map((end) => end && lineOf(end))).size === 1;
  const byLine = !inOneLine && new Set(lines).size === lines.length && !lines.includes(undefined);
  return shown.map((statement) => {
    if (statement.sid) return `statement ${quote(statement.sid)}`;
    return byLine
      ? `line ${lines[unnamed.indexOf(statement)]}`
      : `statement ${statement.index + 1}`;
  });
}
