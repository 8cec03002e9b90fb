import { describe, expect, test } from "vitest";
import {
  allow,
  deny,
  grant,
  granted,
  newAccess,
  type Side,
  type Statement,
} from "../../test/support/access.ts";
import { embeddedServices } from "../services/embedded.ts";
import type { Answer } from "./answers.ts";
import { type AccessType, readDocument } from "./document.ts";
import { askWithin } from "./questions.ts";
import { runQuestionSync } from "./run.ts";

const all = allow("*", "*");
const put = allow("s3:PutObject", "*");
const get = allow("s3:GetObject", "*");
const fuzzy = { StringFuzzy: { "s3:prefix": "x" } };
const account = "111122223333";

/** The violations of an answer, or what leaves it undecided, each in one line. */
function said({ verdict, violations, undecided_by }: Answer): readonly string[] {
  if (verdict === "holds") return ["holds"];
  if (verdict === "undecided") {
    return undecided_by.map(({ construct, side, path }) => `${construct} of ${side} ${path}`);
  }
  return violations.map(
    ({ statement_index, statement_sid, reason, other_statement, entries, witness }) => {
      const name = statement_sid ?? statement_index;
      const other = other_statement === null ? "" : ` by ${other_statement}`;
      return `${name} ${reason}${other}: ${entries.join(" ")}, as ${witness.action}`;
    },
  );
}

describe("new access", () => {
  test.each([
    [
      "what was not allowed",
      [get],
      [put, get],
      ["0 not_allowed_before: s3:PutObject, as s3:PutObject"],
    ],
    [
      "by the Sid of a statement",
      [],
      [{ ...get, Sid: "Read" }],
      ["Read not_allowed_before: s3:GetObject, as s3:GetObject"],
    ],
    [
      "in each statement that allows it",
      [],
      [get, deny("s3:*", "x"), put],
      [
        "0 not_allowed_before: s3:GetObject, as s3:GetObject",
        "2 not_allowed_before: s3:PutObject, as s3:PutObject",
      ],
    ],
    [
      "of the entries that are new",
      [get],
      [allow(["s3:GetObject", "s3:PutObject", "s3:DeleteBucket"], "*")],
      ["0 not_allowed_before: s3:PutObject s3:DeleteBucket, as s3:PutObject"],
    ],
    [
      "what is denied no longer",
      [all, deny("s3:PutObject", "*")],
      [all],
      ["0 denied_before by 1: *, as s3:PutObject"],
    ],
    [
      "... by the second of two Denies",
      [all, deny("s3:GetObject", "*"), deny("s3:PutObject", "*")],
      [all, deny("s3:GetObject", "*")],
      ["0 denied_before by 2: *, as s3:PutObject"],
    ],
    [
      "a Deny that the policy has as well",
      [all, deny("s3:PutObject", "*")],
      [all, deny("s3:Put*", "*")],
      ["holds"],
    ],
    [
      "a Deny that is left out beside a narrower Allow",
      [all, deny("s3:PutObject", "*")],
      [get],
      ["holds"],
    ],
    ["a Deny of what neither allows", [get, deny("s3:PutObject", "*")], [get], ["holds"]],
    [
      "of users, by a key that only the baseline tests",
      [allow("*", "*", { Null: { "aws:username": "true" } })],
      [all],
      ["0 not_allowed_before: *, as s3:AbortMultipartUpload"],
    ],
    [
      "a Deny of the policy that cannot be read",
      [],
      [get, deny("s3:*", "*", fuzzy)],
      ["unknown_operator of policy /Statement/1/Condition/StringFuzzy/s3:prefix"],
    ],
    [
      "an Allow of the baseline that cannot be read",
      [allow("s3:*", "*", fuzzy)],
      [get],
      ["unknown_operator of baseline /Statement/0/Condition/StringFuzzy/s3:prefix"],
    ],
    [
      "a Deny of the baseline that cannot be read",
      [all, deny("s3:*", "*", fuzzy)],
      [get],
      ["unknown_operator of baseline /Statement/1/Condition/StringFuzzy/s3:prefix"],
    ],
    [
      "statements without a form",
      [{ ...get, Action: 1 }],
      [get, { ...get, Effect: "Permit" }],
      ["invalid_statement of policy /Statement/1", "invalid_statement of baseline /Statement/0"],
    ],
    [
      "... beside what was allowed",
      [get, { ...get, Action: 1 }],
      [get, { ...get, Effect: "Permit" }],
      ["invalid_statement of policy /Statement/1", "invalid_statement of baseline /Statement/1"],
    ],
  ] as const)("%s", (_, baseline, policy, expected) => {
    expect(said(newAccess(baseline, policy))).toEqual(expected);
  });

  test("a document without a form is undecided as a whole", () => {
    const faulty = { Statement: "none" };
    expect(said(newAccess([get], faulty))).toEqual(["invalid_statement of policy "]);
    expect(said(newAccess(faulty, []))).toEqual(["invalid_statement of baseline "]);
  });

  test("a caller of whom some identities are listed is undecided by NotPrincipal", () => {
    const role = `arn:aws:iam::${account}:role/a`;
    const { Principal: _, ...rest } = grant("*");
    const denied = { ...rest, Effect: "Deny", NotPrincipal: { AWS: [role, account] } };
    const asked = (policy: Side, baseline: Side) => said(newAccess(baseline, policy, "resource"));
    expect(asked([grant({ AWS: role }), denied], [])).toEqual([
      "not_principal of policy /Statement/1/NotPrincipal",
    ]);
    expect(asked([grant({ AWS: role })], [grant("*"), denied])).toEqual([
      "not_principal of baseline /Statement/1/NotPrincipal",
    ]);
  });
});

describe("what is forbidden", () => {
  const pass = { actions: ["iam:PassRole"] };
  const tag = (value: string) => ({ StringEquals: { "aws:PrincipalTag/a": value } });

  test.each([
    ["an action", [all], pass, ["0 forbidden: *, as iam:PassRole"]],
    [
      "each statement that grants it",
      [all, allow(["s3:*", "iam:Pass*"], "*")],
      pass,
      ["0 forbidden: *, as iam:PassRole", "1 forbidden: iam:Pass*, as iam:PassRole"],
    ],
    [
      "no action, but a resource",
      [get],
      { resources: ["arn:aws:s3:::b/*"] },
      ["0 forbidden: s3:GetObject, as s3:GetObject"],
    ],
    [
      "one resource of two",
      [allow("s3:GetObject", "arn:aws:s3:::b/*")],
      { resources: ["arn:aws:s3:::a/*", "arn:aws:s3:::b/x"] },
      ["0 forbidden: s3:GetObject, as s3:GetObject"],
    ],
    [
      "one action of two",
      [get],
      { actions: ["s3:PutObject", "s3:GetObject"] },
      ["0 forbidden: s3:GetObject, as s3:GetObject"],
    ],
    [
      "an action, but another resource",
      [allow("s3:GetObject", "arn:aws:s3:::c/*")],
      { actions: ["s3:*"], resources: ["arn:aws:s3:::b/*"] },
      ["holds"],
    ],
    ["an exception", [allow("*", "*", tag("x"))], { ...pass, unless: [tag("x")] }, ["holds"]],
    [
      "an exception that is not met",
      [allow("*", "*", tag("x"))],
      { ...pass, unless: [tag("y")] },
      ["0 forbidden: *, as iam:PassRole"],
    ],
    [
      "the second of two exceptions",
      [allow("*", "*", tag("x"))],
      { ...pass, unless: [tag("y"), tag("x")] },
      ["holds"],
    ],
    [
      "an exception with a variable",
      [allow("*", "*", { StringEquals: { "aws:PrincipalTag/a": "${aws:PrincipalTag/b}" } })],
      {
        ...pass,
        unless: [{ StringEquals: { "aws:PrincipalTag/a": "${aws:PrincipalTag/b}" } }],
      },
      ["holds"],
    ],
    [
      "an exception that cannot be read",
      [all],
      { ...pass, unless: [tag("y"), { NumericEquals: { "aws:PrincipalTag/a": "1" } }] },
      ["mixed_operators of config /unless/1/NumericEquals/aws:PrincipalTag~1a"],
    ],
    [
      "an exception that lacks its set operator",
      [allow("*", "*", { "ForAnyValue:StringEquals": { "aws:CalledVia": "a" } })],
      {
        ...pass,
        unless: [{ StringEquals: { "aws:CalledVia": "a" } }],
      },
      ["set_operator_missing of policy /Statement/0"],
    ],
    ["a Deny", [all, deny("iam:*", "*")], pass, ["holds"]],
    [
      "a Deny of all but users",
      [all, deny("*", "*", { Null: { "aws:username": "true" } })],
      pass,
      ["0 forbidden: *, as iam:PassRole"],
    ],
    [
      "an exception of all but users",
      [all],
      { ...pass, unless: [{ Null: { "aws:username": "true" } }] },
      ["0 forbidden: *, as iam:PassRole"],
    ],
    [
      "a Deny that cannot be read",
      [all, deny("iam:*", "*", fuzzy)],
      pass,
      ["unknown_operator of policy /Statement/1/Condition/StringFuzzy/s3:prefix"],
    ],
    [
      "a statement without a form",
      [{ ...get, Resource: 1 }],
      pass,
      ["invalid_statement of policy /Statement/0"],
    ],
  ] as const)("%s", (_, policy, forbidden, expected) => {
    expect(said(granted(policy, forbidden))).toEqual(expected);
  });
});

describe("what one document denies beside another", () => {
  const services = embeddedServices();
  const options = { services, maxSteps: 200_000, maxStatements: 20 };

  function denied(
    inner: readonly Statement[],
    outer: readonly Statement[],
    type: AccessType = "identity",
  ) {
    const [left, right] = [inner, outer].map((Statement) =>
      readDocument({ Version: "2012-10-17", Statement }, type),
    );
    if (!left || !right) throw new Error("no documents");
    return said(runQuestionSync(askWithin(left, right, type, "denied", options)));
  }
  const no = (action: string, condition?: object) => deny(action, "*", condition);

  test.each([
    ["nothing", [all], [all], ["holds"]],
    [
      "an action",
      [no("s3:PutObject")],
      [all],
      ["0 not_allowed_before: s3:PutObject, as s3:PutObject"],
    ],
    [
      "an action that the other denies by a pattern",
      [no("s3:PutObject")],
      [no("s3:Put*")],
      ["holds"],
    ],
    [
      "the first action of two",
      [no("s3:Get*"), no("s3:PutObject")],
      [no("s3:PutObject")],
      ["0 not_allowed_before: s3:Get*, as s3:GetAccelerateConfiguration"],
    ],
    [
      "of users, by a key that only the other tests",
      [no("s3:PutObject")],
      [no("*", { Null: { "aws:username": "true" } })],
      ["0 not_allowed_before: s3:PutObject, as s3:PutObject"],
    ],
    ["whatever either allows", [all, no("s3:PutObject")], [get, no("s3:PutObject")], ["holds"]],
    [
      "a Deny that cannot be read",
      [no("s3:PutObject", fuzzy)],
      [],
      ["unknown_operator of policy /Statement/0/Condition/StringFuzzy/s3:prefix"],
    ],
    [
      "what the other denies under the same",
      [no("s3:PutObject", fuzzy)],
      [no("s3:PutObject", fuzzy)],
      ["holds"],
    ],
    [
      "what the other may deny",
      [no("s3:PutObject")],
      [no("s3:PutObject", fuzzy)],
      ["unknown_operator of baseline /Statement/0/Condition/StringFuzzy/s3:prefix"],
    ],
    [
      "a statement without a form",
      [],
      [{ ...get, Action: 1 }],
      ["invalid_statement of baseline /Statement/0"],
    ],
    [
      "... in the document itself",
      [{ ...get, Action: 1 }],
      [],
      ["invalid_statement of policy /Statement/0"],
    ],
  ] as const)("%s", (_, inner, outer, expected) => {
    expect(denied(inner, outer)).toEqual(expected);
  });

  test("a caller of whom some identities are listed is undecided by NotPrincipal", () => {
    const role = `arn:aws:iam::${account}:role/a`;
    const { Principal: _, ...rest } = grant("*");
    const unlisted = { ...rest, Effect: "Deny", NotPrincipal: { AWS: [role, account] } };
    const listed = { ...rest, Effect: "Deny", Principal: { AWS: role } };
    expect(denied([listed], [unlisted], "resource")).toEqual([
      "not_principal of baseline /Statement/0/NotPrincipal",
    ]);
    expect(denied([unlisted], [{ ...listed, Principal: "*" }], "resource")).toEqual(["holds"]);
    expect(denied([unlisted], [], "resource")[0]).toMatch(/^0 not_allowed_before/);
  });
});
