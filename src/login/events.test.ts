import { beforeEach, describe, expect, test } from "vitest";
import { createLoginEvents, type LoginEvents } from "./events.ts";

let clockMs: number;
let lines: [level: string, fields: object, message: string][];
let counted: string[];
let events: LoginEvents;

describe("events of a login", () => {
  beforeEach(() => {
    clockMs = 1_000;
    lines = [];
    counted = [];
    const write = (level: string) => (fields: object, message: string) =>
      lines.push([level, fields, message]);
    events = createLoginEvents(
      "github",
      { info: write("info"), warn: write("warn"), error: write("error") },
      {
        login: (event, outcome) => counted.push(`${event} ${outcome}`),
        loginProvider: (seconds) => counted.push(`provider ${seconds}`),
      },
      () => clockMs,
    );
  });
  const common = { logger: "validator.mcp.login", provider: "github" };

  describe("a success", () => {
    test.each([
      ["login", "Logged in."],
      ["refresh", "Refreshed."],
      ["revoke", "Revoked."],
    ] as const)("%s is one line", (event, message) => {
      const success = {
        subject: "1",
        client: "registered",
        redirect: "loopback",
        scopes: ["iam:query"],
      } as const;
      events.succeeded(event, success);
      expect(lines).toEqual([["info", { ...common, event, ...success }, message]]);
      expect(counted).toEqual([`${event} success`]);
    });
  });

  describe("a refusal", () => {
    test("is a warning with its reason and what is known of the client", () => {
      events.refused("denied", { client: "c", redirect: "r", providerError: "access_denied" });
      const fields = {
        event: "refused",
        reason: "denied",
        client: "c",
        redirect: "r",
        provider_error: "access_denied",
      };
      expect(lines).toEqual([
        ["warn", { ...common, ...fields, left_out: undefined }, "Login refused."],
      ]);
      expect(counted).toEqual(["refused denied"]);
    });

    test("that only the operator can fix is an error", () => {
      events.refused("provider_refuses_us", { isOurs: true });
      expect(lines).toEqual([
        ["error", expect.anything(), "Login refused, and only the operator can fix it."],
      ]);
    });

    test("is one line a second for each reason, with the number left out", () => {
      for (let count = 0; count < 3; count += 1) events.refused("code", {});
      events.refused("client", {});
      clockMs += 999;
      events.refused("code", {});
      expect(lines.map(([, fields]) => fields)).toMatchObject([
        { reason: "code" },
        { reason: "client" },
      ]);
      clockMs += 1;
      events.refused("code", {});
      events.refused("client", {});
      expect(lines.slice(2).map(([, fields]) => fields)).toMatchObject([
        { reason: "code", left_out: 3 },
        { reason: "client", left_out: undefined },
      ]);
      clockMs += 1_000;
      events.refused("code", {});
      expect(lines.at(-1)?.[1]).toMatchObject({ left_out: undefined });
      expect(counted).toHaveLength(8);
    });
  });

  test("what the operator should know is said once", () => {
    events.once("a", "First.");
    events.once("a", "First.");
    events.once("b", "Second.");
    expect(lines).toEqual([
      ["warn", common, "First."],
      ["warn", common, "Second."],
    ]);
  });

  test("the time of the provider is measured", () => {
    events.providerTook(0.5);
    expect(counted).toEqual(["provider 0.5"]);
  });
});
