import type { Target } from "./target.ts";

/** `2025`: revisions with a handshake; `2026`: 2026-07-28. */
export type Era = "2025" | "2026";
export const eras: readonly Era[] = ["2025", "2026"];

export const modernRevision = "2026-07-28";

const envelope = {
  "io.modelcontextprotocol/protocolVersion": modernRevision,
  "io.modelcontextprotocol/clientInfo": { name: "contract-tests", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

export interface RpcOptions {
  readonly era?: Era;
  readonly token?: string | undefined;
  readonly id?: string | number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface RpcBody {
  readonly jsonrpc?: "2.0";
  readonly id?: string | number | null;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface RpcAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Empty where the answer has no JSON body. */
  readonly body: RpcBody;
}

/** Headers and body of one request as a client of that era would write it. */
export function rpcRequest(method: string, params: object = {}, options: RpcOptions = {}) {
  const { era = "2025", token, id = 1, headers } = options;
  const modern = era === "2026";
  const named = "name" in params ? params.name : "uri" in params ? params.uri : undefined;
  return {
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(modern && { "mcp-protocol-version": modernRevision, "mcp-method": method }),
      ...(modern && typeof named === "string" && { "mcp-name": named }),
      ...headers,
    } as Record<string, string>,
    body: JSON.stringify({
      jsonrpc: "2.0",
      id,
      method,
      params: modern ? { ...params, _meta: envelope } : params,
    }),
  };
}

export async function rpc(
  target: Pick<Target, "url">,
  method: string,
  params: object = {},
  options: RpcOptions = {},
): Promise<RpcAnswer> {
  const { headers, body } = rpcRequest(method, params, options);
  const response = await fetch(`${target.url}/mcp`, {
    method: "POST",
    headers,
    body,
    ...(options.signal && { signal: options.signal }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(response, text) };
}

/** A call of a tool. */
export function call(
  target: Pick<Target, "url">,
  name: string,
  args: object = {},
  options: RpcOptions = {},
): Promise<RpcAnswer> {
  return rpc(target, "tools/call", { name, arguments: args }, options);
}

function parse(response: Response, text: string): RpcBody {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/json") && text !== "") return JSON.parse(text);
  if (!type.startsWith("text/event-stream")) return {};
  const data = text.split("\n").find((line) => line.startsWith("data: "));
  return data === undefined ? {} : JSON.parse(data.slice("data: ".length));
}

/** What a tool error looks like on the wire. */
export function toolError(text: unknown): object {
  return { content: [{ type: "text", text }], isError: true };
}

/** A policy that is plainly fine. */
export const readOnly = {
  Version: "2012-10-17",
  Statement: [
    {
      Sid: "ReadReports",
      Effect: "Allow",
      Action: "s3:GetObject",
      Resource: "arn:aws:s3:::reports/*",
    },
  ],
};
