import { escapeInvisible } from "../policy/escape-invisible.ts";
import { conciseLine } from "./concise.ts";
import { suppressedInWords } from "./suppressed.ts";
import { countsInWords } from "./totals.ts";
import type { ReportInput, ReportPolicy } from "./types.ts";

/**
 * JUnit XML: one test case for each policy, which fails if the policy does. Findings that do not make a
 * policy fail are the output of its case.
 * @see https://github.com/testmoapp/junitxml for the form that CI servers read
 */
export function renderJunit({ policies }: ReportInput): string {
  const failures = policies.filter(({ result }) => result.fails_policy).length;
  const counts = `tests="${policies.length}" failures="${failures}" errors="0" skipped="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="validator-mcp" ${counts}>`,
    `  <testsuite name="IAM policies" ${counts}>`,
    ...policies.flatMap(testCase),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function testCase(policy: ReportPolicy): string[] {
  const { file, result } = policy;
  const { findings, fails_policy, policy_type } = result;
  const opening = `    <testcase classname="${xml(policy_type)}" name="${xml(file)}"`;
  const lines = findings.map((finding) => xml(conciseLine(policy, finding))).join("\n");
  const without = suppressedInWords(result.suppressed ?? []);
  if (fails_policy) {
    const message = xml(countsInWords(findings));
    return [
      `${opening}>`,
      `      <failure type="invalid" message="${message}">${lines}</failure>`,
      ...(without ? [`      <system-out>${xml(without)}</system-out>`] : []),
      "    </testcase>",
    ];
  }
  const output = [...(lines === "" ? [] : [lines]), ...(without ? [xml(without)] : [])].join("\n");
  if (output === "") return [`${opening}/>`];
  return [`${opening}>`, `      <system-out>${output}</system-out>`, "    </testcase>"];
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Text for an element or an attribute. Characters that XML cannot hold are escaped as in other reports. */
function xml(text: string): string {
  // U+FFFE and U+FFFF are not characters of XML 1.0 (production 2).
  const shown = escapeInvisible(text).replaceAll(/[\ufffe\uffff]/g, "\ufffd");
  return shown.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
