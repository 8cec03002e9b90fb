import { describe, expect, test } from "vitest";
import type { Fix, PatchOperation } from "../../spec/finding.ts";
import { objectDocument, parseDocument } from "../policy/document.ts";
import { applicable, applyFixes } from "./round.ts";

const document = { Statement: [{ Sid: "a", Action: ["1", "2", "3"] }, { Sid: "b" }, { Sid: "c" }] };

function fixOf(path: string, value: unknown, ...operations: PatchOperation[]): Fix {
  const patch: PatchOperation[] = [{ op: "test", path, value }, ...operations];
  return { title: "Edit", effect: "repairs", needs_input: [], patch };
}

const removeAction = (index: number) => {
  const path = `/Statement/0/Action/${index}`;
  return fixOf(path, document.Statement[0]?.Action?.[index], { op: "remove", path });
};
const removeStatement = (index: number) => {
  const path = `/Statement/${index}`;
  return fixOf(path, document.Statement[index], { op: "remove", path });
};
const renameSid = (index: number, value: string) => {
  const path = `/Statement/${index}/Sid`;
  return fixOf(path, document.Statement[index]?.Sid, { op: "replace", path, value });
};

const pause = () => Promise.resolve();
const onLostEdit = () => expect.unreachable("an edit is lost");
const applying = { parse: parseDocument, pause, onLostEdit };

async function resultOf(fixes: readonly Fix[]) {
  const chosen = applicable(fixes, new Set(["repairs"]));
  const round = await applyFixes(objectDocument(document), chosen, applying);
  return round && { raw: round.document.raw, applied: round.applied.length };
}

describe("a round", () => {
  test("applies what does not touch the same places, whatever order the findings have", async () => {
    const fixes = [removeAction(0), removeAction(2), removeStatement(1), renameSid(2, "x")];
    const expected = {
      raw: { Statement: [{ Sid: "a", Action: ["2"] }, { Sid: "x" }] },
      applied: 4,
    };
    expect(await resultOf(fixes)).toEqual(expected);
    expect(await resultOf(fixes.toReversed())).toEqual(expected);
  });

  test("of two fixes of one place applies the first", async () => {
    const fixes = [renameSid(1, "x"), renameSid(1, "y")];
    const expected = {
      raw: { Statement: [document.Statement[0], { Sid: "x" }, { Sid: "c" }] },
      applied: 1,
    };
    expect(await resultOf(fixes)).toEqual(expected);
    expect(await resultOf(fixes.toReversed())).toEqual(expected);
  });

  test("leaves out what another one removes, or what changes its test", async () => {
    expect(await resultOf([removeStatement(1), renameSid(1, "x")])).toMatchObject({ applied: 1 });
    const whole = fixOf("", document, { op: "add", path: "/Version", value: "2012-10-17" });
    expect(await resultOf([renameSid(1, "x"), whole])).toEqual({
      raw: { ...document, Version: "2012-10-17" },
      applied: 1,
    });
  });

  test("leaves out a fix that moves what an earlier one names", async () => {
    const path = "/Statement/1";
    const both = fixOf(
      "/Statement/0/Sid",
      "a",
      { op: "replace", path: "/Statement/2/Sid", value: "x" },
      { op: "replace", path: "/Statement/0/Sid", value: "y" },
    );
    const fixes = [both, fixOf(path, { Sid: "b" }, { op: "remove", path })];
    expect(await resultOf(fixes)).toEqual({
      raw: { Statement: [{ ...document.Statement[0], Sid: "y" }, { Sid: "b" }, { Sid: "x" }] },
      applied: 1,
    });
  });

  test("applies the same fix of two findings once", async () => {
    expect(await resultOf([removeAction(1), removeAction(1)])).toMatchObject({ applied: 1 });
  });

  test("has no fix of another effect, with input, or for another document", async () => {
    const needs_input = [{ placeholder: "<a>", meaning: "A", example: "a" }];
    expect(await resultOf([{ ...renameSid(1, "x"), effect: "changes" }])).toBeNull();
    expect(await resultOf([{ ...renameSid(1, "x"), needs_input }])).toBeNull();
    const other = fixOf("/Statement/1/Sid", "z", { op: "remove", path: "/Statement/1/Sid" });
    expect(await resultOf([other])).toBeNull();
  });

  test("skips a fix that has no place in the text", async () => {
    const text =
      'Statement:\n  - &one\n    Sid: a\n    Action: ["1", "2", "3"]\n  - Sid: b\n  - *one\n';
    const parsed = await parseDocument(text);
    const round = await applyFixes(parsed, [renameSid(0, "x"), renameSid(1, "c")], applying);
    expect(round?.document.text).toBe(text.replace("Sid: b", "Sid: c"));
  });

  test("leaves out a fix whose edited text says something else, and says which", async () => {
    const lost: Fix[] = [];
    const fixes = [renameSid(0, "x"), renameSid(1, "y")];
    const round = await applyFixes(await parseDocument(JSON.stringify(document)), fixes, {
      pause,
      // A text with the first of the fixes is read as something else.
      parse: (text) => parseDocument(String(text).includes('"x"') ? "{}" : text),
      onLostEdit: (fix) => lost.push(fix),
    });
    expect(lost).toEqual([fixes[0]]);
    expect(round?.applied).toEqual([fixes[1]]);
  });
});

test("a text that does not parse is replaced by its repair", async () => {
  const [before, after] = ['{"Version": "2012-10-17" // who\n}', '{"Version": "2012-10-17"\n}'];
  const patch: PatchOperation[] = [
    { op: "test", path: "", value: before },
    { op: "replace", path: "", value: after },
  ];
  const fix: Fix = { title: "Repair", effect: "repairs", needs_input: [], patch };
  const round = await applyFixes(await parseDocument(before), [fix], applying);
  expect(round?.document).toMatchObject({ text: after, raw: { Version: "2012-10-17" } });
  expect(round?.applied).toEqual([fix]);
});
