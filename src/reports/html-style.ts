/** Style of the report: light and dark, wide and narrow, screen and paper. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --text: #1b2027; --soft: #545d69; --line: #d9dee5; --code: #f1f3f6;
  --link: #0b57d0; --mark: #ffe08a; --mark-text: #1b2027;
  --error: #a3123a; --critical: #8f1d6b; --high: #b3261e; --warning: #8a5a00; --medium: #9a4b00;
  --low: #2b5c8a; --info: #4a5563; --good: #14713d; --bad: #b3261e; --badge: #fff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161b; --card: #1b2129; --text: #e6e9ee; --soft: #a7b0bd; --line: #343c47; --code: #232b35;
    --link: #8ab4ff; --mark: #6b5310; --mark-text: #fff3cf;
    --error: #ff9db5; --critical: #f3a3dc; --high: #ffaaa3; --warning: #f2c56b; --medium: #ffb786;
    --low: #9cc8f5; --info: #c1cad6; --good: #7ddba3; --bad: #ffaaa3; --badge: #14181d;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main, header, footer { max-width: 64rem; margin: 0 auto; padding: 0 1rem; overflow-wrap: anywhere; }
header { padding-top: 2rem; }
footer { padding: 1.5rem 1rem 3rem; color: var(--soft); font-size: .875rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2.25rem 0 .75rem; }
h3 { font-size: 1rem; line-height: 1.4; margin: 0; font-weight: 600; }
p { margin: .5rem 0; }
a { color: var(--link); }
a:focus-visible, input:focus-visible, select:focus-visible, button:focus-visible, summary:focus-visible {
  outline: 3px solid var(--link); outline-offset: 2px;
}
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--code); border-radius: .25rem; padding: .1em .3em; }
h2 code, h3 code { font-size: .95em; }
pre { background: var(--code); border-radius: .375rem; margin: .5rem 0; padding: .625rem .75rem; white-space: pre-wrap; }
pre code { background: none; padding: 0; font-size: .8125rem; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem; }
.soft { color: var(--soft); }
.lead { font-size: 1.125rem; margin: .25rem 0; }
.good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-weight: 600; }
.totals { display: grid; grid-template-columns: repeat(5, 1fr); gap: .5rem; margin: 1.25rem 0; }
.totals div { display: flex; flex-direction: column; justify-content: space-between; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .75rem; }
.totals dt { color: var(--soft); font-size: .8125rem; line-height: 1.3; }
.totals dd { margin: 0; font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.overview { list-style: none; margin: 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
.overview li { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; padding: .5rem .75rem; }
.overview li + li { border-top: 1px solid var(--line); }
.overview a { flex: 1 1 14rem; }
.badge { display: inline-block; border-radius: .25rem; padding: 0 .4rem; font-size: .8125rem; font-weight: 600; line-height: 1.5; color: var(--badge); white-space: nowrap; }
.error { background: var(--error); } .critical { background: var(--critical); } .high { background: var(--high); }
.warning { background: var(--warning); } .medium { background: var(--medium); } .low { background: var(--low); }
.info { background: var(--info); }
form { position: sticky; top: 0; z-index: 1; background: var(--page); border-bottom: 1px solid var(--line); padding: .75rem 0; display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: end; margin-top: 1.5rem; }
form label { font-size: .875rem; }
form .field { flex: 1 1 12rem; display: grid; gap: .125rem; min-width: 0; }
form input[type=search], form select, form button { font: inherit; font-size: 1rem; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: .375rem; padding: .375rem .5rem; width: 100%; min-height: 2.5rem; }
form button { width: auto; cursor: pointer; }
fieldset { border: 0; margin: 0; padding: 0; flex: 1 1 100%; display: flex; flex-wrap: wrap; gap: .25rem .5rem; }
fieldset legend { padding: 0; float: left; font-size: .875rem; margin-right: .25rem; line-height: 2rem; }
fieldset label { display: inline-flex; gap: .375rem; align-items: center; min-height: 2rem; padding: 0 .25rem; }
fieldset input { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--link); }
output { flex: 1 1 100%; color: var(--soft); font-size: .875rem; }
article { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: .75rem 0; scroll-margin-top: 12rem; }
section { scroll-margin-top: 12rem; }
.title { display: flex; flex-wrap: wrap; gap: .25rem .625rem; align-items: baseline; }
.title .place { margin-left: auto; }
.place, .meta { color: var(--soft); font-size: .875rem; }
.meta { margin: .25rem 0; }
.message { margin: .5rem 0; }
.frame { padding: .5rem 0; }
.frame .row { display: grid; grid-template-columns: 3.5rem 1fr; column-gap: .75rem; }
.frame .number { color: var(--soft); text-align: right; user-select: none; border-right: 1px solid var(--line); padding-right: .5rem; }
mark { background: var(--mark); color: var(--mark-text); border-radius: .125rem; text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: .2em; }
table { border-collapse: collapse; font-size: .9375rem; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; }
ul, ol { padding-left: 1.5rem; margin: .5rem 0; }
@media (max-width: 36rem) {
  body { font-size: .9375rem; }
  h1 { font-size: 1.5rem; }
  article { padding: .625rem .75rem; }
  .title .place { margin-left: 0; flex-basis: 100%; }
  .totals { grid-template-columns: 1fr 1fr; }
  .frame .row { grid-template-columns: 2.25rem 1fr; column-gap: .5rem; }
  form { position: static; }
  article, section { scroll-margin-top: 1rem; }
}
@media print {
  :root {
    color-scheme: light;
    --page: #fff; --card: #fff; --text: #000; --soft: #444; --line: #bbb; --code: #f4f4f4; --link: #000;
    --mark: #ffe08a; --mark-text: #000; --badge: #fff; --good: #14713d; --bad: #b3261e;
    --error: #a3123a; --critical: #8f1d6b; --high: #b3261e; --warning: #8a5a00; --medium: #9a4b00; --low: #2b5c8a; --info: #4a5563;
  }
  body { font-size: 10pt; }
  main, header, footer { max-width: none; padding: 0; }
  form, .skip { display: none; }
  h2, h3, .title { break-after: avoid; }
  article, .totals div, .overview li, .frame .row { break-inside: avoid; }
  .badge, mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  article a[href^=http]::after { content: " (" attr(href) ")"; }
}
`;
