import { expect } from "vitest";
import { Finding } from "../../spec/finding.ts";

/** What a sentence cannot have outside of its code spans: a missing word leaves two spaces or one before a comma. */
const gap = / {2}| [,.;:?]|^\s|\s$|undefined|\[object/;

const codeSpan = /(`+)[\s\S]*?\1/g;

function faultOf(name: string, text: string | null | undefined): string[] {
  if (text === null || text === undefined) return [];
  const words = text.replace(codeSpan, "`x`");
  return words === "" || gap.test(words) ? [`${name}: ${JSON.stringify(text)}`] : [];
}

/** Asserts that findings have the form of the contract, and that each of their texts is whole. */
export function expectWholeFindings(findings: readonly Finding[]): void {
  for (const finding of findings) {
    const { fix, remediation_steps: steps } = finding;
    const faults = [
      ...(Finding.safeParse(finding).error?.issues ?? []).map(
        ({ path, message }) => `${path.join(".")}: ${message}`,
      ),
      ...faultOf("message", finding.message),
      ...faultOf("suggestion", finding.suggestion),
      ...faultOf("risk_explanation", finding.risk_explanation),
      ...(steps ?? []).flatMap((step) => faultOf("remediation_steps", step)),
      ...(steps?.length === 0 ? ["remediation_steps: none"] : []),
      ...faultOf("fix", fix?.title),
      ...(fix?.needs_input ?? []).flatMap(({ meaning }) => faultOf("needs_input", meaning)),
      ...(finding.aws_issue_code === "" ? ["aws_issue_code"] : []),
      ...(finding.condition_key === "" ? ["condition_key"] : []),
    ];
    expect(faults, `${finding.check_id}/${finding.issue_type}`).toEqual([]);
  }
}
