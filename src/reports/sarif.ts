import type { Finding } from "../../spec/finding.ts";
import type { Suppression } from "../../spec/suppression.ts";
import { escapeInvisible } from "../policy/escape-invisible.ts";
import { artifactUri, webAddress } from "./artifact-uri.ts";
import { reportFingerprints, ruleIdOf } from "./fingerprints.ts";
import { escapeControls } from "./json-text.ts";
import { inlineMarkdown } from "./markdown-text.ts";
import { sarifRules } from "./sarif-rules.ts";
import { sarifText, withoutPlaceholders } from "./sarif-text.ts";
import { reasonInWords } from "./suppressed.ts";
import { familyOf, levelOf } from "./totals.ts";
import type { FixEdit, ReportInput } from "./types.ts";

/**
 * A SARIF 2.1.0 log of one run, as compact JSON.
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export function renderSarif(input: ReportInput): string {
  const rules = sarifRules(input);
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const fingerprint = reportFingerprints();
  const files = input.policies.map(
    ({ file, source }, at) => source?.uri ?? artifactUri(file, `policy-${at}`),
  );
  const artifacts = [...new Set(files)];
  const artifactIndexes = new Map(artifacts.map((uri, index) => [uri, index]));
  const results = input.policies.flatMap(({ result, edits }, at) => {
    const uri = files[at] ?? `policy-${at}`;
    const artifactLocation = { uri, index: artifactIndexes.get(uri) ?? -1 };
    const resultOf = (finding: Finding) => ({
      ruleId: ruleIdOf(finding),
      ruleIndex: indexes.get(ruleIdOf(finding)) ?? -1,
      level: levelOf(finding.severity),
      message: messageOf(finding),
      locations: [locationOf(finding, artifactLocation)],
      ...(finding.related.length === 0
        ? {}
        : {
            relatedLocations: finding.related.map((place, id) => ({
              id,
              ...locationOf(place, artifactLocation),
            })),
          }),
      // GitHub identifies alerts by the first.
      partialFingerprints: {
        primaryLocationLineHash: fingerprint(uri, finding),
        "validatorMcpFinding/v1": finding.fingerprint,
      },
      ...fixesOf(finding, edits?.get(finding), artifactLocation),
      properties: propertiesOf(finding),
    });
    return [
      ...result.findings.map(resultOf),
      ...(result.suppressed ?? []).map(({ finding, suppression }) => ({
        ...resultOf(finding),
        suppressions: [suppressionOf(suppression)],
      })),
    ];
  });
  return escapeControls(
    JSON.stringify({
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { name: "validator-mcp", version: input.version, rules } },
          invocations: [{ executionSuccessful: true, endTimeUtc: input.generatedAt.toISOString() }],
          artifacts: artifacts.map((uri) => ({ location: { uri }, roles: ["analysisTarget"] })),
          results,
          columnKind: "utf16CodeUnits",
          properties: {
            config_digest: input.config_digest,
            reference_data_date: input.dataDate,
            answers: input.policies.flatMap(({ place, result: { answers = [] } }, at) =>
              answers.map(({ check_id, question_id, verdict }) => ({
                uri: files[at] ?? `policy-${at}`,
                ...(place && { place }),
                check_id,
                question_id,
                verdict,
              })),
            ),
          },
        },
      ],
    }),
  );
}

/** A place in the artifact: lines and columns, and the JSON Pointer as a logical location. */
function locationOf(
  place: Pick<Finding, "path" | "location">,
  artifactLocation: { readonly uri: string; readonly index: number },
) {
  return {
    physicalLocation: { artifactLocation, region: regionOf(place) },
    ...(place.path === "" ? {} : { logicalLocations: [{ fullyQualifiedName: place.path }] }),
  };
}

function messageOf({ message, suggestion }: Finding) {
  const parts = suggestion === null ? [message] : [message, suggestion];
  return {
    text: sarifText(parts.map(escapeInvisible).join(" ")),
    markdown: withoutPlaceholders(parts.map(inlineMarkdown).join("\n\n")),
  };
}

/** @see SARIF 2.1.0, 3.35: `external` is a suppression that is not in the text of the policy. */
function suppressionOf(suppression: Suppression) {
  const { kind, reason, owner, expires } = suppression;
  const properties = { ...(owner !== null && { owner }), ...(expires !== null && { expires }) };
  return {
    kind: "external",
    status: "accepted",
    justification: sarifText(kind === "baseline" ? reasonInWords(suppression) : (reason ?? "")),
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

/** The fix as a replacement of a region; a placeholder in it is named in the description. */
function fixesOf({ fix }: Finding, edit: FixEdit | undefined, artifactLocation: object) {
  if (!fix || !edit) return {};
  const toFill = fix.needs_input.map(({ placeholder }) => placeholder).join(", ");
  const text = `${fix.title} (${fix.effect})${toFill === "" ? "" : `; fill in ${toFill}`}`;
  return {
    fixes: [
      {
        description: { text: sarifText(text) },
        artifactChanges: [
          {
            artifactLocation,
            replacements: [{ deletedRegion: regionOf(edit), insertedContent: { text: edit.text } }],
          },
        ],
      },
    ],
  };
}

/** Lines and columns from 1, the end exclusive. A policy without text gets line 1. */
function regionOf({ location }: Pick<Finding, "location">) {
  if (!location) return { startLine: 1 };
  const { start, end } = location;
  return {
    startLine: start.line,
    startColumn: start.column + 1,
    endLine: end.line,
    endColumn: end.column + 1,
  };
}

/** The fields of a finding that SARIF has no field for, without nulls. */
function propertiesOf(finding: Finding): Record<string, unknown> {
  const all: Record<string, unknown> = {
    check_id: finding.check_id,
    issue_type: finding.issue_type,
    severity: finding.severity,
    family: familyOf(finding.severity),
    statement_index: finding.statement_index,
    statement_sid: finding.statement_sid,
    field_name: finding.field_name,
    action: finding.action,
    resource: finding.resource,
    condition_key: finding.condition_key,
    suggestion: finding.suggestion,
    example: finding.example,
    example_path: finding.example_path,
    risk_explanation: finding.risk_explanation,
    risk_category: finding.risk_category,
    remediation_steps: finding.remediation_steps,
    documentation_url: webAddress(finding.documentation_url) ?? null,
    aws_issue_code: finding.aws_issue_code,
    escalation_paths: finding.escalation_paths,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}
