import { builtinChecks } from "../../src/checks/index.ts";
import { defineCheck } from "../../src/engine/check.ts";
import type { Outputs } from "../outputs.ts";
import { openDocuments } from "../targets/documents.ts";

/** A check that looks for the end of something that has none. */
const checks = builtinChecks.map((check) =>
  check.check_id !== "sid_uniqueness"
    ? check
    : defineCheck({
        ...check,
        runPolicy({ policy }) {
          let sid = policy.statements[0]?.sid ?? null;
          while (sid?.includes(" ")) sid = sid.replace(" ", "  ").slice(0, 100);
          return [];
        },
      }),
);

export const open = (outputs: Outputs) => openDocuments(outputs, { checks });
