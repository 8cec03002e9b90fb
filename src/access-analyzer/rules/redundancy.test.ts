import fc from "fast-check";
import { expect, test } from "vitest";
import { objectDocument } from "../../policy/document.ts";
import { statementsOf } from "../../policy/normalise.ts";
import { globMatches } from "../../policy/wildcard.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { matchAction } from "../../services/match-action.ts";
import { issuesOf } from "../analyze.ts";
import { groupsAmong, ofResources, redundantEntries } from "./redundancy.ts";

/** All texts of up to eight of two letters. */
const texts: string[] = [""];
for (let at = 0; texts.length < 511; at++) texts.push(`${texts[at]}a`, `${texts[at]}b`);

function covers(one: string, other: string): boolean {
  const comparing = groupsAmong([one, other]);
  let step = comparing.next();
  while (!step.done) step = comparing.next();
  return one === other || step.value.get(one)?.has(other) === true;
}

const pattern = fc.string({ unit: fc.constantFrom("a", "*", "?", "*"), maxLength: 4 });

test("a pattern covers another one whose texts it matches", () => {
  fc.assert(
    fc.property(pattern, pattern, (one, other) => {
      const missed = texts.find((text) => globMatches(other, text) && !globMatches(one, text));
      expect(covers(one, other), missed).toBe(missed === undefined);
    }),
    { numRuns: 5_000 },
  );
});

const services = embeddedServices();

async function issuesOfList(
  Resource: readonly string[],
): Promise<(string | number | undefined)[][]> {
  const document = objectDocument({ Statement: { Effect: "Allow", Action: "s3:*", Resource } });
  const issues = await issuesOf(document, { type: "identity" }, services);
  return issues
    .filter(({ code }) => code === "REDUNDANT_RESOURCE")
    .map(({ nodes }) => nodes.map(({ step }) => step));
}

test("an entry forms a group with all that it covers, unless another one covers it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(pattern, { minLength: 2, maxLength: 8 }), async (entries) => {
      const places = [...entries.keys()];
      const covered = (by: number) =>
        places.filter((place) => covers(entries[by] ?? "", entries[place] ?? ""));
      const groups = places.filter((own) => {
        const isCovered = places.some(
          (by) =>
            by !== own && covered(by).includes(own) && (by < own || !covered(own).includes(by)),
        );
        return !isCovered && covered(own).length > 1;
      });
      expect(await issuesOfList(entries)).toEqual(groups.map(covered));
    }),
    { numRuns: 300 },
  );
});

test("a long list is compared with a pause for each entry, and once", () => {
  const Resource = Array.from({ length: 200 }, (_, at) => `${"?".repeat(at % 20)}*${at}`);
  const document = objectDocument({ Statement: { Effect: "Allow", Action: "s3:*", Resource } });
  const [statement] = statementsOf(document);
  if (!statement) throw new Error("The document has a statement.");
  const match = (text: string) => matchAction(services, text);
  const pausesOf = () => {
    const subject = { document, raw: {}, statements: [statement], type: "identity" as const };
    const found = redundantEntries(statement, { ...subject, resourceType: null, services, match });
    return [...found].filter((one) => one === null).length;
  };
  expect(pausesOf()).toBe(400);
  // The fix reads what the rule has found.
  expect(ofResources.known.get(statement)?.size).toBeGreaterThan(0);
  expect(pausesOf()).toBe(200);
});
