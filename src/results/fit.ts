import { costOfJson, measureResult, prefixWithin } from "./result-size.ts";

export { measureResult };

/** The members that shortening may remove from an entry. */
interface ValidateEntry {
  issues?: unknown;
  summary?: unknown;
  fixed_policy?: unknown;
  answers?: readonly { violations?: unknown }[];
  suppressed?: { findings?: unknown } | undefined;
}

interface ValidateOutput<Entry extends ValidateEntry> {
  results: Entry[];
  config_digest: string;
  truncated: boolean;
  truncated_count: number;
  report?: string | undefined;
}

const reportNotice = "[The report ends here: the rest does not fit max_response_bytes.]";

/**
 * Shortens the output of `validate_policies` until the complete result fits. It removes, in this order:
 * `summary` (if there are issues), `fixed_policy`, `issues`, `summary`, the `violations` of `answers` and the `findings` of
 * `suppressed`, entries from the end, the end of `report`, `report`. Removed keys are absent, not null. Does not change its argument.
 * @param maxBytes Maximum bytes of the complete result, including the copy of the output as text.
 * @returns An output within the limit, unless not even an empty one fits.
 */
export function fitValidateResult<Entry extends ValidateEntry>(
  output: ValidateOutput<Entry>,
  maxBytes: number,
): ValidateOutput<Entry> {
  if (measureResult(output) <= maxBytes) return output;
  const degraded = { ...output, truncated: true, truncated_count: 0 };

  if (output.results.some(hasBoth)) {
    const results = output.results.map((entry) => without(entry, ["summary"]));
    const shorter = { ...degraded, results };
    if (measureResult(shorter) <= maxBytes) return shorter;
  }
  if (output.results.some((entry) => entry.fixed_policy)) {
    const results = output.results.map((entry) =>
      without(entry, hasBoth(entry) ? ["summary", "fixed_policy"] : ["fixed_policy"]),
    );
    const shorter = { ...degraded, results };
    if (measureResult(shorter) <= maxBytes) return shorter;
  }

  const bare = output.results.map(withoutFindings);
  const { kept, bytes } = keepWhatFits(bare, { ...degraded, results: [] }, maxBytes);
  const fewer = { ...degraded, results: kept, truncated_count: bare.length - kept.length };
  return bytes <= maxBytes ? fewer : cutReport(fewer, maxBytes);
}

function hasBoth({ issues, summary }: ValidateEntry): boolean {
  return issues !== null && issues !== undefined && summary !== null && summary !== undefined;
}

/** An entry whose verdicts stay and whose findings and witnesses are gone. */
export function withoutFindings<Entry extends ValidateEntry>(entry: Entry): Entry {
  const copy = without(entry, ["issues", "summary", "fixed_policy"]);
  if (copy.suppressed) {
    const { findings: _, ...counts } = copy.suppressed;
    copy.suppressed = counts;
  }
  if (copy.answers) copy.answers = copy.answers.map(({ violations: _, ...rest }) => rest);
  return copy;
}

function without<Entry extends ValidateEntry>(
  entry: Entry,
  keys: readonly ("issues" | "summary" | "fixed_policy")[],
): Entry {
  const copy = { ...entry };
  for (const key of keys) delete copy[key];
  return copy;
}

/**
 * The longest prefix of the list that fits.
 * @param frame The output with an empty list and a count of zero.
 */
function keepWhatFits<Item>(items: readonly Item[], frame: object, maxBytes: number) {
  const costs = items.map((item) => costOfJson(JSON.stringify(item)));
  const frameBytes = measureResult(frame);
  let length = items.length;
  let itemsCost = costs.reduce((sum, cost) => sum + cost, 0);
  const total = () => {
    const removed = costOfJson(String(items.length - length)) - costOfJson("0");
    return frameBytes + removed + itemsCost + Math.max(0, length - 1) * costOfJson(",");
  };
  while (length > 0 && total() > maxBytes) {
    length--;
    itemsCost -= costs[length] ?? 0;
  }
  return { kept: items.slice(0, length), bytes: total() };
}

function cutReport<Output extends { report?: string | undefined }>(
  output: Output,
  maxBytes: number,
): Output {
  const { report } = output;
  if (report === undefined) return output;
  const budget = maxBytes - measureResult({ ...output, report: `\n${reportNotice}` });
  if (budget >= 0) return { ...output, report: `${prefixWithin(report, budget)}\n${reportNotice}` };
  const copy = { ...output };
  delete copy.report;
  return copy;
}

interface AnalyzeFinding {
  locations?: unknown;
}

interface AnalyzeOutput<Finding extends AnalyzeFinding> {
  findings: Finding[];
  finding_count: number;
  truncated?: true | undefined;
  truncated_count?: number | undefined;
}

/**
 * Shortens the output of `analyze_policy` until the complete result fits: it removes the `locations` of
 * all findings, then findings from the end. `finding_count` is the number of findings in the output,
 * `truncated_count` the number of removed ones. Does not change its argument.
 * @returns An output within the limit, unless not even an empty one fits.
 */
export function fitAnalyzeResult<Finding extends AnalyzeFinding>(
  output: AnalyzeOutput<Finding>,
  maxBytes: number,
): AnalyzeOutput<Finding> {
  if (measureResult(output) <= maxBytes) return output;
  const findings = output.findings.map((finding) => {
    const copy = { ...finding };
    delete copy.locations;
    return copy;
  });
  const degraded = { ...output, truncated: true as const, truncated_count: 0 };
  // Measured with the longest possible `finding_count`, so the result may be a few bytes too short.
  const frame = { ...degraded, findings: [], finding_count: findings.length };
  const { kept } = keepWhatFits(findings, frame, maxBytes);
  return {
    ...degraded,
    findings: kept,
    finding_count: kept.length,
    truncated_count: findings.length - kept.length,
  };
}
