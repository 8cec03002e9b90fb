import { expect, test } from "vitest";
import type { AccessAnswer } from "../../spec/access.ts";
import type { Finding, Fix } from "../../spec/finding.ts";
import {
  findingWith,
  locationOf,
  policyWith,
  reportInput,
} from "../../test/support/report-input.ts";
import { renderHtml } from "./html.ts";

/** A policy that fails, with everything that a report can show of it, and one that passes. */
function everything() {
  const text = '{\n\t"Action": "iam:*"\n}';
  const at = { line: 2, column: 11, offset: 13 };
  const edit = {
    location: { start: at, end: at },
    text: "",
    removed: ["\t<old>"],
    added: ["\tnew"],
    isWholeLines: true,
  };
  const fix: Fix = { title: "Do <it>", effect: "changes", needs_input: [], patch: [] };
  const full = findingWith({
    location: locationOf(text, '"iam:*"'),
    related: [
      { path: "/Statement/1", location: null },
      { path: "", location: locationOf(text, "}") },
    ],
    fix,
    example: "none",
  });
  const other = findingWith({
    severity: "low",
    statement_index: -1,
    statement_sid: null,
    path: "",
    suggestion: null,
    example: "a\n  b",
    risk_explanation: null,
    remediation_steps: null,
    documentation_url: null,
  });
  const own = findingWith({ check_id: "our_own", severity: "error", remediation_steps: [] });
  const answer: AccessAnswer = {
    ...{ check_id: "check_access", question_id: "a", verdict: "holds", violations: [] },
    ...{ undecided_by: [], steps: 1 },
  };
  const left = (finding: Finding) => ({
    finding,
    suppression: { kind: "exception" as const, reason: "Seen.", owner: null, expires: null },
    exception: null,
  });
  const policy = policyWith([full, other, own], { file: "a.json", text });
  const suppressed = [left(full), left(other)];
  return reportInput([
    {
      ...policy,
      place: "Role",
      result: { ...policy.result, answers: [answer], suppressed },
      edits: new Map([[full, edit]]),
    },
    policyWith([], { file: "<b>" }),
  ]);
}

test("the page shows all of a policy, and what its checks say once", () => {
  const page = renderHtml(everything());
  expect(page.slice(page.indexOf("<body>"), page.indexOf("<script>"))).toBe(`<body>
<a class="skip" href="#findings">Skip to the findings</a>
<header>
<h1>IAM policy validation report</h1>
<p class="lead bad">1 of 2 policies fails.</p>
<dl class="totals"><div><dt>Policies</dt><dd>2</dd></div><div><dt>Policies that fail</dt><dd>1</dd></div><div><dt>Policies with errors</dt><dd>1</dd></div><div><dt>Policies with findings</dt><dd>1</dd></div><div><dt>Issues</dt><dd>3</dd></div><div><dt>Severity error</dt><dd>1</dd></div><div><dt>Severity critical</dt><dd>0</dd></div><div><dt>Severity high</dt><dd>1</dd></div><div><dt>Severity warning</dt><dd>0</dd></div><div><dt>Severity medium</dt><dd>0</dd></div><div><dt>Severity low</dt><dd>1</dd></div><div><dt>Severity info</dt><dd>0</dd></div><div><dt>Left out by exceptions</dt><dd>2</dd></div></dl>
</header>
<main>
<nav aria-labelledby="policies"><h2 id="policies">Policies</h2>
<ul class="overview"><li><a href="#policy-0" data-policy>a.json (Role)</a>
<span class="bad">fails</span>
<span><span class="badge error">1 error</span> <span class="badge high">1 high</span> <span class="badge low">1 low</span> </span></li><li><a href="#policy-1" data-policy>&lt;b&gt;</a>
<span class="good">passes</span>
<span>no findings</span></li></ul></nav>
<form hidden role="search" aria-label="Filter findings" autocomplete="off">
<div class="field"><label for="search">Search</label><input type="search" id="search" name="search"></div>
<div class="field"><label for="check">Check</label><select id="check" name="check"><option value="">All checks</option><option value="our_own">our_own</option><option value="service_wildcard">service_wildcard</option></select></div>
<button type="reset">Clear</button>
<fieldset><legend>Severity</legend><label><input type="checkbox" name="severity" value="error" checked><span class="badge error">error</span>1</label><label><input type="checkbox" name="severity" value="high" checked><span class="badge high">high</span>1</label><label><input type="checkbox" name="severity" value="low" checked><span class="badge low">low</span>1</label></fieldset>
<output aria-live="polite"></output>
</form>
<div id="findings">
<section id="policy-0" data-file="a.json (Role)" aria-labelledby="policy-0-name"><h2 id="policy-0-name">a.json (Role) <span class="bad">fails</span></h2>
<p class="meta">IDENTITY_POLICY (default). 3 findings: 1 error, 1 high, 1 low.</p>
<ul class="meta"><li><code>check_access a</code>: holds for every request</li></ul>
<article data-severity="high" data-check="service_wildcard"><div class="title"><h3><span class="badge high">high</span> <a href="#check-1">service_wildcard</a></h3><span class="soft">overly_permissive</span><span class="place">line 2, column 12</span></div>
<p class="message"><code>iam:*</code> grants every action of iam.</p>
<p class="meta">Statement 1 (<code>Admin</code>), <code>/Statement/0/Action</code></p>
<p class="meta">Also at <code>/Statement/1</code>, <code>/</code> (line 3, column 1)</p>
<pre class="frame"><code><span class="row"><span class="number">1</span><span>{
</span></span><span class="row"><span class="number">2</span><span>  &quot;Action&quot;: <mark>&quot;iam:*&quot;</mark>
</span></span><span class="row"><span class="number">3</span><span>}
</span></span></code></pre><p><strong>Suggestion.</strong> List the actions that are used.</p><p><strong>Fix.</strong> Do &lt;it&gt; (changes)</p><pre><code>-  &lt;old&gt;
+  new</code></pre></article>
<article data-severity="low" data-check="service_wildcard"><div class="title"><h3><span class="badge low">low</span> <a href="#check-1">service_wildcard</a></h3><span class="soft">overly_permissive</span><span class="place"></span></div>
<p class="message"><code>iam:*</code> grants every action of iam.</p>
<p class="meta">Whole document</p>
<p><strong>Example</strong></p><pre><code>a
  b</code></pre></article>
<article data-severity="error" data-check="our_own"><div class="title"><h3><span class="badge error">error</span> <a href="#check-0">our_own</a></h3><span class="soft">overly_permissive</span><span class="place"></span></div>
<p class="message"><code>iam:*</code> grants every action of iam.</p>
<p class="meta">Statement 1 (<code>Admin</code>), <code>/Statement/0/Action</code></p>
<p><strong>Suggestion.</strong> List the actions that are used.</p></article>
<details class="meta"><summary>2 findings left out: 2 by exceptions.</summary><ul><li>high <code>service_wildcard</code> line 2, column 12: Seen.</li><li>low <code>service_wildcard</code>: Seen.</li></ul></details>
</section>
<section id="policy-1" data-file="&lt;b&gt;" aria-labelledby="policy-1-name"><h2 id="policy-1-name">&lt;b&gt; <span class="good">passes</span></h2>
<p class="meta">IDENTITY_POLICY (default). No findings.</p>
</section></div>
<section aria-labelledby="checks"><h2 id="checks">Checks</h2>
<article id="check-0"><h3><code>our_own</code></h3>
<p><strong>Why it matters.</strong> It grows with each action that AWS adds.</p><p><a href="https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html" rel="noopener noreferrer">Documentation</a></p></article>
<article id="check-1"><h3><code>service_wildcard</code></h3>
<p>An Allow statement does not grant every action of a service.</p><p>Reports each entry such as <code>iam:*</code>.</p><ul><li><strong>One.</strong> First and more</li><li>Two</li></ul><p><strong>Why it matters.</strong> It grows with each action that AWS adds.</p><p><strong>What to do</strong></p><ol><li>List the actions.</li></ol><p><a href="https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html" rel="noopener noreferrer">Documentation</a></p></article></section>
</main>
<footer><p>Made <time datetime="2026-02-03T04:05:06.789Z">2026-02-03 04:05 UTC</time> by validator-mcp 1.2.3, AWS reference data of 2026-01-31.<br>Config <code>abababababababababababababababababababababababababababababababab</code></p></footer>
`);
});

test("a finding has its own reasons where they are not those of the first", () => {
  const reasons = (...findings: Partial<Finding>[]) => {
    const page = renderHtml(reportInput([policyWith(findings.map((one) => findingWith(one)))]));
    const articles = page
      .slice(0, page.indexOf('<section aria-labelledby="checks">'))
      .split("<article")
      .slice(1);
    return articles.map((article) => article.includes("Why it matters."));
  };
  expect(
    reasons(
      {},
      {},
      { risk_explanation: "Other." },
      { remediation_steps: ["Other."] },
      { remediation_steps: null },
    ),
  ).toEqual([false, false, true, true, true]);
  expect(reasons({ remediation_steps: ["ab"] }, { remediation_steps: ["a", "b"] })).toEqual([
    false,
    true,
  ]);
  expect(reasons({ remediation_steps: null }, { remediation_steps: null })).toEqual([false, false]);
});

test("a long piece loses its middle, and a message has no bold text", () => {
  const text = "x\n".repeat(20);
  const finding = findingWith({ location: locationOf(text, text), message: "**a** b", fix: null });
  const page = renderHtml(reportInput([policyWith([finding], { text })]));
  expect(page).toContain('<span class="number"></span><span>…\n</span>');
  expect(page).toContain('<p class="message">**a** b</p>');
});

test("the page has its language, its title and no referrer", () => {
  const page = renderHtml(reportInput([]));
  const head = page.slice(0, page.indexOf("<style>"));
  expect(head.replace(/content="default-src[^"]*"/, 'content="…"')).toBe(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="…">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>IAM policy validation report</title>
`);
  expect(page).toMatch(/<\/script>\n<\/body>\n<\/html>\n$/);
});

test("the verdict counts the policies that fail, and the data may have no date", () => {
  const failing = policyWith([findingWith()]);
  const page = (count: number, dataDate: string | null = "2026-01-31") =>
    renderHtml(reportInput([policyWith([]), ...Array(count).fill(failing)], { dataDate }));
  expect(page(0)).toContain('<p class="lead good">No policy fails.</p>');
  expect(page(1)).toContain('<p class="lead bad">1 of 2 policies fails.</p>');
  expect(page(2)).toContain('<p class="lead bad">2 of 3 policies fail.</p>');
  expect(page(0, null)).toContain("by validator-mcp 1.2.3.<br>");
});
