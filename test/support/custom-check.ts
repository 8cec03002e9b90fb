import { createRequire } from "node:module";

/** What a custom check imports, as an operator would write it. */
export const publicImports = `
import { defineCheck } from "validator-mcp/check";
import { z } from "zod";
`;

/** The same by path: the test runner resolves names of packages its own way, from the file's folder. */
const importsByPath = `
import { defineCheck } from ${JSON.stringify(new URL("../../src/check.ts", import.meta.url).pathname)};
import { z } from ${JSON.stringify(createRequire(import.meta.url).resolve("zod"))};
`;

export interface CustomCheckText {
  readonly id: string;
  /** Schema of its options. */
  readonly options?: string;
  /** `runPolicy` or `runStatement`. */
  readonly run?: string;
  readonly imports?: string;
}

/** @returns the text of a module with one check. */
export function customCheckModule({
  id,
  options = "z.looseObject({})",
  run = "*runStatement() {}",
  imports = importsByPath,
}: CustomCheckText): string {
  return `${imports}
export const check = defineCheck({
  check_id: "${id}",
  default_severity: "low",
  description: "${id} holds.",
  docstring: "For tests.",
  options: ${options},
  issue_types: { seen: { severity: "check", when: "always" } },
  examples: { bad: [], good: [] },
  ${run},
});
`;
}
