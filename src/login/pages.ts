import { html, raw } from "hono/html";
import type { Scope } from "../../spec/scopes.ts";
import { contentSecurityPolicy, style } from "./page-style.ts";
import { isLoopbackRedirect, isPrivateScheme } from "./redirects.ts";
import { shownAddress } from "./text.ts";

type Html = ReturnType<typeof html>;

const headers = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": contentSecurityPolicy,
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  // Not `no-referrer`: the browser would send `Origin: null` with the form (Fetch standard, 3.1).
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

async function page(
  title: string,
  content: Html,
  {
    status = 200,
    head,
    extra = {},
  }: { status?: number; head?: Html; extra?: Record<string, string> } = {},
): Promise<Response> {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${head ?? ""}<style>${raw(style)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
  return new Response(String(await document), { status, headers: { ...headers, ...extra } });
}

/** What a scope lets a client do, in the words of a person who reads the page. */
const scopeTexts: Readonly<Record<Scope, string>> = {
  "iam:validate": "Check IAM policies for problems.",
  "iam:query": "Look up AWS services, actions, resources and condition keys.",
  "iam:analyze": "Have policies analyzed by AWS IAM Access Analyzer in this server's AWS account.",
  "iam:config": "Read how this server is configured.",
};

export interface ConsentView {
  readonly base: string;
  readonly name: string;
  /** Host of the client's metadata document; undefined: the client registered itself. */
  readonly checkedHost: string | undefined;
  readonly redirect: string;
  readonly scopes: readonly Scope[];
  readonly providerName: string;
  /** Path or URL that the form is sent to. */
  readonly action: string;
  readonly sealed: string;
}

/** The page on which a person decides whether a client may go on. */
export function consentPage(view: ConsentView): Promise<Response> {
  const { base, name, checkedHost, redirect, scopes, providerName, action, sealed } = view;
  const vouched = checkedHost
    ? html`(checked: ${checkedHost})`
    : html`(it calls itself that; the name is not verified)`;
  const rights =
    scopes.length === 0
      ? html`<li>everything your account may use here</li>`
      : scopes.map((scope) => html`<li>${scopeTexts[scope]}</li>`);
  return page(
    "Allow access? IAM policy validator",
    html`<h1>Allow “<bdi>${name}</bdi>” to use the IAM policy validator?</h1>
<p class="muted">${vouched}</p>
<p>At <strong>${base}</strong></p>
<h2>Where the answer goes</h2>
<p>${destination(redirect)}</p>
<h2>What it may then do</h2>
<ul>${rights}</ul>
<p>No more than your account is allowed.</p>
<p>You will sign in with ${providerName} next.</p>
<form method="post" action="${action}">
<input type="hidden" name="request" value="${sealed}">
<div class="buttons">
<button class="allow" type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Cancel</button>
</div>
</form>`,
  );
}

function destination(redirect: string): Html {
  if (isPrivateScheme(redirect)) {
    const [scheme] = redirect.split(":");
    return html`To the app registered for <strong>${scheme}:</strong>`;
  }
  const { host } = new URL(redirect);
  return isLoopbackRedirect(redirect)
    ? html`To a program on this computer (<strong>${host}</strong>). Go on only if you have just started to log in from it.`
    : html`To <strong>${host}</strong>`;
}

/** Pages that end a login. They show nothing of the provider and of the request only what they name. */
const errorTexts = {
  unknownClient: "This app is not known here. In the app, remove this server and add it again.",
  noRequest: "This is not a login request. Start again in the app.",
  consent:
    "This page was not opened in this browser, or is older than ten minutes. Start again in the app.",
  login:
    "This login was begun in another browser, or more than ten minutes ago. Start again in the app. If somebody sent you this link, close the page.",
  provider:
    "The answer does not come from this server's identity provider. Start again in the app.",
} as const;

function failed(
  status: number,
  content: Html,
  extra: Record<string, string> = {},
): Promise<Response> {
  return page("Login stopped. IAM policy validator", html`<h1>Login stopped</h1>\n${content}`, {
    status,
    extra,
  });
}

/** Page that tells the person why the login ends. */
export function errorPage(text: keyof typeof errorTexts, status = 400): Promise<Response> {
  return failed(status, html`<p>${errorTexts[text]}</p>`);
}

/**
 * Page about a redirect address that is not allowed. The browser is not sent there (RFC 6749, 4.1.2.1).
 */
export function redirectPage(redirect: string): Promise<Response> {
  return failed(
    400,
    html`<p>The app wants its answer at an address that it has not registered or that this server does not allow: <strong>${shownAddress(redirect)}</strong>.</p>
<p>Operators allow addresses with <code>VALIDATOR_MCP_AUTH_OAUTH_REDIRECTS</code>.</p>`,
  );
}

/** @param status 503: it may work in a moment. */
export function documentPage(clientId: string, status: 400 | 503): Promise<Response> {
  return failed(
    status,
    html`<p>The app's description at <strong>${shownAddress(clientId)}</strong> could not be used.</p>`,
    status === 503 ? { "retry-after": "5" } : {},
  );
}

/**
 * Page for an unexpected error.
 * @param id Correlation id, which the log has too.
 */
export function defectPage(id: string): Promise<Response> {
  return failed(500, html`<p>Something went wrong here (<code>${id}</code>).</p>`);
}

/** For redirects of private schemes, which open an app and leave the browser on an empty page. */
export function returnPage(location: string): Promise<Response> {
  return page(
    "Go back to the app. IAM policy validator",
    html`<h1>Go back to the app</h1>
<p>If it did not open by itself, open it here. You can close this page afterwards.</p>
<p><a class="button" href="${location}">Open the app</a></p>`,
    { head: html`<meta http-equiv="refresh" content="0;url=${location}">\n` },
  );
}
