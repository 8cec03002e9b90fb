import type { Finding } from "../../spec/finding.ts";
import { webAddress } from "./artifact-uri.ts";
import { docsHtml, inlineHtml } from "./html-docs.ts";
import { type Markup, markup } from "./html-markup.ts";
import type { ReportInput } from "./types.ts";

/** A check with findings: its number on the page, and its first finding. */
export interface CheckEntry {
  readonly number: number;
  readonly first: Finding;
}

/** The checks with findings, by id, in ascending order. */
export function checkNumbers({ policies }: ReportInput): Map<string, CheckEntry> {
  const first = new Map<string, Finding>();
  for (const { result } of policies) {
    for (const finding of result.findings) {
      if (!first.has(finding.check_id)) first.set(finding.check_id, finding);
    }
  }
  const sorted = [...first].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(sorted.map(([id, finding], number) => [id, { number, first: finding }]));
}

/** Documentation of the checks, shown once for all their findings. */
export function checksHtml(
  { rules }: ReportInput,
  numbers: ReadonlyMap<string, CheckEntry>,
): Markup | undefined {
  if (numbers.size === 0) return undefined;
  const known = new Map(rules.map((rule) => [rule.check_id, rule]));
  return markup`<section aria-labelledby="checks"><h2 id="checks">Checks</h2>${[...numbers].map(
    ([id, { number, first }]) => {
      const rule = known.get(id);
      return markup`
<article id="check-${number}"><h3><code>${id}</code></h3>
${rule && markup`<p>${inlineHtml(rule.description)}</p>`}${rule?.docstring ? docsHtml(rule.docstring) : undefined}${reasonsHtml(first)}</article>`;
    },
  )}</section>`;
}

/** Why a finding matters, and how to fix it step by step. */
export function reasonsHtml(finding: Finding): Markup {
  const { risk_explanation, remediation_steps } = finding;
  const address = webAddress(finding.documentation_url);
  return markup`${risk_explanation === null ? undefined : markup`<p><strong>Why it matters.</strong> ${inlineHtml(risk_explanation)}</p>`}${
    remediation_steps === null || remediation_steps.length === 0
      ? undefined
      : markup`<p><strong>What to do</strong></p><ol>${remediation_steps.map((step) => markup`<li>${inlineHtml(step)}</li>`)}</ol>`
  }${address === undefined ? undefined : markup`<p><a href="${address}" rel="noopener noreferrer">Documentation</a></p>`}`;
}
