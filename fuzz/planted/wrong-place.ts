import { builtinChecks } from "../../src/checks/index.ts";
import { defineCheck } from "../../src/engine/check.ts";
import { childNode } from "../../src/json/node.ts";
import type { Outputs } from "../outputs.ts";
import { openDocuments } from "../targets/documents.ts";

/** A check that points at a value that is not there. */
const checks = builtinChecks.map((check) =>
  check.check_id !== "full_wildcard"
    ? check
    : defineCheck({
        ...check,
        *runStatement(statement) {
          if (statement.has("NotAction")) return;
          const [issue_type = ""] = Object.keys(check.issue_types);
          yield {
            issue_type,
            message: "Everything.",
            node: childNode(statement.node, "NotAction"),
          };
        },
      }),
);

export const open = (outputs: Outputs) => openDocuments(outputs, { checks });
