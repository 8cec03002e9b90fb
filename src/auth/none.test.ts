import { expect, test } from "vitest";
import { Scope } from "../../spec/scopes.ts";
import { createAuthenticator } from "./create.ts";

const log = { info() {}, warn() {} };
const base = { auth: "none", mode: "hosted", serverless: false, environment: {}, log } as const;

test("hides nothing and calls everyone anonymous, whatever the header says", async () => {
  const authenticator = await createAuthenticator({ ...base, explicit: true });
  for (const headers of [new Headers(), new Headers({ authorization: "Basic !" })]) {
    const result = await authenticator.authenticate({ headers });
    if (!("caller" in result)) throw new Error("refused");
    const { caller } = result;
    expect([caller.subject, caller.scopes]).toEqual(["anonymous", []]);
    expect(Scope.options.every((scope) => caller.may(scope))).toBe(true);
  }
});

test("has to be asked for in hosted mode, and needs no asking in local mode", async () => {
  const refused = createAuthenticator({ ...base, explicit: false });
  await expect(refused).rejects.toMatchObject({
    name: "StartupError",
    kind: "auth_not_explicit",
    message: expect.stringContaining("explicit --auth none"),
  });
  const local = createAuthenticator({ ...base, mode: "local", explicit: false });
  await expect(local).resolves.toMatchObject({ provider: "none" });
});

test("an unknown value is named in one line", async () => {
  const refused = createAuthenticator({ ...base, auth: "ldap\n", explicit: true });
  await expect(refused).rejects.toMatchObject({
    kind: "unknown_auth",
    message: expect.stringMatching(/^Auth "ldap\\n" is unknown; .*none, token, jwt/),
  });
});

test("step-up is a switch of 1 or 0", async () => {
  const withSwitch = (value: string) =>
    createAuthenticator({
      ...base,
      explicit: true,
      auth: "token",
      environment: {
        VALIDATOR_MCP_AUTH_TOKENS: '{"a-token-of-some-length": {"client_id": "ci"}}',
        VALIDATOR_MCP_AUTH_STEP_UP: value,
      },
    });
  expect((await withSwitch("1")).stepUp).toBe(true);
  expect((await withSwitch("0")).stepUp).toBe(false);
  expect((await withSwitch(" ")).stepUp).toBe(false);
  await expect(withSwitch("maybe")).rejects.toMatchObject({ kind: "invalid_setting" });
});
