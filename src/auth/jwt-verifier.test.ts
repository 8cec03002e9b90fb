import { createSecretKey, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { signToken, testKey } from "../../test/support/issuer.ts";
import { ProviderProblem } from "./http-json.ts";
import { jwtVerifier } from "./jwt-verifier.ts";
import type { KeySource } from "./key-source.ts";

const key = testKey();
const token = await signToken(key, { iss: "https://issuer.example", exp: 2_000_000_000 });

function verifier(find: KeySource["find"]) {
  return jwtVerifier({
    issuer: "https://issuer.example",
    audiences: undefined,
    algorithm: "RS256",
    keys: { find },
    now: () => 1_900_000_000_000,
  });
}

const failing = (error: Error) => verifier(() => Promise.reject(error));

test("keys that cannot be had refuse the token", async () => {
  expect(await failing(new ProviderProblem("status 500"))(token)).toEqual({
    refused: "The access token cannot be checked at the moment.",
  });
});

test("a defect is not a refusal: it is seen as what it is", async () => {
  await expect(failing(new TypeError("a defect"))(token)).rejects.toThrow("a defect");
});

test("nor is a key of a kind that cannot have been chosen for the algorithm", async () => {
  const misfit = createSecretKey(randomBytes(32));
  await expect(verifier(() => Promise.resolve(misfit))(token)).rejects.toThrow(TypeError);
});
