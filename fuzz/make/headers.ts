import { canary } from "../../test/support/canary-traffic.ts";
import { tokens } from "../../test/support/target.ts";
import type { Random } from "../random.ts";
import { mutateText } from "./mutate.ts";
import { oddText } from "./odd.ts";

export const headerNames = [
  "accept",
  "accept-encoding",
  "authorization",
  "baggage",
  "content-encoding",
  "content-type",
  "cookie",
  "forwarded",
  "host",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-param-x",
  "mcp-protocol-version",
  "mcp-session-id",
  "origin",
  "traceparent",
  "tracestate",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
] as const;

/** Values that one header or the other takes seriously. */
export function headerValue(random: Random): string {
  return random.weighted([
    [
      6,
      () =>
        random.pick([
          "",
          "*/*",
          "application/json",
          "text/event-stream",
          "text/event-stream;q=1, application/json;q=0.1",
          "application/json;q=NaN",
          "application/json; charset=utf-16",
          "text/plain",
          "2025-03-26",
          "2025-06-18",
          "2025-11-25",
          "2026-07-28",
          "2024-11-05",
          "9999-99-99",
          "http://localhost",
          "http://evil.example",
          "null",
          "localhost:1",
          "127.1",
          "[::1]:80",
          "gzip",
          "tools/call",
          "validate_policies",
          "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
          `Bearer ${tokens.none}`,
          `Bearer ${canary}`,
          canary,
        ]),
    ],
    [1, () => oddText(random)],
    [1, () => `${random.pick(["a", ",", ";q=", "%"])}`.repeat(random.small(2_000))],
  ]);
}

/** What a client sends, and now and then something else. */
export function changedHeaders(given: [string, string][], random: Random): [string, string][] {
  const headers: [string, string][] = [...given];
  if (random.chance(0.3)) headers.push(["user-agent", canary]);
  if (random.chance(0.8)) return headers;
  for (let left = 1 + random.small(2); left > 0; left--) {
    const at = random.below(headers.length);
    const [name = "accept", value = ""] = headers[at] ?? [];
    random.weighted<unknown>([
      [2, () => headers.splice(at, 1)],
      [2, () => headers.splice(at, 1, [name, headerValue(random)])],
      [1, () => headers.splice(at, 1, [name, mutateText(value, random)])],
      [1, () => headers.push([name, value])],
      [3, () => headers.push([random.pick(headerNames), headerValue(random)])],
    ]);
  }
  return headers;
}
