import { RegistrationRequest, type RegistrationResponse } from "../../spec/login.ts";
import { isTooDeep } from "../json/depth.ts";
import { tryParseJson } from "../json/parse.ts";
import { type Members, parseUniqueJson } from "../json/unique.ts";
import { json, oauthError } from "./answers.ts";
import { mediaType, readText } from "./body.ts";
import { writeClientId } from "./client-id.ts";
import { type Front, nowS, type Route } from "./front.ts";
import { LoginRefusal } from "./refusal.ts";
import { clientName } from "./text.ts";

function metadataRefusal(description: string, status = 400): LoginRefusal {
  return new LoginRefusal("metadata", oauthError(status, "invalid_client_metadata", description));
}

function redirectRefusal(description: string): LoginRefusal {
  return new LoginRefusal("redirect", oauthError(400, "invalid_redirect_uri", description));
}

/** Dynamic client registration (RFC 7591) that stores nothing: the client id carries the client. */
export function registerRoute(front: Front): Route {
  const { settings } = front;
  return async (request) => {
    const { redirect_uris, client_name } = await readRegistration(request);
    const kept = [...new Set(redirect_uris)].filter((uri) => settings.redirects.allows(uri));
    if (kept.length === 0) {
      throw redirectRefusal("None of the redirect URIs is allowed at this server.");
    }
    const name = clientName(client_name);
    const id = writeClientId({ name, redirects: kept });
    if (id === undefined) throw metadataRefusal("The registration is too long.");
    const registered: RegistrationResponse = {
      client_id: id,
      client_id_issued_at: nowS(front),
      client_name: name,
      redirect_uris: kept,
      grant_types: grantTypes(settings.sessionS),
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
    return json(201, registered);
  };
}

/** @param sessionS 0: there are no refresh tokens. */
export function grantTypes(sessionS: number): ("authorization_code" | "refresh_token")[] {
  return sessionS === 0 ? ["authorization_code"] : ["authorization_code", "refresh_token"];
}

async function readRegistration(request: Request): Promise<RegistrationRequest> {
  const body = await readText(request);
  if (body === "too_large") throw metadataRefusal("The body is over 16384 bytes.", 413);
  if (mediaType(request) !== "application/json") {
    throw metadataRefusal("The body must be application/json.");
  }
  const parsed = body === "invalid" ? undefined : parseFlat(body.text);
  if (!parsed) throw metadataRefusal("The body must be one JSON object.");
  // Members of our own only: `__proto__` and the like would be those of every object.
  const known = new Set(Object.keys(RegistrationRequest.shape));
  const members = Object.fromEntries(parsed.filter(([name]) => known.has(name)));
  const registration = RegistrationRequest.safeParse(members);
  if (!registration.success) {
    if (registration.error.issues.some(({ path }) => path[0] === "redirect_uris")) {
      throw redirectRefusal("redirect_uris must be a list of 1 to 16 URIs.");
    }
    throw metadataRefusal(
      "client_name must be text; grant_types and response_types must be lists of text.",
    );
  }
  const { grant_types, response_types } = registration.data;
  if (grant_types && !grant_types.includes("authorization_code")) {
    throw metadataRefusal("grant_types must contain authorization_code.");
  }
  if (response_types && !response_types.includes("code")) {
    throw metadataRefusal("response_types must contain code.");
  }
  return registration.data;
}

/** No metadata nests so deep; the search for repeated names is recursive. */
const maxDepth = 20;

/** @returns the members of a JSON object; undefined for any other text. */
function parseFlat(text: string): Members | undefined {
  if (isTooDeep(tryParseJson(text), maxDepth)) return undefined;
  const parsed = parseUniqueJson(text);
  return "problem" in parsed ? undefined : parsed.members;
}
