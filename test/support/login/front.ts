import { freePort } from "../free-port.ts";
import { startProcess } from "../process.ts";
import type { Target } from "../target.ts";
import { type LoginIssuer, startLoginIssuer } from "./issuer.ts";
import { jwtVariables, prefixed } from "./variables.ts";

/** A server with login in a process, and the provider where people sign in. */
export interface LoginFront {
  /** Without a slash at its end. */
  readonly base: string;
  readonly issuer: LoginIssuer;
  readonly front: Target;
}

/**
 * @param options `host`: the provider's name; `variables`: further settings, without their prefix.
 */
export async function startLoginFront({
  host,
  variables = {},
}: {
  readonly host?: string;
  readonly variables?: Readonly<Record<string, string>>;
} = {}): Promise<LoginFront> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const callback = `${base}/oauth/callback`;
  const issuer = await startLoginIssuer({ callback, ...(host !== undefined && { host }) });
  const front = await startProcess({
    flags: { auth: "jwt", port: String(port) },
    environment: prefixed({
      ...jwtVariables(issuer.url),
      BASE_URL: base,
      JWT_AUDIENCE: `${base}/mcp`,
      ...variables,
    }),
  });
  return { base, issuer, front };
}
