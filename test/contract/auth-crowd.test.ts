import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { githubClient, googleClient } from "../support/auth-providers.ts";
import { startInProcess } from "../support/in-process.ts";
import { rpc } from "../support/rpc.ts";

/** One address may have this many of its tokens checked at once (docs/operations.md). */
const mostOfOneAddress = 48;

/** The providers take every question and answer none until the test lets them. */
let answer = Promise.withResolvers<void>();
const endpoints = {
  github: `https://api.github.com/applications/${githubClient}/token`,
  google: "https://oauth2.googleapis.com/tokeninfo",
};
let asked = 0;
const internet = setupServer(
  ...Object.values(endpoints).map((url) =>
    http.post(url, async () => {
      asked++;
      await answer.promise;
      return HttpResponse.json({ error: "invalid_token" }, { status: 404 });
    }),
  ),
);
beforeAll(() => internet.listen({ onUnhandledFrame: "bypass" }));
afterAll(() => internet.close());

test.each([
  ["github", { GITHUB_CLIENT_ID: githubClient, GITHUB_CLIENT_SECRET: "github-s3cr3t" }],
  ["google", { GOOGLE_CLIENT_ID: googleClient }],
] as const)(
  "%s: a request whose token cannot be checked for lack of room gets 503, not 401",
  async (auth, settings) => {
    answer = Promise.withResolvers();
    asked = 0;
    const target = await startInProcess({
      flags: { auth },
      environment: Object.fromEntries(
        Object.entries({ ...settings, BASE_URL: "https://validator.example.com" }).map(
          ([name, value]) => [`VALIDATOR_MCP_AUTH_${name}`, value],
        ),
      ),
    });
    const list = (token: string) => rpc(target, "tools/list", {}, { token });
    try {
      const waiting = Array.from({ length: mostOfOneAddress }, (_, at) => list(`invented-${at}`));
      await expect.poll(() => asked, { timeout: 20_000 }).toBe(mostOfOneAddress);
      const refused = await list("one-more");
      expect(refused.status).toBe(503);
      expect(refused.headers.get("retry-after")).toBe("1");
      expect(refused.headers.get("www-authenticate")).toBeNull();
      answer.resolve();
      for (const { status } of await Promise.all(waiting)) expect(status).toBe(401);
      expect((await list("one-more")).status).toBe(401);
    } finally {
      answer.resolve();
      await target.stop();
    }
  },
);
