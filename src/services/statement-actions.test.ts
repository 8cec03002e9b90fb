import { describe, expect, test } from "vitest";
import { objectDocument } from "../policy/document.ts";
import { statementsOf } from "../policy/normalise.ts";
import { embeddedServices } from "./embedded.ts";
import { matchAction } from "./match-action.ts";
import { actionsOf, keepActions } from "./statement-actions.ts";

const services = embeddedServices();

function read(Action: unknown, match = (text: string) => matchAction(services, text)) {
  const [statement] = statementsOf(objectDocument({ Statement: { Effect: "Allow", Action } }));
  if (!statement) throw new Error("no statement");
  return { statement, table: actionsOf(statement, match) };
}

describe("the actions of a statement", () => {
  test("each entry has its meaning, in the order of the statement", () => {
    const { table } = read(["s3:GetObject", "S3:getobject", "ec2:Run*", "nosuch:Thing", "*"]);
    expect(table.read.map(({ entry, meaning }) => [entry.text, meaning.kind])).toEqual([
      ["s3:GetObject", "action"],
      ["S3:getobject", "action"],
      ["ec2:Run*", "pattern"],
      ["nosuch:Thing", "unknown_service"],
      ["*", "any"],
    ]);
  });

  test("services are those of actions and patterns, each once", () => {
    const { table } = read(["s3:GetObject", "ec2:Run*", "s3:PutObject", "sqs:NoSuchAction"]);
    expect(Array.from(table.services, ({ prefix }) => prefix)).toEqual(["s3", "ec2"]);
  });

  test.each([
    [["s3:GetObject", "sqs:SendMessage"], true],
    [[], true],
    [["s3:GetObject", "s3:Get*"], false],
    [["s3:GetObjct"], false],
    [["nosuch:Thing"], false],
    [["*"], false],
    [["not an action"], false],
  ])("%j are names of known actions: %s", (actions, areNames) => {
    expect(read(actions).table.areNames).toBe(areNames);
  });

  test("a statement is looked up once", () => {
    const asked: string[] = [];
    const match = (text: string) => {
      asked.push(text);
      return matchAction(services, text);
    };
    const { statement, table } = read(["s3:GetObject", "s3:PutObject"], match);
    expect(actionsOf(statement, match)).toBe(table);
    expect(asked).toEqual(["s3:GetObject", "s3:PutObject"]);
  });

  test("a statement that was looked up before is not looked up again", () => {
    const { statement, table } = read(["s3:GetObject", "s3:Get*"]);
    const kept = keepActions(statement, table.read);
    expect(kept).toEqual(table);
    const match = () => {
      throw new Error("looked up again");
    };
    expect(actionsOf(statement, match)).toBe(kept);
  });
});
