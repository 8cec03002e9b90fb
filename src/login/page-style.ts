import { createHash } from "node:crypto";

/** The one style sheet of the pages. The policy names its digest, so no other style counts. */
export const style = `
:root { color-scheme: light dark; --text: #1b1f24; --muted: #4d5560; --page: #f4f5f7; --card: #ffffff; --edge: #c3c9d1; --control: #6b7480; --accent: #0b5cad; --on-accent: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --text: #e8eaed; --muted: #b3bac3; --page: #14171b; --card: #1e2227; --edge: #4a525c; --control: #8b949e; --accent: #8ec5ff; --on-accent: #0a1a2b; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 34rem; margin: 4vh auto; padding: 1.5rem; background: var(--card); border: 1px solid var(--edge); border-radius: .5rem; }
h1 { margin: 0 0 .25rem; font-size: 1.35rem; line-height: 1.3; }
h2 { margin: 1.25rem 0 .25rem; font-size: 1rem; }
p, ul { margin: 0 0 .75rem; }
ul { padding-left: 1.25rem; }
.muted { color: var(--muted); }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.25rem; }
button, .button { display: inline-block; min-height: 2.75rem; min-width: 7rem; padding: .6rem 1.25rem; font: inherit; font-weight: 600; color: var(--text); background: var(--card); border: 2px solid var(--control); border-radius: .375rem; text-align: center; text-decoration: none; cursor: pointer; }
button.allow, .button { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
button:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
@media (max-width: 24rem) { body { padding: .5rem; } main { margin: 0 auto; padding: 1rem; } button, .button { width: 100%; } }
`;

/** As an element holds it: the digest covers every character between the tags. */
const digest = createHash("sha256").update(style).digest("base64");

/**
 * No `form-action`: Chromium holds it against every redirect that follows the form, so that `'self'` stops the login at
 * the provider, and a list would have to name every host that a provider goes through (w3c/webappsec-csp#8).
 */
export const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; frame-ancestors 'none'`;
