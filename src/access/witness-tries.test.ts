import { describe, expect, test } from "vitest";
import { allow, deny, grant, requestText, type Side } from "../../test/support/access.ts";
import { type FoundLeaf, type LeafQuestion, leavesFor } from "../../test/support/leaf.ts";
import type { Confirmed } from "./leaf.ts";
import type { Place } from "./literals.ts";
import { witnessOf } from "./witness.ts";
import type { WitnessRules } from "./witness-rules.ts";

interface Tries {
  /** Requests that the evaluator was asked about, in order. */
  readonly asked: readonly string[];
  readonly outcome: Confirmed | Place | null;
  /** How often control could be handed back. */
  readonly pauses: number;
}

/** Looks for a witness with an evaluator that answers so; by default it refuses every request. */
function tries(
  { leaf, rules }: FoundLeaf,
  { confirm = () => "no", ...others }: Partial<WitnessRules> = {},
): Tries {
  const asked: string[] = [];
  const searching = witnessOf(leaf, {
    ...rules,
    ...others,
    confirm: (request) => {
      asked.push(requestText(request));
      return confirm(request);
    },
  });
  let pauses = 0;
  for (;;) {
    const step = searching.next();
    if (step.done) return { asked, outcome: step.value, pauses };
    pauses++;
  }
}

function leafOf(policy: Side, question?: LeafQuestion): FoundLeaf {
  const [first] = leavesFor(policy, question);
  if (!first) throw new Error("There has to be a leaf.");
  return first;
}

function when(Condition: object, Resource = "arn:aws:s3:::b/k"): Side {
  return [allow("s3:GetObject", Resource, Condition)];
}

type Row = readonly [why: string, policy: Side, asked: readonly string[], question?: LeafQuestion];

const rows: readonly Row[] = [
  [
    "a resource with other words",
    [allow("s3:GetObject", "arn:aws:s3:::b/*")],
    ["@role s3:GetObject arn:aws:s3:::b/example", "@role s3:GetObject arn:aws:s3:::b/other"],
  ],
  [
    "at most eight requests, two for each action",
    [allow("s3:*", "*")],
    [
      "@role s3:AbortMultipartUpload arn:aws:s3:::example/example",
      "@role s3:AbortMultipartUpload arn:aws:s3:::other/other",
      "@role s3:AllowVendedLogDeliveryForResource arn:aws:s3:::example",
      "@role s3:AllowVendedLogDeliveryForResource arn:aws:s3:::other",
      "@role s3:AssociateAccessGrantsIdentityCenter arn:aws:s3:us-east-1:111122223333:access-grants/default",
      "@role s3:AssociateAccessGrantsIdentityCenter arn:aws:s3:eu-west-1:444455556666:access-grants/default",
      "@role s3:BypassGovernanceRetention arn:aws:s3:::example/example",
      "@role s3:BypassGovernanceRetention arn:aws:s3:::other/other",
    ],
  ],
  [
    "at most seven for one action",
    [
      allow(
        "s3:GetObject",
        ["a", "b", "c", "d", "e"].map((name) => `arn:aws:s3:::${name}/*`),
      ),
    ],
    [
      "@role s3:GetObject arn:aws:s3:::a/example",
      "@role s3:GetObject arn:aws:s3:::a/other",
      "@role s3:GetObject arn:aws:s3:::b/example",
      "@role s3:GetObject arn:aws:s3:::b/other",
      "@role s3:GetObject arn:aws:s3:::c/example",
      "@role s3:GetObject arn:aws:s3:::c/other",
      "@role s3:GetObject arn:aws:s3:::d/example",
    ],
  ],
  [
    "the action that works on the resource, before one that does not",
    [allow(["s3:ListBucket", "s3:GetObject"], "arn:aws:s3:::b/k")],
    ["@role s3:GetObject arn:aws:s3:::b/k", "@role s3:ListBucket arn:aws:s3:::b/k"],
  ],
  [
    "an action that the policy has beside known ones",
    [allow(["s3:GetObject", "s3:Foo"], "arn:aws:s3:::b/k")],
    ["@role s3:GetObject arn:aws:s3:::b/k", "@role s3:Foo arn:aws:s3:::b/k"],
  ],
  [
    "a key with the first word only",
    when({ StringLike: { "aws:PrincipalTag/a": "t-*" } }),
    ["@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalTag/a=t-example"],
  ],
  [
    "only the keys that are asked for",
    when({
      StringEquals: { "aws:PrincipalTag/a": "x" },
      StringNotEquals: { "s3:prefix": "y" },
      StringEqualsIfExists: { "s3:delimiter": "/" },
    }),
    ["@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalTag/a=x"],
  ],
  [
    "a variable with other names, each in another account",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:username}/*")],
    [
      "111122223333:user/alice s3:GetObject arn:aws:s3:::b/alice/example, aws:username=alice",
      "111122223333:user/alice s3:GetObject arn:aws:s3:::b/alice/other, aws:username=alice",
      "444455556666:user/example s3:GetObject arn:aws:s3:::b/example/example, aws:username=example",
      "777788889999:user/x1 s3:GetObject arn:aws:s3:::b/x1/example, aws:username=x1",
    ],
  ],
  [
    "a variable with a value by a pattern",
    when({ StringLike: { "aws:PrincipalTag/a": "t-*" } }, "arn:aws:s3:::b/${aws:PrincipalTag/a}"),
    [
      "@role s3:GetObject arn:aws:s3:::b/t-example, aws:PrincipalTag/a=t-example",
      "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/t-other, aws:PrincipalTag/a=t-other",
      "777788889999:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/t-sample-2, aws:PrincipalTag/a=t-sample-2",
    ],
  ],
  [
    "a key beside a variable with its first word",
    when({ StringLike: { "aws:PrincipalTag/b": "t-*" } }, "arn:aws:s3:::b/${aws:PrincipalTag/a}"),
    [
      "@role s3:GetObject arn:aws:s3:::b/example, aws:PrincipalTag/a=example, aws:PrincipalTag/b=t-example",
      "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/other, aws:PrincipalTag/a=other, aws:PrincipalTag/b=t-example",
      "777788889999:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/sample-2, aws:PrincipalTag/a=sample-2, aws:PrincipalTag/b=t-example",
    ],
  ],
  [
    "the few values of a variable, one after the other",
    when(
      { StringEquals: { "aws:PrincipalTag/a": ["x", "y"] } },
      "arn:aws:s3:::b/${aws:PrincipalTag/a}",
    ),
    [
      "@role s3:GetObject arn:aws:s3:::b/x, aws:PrincipalTag/a=x",
      "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/x, aws:PrincipalTag/a=x",
      "777788889999:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/x, aws:PrincipalTag/a=x",
      "@role s3:GetObject arn:aws:s3:::b/y, aws:PrincipalTag/a=y",
      "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/y, aws:PrincipalTag/a=y",
      "777788889999:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/y, aws:PrincipalTag/a=y",
    ],
  ],
  [
    "the name of a user whose ARN a condition gives",
    when(
      { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:user/staff/c*" } },
      "arn:aws:s3:::b/${aws:username}/${aws:PrincipalTag/t}",
    ),
    [
      "111122223333:user/staff/cexample s3:GetObject arn:aws:s3:::b/cexample/example, aws:PrincipalArn=arn:aws:iam::111122223333:user/staff/cexample, aws:PrincipalTag/t=example, aws:username=cexample",
      "444455556666:user/staff/cexample s3:GetObject arn:aws:s3:::b/cexample/x1, aws:PrincipalArn=arn:aws:iam::444455556666:user/staff/cexample, aws:PrincipalTag/t=x1, aws:username=cexample",
      "777788889999:user/staff/cexample s3:GetObject arn:aws:s3:::b/cexample/Value3, aws:PrincipalArn=arn:aws:iam::777788889999:user/staff/cexample, aws:PrincipalTag/t=Value3, aws:username=cexample",
    ],
  ],
  [
    "a tag of a user whose ARN a condition gives",
    when(
      { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:user/staff/c*" } },
      "arn:aws:s3:::b/${aws:PrincipalTag/t}",
    ),
    [
      "111122223333:user/staff/calice s3:GetObject arn:aws:s3:::b/example, aws:PrincipalArn=arn:aws:iam::111122223333:user/staff/calice, aws:PrincipalTag/t=example",
      "444455556666:user/staff/calice s3:GetObject arn:aws:s3:::b/other, aws:PrincipalArn=arn:aws:iam::444455556666:user/staff/calice, aws:PrincipalTag/t=other",
      "777788889999:user/staff/calice s3:GetObject arn:aws:s3:::b/sample-2, aws:PrincipalArn=arn:aws:iam::777788889999:user/staff/calice, aws:PrincipalTag/t=sample-2",
    ],
  ],
  [
    "the account of a caller whose ARN a condition gives",
    when(
      { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::4444????6666:role/*" } },
      "arn:aws:s3:::b/${aws:PrincipalAccount}",
    ),
    [
      "444422226666:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/444422226666, aws:PrincipalAccount=444422226666, aws:PrincipalArn=arn:aws:iam::444422226666:role/example-role",
      "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/444455556666, aws:PrincipalAccount=444455556666, aws:PrincipalArn=arn:aws:iam::444455556666:role/example-role",
      "444488886666:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/444488886666, aws:PrincipalAccount=444488886666, aws:PrincipalArn=arn:aws:iam::444488886666:role/example-role",
    ],
  ],
  [
    "a user whose ARN has the name of the user",
    when(
      { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:user/${aws:username}" } },
      "arn:aws:s3:::b/${aws:username}",
    ),
    [
      "111122223333:user/alice s3:GetObject arn:aws:s3:::b/alice, aws:PrincipalArn=arn:aws:iam::111122223333:user/alice, aws:username=alice",
      "444455556666:user/example s3:GetObject arn:aws:s3:::b/example, aws:PrincipalArn=arn:aws:iam::444455556666:user/example, aws:username=example",
      "777788889999:user/x1 s3:GetObject arn:aws:s3:::b/x1, aws:PrincipalArn=arn:aws:iam::777788889999:user/x1, aws:username=x1",
    ],
  ],
  [
    "a value that a second condition about the key binds",
    when({
      StringLike: { "aws:PrincipalTag/a": "x*" },
      StringLikeIfExists: { "aws:PrincipalTag/a": "${aws:PrincipalTag/b}*" },
      StringNotLike: { "aws:PrincipalTag/a": "${aws:PrincipalTag/b}example" },
    }),
    [
      "@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalTag/a=xexample, aws:PrincipalTag/b=xe",
      "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/k, aws:PrincipalTag/a=xexample, aws:PrincipalTag/b=xe",
      "777788889999:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/k, aws:PrincipalTag/a=xexample, aws:PrincipalTag/b=xe",
    ],
  ],
  [
    "at most four resources for the first values of variables",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:PrincipalTag/a}${aws:PrincipalTag/b}")],
    [
      "@role s3:GetObject arn:aws:s3:::b/xyzexample, aws:PrincipalTag/a=x, aws:PrincipalTag/b=yzexample",
      "@role s3:GetObject arn:aws:s3:::b/xyzexample, aws:PrincipalTag/a=xy, aws:PrincipalTag/b=zexample",
      "@role s3:GetObject arn:aws:s3:::b/xyzexample, aws:PrincipalTag/a=xyz, aws:PrincipalTag/b=example",
      "@role s3:GetObject arn:aws:s3:::b/xyzexample, aws:PrincipalTag/a=xyze, aws:PrincipalTag/b=xample",
      "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/xyzexample, aws:PrincipalTag/a=x, aws:PrincipalTag/b=yzexample",
      "777788889999:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/xyzexample, aws:PrincipalTag/a=x, aws:PrincipalTag/b=yzexample",
    ],
    { resources: ["arn:aws:s3:::b/xyz*"] },
  ],
  [
    "a bucket in the place of a placeholder",
    [allow("s3:GetObject", "arn:aws:s3:::${Bucket}/*")],
    [
      "@role s3:GetObject arn:aws:s3:::example/example, ${Bucket}=example",
      "@role s3:GetObject arn:aws:s3:::example/other, ${Bucket}=example",
      "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::example/example, ${Bucket}=example",
      "777788889999:role/example-role (example-session) s3:GetObject arn:aws:s3:::example/example, ${Bucket}=example",
      "@role s3:GetObject arn:aws:s3:::other/other, ${Bucket}=other",
    ],
  ],
  [
    "an ARN of any service",
    when({ ArnLike: { "aws:SourceArn": "arn:aws:*:*:*:topic" } }),
    ["@role s3:GetObject arn:aws:s3:::b/k, aws:SourceArn=arn:aws:s3:us-east-1:111122223333:topic"],
  ],
  [
    "... and of another Region",
    when({
      ArnLike: { "aws:SourceArn": "arn:aws:*:*:*:topic" },
      ArnNotLike: { "aws:SourceArn": "arn:aws:*:us-east-1:*:*" },
    }),
    ["@role s3:GetObject arn:aws:s3:::b/k, aws:SourceArn=arn:aws:s3:eu-west-1:444455556666:topic"],
  ],
  [
    "an ARN whose account is none",
    when({ ArnLike: { "aws:SourceArn": "arn:aws:x:us-east-1:ab?:t" } }),
    ["@role s3:GetObject arn:aws:s3:::b/k, aws:SourceArn=arn:aws:x:us-east-1:abx:t"],
  ],
  [
    "a service, in no account that the policy has",
    [
      grant({ Service: "lambda.amazonaws.com" }, { StringLike: { "aws:PrincipalAccount": "*" } }),
      grant({ AWS: "111122223333" }),
    ],
    [
      "Service lambda.amazonaws.com s3:GetObject arn:aws:s3:::example/example, aws:PrincipalAccount=444455556666",
      "Service lambda.amazonaws.com s3:GetObject arn:aws:s3:::example/other, aws:PrincipalAccount=444455556666",
    ],
    { type: "resource" },
  ],
  [
    "owners of the resource that conditions leave, three of them",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:*:q", {
        StringEquals: { "aws:ResourceAccount": ["1", "2", "3", "4"].map((one) => one.repeat(12)) },
      }),
    ],
    [
      "@role sqs:SendMessage arn:aws:sqs:us-east-1:111111111111:q, aws:ResourceAccount=111111111111",
      "@role sqs:SendMessage arn:aws:sqs:us-east-1:222222222222:q, aws:ResourceAccount=222222222222",
    ],
  ],
  [
    "a key that another statement tests",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:PrincipalTag/a}")],
    [
      "@role s3:GetObject arn:aws:s3:::b/example, aws:PrincipalTag/a=example",
      "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/other, aws:PrincipalTag/a=other",
      "777788889999:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/sample-2, aws:PrincipalTag/a=sample-2",
    ],
    {
      baseline: [
        allow("s3:GetObject", "arn:aws:s3:::c/*", {
          StringEquals: { "aws:PrincipalTag/a": "x", "aws:ResourceAccount": "111122223333" },
        }),
      ],
    },
  ],
  [
    "a key of a tag, and no tag",
    [
      allow("ec2:CreateTags", "arn:aws:ec2:*:*:vpc/v", {
        "ForAllValues:StringEquals": { "aws:TagKeys": "a" },
      }),
    ],
    [
      "@role ec2:CreateTags arn:aws:ec2:us-east-1:111122223333:vpc/v",
      "@role ec2:CreateTags arn:aws:ec2:eu-west-1:444455556666:vpc/v",
    ],
  ],
  [
    "a key without tags, where another statement tests the keys of tags",
    [allow("ec2:CreateTags", "arn:aws:ec2:*:*:vpc/v", { StringEquals: { "ec2:Region": "x" } })],
    [
      "@role ec2:CreateTags arn:aws:ec2:us-east-1:111122223333:vpc/v, ec2:Region=x",
      "@role ec2:CreateTags arn:aws:ec2:eu-west-1:444455556666:vpc/v, ec2:Region=x",
    ],
    { baseline: [allow("sqs:*", "*", { "ForAnyValue:StringEquals": { "aws:TagKeys": "a" } })] },
  ],
  [
    "an owner that no account is",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:1234567890123:q", {
        StringEquals: { "aws:PrincipalTag/a": "${aws:ResourceAccount}" },
      }),
    ],
    [
      "@role sqs:SendMessage arn:aws:sqs:us-east-1:1234567890123:q, aws:PrincipalTag/a=111122223333, aws:ResourceAccount=111122223333",
      "444455556666:role/example-role (example-session) sqs:SendMessage arn:aws:sqs:us-east-1:1234567890123:q, aws:PrincipalTag/a=444455556666, aws:ResourceAccount=444455556666",
      "777788889999:role/example-role (example-session) sqs:SendMessage arn:aws:sqs:us-east-1:1234567890123:q, aws:PrincipalTag/a=other, aws:ResourceAccount=other",
    ],
  ],
  [
    "letters of both cases",
    [
      allow("s3:ListBucket", "arn:aws:s3:::b", {
        StringEqualsIgnoreCase: { "s3:prefix": "x-${aws:username}" },
      }),
    ],
    [
      "111122223333:user/alice s3:ListBucket arn:aws:s3:::b, aws:username=alice, s3:prefix=x-alice",
      "444455556666:user/example s3:ListBucket arn:aws:s3:::b, aws:username=example, s3:prefix=x-example",
      "777788889999:user/x1 s3:ListBucket arn:aws:s3:::b, aws:username=x1, s3:prefix=x-x1",
    ],
  ],
  [
    "a resource of two tags",
    [allow("s3:GetObject", "arn:aws:s3:::${aws:PrincipalTag/a}/${aws:PrincipalTag/b}")],
    [
      "@role s3:GetObject arn:aws:s3:::example/example, aws:PrincipalTag/a=example, aws:PrincipalTag/b=example",
      "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::other/x1, aws:PrincipalTag/a=other, aws:PrincipalTag/b=x1",
      "777788889999:role/example-role (example-session) s3:GetObject arn:aws:s3:::sample-2/Value3, aws:PrincipalTag/a=sample-2, aws:PrincipalTag/b=Value3",
      "@role s3:GetObject arn:aws:s3:::other/other, aws:PrincipalTag/a=other, aws:PrincipalTag/b=other",
      "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::example/example, aws:PrincipalTag/a=example, aws:PrincipalTag/b=example",
      "777788889999:role/example-role (example-session) s3:GetObject arn:aws:s3:::example/example, aws:PrincipalTag/a=example, aws:PrincipalTag/b=example",
    ],
  ],
  [
    "a resource with one tag twice",
    [allow("s3:GetObject", "arn:aws:s3:::${aws:PrincipalTag/a}/${aws:PrincipalTag/a}")],
    [
      "@role s3:GetObject arn:aws:s3:::example/example, aws:PrincipalTag/a=example",
      "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::other/other, aws:PrincipalTag/a=other",
      "777788889999:role/example-role (example-session) s3:GetObject arn:aws:s3:::sample-2/sample-2, aws:PrincipalTag/a=sample-2",
      "@role s3:GetObject arn:aws:s3:::other/other, aws:PrincipalTag/a=other",
      "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::example/example, aws:PrincipalTag/a=example",
      "777788889999:role/example-role (example-session) s3:GetObject arn:aws:s3:::example/example, aws:PrincipalTag/a=example",
    ],
  ],
  [
    "a role by a tag",
    when({
      ArnLike: {
        "aws:PrincipalArn": ["arn:aws:iam::*:role/x", "arn:aws:iam::*:role/${aws:PrincipalTag/a}"],
      },
    }),
    [
      "111122223333:role/example (example-session) s3:GetObject arn:aws:s3:::b/k, aws:PrincipalArn=arn:aws:iam::111122223333:role/example, aws:PrincipalTag/a=example",
      "444455556666:role/example (example-session) s3:GetObject arn:aws:s3:::b/k, aws:PrincipalArn=arn:aws:iam::444455556666:role/example, aws:PrincipalTag/a=example",
      "777788889999:role/example (example-session) s3:GetObject arn:aws:s3:::b/k, aws:PrincipalArn=arn:aws:iam::777788889999:role/example, aws:PrincipalTag/a=example",
    ],
  ],
  [
    "eight requests, the last for the second action",
    [
      allow(
        ["s3:GetObject", "s3:PutObject"],
        ["a", "b", "c", "d"].map((name) => `arn:aws:s3:::${name}/*`),
      ),
    ],
    [
      "@role s3:GetObject arn:aws:s3:::a/example",
      "@role s3:GetObject arn:aws:s3:::a/other",
      "@role s3:GetObject arn:aws:s3:::b/example",
      "@role s3:GetObject arn:aws:s3:::b/other",
      "@role s3:GetObject arn:aws:s3:::c/example",
      "@role s3:GetObject arn:aws:s3:::c/other",
      "@role s3:GetObject arn:aws:s3:::d/example",
      "@role s3:PutObject arn:aws:s3:::a/example",
    ],
  ],
  [
    "no owner where none is asked for",
    [allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:123456789012:q")],
    ["@role sqs:SendMessage arn:aws:sqs:us-east-1:123456789012:q"],
  ],
  [
    "no owner beside another variable",
    [allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:123456789012:${aws:PrincipalTag/a}")],
    [
      "@role sqs:SendMessage arn:aws:sqs:us-east-1:123456789012:example, aws:PrincipalTag/a=example",
      "444455556666:role/example-role (example-session) sqs:SendMessage arn:aws:sqs:us-east-1:123456789012:other, aws:PrincipalTag/a=other",
      "777788889999:role/example-role (example-session) sqs:SendMessage arn:aws:sqs:us-east-1:123456789012:sample-2, aws:PrincipalTag/a=sample-2",
    ],
  ],
  [
    "the usual owner of a resource whose account is none",
    [allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:1234567890123:${aws:ResourceAccount}")],
    [
      "@role sqs:SendMessage arn:aws:sqs:us-east-1:1234567890123:111122223333, aws:ResourceAccount=111122223333",
      "444455556666:role/example-role (example-session) sqs:SendMessage arn:aws:sqs:us-east-1:1234567890123:444455556666, aws:ResourceAccount=444455556666",
      "777788889999:role/example-role (example-session) sqs:SendMessage arn:aws:sqs:us-east-1:1234567890123:other, aws:ResourceAccount=other",
    ],
  ],
  [
    "the owner in a key of which another condition says more",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:123456789012:q", {
        StringEquals: { "aws:PrincipalTag/a": "${aws:ResourceAccount}" },
        StringLike: { "aws:PrincipalTag/a": "1*" },
      }),
    ],
    [
      "@role sqs:SendMessage arn:aws:sqs:us-east-1:123456789012:q, aws:PrincipalTag/a=123456789012, aws:ResourceAccount=123456789012",
      "444455556666:role/example-role (example-session) sqs:SendMessage arn:aws:sqs:us-east-1:123456789012:q, aws:PrincipalTag/a=123456789012, aws:ResourceAccount=123456789012",
      "777788889999:role/example-role (example-session) sqs:SendMessage arn:aws:sqs:us-east-1:123456789012:q, aws:PrincipalTag/a=123456789012, aws:ResourceAccount=123456789012",
    ],
  ],
  [
    "an instant in seconds, and the clock that goes with it",
    when({ DateLessThan: { "aws:CurrentTime": "2020-01-01" } }, "arn:aws:s3:::b/${aws:EpochTime}"),
    [
      "@role s3:GetObject arn:aws:s3:::b/1577833200, aws:CurrentTime=2019-12-31T23:00:00Z, aws:EpochTime=1577833200",
      "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/1577833200, aws:CurrentTime=2019-12-31T23:00:00Z, aws:EpochTime=1577833200",
      "777788889999:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/1577833200, aws:CurrentTime=2019-12-31T23:00:00Z, aws:EpochTime=1577833200",
    ],
  ],
];

const titled = rows.map((row) => [row[0], row] as const);

/** The leaf with a pause due wherever one may be taken. */
function paused(found: FoundLeaf): FoundLeaf {
  Object.defineProperty(found.leaf.scope.budget, "pauseDue", { get: () => true });
  return found;
}

test.each(titled)("tries %s", (_why, [, policy, asked, question]) => {
  expect(tries(leafOf(policy, question)).asked).toEqual(asked);
});

test.each(titled)("tries, with pauses, %s", (_why, [, policy, asked, question]) => {
  expect(tries(paused(leafOf(policy, question))).asked).toEqual(asked);
});

describe("a pause", () => {
  const objects = ["a", "b", "c"].map((name) => `arn:aws:s3:::${name}/*`);
  const policy = [allow("s3:*", [...objects, "arn:aws:s3:::bucket"]), deny("s3:*", objects)];

  test("may be taken after each request", () => {
    expect(tries(leafOf([allow("s3:GetObject", "arn:aws:s3:::b/*")])).pauses).toBe(4);
  });

  test("may be taken between resources that are ruled out, which are not tried", () => {
    const { asked } = tries(leafOf(policy));
    const others = tries(paused(leafOf(policy)));
    expect(others.asked).toEqual(asked);
    expect(others.pauses).toBeGreaterThan(100);
  });
});

describe("a request that is confirmed", () => {
  const policy = [allow("s3:GetObject", ["arn:aws:s3:::a/*", "arn:aws:s3:::b/*"])];

  test("ends the search", () => {
    const { asked, outcome } = tries(leafOf(policy), {
      confirm: ({ resource }) => (resource.endsWith("other") ? "yes" : "no"),
    });
    expect(asked).toEqual([
      "@role s3:GetObject arn:aws:s3:::a/example",
      "@role s3:GetObject arn:aws:s3:::a/other",
    ]);
    expect(outcome).toEqual({
      kind: "grants",
      request: {
        principal: {
          type: "AWS",
          arn: "arn:aws:iam::111122223333:role/example-role",
          session: "example-session",
        },
        action: "s3:GetObject",
        resource: "arn:aws:s3:::a/other",
        context: {},
      },
    });
  });

  test("with an action that does not work on the resource is taken when no other is", () => {
    const values = { StringEquals: { "aws:PrincipalTag/a": ["bucket", "b/k"] } };
    const found = leafOf(when(values, "arn:aws:s3:::${aws:PrincipalTag/a}"));
    const { outcome } = tries(found, { confirm: () => "yes" });
    expect(outcome).toMatchObject({ kind: "grants", request: { resource: "arn:aws:s3:::b/k" } });
    const other = tries(found, {
      confirm: ({ resource }) => (resource.endsWith("bucket") ? "yes" : "no"),
    });
    expect(other.outcome).toMatchObject({ kind: "unfitting" });
  });

  test("has to keep the facts, and one of seven resources has to", () => {
    let asked = 0;
    const five = ["a", "b", "c", "d", "e"].map((name) => `arn:aws:s3:::${name}/*`);
    const { outcome } = tries(leafOf([allow("s3:GetObject", five)]), {
      isWellFormed: () => {
        asked++;
        return false;
      },
      confirm: () => "yes",
    });
    // Seven with the action on what it works on, seven with it on anything.
    expect(asked).toBe(14);
    expect(outcome).toMatchObject({ construct: "unconfirmed" });
  });
});

describe("without a confirmed request", () => {
  test.each([
    ["a placeholder", [allow("s3:GetObject", "arn:aws:s3:::${Bucket}/*")], "placeholder"],
    [
      "a placeholder beside a variable",
      [allow("s3:GetObject", "arn:aws:s3:::${aws:PrincipalTag/a}/${Name}")],
      "placeholder",
    ],
    ["a variable", [allow("s3:GetObject", "arn:aws:s3:::b/${aws:username}")], "policy_variable"],
    [
      "several values without an operator for sets",
      when({ StringEquals: { "aws:CalledVia": "a" }, StringLike: { "s3:prefix": "a" } }),
      "set_operator_missing",
    ],
    [
      "... beside some with one",
      when({
        StringEquals: { "aws:CalledVia": "a" },
        "ForAnyValue:StringLike": { "aws:CalledVia": "a*" },
      }),
      "set_operator_missing",
    ],
    [
      "several values with one",
      when({ "ForAnyValue:StringEquals": { "aws:CalledVia": "a" } }),
      "unconfirmed",
    ],
    ["anything else", when({ StringEquals: { "s3:prefix": "a" } }), "unconfirmed"],
  ] as const)("%s is the reason", (_why, policy, construct) => {
    expect(tries(leafOf(policy)).outcome).toEqual({
      construct,
      path: "/Statement/0",
      side: "policy",
      text: "",
      key: null,
    });
  });

  test("the reason is the first that the evaluator gives", () => {
    const answers = ["no", "not_principal", "canonical_user"];
    const { outcome } = tries(leafOf([allow("s3:*", "*")]), {
      confirm: () => answers.shift() ?? "no",
    });
    expect(outcome).toMatchObject({ construct: "not_principal" });
  });
});
