import { expect, test } from "vitest";
import { defaultEngine } from "../../scripts/verdicts/measure.ts";
import { analysedText, table, textOf } from "../../test/support/code-table.ts";
import type { PathElement } from "../access-analyzer/path.ts";
import { validatePolicy } from "../engine/run.ts";
import { parseDocument } from "../policy/document.ts";

const policyTypes = {
  identity: "IDENTITY_POLICY",
  resource: "RESOURCE_POLICY",
  trust: "TRUST_POLICY",
  scp: "SERVICE_CONTROL_POLICY",
  rcp: "RESOURCE_CONTROL_POLICY",
} as const;

function pointerOf(path: readonly PathElement[]): string {
  return path
    .map((one) => String(Object.values(one)[0]))
    .map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

const documents = Object.values(table).flatMap(({ type, must }) =>
  must
    .filter(({ resource_type, fill }) => resource_type === undefined && fill === undefined)
    .map((row) => ({ type: row.type ?? type, text: textOf(row, row.type ?? type) })),
);

test("findings with one of AWS's codes have AWS's places, in AWS's order", {
  timeout: 120_000,
}, async () => {
  const engine = defaultEngine();
  let several = 0;
  for (const { type, text } of documents) {
    const document = await parseDocument(text);
    const input = { document, name: "p", label: "p", declaredType: policyTypes[type] };
    const { findings } = await validatePolicy(input, engine);
    for (const { code, locations } of await analysedText(text, type)) {
      const same = findings.filter(({ aws_issue_code }) => aws_issue_code === code);
      if (same.length === 0) continue;
      const wanted = locations.map(({ path, span }) => ({ path: pointerOf(path), location: span }));
      // A finding of a later statement, such as a repeated Sid, stays where it is.
      const own = same.find((one) => wanted.some(({ path }) => path === one.path));
      expect(own, `${code} ${text}`).toBeDefined();
      const places = same.map(({ path, location, related }) => [{ path, location }, ...related]);
      const orders = wanted.map((one) => [one, ...wanted.filter((other) => other !== one)]);
      expect(
        orders.some((order) =>
          places.some((list) => JSON.stringify(list) === JSON.stringify(order)),
        ),
        `${code} ${text} ${JSON.stringify(places)}`,
      ).toBe(true);
      if (wanted.length > 1) several++;
    }
  }
  expect(several).toBeGreaterThan(60);
});
