import { z } from "zod";

/** Ways in which a server is set up; `RS256 remote` fetches its keys from an issuer on this machine. */
export const Setup = z.enum(["RS256", "RS256 remote", "ES256", "EdDSA", "HS256"]);
export type Setup = z.infer<typeof Setup>;

const Edit = z.strictObject({ at: z.int(), remove: z.int(), insert: z.string() });

export const TokenCase = z.strictObject({
  setup: Setup,
  /** What stands before and after the token in the header. */
  before: z.string(),
  after: z.string(),
  token: z.discriminatedUnion("what", [
    /** Signed over any header and payload. */
    z.strictObject({
      what: z.literal("signed"),
      header: z.string(),
      payload: z.string(),
      by: z.enum(["own key", "foreign key", "no one", "public key as secret"]),
    }),
    /** Parts of good tokens, changed. */
    z.strictObject({
      what: z.literal("changed"),
      parts: z.array(z.strictObject({ of: Setup, part: z.int(), edits: z.array(Edit) })),
    }),
    z.strictObject({ what: z.literal("text"), text: z.string() }),
  ]),
});
export type TokenCase = z.infer<typeof TokenCase>;

export const issuer = "https://issuer.example/";
export const audience = "https://validator.example/mcp";
export const nowS = 1_800_000_000;
export const goodClaims = {
  iss: issuer,
  aud: audience,
  exp: nowS + 600,
  nbf: nowS - 60,
  sub: "alice",
  client_id: "agent",
  scope: "iam:validate iam:query",
} as const;
export const keyId = "key-1";
