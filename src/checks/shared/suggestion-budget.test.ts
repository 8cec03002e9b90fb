import { expect, test } from "vitest";
import { objectDocument } from "../../policy/document.ts";
import { normalisePolicy } from "../../policy/normalise.ts";
import { withinBudget } from "./suggestion-budget.ts";

const policyOf = () =>
  normalisePolicy(objectDocument({ Statement: [] }), {
    type: "IDENTITY_POLICY",
    typeSource: "default",
    name: null,
  });

test("a policy gets near names for 200 names", () => {
  const policy = policyOf();
  const look = () => ["near"];
  for (let count = 0; count < 200; count++) expect(withinBudget(policy, look)).toEqual(["near"]);
  expect(withinBudget(policy, look)).toEqual([]);
  expect(withinBudget(policyOf(), look)).toEqual(["near"]);
});
