import { expect } from "vitest";
import { contentSecurityPolicy } from "../../../src/login/page-style.ts";
import { base } from "../../support/login/variables.ts";
import type { Reply } from "../../support/login/visitor.ts";
import type { Expected } from "../login.table.ts";

const json = { "content-type": "application/json" };
const anyOrigin = { "access-control-allow-origin": "*" };
const noStore = { "cache-control": "no-store" };

/** What the platform or the HTTP server adds. */
const platform = new Set([
  "date",
  "connection",
  "keep-alive",
  "content-length",
  "transfer-encoding",
  "set-cookie",
]);
const headersOf = ({ headers }: Reply) =>
  Object.fromEntries([...headers].filter(([name]) => !platform.has(name)));

/** @param oneCookie the platform passes on only the first cookie. */
export function check(reply: Reply, expected: Expected, oneCookie = false): void {
  const headers = headersOf(reply);
  const cookies = reply.headers.getSetCookie();
  switch (expected.kind) {
    case "json":
    case "error": {
      const isError = expected.kind === "error";
      const pragma = "pragma" in headers ? { pragma: "no-cache" } : {};
      const all = { ...json, ...noStore, ...anyOrigin, ...pragma, ...expected.extra };
      if (!isError) {
        const members = Object.entries(expected.body);
        const absent = members.filter(([, value]) => value === undefined).map(([name]) => name);
        const present = Object.fromEntries(members.filter(([, value]) => value !== undefined));
        expect(reply).toMatchObject({ status: expected.status, body: present });
        for (const name of absent) expect(reply.body).not.toHaveProperty(name);
      } else {
        expect(reply.body).toEqual({
          error: expected.error,
          error_description: expect.stringMatching(/^[\x20-\x7e]+\.$/),
        });
        expect(reply.status).toBe(expected.status);
      }
      expect(headers).toEqual(all);
      expect(cookies).toEqual([]);
      return;
    }
    case "document":
      expect(reply.body).toEqual(expected.body);
      expect(headers).toEqual({ ...json, ...anyOrigin, "cache-control": "public, max-age=300" });
      return;
    case "page":
      expect(reply.text).toMatch(expected.says);
      expect({ status: reply.status, headers }).toEqual({
        status: expected.status,
        headers: { ...pageHeaders, ...expected.extra },
      });
      expect(cookies.join("\n")).toMatch(expected.cookies ?? /^$/);
      return;
    case "redirect": {
      const location = new URL(reply.headers.get("location") ?? "");
      expect({ status: reply.status, text: reply.text, headers }).toEqual({
        status: 303,
        text: "",
        headers: { ...noStore, location: expect.any(String), "referrer-policy": "no-referrer" },
      });
      if (expected.to) expect(location.href).toMatch(expected.to);
      if (expected.error) {
        expect(location.searchParams.get("error")).toBe(expected.error);
        expect(location.searchParams.get("iss")).toBe(base);
      }
      if (expected.state !== undefined)
        expect(location.searchParams.get("state")).toBe(expected.state);
      expect(location.href).not.toContain("canary");
      expect((oneCookie ? cookies.slice(0, 1) : cookies).join("\n")).toMatch(
        expected.cookies ?? /^$/,
      );
      return;
    }
    case "preflight":
      expect({ status: reply.status, headers }).toEqual({
        status: 204,
        headers: {
          ...anyOrigin,
          "access-control-allow-methods": expected.methods,
          "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
          "access-control-max-age": "86400",
        },
      });
      return;
    case "method":
      expect({ status: reply.status, text: reply.text, headers }).toEqual({
        status: 405,
        text: "",
        headers: { allow: expected.allow },
      });
      return;
    case "absent":
      expect({ status: reply.status, body: reply.body }).toEqual({
        status: 404,
        body: { error: "not_found" },
      });
      return;
    case "mcp":
      expect(reply.status).toBe(expected.status);
      if (expected.status === 401 && reply.headers.has("www-authenticate")) {
        expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer /);
      }
  }
}

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  ...noStore,
  "content-security-policy": contentSecurityPolicy,
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
