import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const Superseded = z.strictObject({
  file: z.string(),
  id: z.string(),
  rule: z.string().describe("The rule of the verdicts page that overrules the case."),
  "what changes": z.string(),
});

/**
 * Cases that the rules for verdicts overrule beside those that the folder's own list names.
 * The new expectation stands in the project's tests of the check.
 */
const alsoSuperseded: readonly z.output<typeof Superseded>[] = [
  {
    file: "security-vectors.json",
    id: "sa-13",
    rule: "V54",
    "what changes": "iam:PassRole on a named role: missing_required_condition is medium, not high",
  },
  {
    file: "security-vectors.json",
    id: "ace-01",
    rule: "V54",
    "what changes": "iam:PassRole on a named role: missing_required_condition is medium, not high",
  },
  {
    file: "security-vectors.json",
    id: "ace-03",
    rule: "V54",
    "what changes": "iam:PassRole on a named role: missing_required_condition is medium, not high",
  },
  {
    file: "security-vectors.json",
    id: "ace-05",
    rule: "V54",
    "what changes": "iam:PassRole on a named role: missing_required_condition is medium, not high",
  },
  {
    file: "security-vectors.json",
    id: "ace-06",
    rule: "V54",
    "what changes": "iam:PassRole on a named role: missing_required_condition is medium, not high",
  },
  {
    file: "security-vectors.json",
    id: "ace-30",
    rule: "V54",
    "what changes": "iam:PassRole on a named role: missing_required_condition is medium, not high",
  },
  {
    file: "security-vectors.json",
    id: "ace-32",
    rule: "V54",
    "what changes": "iam:PassRole on a named role: missing_required_condition is medium, not high",
  },
  {
    file: "security-vectors.json",
    id: "ace-33",
    rule: "V54",
    "what changes": "iam:PassRole on a named role: missing_required_condition is medium, not high",
  },
];

/** @returns the ids of the cases in `file` that are skipped, with the rule that overrules each. */
export function supersededCases(folder: string, file: string): ReadonlyMap<string, string> {
  const list = join(folder, "vectors-superseded.json");
  const published = existsSync(list)
    ? z.array(Superseded).parse(JSON.parse(readFileSync(list, "utf8")))
    : [];
  return new Map(
    [...published, ...alsoSuperseded]
      .filter((one) => one.file === file)
      .map(({ id, rule }) => [id, rule]),
  );
}
