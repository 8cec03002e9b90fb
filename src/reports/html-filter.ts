import { type Markup, markup } from "./html-markup.ts";
import { countsOf } from "./totals.ts";
import type { ReportInput } from "./types.ts";

/** The form that filters findings. The script shows it, because it needs the script. */
export function filterHtml({ policies }: ReportInput): Markup | undefined {
  const findings = policies.flatMap(({ result }) => result.findings);
  if (findings.length === 0) return undefined;
  const checks = [...new Set(findings.map(({ check_id }) => check_id))].sort();
  const severities = countsOf(findings).map(
    ([severity, count]) =>
      markup`<label><input type="checkbox" name="severity" value="${severity}" checked><span class="badge ${severity}">${severity}</span>${count}</label>`,
  );
  return markup`<form hidden role="search" aria-label="Filter findings" autocomplete="off">
<div class="field"><label for="search">Search</label><input type="search" id="search" name="search"></div>
<div class="field"><label for="check">Check</label><select id="check" name="check"><option value="">All checks</option>${checks.map((id) => markup`<option value="${id}">${id}</option>`)}</select></div>
<button type="reset">Clear</button>
<fieldset><legend>Severity</legend>${severities}</fieldset>
<output aria-live="polite"></output>
</form>`;
}
