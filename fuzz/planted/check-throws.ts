import { builtinChecks } from "../../src/checks/index.ts";
import { defineCheck } from "../../src/engine/check.ts";
import type { Outputs } from "../outputs.ts";
import { openDocuments } from "../targets/documents.ts";

/** A check that does not expect an `Action` to be empty. */
const checks = builtinChecks.map((check) =>
  check.check_id !== "wildcard_action"
    ? check
    : defineCheck({
        ...check,
        runStatement({ raw }) {
          if (raw.Action === "") throw new TypeError("An action has no letters.");
          return [];
        },
      }),
);

export const open = (outputs: Outputs) => openDocuments(outputs, { checks });
