import { describe, inject, test } from "vitest";

const noEngine = inject("noEngine");

if (noEngine === null) {
  process.env.VALIDATOR_LOGIN_TARGETS = "container";
  describe("the login table", async () => {
    await import("../contract/login-table.test.ts");
  });
} else {
  test.skipIf(true)(`the login table: ${noEngine}`, () => undefined);
}
