import { describe, expect, test } from "vitest";
import { embeddedServices } from "../services/embedded.ts";
import { type AccessType, readBlock, readDocument } from "./document.ts";
import { actionIsOneOf, blockHolds, entriesMet, evaluate, resourceIsOneOf } from "./evaluate.ts";
import { QuestionKeys } from "./keys.ts";
import type { AccessRequest } from "./request.ts";

const services = embeddedServices();
const keys = new QuestionKeys([], services);
const role = "arn:aws:iam::111122223333:role/app";
const object = "arn:aws:s3:::example/alice";

function requested(more: Partial<AccessRequest> = {}): AccessRequest {
  const principal = { type: "AWS", arn: role, session: "build" } as const;
  return { principal, action: "s3:GetObject", resource: object, context: {}, ...more };
}

describe("a resource is one of the patterns", () => {
  const alice = { context: { "aws:username": ["alice"] } };

  test.each([
    ["nothing", [], {}, false],
    ["one that takes it", ["arn:aws:s3:::example/*"], {}, true],
    ["the second one", ["arn:aws:s3:::other/*", object], {}, true],
    ["none that takes it", ["arn:aws:s3:::other/*", "arn:aws:s3:::example"], {}, false],
    ["a variable with its value", ["arn:aws:s3:::example/${aws:username}"], alice, true],
    ["a variable without one", ["arn:aws:s3:::example/${aws:username}"], {}, false],
    ["a placeholder", ["arn:aws:s3:::${Bucket}/alice"], {}, false],
  ])("%s", (_, patterns, more, wanted) => {
    expect(resourceIsOneOf(patterns, requested(more), keys)).toBe(wanted);
  });
});

test.each([
  [[], false],
  [["s3:GetObject"], true],
  [["S3:GETOBJECT"], true],
  [["s3:Put*", "*:get*"], true],
  [["s3:Put*", "s3:GetObject?"], false],
])("s3:getObject is one of %j: %s", (patterns, wanted) => {
  expect(actionIsOneOf(patterns, "s3:getObject")).toBe(wanted);
});

describe("a block holds", () => {
  const team = (value: string) => ({ StringEquals: { "aws:PrincipalTag/team": value } });
  const fuzzy = { StringFuzzy: { "aws:PrincipalTag/team": "a" } };
  const regions = { StringEquals: { "aws:RequestedRegion": "eu-west-1" } };

  test.each([
    ["without conditions", {}, "yes"],
    ["with one that does", team("a"), "yes"],
    ["with one that does not", team("b"), "no"],
    ["with an unknown one", fuzzy, "maybe"],
    [
      "with one that does and one that does not",
      { ...team("a"), Null: regions.StringEquals },
      "no",
    ],
    ["with an unknown one and one that does", { ...fuzzy, ...team("a") }, "maybe"],
    ["with one that does and an unknown one", { ...team("a"), ...fuzzy }, "maybe"],
    ["with an unknown one and one that does not", { ...fuzzy, ...team("b") }, "no"],
  ])("%s", (_, block, wanted) => {
    const conditions = readBlock(block) ?? [];
    const context = { "aws:PrincipalTag/team": ["a"], "aws:RequestedRegion": ["eu-west-1"] };
    const read = new QuestionKeys(conditions, services);
    expect(blockHolds(conditions, requested({ context }), read)).toBe(wanted);
  });
});

describe("entries that a request meets", () => {
  function met(element: object, request = requested(), type: AccessType = "resource") {
    const raw = { Version: "2012-10-17", Statement: { Effect: "Allow", Action: "*", ...element } };
    const document = readDocument(raw, type);
    const [statement] = document.statements;
    if (!statement) throw new Error("A statement is needed.");
    return entriesMet(statement, document.hasVariables, type, request, keys);
  }

  test.each([
    ["the entry that takes the resource", ["arn:aws:s3:::b", "arn:aws:s3:::*"], "arn:aws:s3:::*"],
    ["the first of two", [object, "*"], object],
    ["none", ["arn:aws:s3:::b"], null],
    ["an empty list", [], null],
    ["not one with a placeholder", ["arn:aws:s3:::${Bucket}/alice", "*"], "*"],
  ])("Resource: %s", (_, Resource, wanted) => {
    expect(met({ Principal: "*", Resource })).toEqual({
      resource_entry: wanted,
      principal_entry: 0,
    });
  });

  test.each([
    ["the first of NotResource", { NotResource: ["arn:aws:s3:::b", object] }, "arn:aws:s3:::b"],
    ["an empty NotResource", { NotResource: [] }, null],
    ["no Resource", {}, null],
  ])("%s", (_, element, wanted) => {
    expect(met({ Principal: "*", ...element }).resource_entry).toBe(wanted);
  });

  test.each([
    ["the second principal", { Principal: { AWS: ["444455556666", role] } }, 1],
    ["the first of two", { Principal: { AWS: ["111122223333", role] } }, 0],
    ["none", { Principal: { AWS: "444455556666" } }, null],
    ["NotPrincipal names none", { NotPrincipal: { AWS: role } }, null],
  ])("Principal: %s", (_, element, wanted) => {
    expect(met({ Resource: "*", ...element }).principal_entry).toBe(wanted);
  });

  test("an identity policy has no principals", () => {
    expect(met({ Resource: "*" }, requested(), "identity")).toEqual({
      resource_entry: "*",
      principal_entry: null,
    });
  });

  test("a canonical user may be an account, and does not meet it", () => {
    const principal = { type: "CanonicalUser", name: "a1" } as const;
    const element = { Resource: "*", Principal: { AWS: "111122223333", CanonicalUser: "a1" } };
    expect(met(element, requested({ principal })).principal_entry).toBe(1);
  });
});

describe("a document whose statements cannot be read", () => {
  const outcomeOf = (raw: unknown) =>
    evaluate(readDocument(raw, "identity"), "identity", requested(), keys);

  test.each([["a word"], [{ Statement: 5 }], [null]])("%j may allow anything", (raw) => {
    const { outcome, statements } = outcomeOf(raw);
    expect(outcome).toBe("unknown");
    expect(statements.at(-1)).toEqual({
      index: -1,
      sid: null,
      effect: null,
      outcome: "maybe",
      element: "readable",
      construct: "invalid_statement",
    });
  });
});

describe("the principals of a statement", () => {
  const outcomeFor = (type: AccessType, principal: AccessRequest["principal"], element: object) => {
    const raw = {
      Version: "2012-10-17",
      Statement: { Effect: "Allow", Action: "*", Resource: "*", ...element },
    };
    const [found] = evaluate(
      readDocument(raw, type),
      type,
      requested({ principal }),
      keys,
    ).statements;
    return found?.construct ?? found?.outcome;
  };
  const caller = { type: "AWS", arn: role, session: "build" } as const;
  const canonical = { type: "CanonicalUser", name: "a1" } as const;
  const service = { type: "Service", name: "sns.amazonaws.com" } as const;
  const anonymous = { type: "Anonymous" } as const;
  const sessionOf = (account: string, rest: string) =>
    `arn:aws:sts::${account}:assumed-role/${rest}`;

  test.each([
    ["an account with a letter in front", { AWS: "x111122223333" }, "no"],
    ["an account with a letter behind", { AWS: "111122223333x" }, "no"],
    ["the root of another service", { AWS: "arn:aws:sts::111122223333:root" }, "no"],
    ["a root with a Region", { AWS: "arn:aws:iam:us-east-1:111122223333:root" }, "no"],
    ["a root that is no ARN", { AWS: "urn:aws:iam::111122223333:root" }, "no"],
    ["a user called root", { AWS: "arn:aws:iam::111122223333:user/root" }, "no"],
    ["the root of a pattern of partitions", { AWS: "arn:aws*:iam::111122223333:root" }, "no"],
    ["the session", { AWS: sessionOf("111122223333", "app/build") }, "yes"],
    ["another session", { AWS: sessionOf("111122223333", "app/other") }, "no"],
    ["a session with one part more", { AWS: sessionOf("111122223333", "app/build/x") }, "no"],
    ["a session without a name", { AWS: sessionOf("111122223333", "app/") }, "no"],
    ["a session without a role", { AWS: sessionOf("111122223333", "/build") }, "no"],
    ["a session of a longer account", { AWS: sessionOf("1111222233334", "app/build") }, "no"],
    ["a session of another role", { AWS: sessionOf("111122223333", "app2/build") }, "no"],
    [
      "a session of another partition",
      { AWS: "arn:aws-cn:sts::111122223333:assumed-role/app/build" },
      "no",
    ],
    ["a session with a Region", { AWS: "arn:aws:sts:x:111122223333:assumed-role/app/build" }, "no"],
    ["a session of IAM", { AWS: "arn:aws:iam::111122223333:assumed-role/app/build" }, "no"],
    [
      "another kind of session",
      { AWS: "arn:aws:sts::111122223333:federated-user/app/build" },
      "no",
    ],
    ["a pattern of sessions", { AWS: sessionOf("111122223333", "app/*") }, "no"],
  ])("%s: %j", (_, Principal, wanted) => {
    expect(outcomeFor("resource", caller, { Principal })).toBe(wanted);
  });

  test.each([
    ["a canonical user beside an account", canonical, { AWS: "111122223333" }, "canonical_user"],
    ["a canonical user beside a service", canonical, { Service: "a1" }, "no"],
    ["anonymous callers beside a service", anonymous, { Service: "*" }, "no"],
    ["anonymous callers beside an account", anonymous, { AWS: "111122223333" }, "no"],
  ])("%s", (_, principal, Principal, wanted) => {
    expect(outcomeFor("resource", principal, { Principal })).toBe(wanted);
  });

  test.each([
    ["a canonical user, an account", canonical, { AWS: "111122223333" }, "canonical_user"],
    [
      "a canonical user, an account and itself",
      canonical,
      { AWS: "111122223333", CanonicalUser: "a1" },
      "no",
    ],
    ["a canonical user, a service", canonical, { Service: "a1" }, "yes"],
    ["anonymous callers, an account", anonymous, { AWS: "111122223333" }, "yes"],
    ["anonymous callers, everyone", anonymous, { AWS: ["111122223333", "*"] }, "no"],
    ["anonymous callers, every service", anonymous, { Service: "*" }, "yes"],
    ["a service, itself", service, { Service: "sns.amazonaws.com" }, "no"],
    ["a service, all of them", service, { Service: "*" }, "no"],
    ["a service, a provider of its name", service, { Federated: "sns.amazonaws.com" }, "yes"],
    ["a role, its account alone", caller, { AWS: "111122223333" }, "not_principal"],
    [
      "a role, everything of it",
      caller,
      { AWS: ["111122223333", role, sessionOf("111122223333", "app/build")] },
      "no",
    ],
    ["a role, all but the session", caller, { AWS: ["111122223333", role] }, "not_principal"],
    ["a role, another session", caller, { AWS: sessionOf("111122223333", "app/other") }, "yes"],
    ["a role, a service of the name of its account", caller, { Service: "111122223333" }, "yes"],
  ])("NotPrincipal: %s", (_, principal, NotPrincipal, wanted) => {
    expect(outcomeFor("resource", principal, { NotPrincipal })).toBe(wanted);
  });

  test.each(["identity", "scp"] as const)("play no role in the type %s", (type) => {
    expect(outcomeFor(type, service, {})).toBe("yes");
  });

  test("everyone where an RCP names none", () => {
    expect(outcomeFor("rcp", service, {})).toBe("yes");
  });
});
