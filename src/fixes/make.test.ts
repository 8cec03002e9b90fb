import { describe, expect, test } from "vitest";
import { childNode, rootNode } from "../json/node.ts";
import { objectDocument } from "../policy/document.ts";
import type { Statement } from "../policy/model.ts";
import { statementsOf } from "../policy/normalise.ts";
import {
  addCondition,
  addConditions,
  addMember,
  appendEntry,
  removeConditions,
  removeEntries,
  removeStatement,
  renameMember,
  replaceValue,
  splitStatement,
} from "./edits.ts";
import { makeFix } from "./make.ts";
import { applyPatch } from "./patch.ts";
import type { Edit, FixProposal } from "./proposal.ts";

const read = {
  Effect: "Allow",
  Action: ["s3:GetObject", "s3:Get*", "s3:GetObject"],
  Resource: "*",
};

const policyOf = (...statements: object[]) => ({ Version: "2012-10-17", Statement: statements });

function statementOf(document: object): Statement {
  const [statement] = statementsOf(objectDocument(document));
  if (!statement) throw new Error("no statement");
  return statement;
}

/** The document with the fix; null if there is none. */
function fixed(
  document: object,
  given: readonly (Edit | null)[],
  more: Partial<FixProposal> = {},
): unknown {
  const edits = given.filter((edit) => edit !== null);
  const proposal = { title: "Repair it", effect: "changes" as const, edits, ...more };
  const made = makeFix(proposal, document, "/Statement/0");
  if (!made) return null;
  const applied = applyPatch(document, made.fix.patch);
  expect(applied).toEqual(made.after);
  return applied;
}

describe("an edit", () => {
  test("removes entries of one list, in any order", () => {
    const document = policyOf(read);
    const [first, , third] = statementOf(document).actions;
    const both = first && third ? [first, third] : [];
    for (const entries of [both, both.toReversed()]) {
      expect(fixed(document, removeEntries(entries))).toEqual(
        policyOf({ ...read, Action: ["s3:Get*"] }),
      );
    }
  });

  test("of a text that its list repeats edits every place", () => {
    const document = policyOf(read);
    const [first] = statementOf(document).actions;
    const edits = first ? [replaceValue(first.node, "s3:GetObjectAcl")] : [];
    expect(fixed(document, edits)).toEqual(
      policyOf({ ...read, Action: ["s3:GetObjectAcl", "s3:Get*", "s3:GetObjectAcl"] }),
    );
  });

  test("of a repeated text edits the named place only, where another edit removes a repetition", () => {
    const document = policyOf(read);
    const [first, , third] = statementOf(document).actions;
    const edits =
      first && third
        ? [replaceValue(first.node, "s3:GetObjectAcl"), ...removeEntries([third])]
        : [];
    expect(fixed(document, edits)).toEqual(
      policyOf({ ...read, Action: ["s3:GetObjectAcl", "s3:Get*"] }),
    );
  });

  test("that would leave a list without entries gives no fix", () => {
    const document = policyOf(read);
    const statement = statementOf(document);
    expect(fixed(document, removeEntries(statement.actions))).toBeNull();
    expect(fixed(document, [removeStatement(statement)])).toBeNull();
    expect(fixed({ Statement: read }, [removeStatement(statementOf({ Statement: read }))])).toEqual(
      {},
    );
  });

  test.each([
    ["without a condition", read, { Bool: { "aws:SecureTransport": "true" } }],
    [
      "with one",
      { ...read, Condition: { bool: { "aws:ViaAWSService": "false" } } },
      { bool: { "aws:ViaAWSService": "false", "aws:SecureTransport": "true" } },
    ],
    [
      "with the same test",
      { ...read, Condition: { Bool: { "aws:securetransport": "false" } } },
      { Bool: { "aws:securetransport": "true" } },
    ],
  ])("adds a test to a statement %s", (_, raw, Condition) => {
    const document = policyOf(raw);
    const edit = addCondition(statementOf(document), "Bool", "aws:SecureTransport", "true");
    expect(fixed(document, [edit])).toEqual(policyOf({ ...raw, Condition }));
  });

  test("adds several tests at once", () => {
    const document = policyOf(read);
    const added = { StringEquals: { a: "1" }, ArnLike: { b: "2" } };
    const edit = addConditions(statementOf(document), added);
    expect(fixed(document, [edit])).toEqual(policyOf({ ...read, Condition: added }));
  });

  test("removes a test, its operator and the condition with it", () => {
    const raw = { ...read, Condition: { Bool: { "aws:SecureTransport": "true" } } };
    const statement = statementOf(policyOf(raw));
    expect(fixed(policyOf(raw), [removeConditions(statement, statement.conditions)])).toEqual(
      policyOf(read),
    );
  });

  test("replaces a statement by several, in a list or alone", () => {
    const others = [
      { ...read, Action: "a" },
      { ...read, Action: "b" },
    ];
    const list = policyOf(read, read);
    expect(fixed(list, [splitStatement(statementOf(list), others)])).toEqual(
      policyOf(...others, read),
    );
    const alone = { Version: "2012-10-17", Statement: read };
    expect(fixed(alone, [splitStatement(statementOf(alone), others)])).toEqual(policyOf(...others));
  });

  test("renames a member, unless the name is taken", () => {
    const { Action, ...rest } = read;
    const document = policyOf({ Acton: Action, ...rest });
    const member = childNode(statementOf(document).node, "Acton");
    expect(fixed(document, [renameMember(member, "Action")])).toEqual(policyOf(read));
    expect(fixed(document, [renameMember(member, "Effect")])).toBeNull();
  });

  test("adds a member or an entry", () => {
    const document = { Statement: [read] };
    expect(fixed(document, [addMember(rootNode, "Version", "2012-10-17")])).toEqual(policyOf(read));
    const list = childNode(rootNode, "Statement");
    expect(fixed(document, [appendEntry(list, { Effect: "Deny" })])).toEqual({
      Statement: [read, { Effect: "Deny" }],
    });
  });
});

describe("a fix", () => {
  const edit = (document: object, value: unknown) => {
    const statement = statementOf(document);
    return {
      title: "Repair it",
      effect: "changes",
      edits: [replaceValue(statement.at("Resource"), value)],
    } as const;
  };

  test("begins with a test of the node that the finding names", () => {
    const document = policyOf(read);
    const made = makeFix(edit(document, "x"), document, "/Statement/0/Resource");
    expect(made?.fix.patch).toEqual([
      { op: "test", path: "/Statement/0/Resource", value: "*" },
      { op: "replace", path: "/Statement/0/Resource", value: "x" },
    ]);
  });

  test("tests the nearest ancestor of a node that is missing", () => {
    const document = policyOf(read);
    const made = makeFix(edit(document, "x"), document, "/Statement/0/Condition/Bool");
    expect(made?.fix.patch[0]).toMatchObject({ path: "/Statement/0" });
  });

  test("tests a part of a node above 2 KiB", () => {
    const large = { ...read, Sid: "x".repeat(2100) };
    const document = policyOf(large);
    const made = makeFix(edit(document, "x"), document, "");
    expect(made?.fix.patch[0]).toEqual({
      op: "test",
      path: "/Statement/0/Action",
      value: read.Action,
    });
  });

  test("uses the paths of the document as submitted", () => {
    const document = { Statement: read };
    const made = makeFix(edit(document, "x"), document, "/Statement");
    expect(made?.fix.patch[1]).toMatchObject({ path: "/Statement/Resource" });
  });

  test("above 8 KiB is left out", () => {
    const document = policyOf(read);
    expect(makeFix(edit(document, "x".repeat(9000)), document, "")).toBeNull();
  });

  test.each([
    ["plain text", "x", 7800, 300],
    ["quotes, which JSON escapes", '"', 3900, 150],
    ["controls, which JSON writes as six", "\u0001", 1300, 50],
  ])("of up to 8 KiB of %s is kept", (_, text, fitting, more) => {
    const document = policyOf(read);
    expect(makeFix(edit(document, text.repeat(fitting)), document, "")).not.toBeNull();
    expect(makeFix(edit(document, text.repeat(fitting + more)), document, "")).toBeNull();
  });

  test("that changes nothing is none", () => {
    const document = policyOf(read);
    expect(makeFix(edit(document, "*"), document, "")).toBeNull();
  });

  test.each([
    ["its title is too long", { title: "x".repeat(81) }],
    [
      "a placeholder is not in the patch",
      { needs_input: [{ placeholder: "<a>", meaning: "A", example: "a" }] },
    ],
    [
      "a placeholder is not one",
      { needs_input: [{ placeholder: "*", meaning: "A", example: "a" }] },
    ],
    [
      "it has a node that the document does not have",
      { edits: [replaceValue(childNode(rootNode, "Nothing"), 1)] },
    ],
  ])("is a defect if %s", (_, wrong) => {
    const document = policyOf(read);
    expect(() => makeFix({ ...edit(document, "x"), ...wrong }, document, "")).toThrow();
  });
});
