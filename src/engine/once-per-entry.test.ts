import { expect, test } from "vitest";
import type { Severity } from "../../spec/severity.ts";
import { findingWith } from "../../test/support/report-input.ts";
import { childNode, keyNode, rootNode } from "../json/node.ts";
import { entriesOf, oncePerEntry } from "./once-per-entry.ts";

const entry = (key: string) => keyNode(childNode(rootNode, "Condition"), key);
const report = { issue_type: "x", message: "x" };

test("a report says something of entries if it is about one or has one as its reason", () => {
  const finding = findingWith();
  const [a, b] = [entry("a"), entry("b")];
  expect(entriesOf(finding, report)).toBeNull();
  expect(entriesOf(finding, { ...report, reasons: [] })).toBeNull();
  expect(entriesOf(finding, { ...report, about: a })).toEqual({ finding, about: a, reasons: [] });
  expect(entriesOf(finding, { ...report, reasons: [b] })).toEqual({ finding, reasons: [b] });
});

interface Told {
  readonly name: string;
  readonly severity: Severity;
  readonly about?: string;
  readonly reasons?: readonly string[];
}

function left(...told: readonly Told[]): string[] {
  const found = told.map(({ name, severity, about, reasons = [] }) => ({
    finding: findingWith({ check_id: name, severity }),
    about: about === undefined ? undefined : entry(about),
    reasons: reasons.map(entry),
  }));
  return oncePerEntry(
    found.map(({ finding }) => finding),
    found,
  ).map(({ check_id }) => check_id);
}

const about: Told = { name: "about", severity: "medium", about: "a" };

test.each<[string, readonly Told[], readonly string[]]>([
  ["about an entry, alone", [about], ["about"]],
  [
    "about an entry that is the reason of a graver one",
    [about, { name: "for", severity: "high", reasons: ["a"] }],
    ["for"],
  ],
  [
    "about an entry that is the reason of an equal one",
    [{ name: "for", severity: "medium", reasons: ["a"] }, about],
    ["for"],
  ],
  [
    "about an entry that is the reason of a milder one",
    [about, { name: "for", severity: "low", reasons: ["a"] }],
    ["about"],
  ],
  [
    "about an entry that is one reason of several of a milder one",
    [about, { name: "for", severity: "low", reasons: ["a", "b"] }],
    ["about", "for"],
  ],
  [
    "about an entry that is one reason of several of a graver one",
    [about, { name: "for", severity: "high", reasons: ["b", "a"] }],
    ["for"],
  ],
  [
    "about an entry that is the reason of a milder and of a graver one",
    [
      about,
      { name: "milder", severity: "low", reasons: ["a"] },
      { name: "graver", severity: "high", reasons: ["a"] },
    ],
    ["milder", "graver"],
  ],
  [
    "about an entry that is the reason of two milder ones",
    [
      { name: "info", severity: "info", reasons: ["a"] },
      about,
      { name: "low", severity: "low", reasons: ["a"] },
    ],
    ["about"],
  ],
  [
    "about another entry than the reason",
    [about, { name: "for", severity: "high", reasons: ["b"] }],
    ["about", "for"],
  ],
  [
    "with a reason, beside others with a reason",
    [
      { name: "one", severity: "low", reasons: ["a"] },
      { name: "two", severity: "high", reasons: ["a"] },
    ],
    ["one", "two"],
  ],
])("of findings %s, those that add something stay", (_, told, expected) => {
  expect(left(...told)).toEqual(expected);
});

test("findings that say nothing of entries stay", () => {
  const other = findingWith({ severity: "info" });
  const finding = findingWith({ severity: "low" });
  const about = { finding, about: entry("a"), reasons: [] };
  const graver = { finding: findingWith(), about: undefined, reasons: [entry("a")] };
  const found = oncePerEntry([other, finding, graver.finding], [about, graver]);
  expect(found).toEqual([other, graver.finding]);
});

test("a reason counts only if its finding is still there", () => {
  const finding = findingWith({ severity: "low" });
  const about = { finding, about: entry("a"), reasons: [] };
  const gone = { finding: findingWith(), about: undefined, reasons: [entry("a")] };
  expect(oncePerEntry([finding], [about, gone])).toEqual([finding]);
});

test("what is about an entry drops no other once it is gone itself", () => {
  const milder = {
    finding: findingWith({ severity: "low" }),
    about: undefined,
    reasons: [entry("a")],
  };
  const gone = { finding: findingWith(), about: entry("a"), reasons: [] };
  expect(oncePerEntry([milder.finding], [milder, gone])).toEqual([milder.finding]);
});
