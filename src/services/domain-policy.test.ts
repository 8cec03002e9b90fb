import { expect, test } from "vitest";
import { isGrantedByResource, usualFirst } from "./domain-policy.ts";

const actions = (...names: string[]) => names.map((qualified) => ({ qualified }));

test.each([
  ["es:ESHttpGet", true],
  ["es:ESCrossClusterGet", true],
  ["es:DescribeDomain", false],
  ["es:AcceptInboundConnection", false],
  ["s3:GetObject", true],
  ["kms:DescribeKey", true],
])("the policy of a resource can grant %s: %s", (qualified, granted) => {
  expect(isGrantedByResource(qualified)).toBe(granted);
});

test("calls to a search domain come before what its policy cannot grant, and the others stay in order", () => {
  const listed = actions("s3:GetObject", "es:AddTags", "es:ESCrossClusterGet", "es:ESHttpGet");
  expect(usualFirst(listed).map(({ qualified }) => qualified)).toEqual([
    "es:ESHttpGet",
    "es:ESCrossClusterGet",
    "s3:GetObject",
    "es:AddTags",
  ]);
});

test("actions of other services stay as they are", () => {
  const listed = actions("s3:PutObject", "s3:GetObject");
  expect(usualFirst(listed)).toBe(listed);
});
