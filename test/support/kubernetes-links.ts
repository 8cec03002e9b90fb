/**
 * The variables that the kubelet makes for the shipped Service `validator-mcp` and for one called
 * `validator-mcp-metrics`, with two named ports.
 * Source: https://kubernetes.io/docs/tutorials/services/connect-applications-service/#environment-variables
 */
export const kubernetesLinks: Readonly<Record<string, string>> = {
  VALIDATOR_MCP_SERVICE_HOST: "10.96.14.2",
  VALIDATOR_MCP_SERVICE_PORT: "80",
  VALIDATOR_MCP_SERVICE_PORT_HTTP: "80",
  VALIDATOR_MCP_PORT: "tcp://10.96.14.2:80",
  VALIDATOR_MCP_PORT_80_TCP: "tcp://10.96.14.2:80",
  VALIDATOR_MCP_PORT_80_TCP_PROTO: "tcp",
  VALIDATOR_MCP_PORT_80_TCP_PORT: "80",
  VALIDATOR_MCP_PORT_80_TCP_ADDR: "10.96.14.2",
  VALIDATOR_MCP_METRICS_SERVICE_HOST: "10.96.14.3",
  VALIDATOR_MCP_METRICS_SERVICE_PORT: "9090",
  VALIDATOR_MCP_METRICS_PORT: "tcp://10.96.14.3:9090",
  VALIDATOR_MCP_METRICS_PORT_9090_TCP: "tcp://10.96.14.3:9090",
};
