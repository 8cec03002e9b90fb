import { expect, test } from "vitest";
import { claimKey, issuerOf, sharedProvider, tenantEnd } from "./shared-providers.ts";

const gitHub = "token.actions.githubusercontent.com";
const providerArn = `arn:aws:iam::111122223333:oidc-provider/${gitHub}`;

test.each([
  [gitHub, gitHub],
  [providerArn, gitHub],
  [`${providerArn}/`, gitHub],
  ["Accounts.Google.com", "accounts.google.com"],
  ["app.terraform.io/a/", "app.terraform.io/a"],
  ["arn:aws:iam::111122223333:saml-provider/a", "arn:aws:iam::111122223333:saml-provider/a"],
])("the issuer of %s is %s", (principal, issuer) => {
  expect(issuerOf(principal)).toBe(issuer);
});

test("a provider is shared by its issuer", () => {
  expect(sharedProvider(providerArn)?.issuers).toContain(gitHub);
  expect(sharedProvider("scalr.io")).toBe(sharedProvider("oidc.codefresh.io"));
  expect(sharedProvider("login.example.com")).toBeUndefined();
  expect(sharedProvider(`example.com/${gitHub}`)).toBeUndefined();
});

test("a claim is a key of its issuer, unless it is a key already", () => {
  expect(claimKey(gitHub, "sub")).toBe(`${gitHub}:sub`);
  expect(claimKey(gitHub, "sts:RoleSessionName")).toBe("sts:rolesessionname");
});

test.each([
  ["repo:octo/app", "repo:", "/@", undefined, "repo:octo/"],
  ["repo:octo@1/app", "repo:", "/@", undefined, "repo:octo@"],
  ["repo:octo", "repo:", "/@", undefined, null],
  ["repo:/app", "repo:", "/@", undefined, null],
  ["repo:", "repo:", "/@", undefined, null],
  ["org:octo/app", "repo:", "/@", undefined, null],
  ["octo/app", "", "/", ":", "octo/"],
  ["octo/app:ref", "", "/", ":", "octo/"],
  ["repo:octo/app", "", "/", ":", null],
  ["repo:octo/app", "", "/", undefined, "repo:octo/"],
  ["https://vercel.com/octo", "https://vercel.com/", "", undefined, "https://vercel.com/octo"],
  ["https://vercel.com/", "https://vercel.com/", "", undefined, null],
])(
  "of %s with %j before the customer and %j after, %j not in it: %j",
  (text, prefix, ends, lacks, fixed) => {
    const form = { claim: "sub", prefix, ends, ...(lacks !== undefined && { lacks }) };
    const end = tenantEnd(text, form);
    expect(end === null ? null : text.slice(0, end)).toBe(fixed);
  },
);

test.each([
  ["pipeline:deploy:build", "pipeline:"],
  ["organization:acme", null],
  ["0184990a-477b-4fa8-9968-496074483cee", null],
])("of %s, which must not begin with `organization:`, %j", (text, fixed) => {
  const end = tenantEnd(text, { claim: "sub", prefix: "", ends: ":", except: "organization:" });
  expect(end === null ? null : text.slice(0, end)).toBe(fixed);
});
