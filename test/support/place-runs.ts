import type { Finding } from "../../spec/finding.ts";
import { openText } from "../../src/containers/open.ts";
import type { Engine, PolicyToValidate, ValidatedPolicy } from "../../src/engine/types.ts";
import { type Validate, validatePlace } from "../../src/engine/validate-place.ts";
import type { PolicyDocument } from "../../src/policy/model.ts";
import { embeddedServices } from "../../src/services/embedded.ts";
import { findingWith } from "./report-input.ts";

const settings = { fail_on_severity: ["error", "high"], suppress_superseded_findings: true };
const engine = { settings, services: embeddedServices() } as unknown as Engine;

/** What the checks find in a document, with each of the samples. */
type Run = Partial<Omit<ValidatedPolicy, "findings">> & { readonly findings?: readonly Finding[] };
export type Checks = (text: string, document: PolicyDocument, input: PolicyToValidate) => Run;

/** Validates the policy of a template whose statements are given as YAML flow mappings. */
export async function validated(statements: readonly string[], checks: Checks, rest = {}) {
  const text = `Parameters:
  Scope: {Type: String}
  Stage: {Type: String}
Conditions:
  IsTest: !Equals [!Ref Stage, test]
Resources:
  Access:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument:
        Version: "2012-10-17"
        Statement: [${statements.join(", ")}]
`;
  return placed(text, checks, rest);
}

/** Validates the first policy of a template. */
export async function placed(text: string, checks: Checks, rest = {}) {
  const opened = await openText({ name: null, text });
  const [place] = opened?.places ?? [];
  if (!opened || !place) throw new Error("no place");
  const runs: { input: PolicyToValidate; engine: Engine }[] = [];
  const validate: Validate<Finding> = async (input, used) => {
    runs.push({ input, engine: used });
    const run = checks(JSON.stringify(input.document.raw), input.document, input);
    return {
      findings: [],
      aboutNames: new Set(),
      answers: [],
      was_checked: true,
      ...run,
    } as unknown as ValidatedPolicy;
  };
  const about = { lines: null, name: "n", label: "l", declaredType: null, fixes: false, ...rest };
  return { result: await validatePlace({ opened, place, ...about }, engine, validate), runs };
}

export const known = '{Effect: Allow, Action: "s3:GetObject", Resource: "*"}';
export const finding = findingWith({
  path: "/Statement/0/Action",
  statement_index: 0,
  severity: "high",
});
