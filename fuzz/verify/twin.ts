import { isDeepStrictEqual } from "node:util";
import { isTooDeep } from "../../src/json/depth.ts";
import { isRecord } from "../../src/record.ts";
import { Broken } from "../broken.ts";
import type { Exchanged } from "../wire.ts";
import type { WireRequest } from "../wire-request.ts";
import { objectIn } from "./json.ts";

/** Means nothing, but a message that has it goes the long way through the protocol's own code. */
const meaningless = "fuzz.example/meaningless";

/** @returns the same request, which the server must answer in the same way; undefined: there is none. */
export function twinOf(request: WireRequest): WireRequest | undefined {
  const message = request.body.isWellFormed() ? objectIn(request.body) : undefined;
  if (isTooDeep(message) || request.encoding === "latin1") return undefined;
  const params = message?.params;
  if (!isRecord(params)) return undefined;
  // What AWS says may depend on how often it is asked.
  if (params.name === "analyze_policy") return undefined;
  const { _meta: meta = {} } = params;
  if (!isRecord(meta)) return undefined;
  // Of 2026-07-28, a request without an envelope is told that it has none.
  const names = request.headers.map(([name]) => name.toLowerCase());
  if (!Object.hasOwn(params, "_meta") && names.includes("mcp-protocol-version")) return undefined;
  // Written anew, a number too large to be one becomes null.
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(message)), message)) return undefined;
  const marked = { ...params, _meta: { ...meta, [meaningless]: 1 } };
  return { ...request, body: JSON.stringify({ ...message, params: marked }), encoding: "utf8" };
}

/** @throws {Broken} unless both answers say the same. */
export function verifyTwins(one: Exchanged, other: Exchanged): void {
  const [a, b] = [one, other].map(comparable);
  if (a !== b) throw new Broken("a short cut answers otherwise", `${a}\n  not\n${b}`);
}

/** Reports have the time of their making in them. */
function comparable({ status, text, toolResult }: Exchanged): string {
  const { output } = toolResult ?? {};
  if (!isRecord(output) || typeof output.report !== "string") return `${status} ${text}`;
  return `${status} ${JSON.stringify({ ...output, report: "" })}`;
}
