import { expect, test } from "vitest";
import { Scope } from "../../../spec/scopes.ts";
import { createNone } from "./none.ts";

test("hides nothing and calls everyone anonymous, whatever the header says", async () => {
  for (const headers of [new Headers(), new Headers({ authorization: "Basic !" })]) {
    const result = await createNone().authenticate({ headers });
    if (!("caller" in result)) throw new Error("refused");
    const { may, ...caller } = result.caller;
    expect(caller).toEqual({ subject: "anonymous", clientId: "anonymous", scopes: [] });
    expect(Scope.options.every((scope) => may(scope))).toBe(true);
  }
});

test("asks clients for no scope and sends no challenge", () => {
  expect(createNone()).toMatchObject({
    provider: "none",
    challengeScopes: [],
    requiredScopes: [],
    stepUp: false,
  });
});
