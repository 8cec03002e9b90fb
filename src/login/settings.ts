import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { authPrefix, ScopeMap } from "../../spec/auth.ts";
import { BaseUrl, isLoopback } from "../../spec/auth-material.ts";
import { accessTokenBounds, type LoginProvider, sessionBounds } from "../../spec/login.ts";
import { Scope } from "../../spec/scopes.ts";
import { type AuthContext, commaList, materialError, variable } from "../auth/context.ts";
import type { Grants } from "../auth/scope-map.ts";
import { readScopeMap } from "../auth/scope-map.ts";
import { deriveKeys, type KeyRing, parseKeys } from "./keys.ts";
import { parseRedirectRules, type RedirectRules } from "./redirects.ts";

/** All that the operator decides about login, beside the provider's own settings. */
export interface LoginSettings {
  readonly provider: LoginProvider;
  /** Public URL of this server without a last slash: our issuer. */
  readonly base: string;
  /** `<base>/mcp`: what tokens are for. */
  readonly resource: string;
  readonly keys: KeyRing;
  readonly redirects: RedirectRules;
  /** Hosts whose client documents may be fetched; undefined: none. */
  readonly documentHosts: ((host: string) => boolean) | undefined;
  readonly accessTokenS: number;
  /** 0: no refresh tokens. */
  readonly sessionS: number;
  /** `iam:*` scopes that every request needs. */
  readonly required: readonly Scope[];
  /** `iam:*` scopes that clients are told of. */
  readonly advertised: readonly Scope[];
  readonly grants: Grants;
  /** GitHub organisations and teams (`org`, `org/team`) that the scope map names. */
  readonly groups: readonly string[];
}

const name = (variableName: string) => authPrefix + variableName;
/** What each provider's client at the provider is set by. */
export const clientVariables: Readonly<Record<LoginProvider, readonly [string, string]>> = {
  github: ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"],
  google: ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  azure: ["AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET"],
  auth0: ["AUTH0_CLIENT_ID", "AUTH0_CLIENT_SECRET"],
  jwt: ["OAUTH_CLIENT_ID", "OAUTH_CLIENT_SECRET"],
};

function fail(context: AuthContext, problem: string) {
  return materialError("auth_login", context, problem);
}

/**
 * Reads the settings of a login that is on.
 * @throws {StartupError} `auth_login`; `invalid_setting` for the scope map.
 */
export function readLoginSettings(context: AuthContext): LoginSettings {
  const provider = context.provider as LoginProvider;
  const operatorKeys = readKeys(context);
  const base = readBase(context);
  requireClient(context, provider);
  const documentHosts = readHosts(context);
  const redirects = readRedirects(context);
  const accessTokenS = readSeconds(context, "OAUTH_ACCESS_TOKEN_S", accessTokenBounds);
  const sessionS = readSeconds(context, "OAUTH_SESSION_S", sessionBounds, true);
  const map = variable(context, "SCOPE_MAP");
  if (map === undefined && provider !== "auth0") {
    throw fail(context, `${name("SCOPE_MAP")} is not set, so no one who logs in could use a tool.`);
  }
  const grants = readScopeMap(map, context);
  const required = ownScopes(context, "REQUIRED_SCOPES");
  const advertised = ownScopes(context, "ADVERTISED_SCOPES");
  return {
    provider,
    base,
    resource: `${base}/mcp`,
    keys: deriveKeys(operatorKeys, base),
    redirects,
    documentHosts,
    accessTokenS,
    sessionS,
    required,
    advertised: [...new Set([...required, ...advertised])],
    grants,
    groups: provider === "github" ? readGithubGroups(context, map) : [],
  };
}

function readKeys(context: AuthContext): readonly [Buffer, ...Buffer[]] {
  const list = variable(context, "OAUTH_KEYS");
  const file = variable(context, "OAUTH_KEYS_FILE");
  const [listName, fileName] = [name("OAUTH_KEYS"), name("OAUTH_KEYS_FILE")];
  if (list === undefined && file === undefined) {
    throw fail(
      context,
      `${name("LOGIN")} is on, but neither ${listName} nor ${fileName} is set; make a key with: openssl rand -base64 32.`,
    );
  }
  if (list !== undefined && file !== undefined) {
    throw fail(context, `set exactly one of ${listName} and ${fileName}; both are set.`);
  }
  const entries =
    list === undefined
      ? linesOf(context, file ?? "")
      : list
          .split(",")
          .map((entry) => entry.trim())
          .filter((entry) => entry !== "");
  const parsed = parseKeys(entries);
  if ("problem" in parsed) {
    throw fail(context, `${list === undefined ? fileName : listName} ${parsed.problem}.`);
  }
  return parsed.keys;
}

function linesOf(context: AuthContext, file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file.trim(), "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw fail(context, `the file that ${name("OAUTH_KEYS_FILE")} names cannot be read (${code}).`);
  }
  return text
    .replace(/^\ufeff/, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

function readBase(context: AuthContext): string {
  const given = variable(context, "BASE_URL");
  const parsed = BaseUrl.safeParse(given);
  if (!parsed.success) {
    throw fail(context, `${name("BASE_URL")} ${parsed.error.issues[0]?.message ?? "is invalid"}.`);
  }
  const own = context.defaultBaseUrl;
  const base =
    parsed.data ?? (own !== undefined && isLoopback(new URL(own).hostname) ? own : undefined);
  if (base === undefined) {
    throw fail(
      context,
      `${name("BASE_URL")} is not set; login needs the public URL of this server, without /mcp.`,
    );
  }
  const { protocol, hostname } = new URL(base);
  if (protocol !== "https:" && !isLoopback(hostname)) {
    throw fail(
      context,
      `${name("BASE_URL")} must be https for login (http only for a loopback address).`,
    );
  }
  return base;
}

function requireClient(context: AuthContext, provider: LoginProvider): void {
  for (const each of clientVariables[provider]) {
    if (variable(context, each) === undefined) {
      throw fail(context, `${name(each)} is not set; login needs it.`);
    }
  }
}

function readRedirects(context: AuthContext): RedirectRules {
  const list = variable(context, "OAUTH_REDIRECTS") ?? "loopback,editors";
  const entries = list.split(",").map((entry) => entry.trim());
  const parsed = parseRedirectRules(entries);
  if ("rules" in parsed) return parsed.rules;
  throw fail(
    context,
    `${name("OAUTH_REDIRECTS")} has, at place ${parsed.place}, no redirect URI that can be allowed.`,
  );
}

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const hostForm = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)*${label}$`);

/** Whether a text is the name of a host, in lower case, and not an address. */
export function isHostName(text: string): boolean {
  return hostForm.test(text) && isIP(text) === 0 && !/(?:^|\.)(?:\d+|0x[\da-f]*)$/.test(text);
}

function readHosts(context: AuthContext): LoginSettings["documentHosts"] {
  const list = variable(context, "OAUTH_METADATA_HOSTS");
  if (list === undefined) return undefined;
  const entries = list.split(",").map((entry) => entry.trim().toLowerCase());
  const wrong = entries.findIndex((entry) => entry !== "*" && !isHostName(entry));
  if (wrong >= 0) {
    throw fail(
      context,
      `${name("OAUTH_METADATA_HOSTS")} has, at place ${wrong + 1}, no host name.`,
    );
  }
  const hosts = new Set(entries);
  return (host) => hosts.has("*") || hosts.has(host);
}

function readSeconds(
  context: AuthContext,
  variableName: string,
  { least, most, standard }: { least: number; most: number; standard: number },
  mayBeZero = false,
): number {
  const text = variable(context, variableName)?.trim();
  if (text === undefined) return standard;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if ((value >= least && value <= most) || (mayBeZero && value === 0)) return value;
  throw fail(
    context,
    `${name(variableName)} must be a whole number ${mayBeZero ? "0, or " : ""}from ${least} to ${most}.`,
  );
}

function ownScopes(context: AuthContext, variableName: string): readonly Scope[] {
  return commaList(variable(context, variableName)).flatMap((scope) => {
    const own = Scope.safeParse(scope);
    return own.success ? [own.data] : [];
  });
}

/** Scope map keys of this prefix name groups; at GitHub those are organisations and teams. */
const groupPrefix = "group:";
const maxGithubGroups = 20;
const githubGroup = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})(?:\/[A-Za-z0-9_.-]{1,100})?$/;

function readGithubGroups(context: AuthContext, map = "{}"): readonly string[] {
  const groups = Object.keys(ScopeMap.parse(JSON.parse(map)))
    .filter((key) => key.startsWith(groupPrefix))
    .map((key) => key.slice(groupPrefix.length));
  if (groups.length > maxGithubGroups) {
    throw fail(
      context,
      `${name("SCOPE_MAP")} names more than ${maxGithubGroups} organisations and teams.`,
    );
  }
  if (!groups.every((group) => githubGroup.test(group) && !/\/\.{1,2}$/.test(group))) {
    throw fail(
      context,
      `${name("SCOPE_MAP")} has a group that is not a GitHub organisation or team.`,
    );
  }
  return groups;
}
