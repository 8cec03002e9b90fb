import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionResourceMatching } from "../action-resource-matching.ts";

const arn = (resource: string) => `arn:aws:glue:eu-west-1:111122223333:${resource}`;
const read = (...resources: string[]) => ({
  Effect: "Allow",
  Action: "glue:GetTable",
  Resource: resources.map(arn),
});

checkCases(
  actionResourceMatching,
  [
    ...[
      ["catalogs", "catalog"],
      ["databases/sales", "database/sales"],
    ].map(([wrong = "", meant = ""]) => ({
      name: `the type of ${wrong} beside resources that fit`,
      statement: read(wrong, "database/sales", "table/sales/*", "catalog"),
      findings: [
        {
          issue_type: "resource_mismatch",
          severity: "error" as const,
          resource: arn(wrong),
          suggestion: `Write \`${arn(meant)}\`.`,
        },
      ],
    })),
    {
      name: "accepts the catalog, its database and its tables",
      statement: read("catalog", "database/sales", "table/sales/*"),
      findings: [],
    },
    {
      name: "accepts a catalog that has a name",
      statement: read("catalog/s3tablescatalog", "database/sales", "table/sales/*", "catalog"),
      findings: [],
    },
  ],
  embeddedServices(),
);
