import { expect, it, test } from "vitest";
import { placesIn } from "../../test/support/container-places.ts";
import { amplify } from "./amplify.ts";

const read = (value: unknown, name = "amplify/backend/function/jobs/custom-policies.json") =>
  placesIn(amplify, JSON.stringify(value, null, 1), name);

test("statements of Amplify are allowed by default, and `${env}` is not known", async () => {
  const one = { Action: ["s3:GetObject"], Resource: ["arn:aws:s3:::jobs-${env}/*"] };
  const deny = { Effect: "Deny", ...one };
  const [place, ...others] = (await read([one, deny])) ?? [];
  expect(others).toEqual([]);
  expect(place).toMatchObject({
    type: "IDENTITY_POLICY",
    state: "read",
    documents: [{ Version: "2012-10-17", Statement: [{ Effect: "Allow", ...one }, deny] }],
  });
});

test("the file that Amplify creates has no policy", async () => {
  expect(await read([{ Action: [], Resource: [] }])).toEqual([]);
});

it("is told by its name", async () => {
  expect(await read([{ Action: ["s3:GetObject"], Resource: ["*"] }], "policies.json")).toBeNull();
});
