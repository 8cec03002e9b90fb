import { createHash } from "node:crypto";
import { linesReader } from "./code-frame.ts";
import { checkNumbers, checksHtml } from "./html-checks.ts";
import { filterHtml } from "./html-filter.ts";
import { type Markup, markup, raw } from "./html-markup.ts";
import { policyHtml } from "./html-policy.ts";
import { script } from "./html-script.ts";
import { style } from "./html-style.ts";
import { countsOf, plural, titleOf, totalsOf } from "./totals.ts";
import type { ReportInput, ReportPolicy } from "./types.ts";

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The page may not load, send or frame anything, and may run only its inline style and script. */
const contentPolicy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** A self-contained page: it needs no other file and no network, and is readable without its script. */
export function renderHtml(input: ReportInput): string {
  const numbers = checkNumbers(input);
  const context = { checks: numbers, linesOf: linesReader() };
  const policies = input.policies.map((policy, at) => policyHtml(policy, at, context));
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>IAM policy validation report</title>
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#findings">Skip to the findings</a>
<header>
<h1>IAM policy validation report</h1>
${verdict(input)}
<dl class="totals">${totalsOf(input).map(([name, count]) => markup`<div><dt>${name}</dt><dd>${count}</dd></div>`)}</dl>
</header>
<main>
<nav aria-labelledby="policies"><h2 id="policies">Policies</h2>
<ul class="overview">${input.policies.map(overviewItem)}</ul></nav>
${filterHtml(input)}
<div id="findings">${policies}</div>
${checksHtml(input, numbers)}
</main>
<footer>${origin(input)}</footer>
<script>${raw(script)}</script>
</body>
</html>
`;
  return page.text;
}

function verdict({ policies }: ReportInput): Markup {
  const failing = policies.filter(({ result }) => result.fails_policy).length;
  if (failing === 0) return markup`<p class="lead good">No policy fails.</p>`;
  const verb = failing === 1 ? "fails" : "fail";
  return markup`<p class="lead bad">${failing} of ${plural(policies.length, "policy", "policies")} ${verb}.</p>`;
}

function overviewItem(policy: ReportPolicy, at: number): Markup {
  const { result } = policy;
  const badges = countsOf(result.findings).map(
    ([severity, count]) => markup`<span class="badge ${severity}">${count} ${severity}</span> `,
  );
  return markup`<li><a href="#policy-${at}" data-policy>${titleOf(policy)}</a>
<span class="${result.fails_policy ? "bad" : "good"}">${result.fails_policy ? "fails" : "passes"}</span>
<span>${badges.length === 0 ? "no findings" : badges}</span></li>`;
}

function origin({ generatedAt, version, dataDate, config_digest }: ReportInput): Markup {
  const made = generatedAt.toISOString();
  const data = dataDate === null ? undefined : markup`, AWS reference data of ${dataDate}`;
  return markup`<p>Made <time datetime="${made}">${made.slice(0, 16).replace("T", " ")} UTC</time> by validator-mcp ${version}${data}.<br>Config <code>${config_digest}</code></p>`;
}
