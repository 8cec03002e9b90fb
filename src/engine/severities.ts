import { severityRank } from "../../spec/severity.ts";
import type { IssueSeverities } from "../../spec/tools/describe-checks.ts";
import type { RegisteredCheck } from "./registry.ts";

/**
 * The severity that applies to each issue type of a check.
 * An issue type that declares a severity keeps it whatever the config says; the others have that of the check.
 */
function severitiesOf({ check, severity, configuredSeverity }: RegisteredCheck): IssueSeverities {
  const set = configuredSeverity !== null;
  return Object.fromEntries(
    Object.entries(check.issue_types).map(([issueType, { severity: declared }]) => {
      if (declared === "check") return [issueType, { applies: severity, range: null, set }];
      const [first, ...others] = [...new Set([declared].flat())].sort(
        (a, b) => severityRank[b] - severityRank[a],
      );
      const single = first !== undefined && others.length === 0;
      return [
        issueType,
        single
          ? { applies: first, range: null, set: false }
          : { applies: null, range: first ? [first, ...others] : [], set: false },
      ];
    }),
  );
}

/** The severity of a check in `get_config`, `describe_checks` and `iam://checks/{id}`. */
export function effectiveSeverity(registered: RegisteredCheck) {
  return {
    severity: registered.severity,
    severity_set: registered.configuredSeverity !== null,
    severities: severitiesOf(registered),
  };
}
