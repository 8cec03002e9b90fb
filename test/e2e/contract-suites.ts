import { describe, inject, test } from "vitest";

const suites = {
  health: () => import("../contract/health.test.ts"),
  http: () => import("../contract/http.test.ts"),
  limits: () => import("../contract/limits-transport.test.ts"),
  protocol: () => import("../contract/protocol.test.ts"),
  scopes: () => import("../contract/scopes.test.ts"),
  authorization: () => import("../contract/auth-table.test.ts"),
};

/** Declares the contract suites of the wire, unchanged, against a built image. */
export function describeContractOn(target: "container" | "function-image"): void {
  const noEngine = inject("noEngine");
  if (noEngine !== null) {
    test.skipIf(true)(`the contract suites: ${noEngine}`, () => undefined);
    return;
  }
  process.env.VALIDATOR_TARGET = target;
  process.env.VALIDATOR_AUTH_TARGETS = target;
  for (const [name, load] of Object.entries(suites)) {
    describe(name, async () => {
      await load();
    });
  }
}
