import { expect, test } from "vitest";
import { parseDocument } from "../../policy/document.ts";
import { normalisePolicy } from "../../policy/normalise.ts";
import { principalsAreNamed } from "./named-principals.ts";

async function named(members: object): Promise<boolean> {
  const document = await parseDocument({ Statement: { Effect: "Allow", ...members } });
  const { statements } = normalisePolicy(document, {
    type: "RESOURCE_POLICY",
    typeSource: "default",
    name: null,
  });
  return statements.every((statement) => principalsAreNamed(statement, {}));
}

const everyoneOf = (Condition: object) => ({ Principal: { AWS: "*" }, Condition });

test.each([
  [{ Principal: { AWS: "arn:aws:iam::111122223333:root" } }],
  [{ Principal: { Service: "sns.amazonaws.com" } }],
  [everyoneOf({ StringEquals: { "kms:CallerAccount": "111122223333" } })],
  [everyoneOf({ StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } })],
  [everyoneOf({ StringEquals: { "AWS:SourceOwner": "111122223333" } })],
])("names its principals: %j", async (members) => {
  expect(await named(members)).toBe(true);
});

test.each([
  [{ Principal: "*" }],
  [{ Principal: { Service: "*" } }],
  [{ NotPrincipal: { AWS: "arn:aws:iam::111122223333:root" } }],
  [everyoneOf({ StringEquals: { "kms:ViaService": "s3.eu-west-1.amazonaws.com" } })],
  [everyoneOf({ StringEquals: { "aws:SourceVpce": "vpce-0123456789abcdef0" } })],
  [everyoneOf({ StringLike: { "aws:PrincipalOrgID": "o-*" } })],
  [everyoneOf({ StringEqualsIfExists: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } })],
])("lets in others too: %j", async (members) => {
  expect(await named(members)).toBe(false);
});
