/** Our client at the OpenID providers, as the tests register it. */
export const frontClient = { id: "front", secret: "front-s3cr3t" } as const;
/** Our client at GitHub. */
export const githubClient = { id: "Ov23liAbCdEf", secret: "github-s3cr3t" } as const;

export const base = "https://validator.example.com";
export const keyOne = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
export const keyTwo = "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=";
export const keyThree = "QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl8=";

/** Variables of a front, without the prefix. */
export type Variables = Readonly<Record<string, string>>;

export function prefixed(variables: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [`VALIDATOR_MCP_AUTH_${name}`, value]),
  );
}

const common = {
  BASE_URL: base,
  OAUTH_KEYS: keyOne,
  SCOPE_MAP: '{"*":["iam:validate","iam:query"]}',
};

export const githubVariables: Variables = {
  ...common,
  GITHUB_CLIENT_ID: githubClient.id,
  GITHUB_CLIENT_SECRET: githubClient.secret,
  SCOPE_MAP: '{"login:octocat":["iam:validate","iam:query"],"sub:42":["iam:config"]}',
};

export function jwtVariables(issuer: string): Variables {
  return {
    ...common,
    JWT_ISSUER: issuer,
    JWT_AUDIENCE: `${base}/mcp`,
    OAUTH_CLIENT_ID: frontClient.id,
    OAUTH_CLIENT_SECRET: frontClient.secret,
    SCOPE_MAP: '{"sub:alice":["iam:validate","iam:query"],"group:admins":["iam:config"]}',
  };
}
