import { describe, expect, test } from "vitest";
import { PolicyType, policyTypes } from "../../spec/policy.ts";
import { detectPolicyType, hasTrustForm, isTrustPolicy } from "./detect-type.ts";
import { objectDocument } from "./document.ts";
import { statementsOf } from "./normalise.ts";

const detect = (...statements: object[]) =>
  detectPolicyType(statementsOf(objectDocument({ Statement: statements })));
const trust = { Effect: "Allow", Principal: { Service: "ec2.amazonaws.com" } };

test("every type that is called recognised is detected in some policy", () => {
  const recognised = PolicyType.options.filter((type) => policyTypes[type].recognised);
  const detected = [
    detect({ Effect: "Allow", Action: "s3:GetObject", Resource: "*" }),
    detect({ ...trust, Action: "s3:GetObject", Resource: "*" }),
    detect({ ...trust, Action: "sts:AssumeRole" }),
  ];
  expect(detected).toEqual(recognised);
});

describe("a trust policy", () => {
  test.each([
    "sts:AssumeRole",
    "STS:assumerolewithsaml",
    "sts:AssumeRoleWithWebIdentity",
    "sts:TagSession",
    "sts:SetSourceIdentity",
    "sts:SetContext",
    "sts:*",
    "sts:AssumeRole*",
    "sts:Set?ontext",
    ["s3:GetObject", "sts:AssumeRole"],
  ])("lets someone do %j", (Action) => {
    expect(detect({ ...trust, Action })).toBe("TRUST_POLICY");
  });

  test("may lack the effect, or write it in another case", () => {
    const { Effect: _, ...rest } = { ...trust, Action: "sts:AssumeRole" };
    expect(detect(rest)).toBe("TRUST_POLICY");
    expect(detect({ ...rest, Effect: "ALLOW" })).toBe("TRUST_POLICY");
  });

  test.each(["Allow ", "Deny", null, 5])("does not have the effect %j", (Effect) => {
    expect(detect({ ...trust, Action: "sts:AssumeRole", Effect })).toBe("RESOURCE_POLICY");
  });

  test("may name everyone but some", () => {
    expect(detect({ Effect: "Allow", NotPrincipal: "x", Action: "sts:AssumeRole" })).toBe(
      "TRUST_POLICY",
    );
  });

  test.each(["*", "arn:aws:iam::*:*"])("may have the resource %s", (Resource) => {
    expect(detect({ ...trust, Action: "sts:AssumeRole", Resource })).toBe("TRUST_POLICY");
  });
});

describe("a resource policy", () => {
  test.each(["*", "*:*", "s*:AssumeRole", "sts:Get*", "sts", "sts:AssumeRoleX", "s3:GetObject"])(
    "names a principal and lets it do %j",
    (Action) => {
      expect(detect({ ...trust, Action })).toBe("RESOURCE_POLICY");
    },
  );

  test.each([
    { Effect: "Deny", Action: "sts:AssumeRole" },
    { Effect: 5, Action: "sts:AssumeRole" },
    { NotAction: "sts:AssumeRole" },
    { Action: "sts:AssumeRole", Resource: ["*", "arn:aws:iam::123456789012:role/x"] },
  ])("is not a trust policy with %j", (statement) => {
    expect(detect({ ...trust, ...statement })).toBe("RESOURCE_POLICY");
  });

  test("has a specific resource in any statement", () => {
    const other = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::b/*" };
    expect(detect({ ...trust, Action: "sts:AssumeRole" }, other)).toBe("RESOURCE_POLICY");
  });

  test("is told by NotPrincipal too", () => {
    expect(detect({ Effect: "Deny", NotPrincipal: "*", Action: "s3:*" })).toBe("RESOURCE_POLICY");
  });
});

describe("an identity policy", () => {
  test("has no principal, whatever it allows", () => {
    expect(detect({ Effect: "Allow", Action: "sts:AssumeRole", Resource: "*" })).toBe(
      "IDENTITY_POLICY",
    );
    expect(detect({ Effect: "Deny", Action: "*", Resource: "*" })).toBe("IDENTITY_POLICY");
  });

  test("is what a document without statements counts as", () => {
    expect(detect()).toBe("IDENTITY_POLICY");
  });
});

describe("a policy that can only be a trust policy", () => {
  const assume = { ...trust, Action: "sts:AssumeRole" };
  const isTrust = (...statements: object[]) =>
    isTrustPolicy(statementsOf(objectDocument({ Statement: statements })));

  test.each([
    ["allows principals to assume the role", [assume]],
    ["may deny it too", [assume, { ...assume, Effect: "Deny" }]],
    [
      "may name everyone but some",
      [{ Effect: "Deny", NotPrincipal: "x", Action: "sts:AssumeRole" }],
    ],
    ["has several actions of STS", [{ ...trust, Action: ["sts:AssumeRole", "sts:TagSession"] }]],
  ])("%s", (_name, statements) => {
    expect(isTrust(...statements)).toBe(true);
  });

  test.each([
    ["has statements", []],
    ["has principals in each statement", [assume, { Effect: "Allow", Action: "sts:AssumeRole" }]],
    ["has actions of STS alone", [{ ...trust, Action: ["sts:AssumeRole", "s3:GetObject"] }]],
    ["has actions in each statement", [assume, { ...trust, NotAction: "sts:AssumeRole" }]],
    ["has no resource", [{ ...assume, Resource: "*" }]],
    ["has no excepted resource", [{ ...assume, NotResource: "*" }]],
  ])("%s, else it can be another", (_name, statements) => {
    expect(isTrust(...statements)).toBe(false);
  });
});

describe("the form of a trust policy", () => {
  const hasForm = (...statements: object[]) =>
    hasTrustForm(statementsOf(objectDocument({ Statement: statements })));

  test.each([
    { Action: "sts:AssumeRole" },
    { Action: "s3:GetObject" },
    { Action: ["ecr:BatchGetImage", "sts:AssumeRole"] },
    { Action: "STS:AssumeRol", Resource: "arn:aws:iam::123456789012:role/x" },
    { Effect: "Deny", Action: "sts:AssumeRole" },
  ])("is that of a statement with %j", (statement) => {
    expect(hasForm({ ...trust, ...statement })).toBe(true);
  });

  test.each([
    { Action: "s3:GetObject", Resource: "arn:aws:s3:::b/*" },
    { Action: "kms:*", NotResource: "*" },
    { Effect: "Deny", Action: "sts:AssumeRoleWithWebIdentity", Resource: "*" },
    { Action: ["ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"] },
  ])("is not that of a statement with %j", (statement) => {
    expect(hasForm({ ...trust, ...statement })).toBe(false);
  });

  test("needs a principal", () => {
    expect(hasForm({ Effect: "Allow", Action: "sts:AssumeRole" })).toBe(false);
  });
});
