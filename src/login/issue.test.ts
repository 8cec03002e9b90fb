import { describe, expect, test } from "vitest";
import type { ProviderGrant } from "../../spec/login.ts";
import { base, keyOne } from "../../test/support/login/variables.ts";
import type { Front } from "./front.ts";
import { issueTokens } from "./issue.ts";
import { deriveKeys, parseKeys } from "./keys.ts";
import { createSeals } from "./seal.ts";

const hash = "h".repeat(43);
const client = { id: "reg1.x.y", hash, reference: { kind: "document", url: base } } as const;

/** Issues tokens for what a provider gave. */
async function issued(grant: ProviderGrant, sessionS = 600) {
  const parsed = parseKeys([keyOne]);
  if ("problem" in parsed) throw new Error(parsed.problem);
  const seals = createSeals(deriveKeys(parsed.keys, base), () => 0);
  const said: string[] = [];
  const asked: unknown[] = [];
  // The parts that issue; no other one is asked.
  const front = {
    settings: { sessionS },
    seals,
    events: { once: (key: string) => said.push(key) },
    tokens: {
      issue: async (granted: unknown) => {
        asked.push(granted);
        return { token: "t", expiresIn: 60 };
      },
    },
  } as unknown as Front;
  const response = await issueTokens(front, client, {
    subject: "alice",
    requested: ["iam:query"],
    entitled: ["iam:validate", "iam:query"],
    granted: ["iam:query", "iam:validate"],
    loginAt: 10,
    sessionEnd: 20,
    nonce: "n",
    grant,
  });
  const body = (await response.json()) as Record<string, unknown>;
  const { refresh_token: refresh, ...rest } = body;
  const opened = typeof refresh === "string" ? await seals.open("refresh", refresh) : undefined;
  return { response, rest, opened, hasRefresh: "refresh_token" in body, said, asked };
}

describe("tokens", () => {
  test("are answered with what was granted, and kept by no cache", async () => {
    const { response, rest, asked } = await issued({ refresh: "r" });
    expect(response.status).toBe(200);
    expect(response.headers.get("pragma")).toBe("no-cache");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(rest).toEqual({
      access_token: "t",
      token_type: "Bearer",
      expires_in: 60,
      scope: "iam:query iam:validate",
    });
    expect(asked).toEqual([
      {
        subject: "alice",
        clientId: expect.stringMatching(/^reg1:[\w-]{22}$/),
        scopes: ["iam:query", "iam:validate"],
        entitled: ["iam:validate", "iam:query"],
        loginAt: 10,
        sessionEnd: 20,
      },
    ]);
  });

  test.each<[string, ProviderGrant]>([
    ["a refresh token", { refresh: "r" }],
    ["an access token", { access: "a", access_end: 5 }],
    ["both", { access: "a", refresh: "r" }],
  ])("can be refreshed with %s of the provider", async (_what, grant) => {
    const { opened, said } = await issued(grant);
    expect(opened).toEqual({
      v: 1,
      exp: 20,
      client: hash,
      scopes: ["iam:query"],
      sub: "alice",
      at: 10,
      entitled: ["iam:validate", "iam:query"],
      nonce: "n",
      grant,
    });
    expect(said).toEqual([]);
  });

  test.each<[string, ProviderGrant, number, string[]]>([
    ["nothing of the provider", {}, 600, ["no_refresh_token"]],
    ["more than can be kept", { refresh: "r".repeat(10_000) }, 600, ["no_refresh_token"]],
    ["sessions that are off", { refresh: "r" }, 0, []],
  ])("cannot be refreshed with %s", async (_what, grant, sessionS, expected) => {
    const { hasRefresh, said } = await issued(grant, sessionS);
    expect([hasRefresh, said]).toEqual([false, expected]);
  });
});
