import type { AccessAnswer } from "../../spec/access.ts";
import type { Finding, Fix } from "../../spec/finding.ts";
import type { Suppressed } from "../engine/exceptions.ts";
import { escapeInvisibleLines } from "../policy/escape-invisible.ts";
import { questionOf, verdictOf } from "./answers.ts";
import { codeFrame, type FrameLine, type LinesReader } from "./code-frame.ts";
import { diffLines } from "./edits.ts";
import { type CheckEntry, reasonsHtml } from "./html-checks.ts";
import { inlineHtml, preHtml } from "./html-docs.ts";
import { type Markup, markup } from "./html-markup.ts";
import { reasonInWords, suppressedInWords } from "./suppressed.ts";
import { countsInWords, fixNote, placeOf, titleOf } from "./totals.ts";
import type { FixEdit, ReportPolicy } from "./types.ts";

/** What the policies of a report share. */
export interface PolicyContext {
  readonly checks: ReadonlyMap<string, CheckEntry>;
  readonly linesOf: LinesReader;
}

/** One policy with its findings. */
export function policyHtml(
  policy: ReportPolicy,
  at: number,
  { checks, linesOf }: PolicyContext,
): Markup {
  const { result, text, edits } = policy;
  const file = titleOf(policy);
  const lines = linesOf(text);
  const failing = result.fails_policy;
  return markup`
<section id="policy-${at}" data-file="${file}" aria-labelledby="policy-${at}-name"><h2 id="policy-${at}-name">${file} <span class="${failing ? "bad" : "good"}">${failing ? "fails" : "passes"}</span></h2>
<p class="meta">${result.policy_type} (${result.policy_type_source}). ${countsInWords(result.findings)}.</p>
${answersHtml(result.answers ?? [])}${result.findings.map((finding) => findingHtml(finding, lines, checks.get(finding.check_id), edits?.get(finding)))}${suppressedHtml(result.suppressed ?? [])}</section>`;
}

function suppressedHtml(suppressed: readonly Suppressed[]): Markup | undefined {
  const words = suppressedInWords(suppressed);
  if (words === undefined) return undefined;
  const items = suppressed.map(({ finding, suppression }) => {
    const place = placeOf(finding);
    return markup`<li>${finding.severity} <code>${finding.check_id}</code>${place && ` ${place}`}: ${reasonInWords(suppression)}</li>`;
  });
  return markup`<details class="meta"><summary>${words}</summary><ul>${items}</ul></details>
`;
}

function answersHtml(answers: readonly AccessAnswer[]): Markup | undefined {
  if (answers.length === 0) return undefined;
  return markup`<ul class="meta">${answers.map(
    (answer) =>
      markup`<li><code>${questionOf(answer)}</code>: ${inlineHtml(verdictOf(answer))}</li>`,
  )}</ul>
`;
}

function findingHtml(
  finding: Finding,
  lines: readonly string[] | null,
  check: CheckEntry | undefined,
  edit: FixEdit | undefined,
): Markup {
  const { severity, check_id, issue_type, message, suggestion, example, location } = finding;
  const frame = lines && location ? frameHtml(codeFrame(lines, location)) : undefined;
  return markup`<article data-severity="${severity}" data-check="${check_id}"><div class="title"><h3><span class="badge ${severity}">${severity}</span> <a href="#check-${check?.number}">${check_id}</a></h3><span class="soft">${issue_type}</span><span class="place">${placeOf(finding)}</span></div>
<p class="message">${inlineHtml(message)}</p>
<p class="meta">${whereabouts(finding)}</p>
${relatedHtml(finding)}${frame}${suggestion === null ? undefined : markup`<p><strong>Suggestion.</strong> ${inlineHtml(suggestion)}</p>`}${finding.fix && edit ? fixHtml(finding.fix, edit) : undefined}${
  example === null || edit
    ? undefined
    : markup`<p><strong>Example</strong></p>${preHtml(escapeInvisibleLines(example))}`
}${check && hasSpecificReasons(finding, check.first) ? reasonsHtml(finding) : undefined}</article>
`;
}

function fixHtml(fix: Fix, edit: FixEdit): Markup {
  return markup`<p><strong>Fix.</strong> ${fix.title} (${fixNote(fix)})</p>${preHtml(diffLines(edit).flatMap((line) => escapeInvisibleLines(spaced(line))))}`;
}

/** Whether the reasons of a finding differ from those of the check's first finding. */
function hasSpecificReasons(finding: Finding, first: Finding): boolean {
  return (
    finding.risk_explanation !== first.risk_explanation ||
    finding.remediation_steps?.join("\n") !== first.remediation_steps?.join("\n")
  );
}

/** The further places that the finding is about. */
function relatedHtml({ related }: Finding): Markup | undefined {
  if (related.length === 0) return undefined;
  const places = related.map((place, at) => {
    const line = place.location ? ` (${placeOf(place)})` : "";
    return markup`${at === 0 ? "" : ", "}<code>${place.path || "/"}</code>${line}`;
  });
  return markup`<p class="meta">Also at ${places}</p>
`;
}

function whereabouts({ statement_index, statement_sid, path }: Finding): Markup {
  const statement = statement_index < 0 ? "Whole document" : `Statement ${statement_index + 1}`;
  const sid = statement_sid === null ? undefined : markup` (<code>${statement_sid}</code>)`;
  return markup`${statement}${sid}${path === "" ? undefined : markup`, <code>${path}</code>`}`;
}

function frameHtml(frame: readonly FrameLine[]): Markup {
  return markup`<pre class="frame"><code>${frame.map(({ number, before, marked, after }) => {
    const shown = marked === "" ? undefined : markup`<mark>${spaced(marked)}</mark>`;
    const line = number === null ? markup`${marked}` : [spaced(before), shown, spaced(after)];
    return markup`<span class="row"><span class="number">${number ?? ""}</span><span>${line}\n</span></span>`;
  })}</code></pre>`;
}

/** Replaces tabs by spaces, so that they are not shown as escapes. */
function spaced(text: string): string {
  return text.replaceAll("\t", "  ");
}
