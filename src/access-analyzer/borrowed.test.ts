import { expect, test } from "vitest";
import { analysed, codesOf } from "../../test/support/code-table.ts";
import { identityProviderKey } from "../policy/identity-provider-key.ts";
import { embeddedServices } from "../services/embedded.ts";
import { isBorrowedResource, ownerOfBorrowedKey } from "./borrowed.ts";
import { isKnownArnService } from "./services.ts";

test("the borrowed keys are those of the reference that the service of their prefix does not list", async () => {
  const services = embeddedServices();
  await services.load(new Set(services.prefixes));
  const borrowed = services.prefixes.flatMap((owner) =>
    (services.get(owner)?.conditionKeys ?? []).flatMap(({ name }) => {
      const prefix = name.slice(0, name.indexOf(":"));
      if (/^(?:aws|saml)$/.test(prefix) || prefix.includes(".")) return [];
      // The prefix of Service Catalog's ARNs, under which AWS accepts every key.
      if (prefix === "catalog" || identityProviderKey(name)) return [];
      return services.get(prefix)?.conditionKey(name) ? [] : [name];
    }),
  );
  expect(borrowed.length).toBeGreaterThan(5);
  for (const name of borrowed) {
    const owner = ownerOfBorrowedKey(name);
    expect(services.get(owner ?? "")?.conditionKey(name)?.name, name).toBe(name);
  }
  expect(isKnownArnService(services, "cognito-identity-unauth")).toBe(false);
});

test.each([
  ["StringEquals", "ec2:osuser", "ubuntu"],
  ["StringEquals", "EC2:OSUser", "ubuntu"],
  ["StringEquals", "cognito-identity-unauth:AccountId", "111122223333"],
  ["ArnLike", "identitycenter:ApplicationArn", "arn:aws:sso::111122223333:application/*"],
  ["StringEquals", "iot:JobId", "a"],
])("%s of the borrowed key %s gets no code", async (operator, key, value) => {
  const row = {
    Effect: "Deny",
    Action: "*",
    Resource: "*",
    Condition: { [operator]: { [key]: value } },
  };
  expect(codesOf(await analysed(row, "identity"))).toEqual([]);
});

test("a borrowed key has the type that its own service says", async () => {
  const Condition = { StringLike: { "identitycenter:ApplicationArn": "arn:aws:sso::*:a" } };
  const row = { Effect: "Deny", Action: "*", Resource: "*", Condition };
  expect(codesOf(await analysed(row, "identity"))).toEqual([
    "STRING_LIKE_OPERATOR_WITH_ARN_CONDITION_KEYS",
  ]);
});

test("of two names with placeholders that fit a key, the longer one says its type", async () => {
  const Condition = { StringEquals: { "events:Metadata/a/Matcher": "b" } };
  const row = { Effect: "Deny", Action: "events:PutRule", Resource: "*", Condition };
  expect(codesOf(await analysed(row, "identity"))).toEqual([]);
});

test("no resource of a format of the reference is called wrong, whichever service lists it", async () => {
  const services = embeddedServices();
  await services.load(new Set(services.prefixes));
  const formats = services.prefixes.flatMap((prefix) =>
    (services.get(prefix)?.resourceTypes ?? []).flatMap(({ arnFormats }) => arnFormats),
  );
  // In place of the accounts of some formats stands the name of their owner.
  const names = { Partition: "aws", Region: "eu-west-1", Account: "111122223333" };
  const Resource = [...new Set(formats)].map((format) =>
    format.replaceAll(/\$\{(\w+)\}/g, (_, name: keyof typeof names) => names[name] ?? "x"),
  );
  const findings = await analysed({ Effect: "Deny", Action: "*", Resource }, "identity");
  expect(codesOf(findings)).not.toContain("INVALID_ARN_RESOURCE");
});

test.each([
  ["sts:AssumeRoot", "arn:aws:iam::111122223333:root"],
  ["sts:SetContext", "arn:aws:iam::aws:contextProvider/IdentityCenter"],
  ["ecs:ExecuteCommand", "arn:aws:ecs:eu-west-1:111122223333:task/0123456789abcdef"],
])("%s on %s gets no code", async (Action, Resource) => {
  expect(codesOf(await analysed({ Action, Resource }, "identity"))).toEqual([]);
});

test("a borrowed resource belongs to the service that it names", () => {
  expect(isBorrowedResource("iam", "root")).toBe(true);
  expect(isBorrowedResource("iam", "roots")).toBe(false);
  expect(isBorrowedResource("ecs", "root")).toBe(false);
});
