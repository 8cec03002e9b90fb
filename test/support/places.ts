import { expect } from "vitest";
import { parse } from "yaml";
import type { LeanFinding } from "../../spec/finding.ts";

export type Language = "JSON" | "YAML";

/** @returns the last step of a JSON Pointer and the value it leads to. */
export function nodeAt(policy: unknown, pointer: string): [name: string, value: unknown] {
  let value = policy;
  let name = "";
  for (const step of pointer.split("/").slice(1)) {
    name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) {
      throw new Error(`${pointer} leads nowhere`);
    }
    value = value[name as keyof typeof value];
  }
  return [name, value];
}

/** A piece of a text, read as the whole is; the column keeps the lines of a YAML block aligned. */
function read(piece: string, column: number, language: Language): unknown {
  return language === "JSON"
    ? JSON.parse(piece)
    : parse(" ".repeat(column) + piece, { version: "1.2", merge: true });
}

/** Findings may mean a name only where names can be wrong: operators and keys of conditions, members. */
const keyIsMeant = /\/Condition\/| unknown_| duplicate_/;

/**
 * Each finding must have a place in the text, whose lines and columns say the same as its offsets,
 * and whose span, read by itself, is the value that the path leads to, or its key.
 */
export function expectPlaces(
  findings: readonly LeanFinding[],
  text: string,
  policy: unknown,
  language: Language,
): void {
  const lines = text.split(/\r\n|\n|\r/);
  expect(findings.filter(({ location }) => !location)).toEqual([]);
  for (const { path, location, check_id, issue_type } of findings) {
    const about = `${language} ${check_id} ${issue_type} ${path}`;
    if (!location) continue;
    const { start, end } = location;
    for (const { line, column, offset } of [start, end]) {
      const before = text.slice(0, offset).split(/\r\n|\n|\r/);
      expect([line, column], about).toEqual([before.length, before.at(-1)?.length]);
      expect(column, about).toBeLessThanOrEqual(lines[line - 1]?.length ?? -1);
    }
    const [name, value] = nodeAt(policy, path);
    const found = read(text.slice(start.offset, end.offset), start.column, language);
    if (found !== name || !keyIsMeant.test(`${path} ${issue_type}`)) {
      expect(found, about).toEqual(value);
    }
  }
}
