import { expect, test } from "vitest";
import { allow, grant, type Statement, trust } from "../../test/support/access.ts";
import { embeddedServices } from "../services/embedded.ts";
import { type AccessType, readDocument } from "./document.ts";
import { askNewAccess } from "./questions.ts";

const options = { services: embeddedServices(), maxSteps: 200_000, maxStatements: 20 };

/** How often a question hands control back. */
function pausesOf(
  baseline: readonly Statement[],
  policy: readonly Statement[],
  type: AccessType,
): number {
  const read = (Statement: readonly Statement[]) =>
    readDocument({ Version: "2012-10-17", Statement }, type);
  const asking = askNewAccess(read(policy), read(baseline), type, options);
  let pauses = 0;
  while (!asking.next().done) pauses++;
  return pauses;
}

const tag = (name: string) => `\${aws:PrincipalTag/${name}}`;
const fallback = "${aws:PrincipalTag/a, 'x'}";

const reading = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::b/*" };

/** Every second one is an account, which is compared with each of the roles. */
function callers(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => {
    const account = String(100_000_000_000 + at);
    return at % 2 ? account : `arn:aws:iam::${account}:role/r${at}`;
  });
}

/** Each of these held the event loop for 12 to 60 ms, which 250 steps between two pauses do not. */
test.each<[string, number, readonly Statement[], readonly Statement[], AccessType]>([
  [
    "short resources whose fields meet in many ways",
    300,
    [allow("s3:GetObject", "*d*:*:*:*9*:*")],
    [allow("s3:GetObject", "*b*:s3:*:*8*:c?")],
    "scp",
  ],
  [
    "short ARNs that meet in many ways",
    296,
    [],
    [
      trust(
        "sts:AssumeRole",
        { AWS: "arn:aws:iam::111122223333:root" },
        {
          ArnEquals: { "aws:PrincipalArn": "arn:aws:*::*:*?*a*b-*a-***?a" },
          ArnLike: { "aws:PrincipalArn": "arn:aws:*::123456789012:assumed-role/*/?*a*b*a**b**a" },
        },
      ),
    ],
    "trust",
  ],
  [
    "forms of resources that no action takes",
    80,
    [{ ...grant("*"), Action: "s3:DeleteObject", Resource: "arn:aws:s3:::*" }],
    [
      {
        Effect: "Allow",
        NotAction: "s*:*",
        Resource: "arn:aws:s3:::*",
        Principal: "*",
        Condition: {
          StringEquals: { "aws:PrincipalArn": fallback, "aws:PrincipalOrgID": fallback },
        },
      },
    ],
    "resource",
  ],
  [
    "what two hundred listed callers have in common",
    750,
    [{ ...reading, NotPrincipal: { AWS: callers(200) } }],
    [{ ...reading, Principal: "*" }],
    "resource",
  ],
  [
    "tags that are equal to each other",
    100,
    [],
    [
      allow("s3:*", "arn:aws:s3:::*a*b${aws:username}*c", {
        StringLike: {
          "aws:PrincipalTag/a": "*x*y*z*",
          "aws:PrincipalTag/b": "*u*v*w*",
          "aws:username": "*r*s*t*",
        },
        StringEquals: { "aws:PrincipalTag/a": tag("b"), "aws:PrincipalTag/b": "${aws:username}" },
      }),
    ],
    "identity",
  ],
])("a question hands control back within %s", (_, least, baseline, policy, type) => {
  expect(pausesOf(baseline, policy, type)).toBeGreaterThanOrEqual(least);
});
