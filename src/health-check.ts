import { get } from "node:http";

/**
 * The image's health check: exit status 0 if `/health` of this container answers 200. It does not use
 * `fetch`, which takes longer to load than everything else here.
 */
const { VALIDATOR_MCP_HOST: host = "", VALIDATOR_MCP_PORT: port = "" } = process.env;
const everyAddress = ["", "0.0.0.0", "::"].includes(host.trim());

// Kubernetes makes VALIDATOR_MCP_PORT=tcp://… for a Service called validator-mcp; it is not the setting.
const given = /^\d+$/.test(port.trim()) ? port.trim() : "";

get(
  {
    host: everyAddress ? "127.0.0.1" : host.trim(),
    port: given || 8000,
    path: "/health",
    timeout: 4_000,
  },
  (response) => process.exit(response.statusCode === 200 ? 0 : 1),
)
  .on("timeout", () => process.exit(1))
  .on("error", () => process.exit(1));
