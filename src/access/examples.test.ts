import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareAccess, findGranted, findPublic } from "./library.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/access.md"), "utf8");

/** The sections of docs/access.md that are worked examples. */
const examples = page
  .split(/^### /m)
  .slice(1)
  .map((text) => {
    const blocks = [...text.matchAll(/^```json (\w+)\n(.*?)\n```/gms)].map(
      ([, kind = "", json = ""]) => [kind, json] as const,
    );
    const verdict = /^Answer: `(\w+)`/m.exec(text)?.[1];
    return { title: text.slice(0, text.indexOf("\n")), blocks: new Map(blocks), verdict };
  });

test("the page has five worked examples", () => {
  expect(examples).toHaveLength(5);
});

test.each(examples)("$title", async ({ blocks, verdict }) => {
  const policyType = ["identity", "resource", "trust"].find((kind) => blocks.has(kind)) ?? "";
  const policy = blocks.get(policyType) ?? "";
  const baseline = blocks.get("baseline");
  const forbidden = blocks.get("forbidden");
  const answer =
    baseline !== undefined
      ? await compareAccess({ policy, baseline, policyType })
      : forbidden !== undefined
        ? await findGranted({ policy, policyType, forbidden: JSON.parse(forbidden) })
        : await findPublic({ policy, policyType });
  expect(answer.verdict).toBe(verdict);
});
