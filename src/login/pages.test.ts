import { describe, expect, test } from "vitest";
import { contentSecurityPolicy, style } from "./page-style.ts";
import {
  type ConsentView,
  consentPage,
  defectPage,
  documentPage,
  errorPage,
  redirectPage,
  returnPage,
} from "./pages.ts";
import { sha256 } from "./random.ts";

const view: ConsentView = {
  base: "https://tools.example.com/validator",
  name: "Trial",
  checkedHost: undefined,
  redirect: "http://127.0.0.1:4711/callback",
  scopes: ["iam:validate", "iam:config"],
  providerName: "GitHub",
  action: "https://tools.example.com/validator/oauth/consent",
  sealed: "a.b.c.d.e",
};
const mainOf = (html: string) => /<main>\n(.*)\n<\/main>/s.exec(html)?.[1];
const shown = async (page: Promise<Response>) => {
  const response = await page;
  const text = await response.text();
  const title = /<title>(.*)<\/title>/.exec(text)?.[1];
  return { status: response.status, headers: response.headers, title, main: mainOf(text), text };
};

describe("every page", () => {
  test("is a complete document without script, whose one style the policy names", async () => {
    const { text, headers, status } = await shown(errorPage("login"));
    expect(text).toBe(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Login stopped. IAM policy validator</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Login stopped</h1>
<p>This login was begun in another browser, or more than ten minutes ago. Start again in the app. If somebody sent you this link, close the page.</p>
</main>
</body>
</html>
`);
    expect(status).toBe(400);
    expect(Object.fromEntries(headers)).toEqual({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": contentSecurityPolicy,
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    const digest = Buffer.from(sha256(style), "base64url").toString("base64");
    expect(contentSecurityPolicy).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; frame-ancestors 'none'`,
    );
  });
});

describe("the consent page", () => {
  test("says who asks, where the answer goes and what it opens, in this order", async () => {
    const { status, title, main } = await shown(consentPage(view));
    expect([status, title]).toEqual([200, "Allow access? IAM policy validator"]);
    expect(main).toBe(`<h1>Allow “<bdi>Trial</bdi>” to use the IAM policy validator?</h1>
<p class="muted">(it calls itself that; the name is not verified)</p>
<p>At <strong>https://tools.example.com/validator</strong></p>
<h2>Where the answer goes</h2>
<p>To a program on this computer (<strong>127.0.0.1:4711</strong>). Go on only if you have just started to log in from it.</p>
<h2>What it may then do</h2>
<ul><li>Check IAM policies for problems.</li><li>Read how this server is configured.</li></ul>
<p>No more than your account is allowed.</p>
<p>You will sign in with GitHub next.</p>
<form method="post" action="https://tools.example.com/validator/oauth/consent">
<input type="hidden" name="request" value="a.b.c.d.e">
<div class="buttons">
<button class="allow" type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Cancel</button>
</div>
</form>`);
  });

  test.each<[string, Partial<ConsentView>, string]>([
    [
      "a checked client",
      { checkedHost: "client.example" },
      '<p class="muted">(checked: client.example)</p>',
    ],
    [
      "a hosted callback",
      { redirect: "https://vscode.dev/redirect" },
      "<p>To <strong>vscode.dev</strong></p>",
    ],
    [
      "one with a port",
      { redirect: "https://a.example:8443/cb" },
      "<p>To <strong>a.example:8443</strong></p>",
    ],
    [
      "an app",
      { redirect: "cursor://anysphere.cursor-mcp/oauth" },
      "<p>To the app registered for <strong>cursor:</strong></p>",
    ],
    ["loopback by name", { redirect: "http://localhost/cb" }, "(<strong>localhost</strong>)"],
    ["loopback by IPv6", { redirect: "http://[::1]:9/cb" }, "(<strong>[::1]:9</strong>)"],
    ["no scopes", { scopes: [] }, "<ul><li>everything your account may use here</li></ul>"],
    [
      "the other scopes",
      { scopes: ["iam:query", "iam:analyze"] },
      "<ul><li>Look up AWS services, actions, resources and condition keys.</li><li>Have policies analyzed by AWS IAM Access Analyzer in this server&#39;s AWS account.</li></ul>",
    ],
  ])("names %s", async (_what, changes, expected) => {
    expect((await shown(consentPage({ ...view, ...changes }))).main).toContain(expected);
  });

  test("escapes what others wrote", async () => {
    const hostile = `<b>&"'`;
    const { main = "" } = await shown(
      consentPage({
        ...view,
        name: hostile,
        checkedHost: hostile,
        base: hostile,
        sealed: hostile,
        providerName: hostile,
      }),
    );
    expect(main).not.toContain("<b>");
    expect(main.split("&lt;b&gt;&amp;&quot;&#39;").length - 1).toBe(5);
  });
});

describe("pages that end a login", () => {
  test.each([
    [
      "unknownClient",
      "This app is not known here. In the app, remove this server and add it again.",
    ],
    ["noRequest", "This is not a login request. Start again in the app."],
    [
      "consent",
      "This page was not opened in this browser, or is older than ten minutes. Start again in the app.",
    ],
    [
      "provider",
      "The answer does not come from this server&#39;s identity provider. Start again in the app.",
    ],
  ] as const)("%s", async (page, sentence) => {
    const { status, title, main } = await shown(errorPage(page, 413));
    expect([status, title]).toEqual([413, "Login stopped. IAM policy validator"]);
    expect(main).toBe(`<h1>Login stopped</h1>\n<p>${sentence}</p>`);
  });

  test("a redirect that is not allowed is shown, and cannot be read as a sentence", async () => {
    const { status, main } = await shown(redirectPage("https://a.example/<b> x"));
    expect(status).toBe(400);
    expect(main).toBe(`<h1>Login stopped</h1>
<p>The app wants its answer at an address that it has not registered or that this server does not allow: <strong>https://a.example/&lt;b&gt;%20x</strong>.</p>
<p>Operators allow addresses with <code>VALIDATOR_MCP_AUTH_OAUTH_REDIRECTS</code>.</p>`);
  });

  test.each([
    [400, null],
    [503, "5"],
  ] as const)(
    "a client's description that could not be used, with status %i",
    async (given, retry) => {
      const { status, headers, main } = await shown(documentPage("https://a.example/<b>", given));
      expect([status, headers.get("retry-after")]).toEqual([given, retry]);
      expect(main).toBe(
        "<h1>Login stopped</h1>\n<p>The app's description at <strong>https://a.example/&lt;b&gt;</strong> could not be used.</p>",
      );
    },
  );

  test("a defect is named by its id", async () => {
    const { status, main } = await shown(defectPage("x<1>"));
    expect(status).toBe(500);
    expect(main).toContain("Something went wrong here (<code>x&lt;1&gt;</code>).");
  });
});

test("the way back to an app is a link, and opens by itself", async () => {
  const { status, title, main, text } = await shown(returnPage('cursor://a/b?c=d&e="'));
  expect([status, title]).toEqual([200, "Go back to the app. IAM policy validator"]);
  expect(text).toContain(
    '<meta http-equiv="refresh" content="0;url=cursor://a/b?c=d&amp;e=&quot;">\n<style>',
  );
  expect(main).toBe(`<h1>Go back to the app</h1>
<p>If it did not open by itself, open it here. You can close this page afterwards.</p>
<p><a class="button" href="cursor://a/b?c=d&amp;e=&quot;">Open the app</a></p>`);
});
