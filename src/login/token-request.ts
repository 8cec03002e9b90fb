import type { OAuthError, RefusedReason } from "../../spec/login.ts";
import { oauthError } from "./answers.ts";
import { formType, mediaType, type Parameters, readParameters, readText } from "./body.ts";
import { type ClientReference, type Front, referenceOf } from "./front.ts";
import { sha256 } from "./random.ts";
import { LoginRefusal } from "./refusal.ts";

/** A refusal of the token or the revocation endpoint. */
export function tokenRefusal(
  reason: RefusedReason,
  error: OAuthError,
  description: string,
  { status = 400, ...headers }: { status?: number } & Record<string, string | number> = {},
): LoginRefusal {
  const fields = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  const answer = oauthError(status, error, description, {
    pragma: "no-cache",
    ...Object.fromEntries(fields),
  });
  return new LoginRefusal(reason, answer);
}

/** A form, and the client that it or its `Authorization` header names. */
export interface TokenForm {
  readonly form: Parameters;
  /** Client id of the `Authorization` header. */
  readonly headerId: string | undefined;
}

/** Reads the form of the token or the revocation endpoint. @throws {LoginRefusal} */
export async function readTokenForm(request: Request, { settings }: Front): Promise<TokenForm> {
  const invalid = (description: string, status = 400) =>
    tokenRefusal("request", "invalid_request", description, { status });
  const body = await readText(request);
  if (body === "too_large") throw invalid("The body is over 16384 bytes.", 413);
  if (mediaType(request) !== formType) throw invalid(`The body must be ${formType}.`);
  const form = body === "invalid" ? undefined : readParameters(body.text);
  if (!form) throw invalid("The body is not a form in UTF-8.");
  for (const name of form.names()) {
    if (name !== "resource" && form.isRepeated(name)) throw invalid("A parameter is given twice.");
  }
  const headerId = readAuthorization(request.headers, settings.base);
  const bodyId = form.one("client_id");
  if (headerId !== undefined && bodyId !== undefined && bodyId !== headerId) {
    throw invalidClient(settings.base, true);
  }
  return { form, headerId };
}

function invalidClient(base: string, isHeader: boolean): LoginRefusal {
  const challenge = isHeader ? { "www-authenticate": `Basic realm="${base}"` } : {};
  return tokenRefusal("client", "invalid_client", "The client is not known here.", {
    status: 401,
    ...challenge,
  });
}

/**
 * Clients of the Go SDK send their id here, with an empty secret (RFC 6749, 2.3.1).
 * @returns undefined when there is no such header.
 */
function readAuthorization(headers: Headers, base: string): string | undefined {
  const header = headers.get("authorization");
  if (header === null) return undefined;
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header) ?? [];
  const credentials = Buffer.from(encoded ?? "", "base64").toString("utf8");
  const [, id = "", secret] = /^([^:]*):(.*)$/s.exec(credentials) ?? [];
  // Clients have no secrets here: one that sends one takes us for somebody else.
  const parsed = secret === "" ? readParameters(`id=${id}`)?.one("id") : undefined;
  if (!parsed) throw invalidClient(base, true);
  return parsed;
}

/** A client of the token or the revocation endpoint. */
export interface TokenClient {
  readonly id: string;
  /** As codes and refresh tokens name it. */
  readonly hash: string;
  readonly reference: ClientReference;
}

/** @throws {LoginRefusal} when the request has no client that could have got a code here. */
export function readTokenClient({ form, headerId }: TokenForm, { settings }: Front): TokenClient {
  const id = headerId ?? form.one("client_id");
  if (!id) throw tokenRefusal("request", "invalid_request", "client_id is missing.");
  const reference = referenceOf(id, settings);
  if (!reference) throw invalidClient(settings.base, headerId !== undefined);
  return { id, hash: sha256(id), reference };
}
