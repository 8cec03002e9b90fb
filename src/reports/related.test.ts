import { expect, test } from "vitest";
import { findingWith, policyWith, reportInput } from "../../test/support/report-input.ts";
import { renderReport } from "./formats.ts";
import { renderText } from "./text.ts";

const at = (line: number) => ({
  start: { line, column: 4, offset: 0 },
  end: { line, column: 9, offset: 5 },
});
const related = [
  { path: "/Statement/1/Sid", location: at(12) },
  { path: "/Statement/2/Sid", location: at(20) },
];
const input = reportInput([
  policyWith([findingWith({ path: "/Statement/0/Sid", location: at(3), related })]),
]);
const without = reportInput([policyWith([findingWith()])]);

test("SARIF has the further places of a finding as related locations", async () => {
  const log = JSON.parse(await renderReport("sarif", input));
  const [result] = log.runs[0].results;
  expect(result.relatedLocations).toEqual([
    {
      id: 0,
      physicalLocation: {
        artifactLocation: result.locations[0].physicalLocation.artifactLocation,
        region: { startLine: 12, startColumn: 5, endLine: 12, endColumn: 10 },
      },
      logicalLocations: [{ fullyQualifiedName: "/Statement/1/Sid" }],
    },
    expect.objectContaining({
      id: 1,
      logicalLocations: [{ fullyQualifiedName: related[1]?.path }],
    }),
  ]);
  const other = JSON.parse(await renderReport("sarif", without));
  expect(other.runs[0].results[0]).not.toHaveProperty("relatedLocations");
});

test("text for a terminal lists them after the message", () => {
  expect(renderText(input, { color: false })).toContain("Also at: 12:5, 20:5");
  expect(renderText(without, { color: false })).not.toContain("Also at");
});

test("HTML lists them with their lines", async () => {
  const html = await renderReport("html", input);
  expect(html).toMatch(/Also at <code>\/Statement\/1\/Sid<\/code> \([^)]*12[^)]*\), <code>/);
  expect(await renderReport("html", without)).not.toContain("Also at");
});
