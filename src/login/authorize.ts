import {
  consentLifetimeS,
  maxQueryLength,
  maxScopeLength,
  maxStateLength,
  type OAuthError,
  type RefusedReason,
} from "../../spec/login.ts";
import type { Scope } from "../../spec/scopes.ts";
import { redirect as redirectTo, withCookies } from "./answers.ts";
import { type Parameters, readParameters } from "./body.ts";
import type { RegisteredClient } from "./client-id.ts";
import { onlyCookie } from "./cookies.ts";
import {
  type ClientReference,
  clientLabel,
  clientOf,
  type Front,
  nowS,
  type Route,
  referenceOf,
} from "./front.ts";
import { readScopes } from "./grant.ts";
import { consentPage, documentPage, errorPage, redirectPage, returnPage } from "./pages.ts";
import { isSame, randomId, randomIdForm, sha256 } from "./random.ts";
import {
  hasReservedQuery,
  isPrivateScheme,
  isRegistered,
  redirectLabel,
  withAnswer,
} from "./redirects.ts";
import { LoginRefusal } from "./refusal.ts";
import { namesThisServer } from "./resource.ts";

/** Where an answer goes, once client and redirect have been validated. */
export interface Return {
  readonly redirect: string;
  readonly state?: string | undefined;
}

/** Sends the answer to the client: by a redirect, or a page with a link where the redirect opens an app. */
export async function answerClient(
  { redirect, state }: Return,
  base: string,
  answer: Readonly<Record<string, string>>,
  cookies: readonly string[] = [],
): Promise<Response> {
  const location = withAnswer(redirect, {
    ...answer,
    ...(state !== undefined && { state }),
    iss: base,
  });
  if (isPrivateScheme(redirect)) return withCookies(await returnPage(location), cookies);
  return redirectTo(location, cookies);
}

/** What the person is asked to agree to. */
interface Asked {
  readonly state: string | undefined;
  readonly challenge: string;
  readonly scopes: readonly Scope[];
}

/** `GET /oauth/authorize`: shows the consent page. Nothing is stored, so a program may request it before the browser does. */
export function authorizeRoute(front: Front): Route {
  const { settings, cookies, upstream } = front;
  return async (request) => {
    const query = new URL(request.url).search.slice(1);
    const parameters = query.length <= maxQueryLength ? readParameters(query) : undefined;
    if (!parameters) throw await notALogin();
    const clientId = parameters.one("client_id");
    if (!clientId) throw await notALogin();
    const reference = await knownReference(clientId, front);
    const client = await knownClient(reference, clientId, front);
    const redirect = await validRedirect(parameters, reference, client, front);
    const asked = await readRequest(parameters, reference, redirect, front);

    const old = onlyCookie(request.headers, cookies.consent);
    const nonce = old !== undefined && randomIdForm.test(old) ? old : randomId();
    const sealed = await seal(asked, { clientId, reference, client, redirect, nonce }, front);
    if (sealed === undefined) {
      throw await refusal(front, reference, { redirect, state: undefined }, "request", [
        "invalid_request",
        "The request is too long.",
      ]);
    }
    const shownPage = await consentPage({
      base: settings.base,
      name: client.name,
      checkedHost: reference.kind === "document" ? clientLabel(reference) : undefined,
      redirect,
      scopes: asked.scopes,
      providerName: upstream.name,
      action: `${settings.base}/oauth/consent`,
      sealed,
    });
    return withCookies(shownPage, [cookies.set(cookies.consent, nonce)]);
  };
}

async function notALogin(): Promise<LoginRefusal> {
  return new LoginRefusal("request", await errorPage("noRequest"));
}

async function knownReference(id: string, { settings }: Front): Promise<ClientReference> {
  const reference = referenceOf(id, settings);
  if (reference) return reference;
  const isDocument = settings.documentHosts !== undefined && /^https?:/i.test(id);
  throw new LoginRefusal(
    "client",
    isDocument ? await documentPage(id, 400) : await errorPage("unknownClient"),
  );
}

async function knownClient(
  reference: ClientReference,
  id: string,
  { documents }: Front,
): Promise<RegisteredClient> {
  const client = await clientOf(reference, documents);
  if (typeof client !== "string") return client;
  throw new LoginRefusal("client", await documentPage(id, client === "unreachable" ? 503 : 400), {
    client: clientLabel(reference),
  });
}

async function validRedirect(
  parameters: Parameters,
  reference: ClientReference,
  client: RegisteredClient,
  { settings }: Front,
): Promise<string> {
  const redirect = parameters.one("redirect_uri");
  if (!redirect) throw await notALogin();
  const isValid =
    settings.redirects.allows(redirect) &&
    isRegistered(redirect, client.redirects) &&
    !hasReservedQuery(redirect);
  if (isValid) return redirect;
  throw new LoginRefusal("redirect", await redirectPage(redirect), {
    client: clientLabel(reference),
  });
}

type Fault = readonly [error: OAuthError, description: string];

async function refusal(
  { settings }: Front,
  reference: ClientReference,
  to: Return,
  reason: RefusedReason,
  [error, error_description]: Fault,
): Promise<LoginRefusal> {
  return new LoginRefusal(
    reason,
    await answerClient(to, settings.base, { error, error_description }),
    { client: clientLabel(reference), redirect: redirectLabel(to.redirect) },
  );
}

/** Parameters that may appear once; `resource` may repeat, and others are ignored. */
const single = [
  "response_type",
  "response_mode",
  "code_challenge",
  "code_challenge_method",
  "state",
  "scope",
  "prompt",
  "request",
  "request_uri",
] as const;
const stateForm = /^[\x20-\x7e]*$/;
const challengeForm = /^[\w-]{43}$/;

async function readRequest(
  parameters: Parameters,
  reference: ClientReference,
  redirect: string,
  front: Front,
): Promise<Asked> {
  const state = parameters.one("state");
  const isValidState =
    state === undefined || (state.length <= maxStateLength && stateForm.test(state));
  const to = { redirect, state: isValidState ? state : undefined };
  const fault = faultOf(parameters, isValidState, front.settings.base);
  if (fault) {
    const [reason, ...rest] = fault;
    throw await refusal(front, reference, to, reason, rest);
  }
  const scopes = readScopes(parameters.one("scope") ?? "");
  return {
    state,
    challenge: parameters.one("code_challenge") ?? "",
    scopes: scopes?.known ?? [],
  };
}

function faultOf(
  parameters: Parameters,
  isValidState: boolean,
  base: string,
): readonly [RefusedReason, ...Fault] | undefined {
  const invalid = (description: string) => ["request", "invalid_request", description] as const;
  const has = (name: string) => parameters.all(name).length > 0;
  if (!isValidState) return invalid("state must be up to 1024 printable ASCII characters.");
  if (single.some((name) => parameters.isRepeated(name))) {
    return invalid("A parameter is given twice.");
  }
  if (has("request")) {
    return ["request", "request_not_supported", "Request objects are not supported."];
  }
  if (has("request_uri")) {
    return ["request", "request_uri_not_supported", "Request objects are not supported."];
  }
  const type = parameters.one("response_type");
  if (!type) return invalid("response_type is missing.");
  if (type !== "code") {
    return ["request", "unsupported_response_type", "response_type must be code."];
  }
  if ((parameters.one("response_mode") ?? "query") !== "query") {
    return invalid("response_mode must be query.");
  }
  if (!challengeForm.test(parameters.one("code_challenge") ?? "")) {
    return invalid("code_challenge must be 43 characters of base64url: PKCE is required.");
  }
  if (parameters.one("code_challenge_method") !== "S256") {
    return invalid("code_challenge_method must be S256.");
  }
  if (!namesThisServer(parameters.all("resource"), base)) {
    return ["resource", "invalid_target", "resource is not this server."];
  }
  const text = parameters.one("scope") ?? "";
  const scopes = text.length <= maxScopeLength ? readScopes(text) : undefined;
  if (!scopes || (scopes.known.length === 0 && scopes.unknown.length > 0)) {
    return ["scope", "invalid_scope", "scope has none of this server's scopes."];
  }
  if (parameters.one("prompt") === "none") {
    return ["request", "interaction_required", "The person must be asked."];
  }
  return undefined;
}

interface Sealing {
  readonly clientId: string;
  readonly reference: ClientReference;
  readonly client: RegisteredClient;
  readonly redirect: string;
  readonly nonce: string;
}

/** @returns undefined if the value of the page, or the cookie that follows from it, would be too long. */
async function seal(
  { state, challenge, scopes }: Asked,
  { clientId, reference, client, redirect, nonce }: Sealing,
  front: Front,
): Promise<string | undefined> {
  const carried = {
    exp: nowS(front) + consentLifetimeS,
    client: sha256(clientId),
    redirect,
    ...(state !== undefined && { state }),
    challenge,
    scopes: [...scopes],
  };
  const id = randomId();
  const trial = { ...carried, id, verifier: sha256(id), nonce: id };
  if ((await front.seals.seal("login", trial)) === undefined) return undefined;
  return front.seals.seal("consent", {
    ...carried,
    kind: reference.kind,
    name: client.name,
    nonce: sha256(nonce),
  });
}

/** Whether a browser's nonce is the one whose digest the page carries. */
export function isNonceOf(nonce: string, digest: string): boolean {
  return randomIdForm.test(nonce) && isSame(sha256(nonce), digest);
}
