import { get } from "node:http";

/**
 * The image's health check: exit status 0 when `/health` of this container answers 200. Not with
 * `fetch`, which takes longer to load than the rest of this together.
 */
const { VALIDATOR_MCP_HOST: host = "", VALIDATOR_MCP_PORT: port = "" } = process.env;
const everyAddress = ["", "0.0.0.0", "::"].includes(host.trim());

get(
  {
    host: everyAddress ? "127.0.0.1" : host.trim(),
    port: port.trim() || 8000,
    path: "/health",
    timeout: 4_000,
  },
  (response) => process.exit(response.statusCode === 200 ? 0 : 1),
)
  .on("timeout", () => process.exit(1))
  .on("error", () => process.exit(1));
