import type { Authenticator, AuthResult } from "../../src/auth/caller.ts";
import { createAuthenticator } from "../../src/auth/create.ts";

/** An authenticator built as the server does, with a clock the test moves and a log it can read. */
export interface AuthUnderTest {
  readonly authenticator: Authenticator;
  /** Lines written, with their fields. */
  readonly lines: readonly string[];
  readonly clock: { ms: number };
  /** Presents a bearer token. */
  present(token: string): Promise<AuthResult>;
}

/** @param variables without the prefix VALIDATOR_MCP_AUTH_. */
export async function authUnderTest(
  auth: string,
  variables: Record<string, string | undefined>,
  options: { defaultBaseUrl?: string; startMs?: number } = {},
): Promise<AuthUnderTest> {
  const lines: string[] = [];
  const write = (fields: object, message: string) =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  const clock = { ms: options.startMs ?? 1_800_000_000_000 };
  const authenticator = await createAuthenticator({
    auth,
    explicit: true,
    mode: "hosted",
    serverless: false,
    environment: Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [`VALIDATOR_MCP_AUTH_${name}`, value]),
    ),
    log: { info: write, warn: write },
    defaultBaseUrl: options.defaultBaseUrl,
    now: () => clock.ms,
  });
  return {
    authenticator,
    lines,
    clock,
    present: (token) =>
      authenticator.authenticate({ headers: new Headers({ authorization: `Bearer ${token}` }) }),
  };
}
