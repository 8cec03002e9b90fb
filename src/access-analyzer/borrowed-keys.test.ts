import { expect, test } from "vitest";
import { analysed, codesOf } from "../../test/support/code-table.ts";
import { identityProviderKey } from "../policy/identity-provider-key.ts";
import { embeddedServices } from "../services/embedded.ts";
import { ownerOfBorrowedKey } from "./borrowed-keys.ts";
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
