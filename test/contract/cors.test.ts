import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { withTokens } from "../support/target.ts";

const page = "https://tools.example.com";
let server: InProcess;
beforeAll(async () => {
  server = await startInProcess({
    ...withTokens,
    environment: { ...withTokens.environment, VALIDATOR_MCP_ALLOWED_ORIGINS: page },
  });
});
afterAll(() => server.stop());

const ask = (method: string, origin: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/mcp`, { method, headers: { origin, ...headers } });
const cors = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => /^access-control|^vary$/.test(name)));

test("a listed origin may ask before it calls", async () => {
  const answer = await ask("OPTIONS", page, {
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type, Mcp-Param-Region, cookie",
  });
  expect(answer.status).toBe(204);
  expect(cors(answer)).toEqual({
    "access-control-allow-origin": page,
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers":
      "authorization, content-type, accept, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, mcp-param-region",
    "access-control-max-age": "7200",
    vary: "Origin",
  });
});

test("its answers can be read, refusals with their challenge too, and never with credentials", async () => {
  const answer = await ask("POST", page);
  expect(answer.status).toBe(401);
  expect(cors(answer)).toEqual({
    "access-control-allow-origin": page,
    "access-control-expose-headers":
      "WWW-Authenticate, Mcp-Session-Id, Mcp-Protocol-Version, Retry-After",
    vary: "Origin",
  });
});

test.each(["https://other.example.com", "http://tools.example.com", "null"])(
  "%s gets nothing of that",
  async (origin) => {
    for (const method of ["OPTIONS", "POST"]) {
      const answer = await ask(method, origin);
      expect(answer.status).toBe(403);
      expect(cors(answer)).toEqual({});
    }
  },
);

test("an origin of this machine may call as before, but no page may read it by this", async () => {
  const answer = await ask("OPTIONS", "http://localhost:3000");
  expect(answer.status).toBe(405);
  expect(cors(answer)).toEqual({});
});
