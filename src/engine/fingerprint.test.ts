import { describe, expect, test } from "vitest";
import { objectDocument } from "../policy/document.ts";
import { statementsOf } from "../policy/normalise.ts";
import { fingerprintOf } from "./fingerprint.ts";

describe("the fingerprint of a finding", () => {
  const [read, copy, other, named, renamed] = statementsOf(
    objectDocument({
      Statement: [
        { Effect: "Allow", Action: "s3:GetObject" },
        { Effect: "Allow", Action: "s3:GetObject" },
        { Effect: "Deny", Action: "s3:GetObject" },
        { Sid: "Read", Effect: "Allow", Action: "s3:GetObject" },
        { Sid: "Read", Effect: "Deny", Action: "*" },
      ],
    }),
  );
  const fields = {
    check_id: "check",
    issue_type: "issue",
    action: "s3:GetObject",
    resource: "*",
    condition_key: "aws:SourceIp",
  };
  const statement = read ?? null;
  const print = () => fingerprintOf("a", statement, fields);

  test("is the same in every run and version", () => {
    expect(print()).toBe("925c0434816f3c83");
    const bare = { ...fields, action: null, resource: null, condition_key: null };
    expect(fingerprintOf(null, null, bare)).toBe("45faad12e68143c2");
  });

  test("is that of the statement's content, or of its Sid", () => {
    expect(fingerprintOf("a", copy ?? null, fields)).toBe(print());
    expect(fingerprintOf("a", other ?? null, fields)).not.toBe(print());
    const ofNamed = fingerprintOf("a", named ?? null, fields);
    expect(ofNamed).not.toBe(print());
    expect(fingerprintOf("a", renamed ?? null, fields)).toBe(ofNamed);
    expect(fingerprintOf("a", null, fields)).not.toBe(print());
  });

  test.each([
    { check_id: "other" },
    { issue_type: "other" },
    { action: null },
    { resource: null },
    { condition_key: null },
    { identity: "" },
    { identity: "other" },
  ])("differs with %j", (other) => {
    expect(fingerprintOf("a", statement, { ...fields, ...other })).not.toBe(print());
  });

  test("is that of a policy by its name; no name is the empty one", () => {
    expect(fingerprintOf("b", statement, fields)).not.toBe(print());
    expect(fingerprintOf(null, statement, fields)).toBe(fingerprintOf("", statement, fields));
  });
});
