import { expect, test } from "vitest";
import { possibleTexts } from "./template.ts";

const zeros = "000000000000";

test.each([
  [
    "OIDC",
    "arn:aws:iam::111122223333:oidc-provider/a",
    ["arn:aws:iam::111122223333:oidc-provider/a"],
  ],
  ["OIDC", "${arn}", "anything"],
  ["OIDC", "${a}${b}", "anything"],
  [
    "OIDC",
    "arn:${p}:iam::${account}:oidc-provider/id.example.com",
    [`arn:aws:iam::${zeros}:oidc-provider/id.example.com`],
  ],
  ["OIDC", "arn:aws-${p}:iam::1111:saml-provider/x", ["arn:aws-cn:iam::1111:saml-provider/x"]],
  [
    "OIDC",
    "arn:aws:${service}::111122223333:oidc-provider/x",
    ["arn:aws:iam::111122223333:oidc-provider/x"],
  ],
  [
    "OIDC",
    "${arn}:aws:iam::111122223333:oidc-provider/x",
    ["arn:aws:iam::111122223333:oidc-provider/x"],
  ],
  [
    "OIDC",
    "arn:aws:iam:${region}:111122223333:oidc-provider/x",
    ["arn:aws:iam::111122223333:oidc-provider/x"],
  ],
  [
    "OIDC",
    "arn:aws:iam::1111${rest}:oidc-provider/x",
    ["arn:aws:iam::111100000000:oidc-provider/x"],
  ],
  [
    "OIDC",
    "arn:aws:iam::${start}3333:oidc-provider/x",
    ["arn:aws:iam::000000003333:oidc-provider/x"],
  ],
  [
    "OIDC",
    "arn:aws:iam::111122223333:${provider}",
    ["arn:aws:iam::111122223333:oidc-provider/example"],
  ],
  [
    "SAML",
    "arn:aws:iam::111122223333:${provider}",
    ["arn:aws:iam::111122223333:saml-provider/example"],
  ],
  [
    "SAML",
    "arn:aws:iam::111122223333:saml-${rest}",
    ["arn:aws:iam::111122223333:saml-provider/example"],
  ],
  [
    "SAML",
    "arn:aws:iam::111122223333:${type}/okta",
    ["arn:aws:iam::111122223333:saml-provider/okta"],
  ],
  [
    "SAML",
    "arn:aws:iam::111122223333:${kind}-provider/okta",
    ["arn:aws:iam::111122223333:saml-provider/okta"],
  ],
  [
    "SAML",
    "arn:aws:iam::111122223333:saml-provider/${name}",
    ["arn:aws:iam::111122223333:saml-provider/example"],
  ],
  ["SAML", "arn:aws:iam::111122223333:role/${name}", ["arn:aws:iam::111122223333:role/example"]],
  [
    "OIDC",
    "arn:${p}:iam::111122223333:oidc-provider/${a}${b}",
    ["arn:aws:iam::111122223333:oidc-provider/exampleexample"],
  ],
  [
    "OIDC",
    "${prefix}:oidc-provider/id.example.com",
    [`arn:aws:iam::${zeros}:oidc-provider/id.example.com`],
  ],
  ["OIDC", "arn:aws:${rest}", [`arn:aws:iam::${zeros}:oidc-provider/example`]],
] as const)("as a provider of kind %s, %s may be %j", (kind, principal, texts) => {
  expect(possibleTexts(principal, kind)).toEqual(texts);
});

test("more than eight placeholders are taken on trust", () => {
  expect(
    possibleTexts(`arn:aws:iam::111122223333:oidc-provider/${"${a}.".repeat(8)}`, "OIDC"),
  ).toHaveLength(1);
  expect(
    possibleTexts(`arn:aws:iam::111122223333:oidc-provider/${"${a}.".repeat(9)}`, "OIDC"),
  ).toBe("anything");
});
