import { z } from "zod";

const identity = {
  version: z.string().describe("Version of the server."),
  config_digest: z.string().regex(/^[0-9a-f]{64}$/),
  config_source: z
    .enum(["file", "none"])
    .describe("Whether a config file is in use; always `file` in hosted mode."),
};

export const Health = z
  .strictObject({
    status: z.literal("ok"),
    uptime_s: z.number().min(0).describe("Seconds since start, one decimal."),
    ...identity,
  })
  .describe("Response of GET /health: the process is alive.");
export type Health = z.infer<typeof Health>;

export const Ready = z
  .strictObject({
    status: z.enum(["ready", "not_ready"]),
    checks: z.strictObject({
      config_resolved: z.boolean(),
      registry_built: z.boolean(),
      aws_data_ready: z.boolean(),
    }),
    ...identity,
  })
  .describe("Response of GET /ready: 200 when all three checks are true, else 503.");
export type Ready = z.infer<typeof Ready>;
