import { expect, test } from "vitest";
import { engineFor } from "../../test/support/run-check.ts";
import { noNewAccess } from "../checks/no-new-access.ts";
import { terraformPlan } from "../containers/terraform/plan.ts";
import { Unknowns } from "../containers/unknowns.ts";
import { objectDocument } from "../policy/document.ts";
import type { Ask } from "./compare-asking.ts";
import { compareDocuments } from "./compare-documents.ts";

test("documents with more unknown values than can be told apart are undecided", async () => {
  const unknowns = new Unknowns();
  for (let at = 0; !unknowns.isFull; at++)
    unknowns.token({ source: `var.${at}`, like: "text", span: null });
  const form = {
    value: { Version: "2012-10-17", Statement: [] },
    root: null,
    faults: [],
    choices: [],
    byDefault: false,
    problems: [],
  };
  const asked: unknown[] = [];
  const ask: Ask<never> = async (_document, { comparison }) => {
    asked.push(comparison?.kind);
    const answer = { check_id: "no_new_access", question_id: null, verdict: "undecided" as const };
    return { answer: { ...answer, violations: [], undecided_by: [], steps: 0 }, findings: [] };
  };
  const forms = {
    now: form,
    before: form,
    opened: { unknowns, container: terraformPlan },
    hasMore: false,
    documentOf: ({ value }: { readonly value: unknown }) => objectDocument(value),
    standIn: objectDocument({}),
  };
  await compareDocuments(forms, ask, engineFor([noNewAccess]), undefined);
  expect(asked).toEqual(["undecided"]);
});
