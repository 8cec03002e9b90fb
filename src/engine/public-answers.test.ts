import { describe, expect, test } from "vitest";
import type { Answer } from "../access/answers.ts";
import type { Check } from "./check.ts";
import { publicAnswers } from "./public-answers.ts";

describe("an answer that callers see", () => {
  const witness = {
    principal: { arn: "arn:aws:iam::123456789012:role/a" },
    action: "s3:GetObject",
    resource: "*",
    context: { "aws:SourceIp": ["192.0.2.1"] },
  };
  const violation = {
    ...{ statement_index: 0, statement_sid: null, entries: ["s3:*"], kind: "grants" },
    ...{ reason: "public", other_statement: null, witness },
  };
  const internal = { resource_entry: "*", principal_entry: 0 };
  const undecided = { construct: "c", path: "/p", side: "policy", text: "t" };
  const answer = (fields: object) =>
    ({
      ...{ verdict: "violated", violations: [{ ...violation, ...internal }] },
      ...{ undecided_by: [{ ...undecided, more: 1 }], steps: 3, decided: new Set([0]) },
      ...fields,
    }) as unknown as Answer;
  const check = { check_id: "ask" } as Check;
  const about = { check_id: "ask", verdict: "violated", undecided_by: [undecided], steps: 3 };

  test("has no members that only this server reads, and is a copy", () => {
    const given = answer({});
    const [one, ...others] = publicAnswers(check, [
      { id: "q", answer: given, isInternal: false },
      { id: null, answer: given, isInternal: true },
    ]);
    expect(others).toEqual([]);
    expect(one).toStrictEqual({ ...about, question_id: "q", violations: [violation] });
    expect(one?.violations?.[0]?.entries).not.toBe(given.violations[0]?.entries);
    expect(one?.violations?.[0]?.witness.context).not.toBe(witness.context);
  });

  test("has the placeholders of a template", () => {
    const placeholders = { "<id>": "a" };
    const violations = [{ ...violation, witness: { ...witness, placeholders } }];
    const [one] = publicAnswers(check, [
      { id: "q", answer: answer({ violations }), isInternal: false },
    ]);
    expect(one?.violations?.[0]?.witness).toStrictEqual({ ...witness, placeholders });
  });
});
