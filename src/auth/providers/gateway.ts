import { z } from "zod";
import { GatewayMaterial } from "../../../spec/auth-material.ts";
import type { Authenticator } from "../caller.ts";
import { type AuthContext, readMaterial } from "../context.ts";
import { callerOf, type Identity } from "../identity.ts";
import { scopesOf, stringsOf, textOf } from "../jwt-claims.ts";
import { checkFunctionUrl } from "./gateway-url-check.ts";

const Claims = z.record(z.string(), z.unknown());
type Claims = z.infer<typeof Claims>;

/** Events of format 2.0 from an HTTP API with a JWT authorizer. */
const JwtAuthorizer = z.looseObject({ jwt: z.looseObject({ claims: Claims }) });
/**
 * The same of format 1.0, and of REST APIs with a user pool. The context of a custom authorizer is flat text, so none
 * can pass for this shape.
 */
const ClaimsAuthorizer = z.looseObject({ claims: Claims });
/** Function URLs with IAM authorization. */
const IamAuthorizer = z.looseObject({ iam: z.looseObject({}) });
const Event = z.looseObject({
  version: z.string().optional(),
  requestContext: z.looseObject({}),
});

/**
 * Trusts the result of an AWS authorizer in front of the function. Only the event's `requestContext.authorizer` is
 * read; the client cannot write there, while it can write any header.
 * @throws {StartupError} `gateway_public_url` when the function has a URL that anyone may call.
 */
export async function createGateway(context: AuthContext, stepUp: boolean): Promise<Authenticator> {
  const { GATEWAY_SCOPE_CLAIM: scopeClaim } = readMaterial(
    GatewayMaterial,
    "invalid_setting",
    context,
  );
  await checkFunctionUrl(context.environment.AWS_LAMBDA_FUNCTION_NAME, context.log);
  return {
    provider: "gateway",
    challengeScopes: [],
    requiredScopes: [],
    stepUp,
    async authenticate({ event }) {
      const identity = identityOf(event, scopeClaim);
      if (identity) return { caller: callerOf(identity) };
      const description = "The gateway in front of this server passed on no identity.";
      return { refusal: { kind: "invalid_token", description } };
    },
  };
}

function identityOf(event: unknown, scopeClaim: string | undefined): Identity | undefined {
  const known = Event.safeParse(event);
  if (!known.success) return undefined;
  const { version, requestContext } = known.data;
  const { authorizer } = requestContext;
  const jwt = JwtAuthorizer.safeParse(authorizer);
  if (jwt.success) return fromClaims(jwt.data.jwt.claims, scopeClaim);
  if (version !== "2.0") {
    const older = ClaimsAuthorizer.safeParse(authorizer);
    if (older.success) return fromClaims(older.data.claims, scopeClaim);
  }
  const iam = IamAuthorizer.safeParse(authorizer);
  if (!iam.success) return undefined;
  const subject = textOf(iam.data.iam.userArn) || textOf(iam.data.iam.userId);
  return { subject, clientId: subject || "gateway", scopes: [] };
}

function fromClaims(claims: Claims, scopeClaim: string | undefined): Identity {
  const name = scopeClaim ?? (Object.hasOwn(claims, "scope") ? "scope" : "scp");
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  const subject = textOf(claims.sub);
  return {
    subject,
    clientId: textOf(claims.client_id) || textOf(claims.azp) || subject || "gateway",
    scopes: gatewayScopes(value),
  };
}

/** A list that was a claim arrives as the text `[a b]`; other gateways write commas. */
function gatewayScopes(value: unknown): readonly string[] {
  if (typeof value !== "string") return stringsOf(value);
  const list = /^\[(.*)\]$/.exec(value.trim())?.[1] ?? value;
  return scopesOf(list.replaceAll(",", " "));
}
