import type {
  AuthorizationServerMetadata,
  OAuthError,
  OAuthErrorBody,
  RegistrationResponse,
  TokenResponse,
} from "../../spec/login.ts";
import { anyOrigin } from "../auth/public-document.ts";

type Headers = Readonly<Record<string, string>>;
type Body =
  | AuthorizationServerMetadata
  | OAuthErrorBody
  | RegistrationResponse
  | TokenResponse
  | object;

/** JSON that no cache may keep. */
export function json(status: number, body: Body, headers: Headers = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      ...anyOrigin,
      ...headers,
    },
  });
}

/** @param description a fixed sentence in ASCII; nothing of the request may be in it. */
export function oauthError(
  status: number,
  error: OAuthError,
  description: string,
  headers: Headers = {},
): Response {
  return json(status, { error, error_description: description }, headers);
}

/** Sends the browser on. 303, so that a form is never posted again. */
export function redirect(location: string, cookies: readonly string[] = []): Response {
  return withCookies(
    new Response(null, {
      status: 303,
      headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
    }),
    cookies,
  );
}

/** Adds `Set-Cookie` headers to the response, which is changed and returned. */
export function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}
