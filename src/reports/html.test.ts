import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  findingWith,
  locationOf,
  policyWith,
  reportInput,
} from "../../test/support/report-input.ts";
import { renderHtml } from "./html.ts";
import { docsHtml } from "./html-docs.ts";
import { markup } from "./html-markup.ts";

const text = '{\n\t"Action": "iam:*"\n}';
const example = '{\n  "Action": "iam:Get<User>"\n}';
const page = renderHtml(
  reportInput([
    policyWith([findingWith({ location: locationOf(text, '"iam:*"'), example })], {
      file: "a.json",
      text,
    }),
    policyWith([findingWith({ check_id: "our_own", risk_explanation: "Other." })]),
    policyWith([], { file: "<b>" }),
  ]),
);
const inside = (tag: string) =>
  [...page.matchAll(new RegExp(String.raw`<${tag}>([\s\S]*?)</${tag}>`, "g"))].map(
    ([, inner]) => inner ?? "",
  );

describe("the HTML report", () => {
  test("allows nothing but its own style and its own script", () => {
    const hash = (content = "") =>
      `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
    const [style, ...styles] = inside("style");
    const [script, ...scripts] = inside("script");
    expect([styles, scripts]).toEqual([[], []]);
    const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page)?.[1];
    expect(policy?.replaceAll("&#39;", "'")).toBe(
      `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`,
    );
  });

  test("needs nothing from elsewhere: the only addresses are links of documentation", () => {
    expect(page).not.toMatch(/<(?:img|link|iframe|object|embed|video|audio|source|svg)\b/i);
    expect(page).not.toMatch(/\s(?:src|srcset|style|on\w+)=/i);
    expect(page).not.toMatch(/@import|url\(/i);
    const links = [...page.matchAll(/href="([^"#][^"]*)"/g)].map(([, href]) => href);
    expect(new Set(links)).toEqual(
      new Set(["https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html"]),
    );
  });

  test("shows the lines of a finding and marks what is meant", () => {
    expect(page).toContain(
      '<span class="row"><span class="number">2</span><span>  &quot;Action&quot;: <mark>&quot;iam:*&quot;</mark>\n</span></span>',
    );
    expect(page).toContain("line 2, column 12");
  });

  test("has whole documentation of each check once, and a finding's own reasons beside it", () => {
    expect(inside("ol")).toEqual(["<li>List the actions.</li>", "<li>List the actions.</li>"]);
    expect(page.match(/Other\./g)).toHaveLength(1);
    expect(page).toContain("<ul><li><strong>One.</strong> First and more</li><li>Two</li></ul>");
  });

  test("has unique ids, and links within the page that lead somewhere", () => {
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...page.matchAll(/(?:href="#|for="|aria-labelledby=")([^"]*)"/g)].map(
      ([, id]) => id,
    );
    expect(targets.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test("hides its filter until the script shows it, and has none without findings", () => {
    expect(page).toContain("<form hidden ");
    expect(renderHtml(reportInput([policyWith([])]))).not.toContain("<form");
  });

  test("closes every tag it opens", () => {
    const open: string[] = [];
    const body = page.replace(/<(style|script)>[\s\S]*?<\/\1>/g, "");
    for (const [, slash, tag = ""] of body.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
      if (/^(?:meta|input|br)$/.test(tag)) continue;
      if (slash) expect(open.pop()).toBe(tag);
      else open.push(tag);
    }
    expect(open).toEqual([]);
  });
});

test("what is put into a template is text, also in attributes", () => {
  const value = `<b a="1" c='2'>&amp;\u0000\ud800`;
  expect(markup`<p title="${value}">${[value, markup`<i>${1}</i>`, undefined]}</p>`.text).toBe(
    '<p title="&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;\\u0000\\ud800">&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;\\u0000\\ud800<i>1</i></p>',
  );
});

test.each([
  ["One `a<b`\nline.", "<p>One <code>a&lt;b</code> line.</p>"],
  ["A:\n- b\n  c\n- **d**", "<p>A:</p><ul><li>b c</li><li><strong>d</strong></li></ul>"],
  [
    "| a | b |\n| --- | --- |\n| 1 | `2` |",
    '<table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead><tbody><tr><td>1</td><td><code>2</code></td></tr></tbody></table>',
  ],
  ["```json\n{\n  1\n}\n```", "<pre><code>{\n  1\n}</code></pre>"],
  ["```\na", "<pre><code>a</code></pre>"],
  ["\n  A\nB \n \n B - c", "<p>A B</p><p>B - c</p>"],
  ["A\nB\n * c\n- d", "<p>A B</p><ul><li>c</li><li>d</li></ul>"],
  ["a ``` b", "<p>a ``` b</p>"],
  ["x- a\n- b", "<p>x- a</p><ul><li>b</li></ul>"],
  ["a|b|", "<p>a|b|</p>"],
])("documentation %j becomes HTML", (docstring, html) => {
  expect(markup`${docsHtml(docstring)}`.text).toBe(html);
});
