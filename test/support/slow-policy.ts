import { readOnly } from "./rpc.ts";

/** The config whose slow check keeps calls busy. */
export const slowConfig = new URL("../e2e/config/slow.yaml", import.meta.url).pathname;

/** A policy on which the slow check of the fixture takes this long, in steps between which the engine pauses. */
export function slowPolicy(ms: number, stepMs = 20) {
  const Statement = Array.from({ length: ms / stepMs }, (_, index) => ({
    ...readOnly.Statement[0],
    Sid: `wait${stepMs}n${index}`,
  }));
  return { ...readOnly, Statement };
}

/** Parameters of a call with these policies. */
export const validate = (policies: readonly unknown[]) => ({
  name: "validate_policies",
  arguments: { policies },
});
