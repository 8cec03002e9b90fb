import { setupServer } from "msw/node";
import { type InProcess, type InProcessOptions, startInProcess } from "../in-process.ts";
import { browse } from "../oidc.ts";
import { type GithubStandIn, githubStandIn } from "./github.ts";
import { type LoginIssuer, startLoginIssuer } from "./issuer.ts";
import { base, githubVariables, jwtVariables, prefixed, type Variables } from "./variables.ts";
import { Visitor } from "./visitor.ts";

/** A front, and somebody to visit it. */
export interface FrontUnderTest extends AsyncDisposable {
  readonly target: InProcess;
  visitor(): Visitor;
}

export async function startFront(
  auth: string,
  variables: Variables,
  signIn: (authorizationUrl: string) => Promise<URL> | URL,
  options: Partial<InProcessOptions> = {},
): Promise<FrontUnderTest> {
  const target = await startInProcess({
    ...options,
    flags: { auth, ...options.flags },
    environment: { ...options.environment, ...prefixed(variables) },
  });
  return {
    target,
    visitor: () => new Visitor({ url: target.url, base: variables.BASE_URL ?? base, signIn }),
    [Symbol.asyncDispose]: () => target.stop(),
  };
}

/** The providers that the tests log in at. */
export interface LoginWorld extends AsyncDisposable {
  readonly github: GithubStandIn;
  readonly issuer: LoginIssuer;
  readonly internet: ReturnType<typeof setupServer>;
  /** Starts a front for GitHub. */
  githubFront(variables?: Variables, options?: Partial<InProcessOptions>): Promise<FrontUnderTest>;
  /** Starts a front for the OpenID provider. */
  jwtFront(variables?: Variables, options?: Partial<InProcessOptions>): Promise<FrontUnderTest>;
}

/** Goes through the pages of the OpenID provider. */
const signInAtIssuer = (callback: string) => (authorizationUrl: string) =>
  browse(new URL(authorizationUrl), callback);

export async function loginWorld(now?: () => number): Promise<LoginWorld> {
  const github = githubStandIn(now);
  const issuer = await startLoginIssuer({ callback: `${base}/oauth/callback` });
  const internet = setupServer(...github.handlers);
  internet.listen({ onUnhandledFrame: "bypass" });
  return {
    github,
    issuer,
    internet,
    githubFront: (variables = {}, options = {}) =>
      startFront("github", { ...githubVariables, ...variables }, github.signIn, {
        ...(now && { now }),
        ...options,
      }),
    jwtFront: (variables = {}, options = {}) =>
      startFront(
        "jwt",
        { ...jwtVariables(issuer.url), ...variables },
        signInAtIssuer(`${base}/oauth/callback`),
        { ...(now && { now }), ...options },
      ),
    async [Symbol.asyncDispose]() {
      internet.close();
      await issuer[Symbol.asyncDispose]();
    },
  };
}
