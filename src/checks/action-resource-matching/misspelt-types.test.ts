import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { actionResourceMatching } from "../action-resource-matching.ts";

const account = "111122223333";
const glue = (resource: string) => `arn:aws:glue:eu-west-1:${account}:${resource}`;
const domain = (resource: string) => `arn:aws:es:eu-west-1:${account}:${resource}`;
const allow = (Action: unknown, Resource: unknown) => ({ Effect: "Allow", Action, Resource });
const read = (...resources: string[]) => allow("glue:GetTable", resources.map(glue));
const tables = (...wrong: string[]) =>
  allow("glue:GetTable", [glue("catalog"), glue("database/sales"), ...wrong.map(glue)]);
const mismatch = {
  issue_type: "resource_mismatch",
  severity: "error",
  field_name: "resource",
} as const;

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
          resource: glue(wrong),
          suggestion: `Write \`${glue(meant)}\`.`,
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
    {
      name: "reports a misspelt type beside resources that fit",
      statement: tables("databases/web"),
      findings: [
        {
          ...mismatch,
          resource: glue("databases/web"),
          path: "/Statement/0/Resource/2",
          message:
            /^`arn:aws:glue:eu-west-1:111122223333:databases\/web` has the type `databases`, which `glue` does not have in the reference data of [0-9-]+, so the entry matches nothing\.$/,
          suggestion: `Write \`${glue("database/web")}\`.`,
          example: JSON.stringify(glue("database/web")),
        },
      ],
    },
    {
      name: "reports each misspelt type, whatever is between",
      statement: tables("databse/web", "table/web/*", "tabble/web/*"),
      findings: [
        { ...mismatch, suggestion: `Write \`${glue("database/web")}\`.` },
        { ...mismatch, suggestion: `Write \`${glue("table/web/*")}\`.` },
      ],
    },
    ...[
      ["whose letter case alone differs", "Database/web"],
      ["with a wildcard", "databas*/web"],
      ["that is far from any", "warehouses/web"],
      ["with fewer than five letters", "tabl/web"],
      ["that nothing follows", "databases"],
      ["that is near to one without a name", "catalogs/web"],
    ].map(([name, resource]) => ({
      name: `passes over a type ${name}`,
      statement: tables(String(resource)),
      findings: [],
    })),
    {
      name: "passes over ARNs of other services, and texts that are no ARN",
      statement: allow("glue:GetTable", [
        glue("catalog"),
        glue("database/sales"),
        glue("table/sales/*"),
      ]),
      findings: [],
    },
    {
      name: "says that requests to a domain go to its paths",
      statement: allow(["es:DescribeDomain", "es:ESHttpGet"], domain("domain/logs")),
      findings: [
        {
          issue_type: "resource_mismatch",
          severity: "high",
          action: "es:ESHttpGet",
          resource: domain("domain/logs"),
          message: `\`es:ESHttpGet\` is for requests to paths of a domain, and \`${domain("domain/logs")}\` is the domain without its paths.`,
          suggestion: `Write \`${domain("domain/logs/*")}\`.`,
          example: JSON.stringify(domain("domain/logs/*")),
        },
      ],
    },
    {
      name: "says it once for several domains",
      statement: allow("ES:esHttp*", [domain("domain/logs"), domain("domain/traces")]),
      findings: [{ issue_type: "resource_mismatch", resource: domain("domain/logs") }],
    },
    ...[
      ["the paths of a domain", "es:ESHttpGet", domain("domain/logs/*")],
      ["a domain and its paths", "es:ESHttpGet", [domain("domain/logs"), domain("domain/logs/*")]],
      ["a pattern of domains", "es:ESHttpGet", domain("domain/logs*")],
      ["the calls of the configuration", "es:DescribeDomain", domain("domain/logs")],
      ["everything", "es:ESHttpGet", "*"],
    ].map(([name, Action, Resource]) => ({
      name: `takes ${name}`,
      statement: allow(Action, Resource),
      findings: [],
    })),
  ],
  embeddedServices(),
);
