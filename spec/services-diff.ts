import { z } from "zod";

const Names = z.strictObject({
  added: z.array(z.string()).describe("Names that only the newer data has, sorted."),
  removed: z.array(z.string()).describe("Names that only the older data has, sorted."),
});

const DataSet = z.strictObject({
  date: z.string().describe("Day of the data, `YYYY-MM-DD`."),
  hash: z.string().describe("SHA-256 over the data, hex."),
});

/** Output of `validator-mcp services diff --format json`. */
export const ServicesDiff = z.strictObject({
  older: DataSet,
  newer: DataSet,
  services: Names.describe("Prefixes of services."),
  actions: Names.describe("Actions as `service:Name`, those of new and removed services included."),
  resource_types: Names.describe("Resource types as `service:name`."),
  condition_keys: Names.describe("Condition keys of services, placeholders included."),
});
export type ServicesDiff = z.output<typeof ServicesDiff>;
