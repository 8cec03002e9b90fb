/** Codes of JSON-RPC 2.0. Those of the SDK's own range (-32000 and up) are left to the SDK. */
export const rpcCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

export interface RpcErrorDetails {
  /** Id of the request; absent or null: it is not known. An answer without the member makes some clients wait for ever. */
  readonly id?: string | number | null | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @returns an HTTP answer whose body is a JSON-RPC error. */
export function rpcError(
  status: number,
  code: number,
  message: string,
  { id = null, headers }: RpcErrorDetails = {},
): Response {
  return Response.json(
    { jsonrpc: "2.0", error: { code, message }, id },
    { status, headers: { "content-type": "application/json", ...headers } },
  );
}

/** @returns the id to answer with; null when the message has none that JSON-RPC and MCP allow. */
export function idOf(message: unknown): string | number | null {
  if (typeof message !== "object" || message === null || !("id" in message)) return null;
  const { id } = message;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
}
