import { describe, inject, test } from "vitest";

const noEngine = inject("noEngine");
process.env.VALIDATOR_TARGET = "function-image";
process.env.VALIDATOR_AUTH_TARGETS = "function-image";

/** The contract suites of the wire, unchanged, against the built function image. */
const suites = {
  health: () => import("../contract/health.test.ts"),
  http: () => import("../contract/http.test.ts"),
  limits: () => import("../contract/limits-transport.test.ts"),
  protocol: () => import("../contract/protocol.test.ts"),
  scopes: () => import("../contract/scopes.test.ts"),
  authorization: () => import("../contract/auth-table.test.ts"),
};

if (noEngine !== null) {
  test.skipIf(true)(`the contract suites: ${noEngine}`, () => undefined);
} else {
  for (const [name, load] of Object.entries(suites)) {
    describe(name, async () => {
      await load();
    });
  }
}
