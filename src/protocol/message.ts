import { parseJson } from "../json/parse.ts";
import type { ScannedMessage } from "../json/scan-message.ts";
import { isRecord } from "../record.ts";

/** @returns the method of a message; undefined: it has none. */
export function methodOf(message: unknown): string | undefined {
  const method = member(message, "method");
  return typeof method === "string" ? method : undefined;
}

/** @returns the tool that a message calls; undefined: it calls none. */
export function calledTool(message: unknown): string | undefined {
  if (methodOf(message) !== "tools/call") return undefined;
  const name = member(member(message, "params"), "name");
  return typeof name === "string" ? name : undefined;
}

/** @returns the `_meta` of a message's params; undefined: there is none. */
export function metaOf(message: unknown): Readonly<Record<string, unknown>> | undefined {
  const meta = member(member(message, "params"), "_meta");
  return isRecord(meta) ? meta : undefined;
}

/** @returns the arguments of a call, whatever they are. */
export function argumentsOf(message: unknown): unknown {
  return member(member(message, "params"), "arguments");
}

/** Keeps id, method, name and `_meta`, so that hiding and auditing work as for any call. */
export function withoutArguments(message: unknown): unknown {
  const params = member(message, "params");
  if (!isRecord(message) || !isRecord(params)) return message;
  return { ...message, params: { ...params, arguments: {} } };
}

function member(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** @returns the tool that a scanned message calls; undefined: it calls none. */
export function scannedTool({ members }: ScannedMessage): string | undefined {
  if (members.name === undefined || read(members.method) !== "tools/call") return undefined;
  const name = read(members.name);
  return typeof name === "string" ? name : undefined;
}

/**
 * @param scanned A message without members that were not kept (`hasOthers`).
 * @returns the message as `withoutArguments` would make it.
 */
export function envelopeOf({ members }: ScannedMessage): unknown {
  const { jsonrpc, id, method, name, _meta } = members;
  return {
    ...(jsonrpc !== undefined && { jsonrpc: read(jsonrpc) }),
    ...(id !== undefined && { id: read(id) }),
    ...(method !== undefined && { method: read(method) }),
    params: {
      ...(name !== undefined && { name: read(name) }),
      arguments: {},
      ...(_meta !== undefined && { _meta: read(_meta) }),
    },
  };
}

function read(json: string | undefined): unknown {
  return json === undefined ? undefined : parseJson(json);
}
