import { describe, expect, test } from "vitest";
import { embeddedServices } from "../services/embedded.ts";
import type { Answer, UndecidedBy } from "./answers.ts";
import { type AccessDocument, readDocument } from "./document.ts";
import { askWithin } from "./questions.ts";
import { related } from "./relate.ts";
import { runQuestionSync } from "./run.ts";

const services = embeddedServices();
const options = { services, maxSteps: 200_000, maxStatements: 20 };

function policy(...statements: readonly object[]) {
  return readDocument({ Version: "2012-10-17", Statement: statements }, "identity");
}

function relationOf(
  left: readonly object[],
  right: readonly object[],
  of: "allowed" | "denied" = "allowed",
) {
  return relate(policy(...left), policy(...right), of).relation;
}

/** Asks both directions. */
function relate(left: AccessDocument, right: AccessDocument, of: "allowed" | "denied") {
  return related(
    runQuestionSync(askWithin(left, right, "identity", of, options)),
    runQuestionSync(askWithin(right, left, "identity", of, options)),
  );
}

const allow = (Action: unknown, Resource: unknown = "*", more: object = {}) => ({
  Effect: "Allow",
  Action,
  Resource,
  ...more,
});
const deny = (Action: unknown, Resource: unknown = "*", more: object = {}) => ({
  ...allow(Action, Resource, more),
  Effect: "Deny",
});

describe("what two documents allow", () => {
  test("is equal where one statement is split in two", () => {
    const whole = [
      allow(["s3:GetObject", "s3:PutObject"], ["arn:aws:s3:::a/*", "arn:aws:s3:::b/*"]),
    ];
    const parts = [
      allow("s3:GetObject", ["arn:aws:s3:::a/*", "arn:aws:s3:::b/*"]),
      allow("s3:PutObject", "arn:aws:s3:::b/*"),
      allow("s3:PUTOBJECT", "arn:aws:s3:::a/*"),
    ];
    expect(relationOf(whole, parts)).toBe("equal");
  });

  test("is narrower with a further Deny, and different where each has its own", () => {
    const all = allow("s3:*");
    expect(relationOf([all, deny("s3:DeleteBucket")], [all])).toBe("left_within_right");
    expect(relationOf([all], [all, deny("s3:DeleteBucket")])).toBe("right_within_left");
    expect(relationOf([allow("s3:GetObject")], [allow("s3:PutObject")])).toBe("different");
  });

  test("gives a request for each direction that fails", () => {
    const both = relate(
      policy(allow("s3:GetObject", "arn:aws:s3:::a/*")),
      policy(allow("s3:PutObject", "arn:aws:s3:::a/*")),
      "allowed",
    );
    expect(both).toMatchObject({
      left_only: { action: "s3:GetObject", resource: "arn:aws:s3:::a/example" },
      right_only: { action: "s3:PutObject", resource: "arn:aws:s3:::a/example" },
    });
  });

  test("is undecided where an operator is not known, and equal where it is the same one", () => {
    const odd = allow("s3:GetObject", "*", { Condition: { StringFuzzy: { "s3:prefix": "a" } } });
    expect(relationOf([odd], [allow("s3:GetObject")])).toBe("undecided");
    expect(relationOf([odd], [odd])).toBe("equal");
  });
});

describe("what two documents deny", () => {
  test("is compared without what they allow", () => {
    const left = [allow("*"), deny(["s3:DeleteBucket", "s3:DeleteObject"])];
    const right = [allow("ec2:*"), deny("s3:DeleteBucket"), deny("s3:DeleteObject")];
    expect(relationOf(left, right, "denied")).toBe("equal");
    expect(relationOf([deny("s3:Delete*")], left, "denied")).toBe("right_within_left");
  });

  test("counts conditions", () => {
    const always = [deny("s3:*")];
    const insecure = [
      deny("s3:*", "*", { Condition: { Bool: { "aws:SecureTransport": "false" } } }),
    ];
    expect(relationOf(insecure, always, "denied")).toBe("left_within_right");
  });
});

describe("two directions together", () => {
  const answer = (
    verdict: Answer["verdict"],
    sides: readonly UndecidedBy["side"][] = [],
  ): Answer => ({
    verdict,
    violations: [],
    undecided_by: sides.map((side) => ({
      construct: "unknown_operator",
      path: `/${side}`,
      side,
      key: null,
      text: "",
    })),
    steps: 3,
    decided: new Set(),
  });

  test.each([
    ["holds", "holds", "equal"],
    ["holds", "violated", "left_within_right"],
    ["violated", "holds", "right_within_left"],
    ["violated", "violated", "different"],
    ["undecided", "holds", "undecided"],
    ["violated", "undecided", "undecided"],
  ] as const)("%s and %s: %s", (left, right, relation) => {
    expect(related(answer(left), answer(right))).toMatchObject({
      relation,
      left_only: null,
      right_only: null,
      undecided_by: [],
      steps: 6,
    });
  });

  test("name the sides as the left direction does", () => {
    const { undecided_by } = related(
      answer("undecided", ["policy", "baseline"]),
      answer("undecided", ["policy", "baseline", "config"]),
    );
    expect(undecided_by.map(({ path, side }) => `${path} ${side}`)).toEqual([
      "/policy policy",
      "/baseline baseline",
      "/policy baseline",
      "/baseline policy",
      "/config config",
    ]);
    expect(undecided_by.every(({ construct }) => construct === "unknown_operator")).toBe(true);
  });
});
