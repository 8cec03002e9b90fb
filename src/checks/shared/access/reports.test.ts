import { expect, test } from "vitest";
import { undecidedSuggestion } from "./reports.ts";

function suggestionFor(construct: string): string {
  const place = { construct, path: "", side: "policy", text: "", key: null } as const;
  const answer = {
    verdict: "undecided",
    violations: [],
    steps: 0,
    decided: new Set<number>(),
  } as const;
  return undecidedSuggestion({ ...answer, undecided_by: [place] });
}

test("a provider whose subjects have an unknown form needs the exact subject", () => {
  expect(suggestionFor("vstoken.actions.githubusercontent.com")).toBe(
    "Give the subject exactly, without wildcards.",
  );
});

test("a request that was not confirmed needs somebody who knows", () => {
  expect(suggestionFor("unconfirmed")).toMatch(/^Ask somebody/);
});
