import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ownEntries } from "../../scripts/verdicts/entries.ts";
import { defaultEngine, measure } from "../../scripts/verdicts/measure.ts";
import { builtinChecks } from "../../src/checks/index.ts";
import { parseDocument } from "../../src/policy/document.ts";
import { managedPolicies } from "../support/managed-policies.ts";
import { type Claims, caseOf, isNode } from "./claims/case.ts";
import { conditionClaims } from "./claims/conditions.ts";
import { grantClaims } from "./claims/grants.ts";
import { nameClaims } from "./claims/names.ts";
import { principalClaims } from "./claims/principals.ts";
import { rarePolicies } from "./claims/rare.ts";
import { structureClaims } from "./claims/structure.ts";
import { withoutClaim } from "./claims/without.ts";

const claims: Claims = {
  ...grantClaims,
  ...nameClaims,
  ...conditionClaims,
  ...principalClaims,
  ...structureClaims,
};
const templates = builtinChecks.flatMap(({ check_id, issue_types }) =>
  Object.keys(issue_types).map((issue) => `${check_id}/${issue}`),
);

/** The policies in the examples of the checks and of this repository. */
function exampleEntries() {
  const folder = join(import.meta.dirname, "..", "..", "examples");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .map((file) => ({
      id: file,
      policy: JSON.parse(readFileSync(join(folder, file), "utf8")) as unknown,
    }));
  const inChecks = builtinChecks.flatMap(({ check_id, examples }) =>
    [...examples.bad, ...examples.good].map(({ title, policy }) => ({
      id: `${check_id}: ${title}`,
      policy: policy as unknown,
    })),
  );
  return [...files, ...inChecks];
}

const unlabelled = [
  ...managedPolicies().map(({ name, document }) => ({ id: name, policy: document })),
  ...exampleEntries(),
].map(({ id, policy }) => ({ id, policy, policyType: null }));

const corpora = [
  ...ownEntries(),
  ...[...unlabelled, ...rarePolicies].map((entry) => ({
    ...entry,
    kind: "good" as const,
    mustReport: [],
    mustNotReport: [],
    why: "not labelled",
  })),
];

describe("what the messages say", () => {
  test("has a checker, or a reason why there is none, for every message template", () => {
    const known = [...Object.keys(claims), ...Object.keys(withoutClaim)];
    const missing = templates.filter((template) => !known.includes(template));
    expect(missing, "add a function in test/judged/claims/, or the reason in without.ts").toEqual(
      [],
    );
    const unknown = known.filter((template) => !templates.includes(template));
    expect(unknown, "remove them: no check has these issue types").toEqual([]);
    expect(new Set(known).size, "a template has a function or a reason, not both").toBe(
      known.length,
    );
  });

  test("is true of every policy of the corpora", { timeout: 400_000 }, async () => {
    const wrong: string[] = [];
    const checked = new Set<string>();
    for (const { entry, findings } of await measure(corpora, defaultEngine())) {
      const policy =
        typeof entry.policy === "string" ? (await parseDocument(entry.policy)).raw : entry.policy;
      if (!isNode(policy)) continue;
      for (const finding of findings) {
        const template = `${finding.check_id}/${finding.issue_type}`;
        const claim = claims[template];
        checked.add(template);
        if (!claim) continue;
        const complaint = claim(caseOf(finding, policy));
        if (complaint !== null)
          wrong.push(`${entry.id} ${template}: ${finding.message} But ${complaint}.`);
      }
    }
    expect(wrong).toEqual([]);
    // A checker that no finding reaches proves nothing.
    expect(
      Object.keys(claims).filter((template) => !checked.has(template)),
      "no finding of the corpora reaches these checkers: give the reason in without.ts instead, also for a check that is off by default",
    ).toEqual([]);
    expect(
      Object.keys(withoutClaim).filter((template) => checked.has(template)),
      "a policy of the corpora has these: write a checker and remove the reason",
    ).toEqual([]);
  });
});
