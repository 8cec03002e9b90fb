import { describe, expect, test } from "vitest";
import { allow, deny, relation, type Side, when } from "../../test/support/access.ts";

/** What the left policy allows beside what the right one does, worked out by hand from AWS's rules. */
type Row = readonly [why: string, left: Side, relation: string, right: Side];

const on = (...resources: string[]) => [allow("s3:GetObject", resources)];
const act = (...actions: string[]) => [allow(actions, "*")];
const not = (...NotAction: string[]) => [{ Effect: "Allow", NotAction, Resource: "*" }];
const notOn = (...NotResource: string[]) => [
  { Effect: "Allow", Action: "s3:GetObject", NotResource },
];
const all = [allow("*", "*")];
const none: Side = [];
const b = "arn:aws:s3:::b";

const actions: readonly Row[] = [
  ["actions fold", act("S3:GETOBJECT"), "equal", act("s3:getobject")],
  ["a star runs over the colon", act("s3*"), "wider", act("s3:*")],
  ["two stars are one", act("*:*"), "equal", act("*")],
  ["a word without colon matches nothing", act("s3"), "equal", none],
  ["question marks count characters", act("s3:Get??????"), "narrower", act("s3:Get*")],
  ["a name of that length", act("s3:GetObject"), "narrower", act("s3:Get??????")],
  ["an action that AWS may add", act("s3:Get*"), "wider", act("s3:GetObject", "s3:GetBucket*")],
  ["patterns together cover a third one", act("s3:G*t*"), "wider", act("s3:Get*")],
  ["NotAction of more is narrower", not("iam:*", "sts:*"), "narrower", not("iam:*")],
  ["NotAction grants the rest", act("s3:*"), "narrower", not("iam:*")],
  ["... but not what it lists", act("i*"), "different", not("iam:*")],
  [
    "two NotActions exclude only what both do",
    [...not("iam:*", "s3:*"), ...not("iam:*", "sts:*")],
    "equal",
    not("iam:*"),
  ],
  ["disjoint NotActions are everything", [...not("iam:*"), ...not("s3:*")], "equal", all],
  ["NotAction without entries is everything", not(), "equal", all],
  ["Action without entries is nothing", act(), "equal", none],
  ["NotAction of everything is nothing", not("*"), "equal", none],
  [
    "a Deny of NotAction keeps what it lists",
    [...all, { Effect: "Deny", NotAction: "s3:*", Resource: "*" }],
    "equal",
    act("s3:*"),
  ],
  ["a Deny of Action is NotAction", [...all, deny("iam:*", "*")], "equal", not("iam:*")],
  [
    "two Denies cover each other's gap",
    [...act("s3:*"), deny("s3:Get*", "*"), { Effect: "Deny", NotAction: "s3:Get*", Resource: "*" }],
    "equal",
    none,
  ],
  // No action has two colons.
  ["${…} in an action is plain text", act("s3:${aws:username}"), "narrower", act("s3:GetObject")],
  [
    "order and grouping mean nothing",
    [...act("s3:PutObject"), ...act("s3:GetObject")],
    "equal",
    act("s3:GetObject", "s3:PutObject"),
  ],
];

const resources: readonly Row[] = [
  ["resources do not fold", on(`${b}/A`), "different", on(`${b}/a`)],
  ["a star may take nothing", on(`${b}/*`), "equal", on(`${b}/`, `${b}/?*`)],
  ["one character or more", on(`${b}/?*`), "equal", on(`${b}/*?`)],
  ["a bucket is not an object", on(b), "different", on(`${b}/*`)],
  ["a star after the bucket takes other buckets", on(`${b}*`), "wider", on(b, `${b}/*`)],
  ["an overlap counted twice", on(`${b}/a*`, `${b}/*z`), "wider", on(`${b}/a*z`)],
  ["fields stay apart", on("arn:aws:s3:::*"), "narrower", on("arn:aws:s3:*:*:*")],
  [
    "a star in the last field takes colons",
    on("arn:aws:ecs:us-east-1:111122223333:task-definition/a:1"),
    "narrower",
    on("arn:aws:ecs:*:*:task-definition/*"),
  ],
  [
    "... and no other field",
    on("arn:aws:ecs:us-east-1:111122223333:task-definition/b:1"),
    "different",
    on("arn:aws:ecs:*:*:task-definition/a:*"),
  ],
  [
    "a name in the place of an account is read as text",
    on("arn:aws:sqs:us-east-1:111122223333:queue"),
    "narrower",
    on("arn:aws:sqs:*:queue"),
  ],
  ["a star is more than any ARN", on("*"), "wider", on("arn:*")],
  ["any partition", on("arn:*:s3:::b"), "wider", on(b)],
  [
    "question marks in an account",
    on("arn:aws:sqs:us-east-1:111122223333:q"),
    "narrower",
    on("arn:aws:sqs:us-east-1:1111????3333:q"),
  ],
  ["NotResource of more is narrower", notOn(b, `${b}/*`), "narrower", notOn(b)],
  ["NotResource takes another ARN", on("arn:aws:s3:::other/*"), "narrower", notOn(`${b}/*`)],
  ["NotResource takes a request without resource", on("*"), "wider", notOn(`${b}/*`)],
  ["NotResource without entries is everything", notOn(), "equal", on("*")],
  ["NotResource of everything is nothing", notOn("*"), "equal", none],
  ["Resource without entries is nothing", on(), "equal", none],
  [
    "a Deny of NotResource leaves the resource",
    [...on("*"), { Effect: "Deny", Action: "*", NotResource: `${b}/*` }],
    "equal",
    on(`${b}/*`),
  ],
  [
    "a Deny cuts a hole",
    [...on(`${b}/*`), deny("s3:*", `${b}/secret/*`)],
    "narrower",
    on(`${b}/*`),
  ],
  [
    "a later grant fills no hole",
    [...on(`${b}/*`), deny("s3:*", `${b}/secret/*`), ...on(`${b}/secret/a`)],
    "equal",
    [...on(`${b}/*`), deny("s3:*", `${b}/secret/*`)],
  ],
  [
    "a Deny of other actions changes nothing",
    [...on(`${b}/*`), deny("s3:Put*", "*")],
    "equal",
    on(`${b}/*`),
  ],
  [
    "two Denies with opposite conditions are one",
    [
      ...on(`${b}/*`),
      deny("*", "*", { Null: { "aws:PrincipalTag/a": "true" } }),
      deny("*", "*", { Null: { "aws:PrincipalTag/a": "false" } }),
    ],
    "equal",
    none,
  ],
  [
    "a Deny that holds always",
    [...on(`${b}/*`), deny("*", "*", { Bool: { "aws:SecureTransport": ["true", "false"] } })],
    "equal",
    none,
  ],
  [
    "a Deny of an unknown operator",
    [...on(`${b}/*`), deny("*", "*", { StringFuzzy: { "aws:PrincipalTag/a": "b" } })],
    "undecided: unknown_operator",
    on(`${b}/*`),
  ],
];

const forms: readonly Row[] = [
  [
    "one statement without a list",
    { Version: "2012-10-17", Statement: allow("s3:GetObject", "*") },
    "equal",
    on("*"),
  ],
  [
    "spaces around the effect",
    [{ ...allow("s3:GetObject", "*"), Effect: " aLLow " }],
    "equal",
    on("*"),
  ],
  [
    "an unknown effect",
    [{ ...allow("s3:GetObject", "*"), Effect: "Permit" }],
    "undecided: invalid_statement",
    on("*"),
  ],
  [
    "Action and NotAction",
    [{ ...allow("s3:GetObject", "*"), NotAction: "s3:*" }],
    "undecided: invalid_statement",
    on("*"),
  ],
  [
    "a number as action",
    [{ ...allow("s3:GetObject", "*"), Action: 5 }],
    "undecided: invalid_statement",
    on("*"),
  ],
  [
    "conditions that are not an object",
    [{ ...allow("s3:GetObject", "*"), Condition: "x" }],
    "undecided: invalid_statement",
    on("*"),
  ],
  [
    "a value that is an object",
    when({ StringEquals: { "aws:PrincipalTag/a": { b: 1 } } }),
    "undecided: invalid_statement",
    on("*"),
  ],
  [
    "a principal in an identity policy",
    [{ ...allow("s3:GetObject", "*"), Principal: "*" }],
    "undecided: invalid_statement",
    on("*"),
  ],
  ["no statements", { Version: "2012-10-17" }, "undecided: invalid_statement", on("*")],
  [
    "an unreadable Deny of the baseline",
    on("*"),
    "undecided: invalid_statement",
    [...on("*"), { ...deny("*", "*"), Resource: 5 }],
  ],
  [
    "Sid and Id mean nothing",
    { Version: "2012-10-17", Id: "x", Statement: [{ ...allow("s3:GetObject", "*"), Sid: "A" }] },
    "equal",
    on("*"),
  ],
];

describe.each([
  ["actions", actions],
  ["resources", resources],
  ["forms of a document", forms],
] as const)("%s", (_, rows) => {
  test.each(rows)("%s", (_why, left, wanted, right) => {
    expect(relation(left, right)).toBe(wanted);
  });
});
