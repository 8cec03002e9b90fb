import type { PolicyType } from "../../../spec/policy.ts";
import type { Report } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import { serviceLabelOf } from "../principal-validation/patterns.ts";
import { isLimitedBy, readCondition } from "../shared/condition-limits.ts";
import { quote } from "../shared/quote.ts";
import { snippet } from "../shared/texts.ts";

const sourceKeys = ["aws:SourceArn", "aws:SourceAccount", "aws:SourceOrgID", "aws:SourceOrgPaths"];
/** Their roles are bound to a resource of the same account. */
const exempt: ReadonlySet<string> = new Set(["ec2", "lambda", "edgelambda"]);

const example = snippet({
  Condition: {
    StringEquals: { "aws:SourceAccount": "111122223333" },
    ArnLike: { "aws:SourceArn": "arn:aws:sns:eu-central-1:111122223333:example" },
  },
});

/** One report per service principal of an Allow that does not say on whose behalf the service acts. */
export function* confusedDeputyReports(statement: Statement, type: PolicyType): Generator<Report> {
  const services = statement.principals.filter((principal) => principal.type === "Service");
  if (services.length === 0 || sourceKeys.some((key) => isLimitedBy(statement, key))) return;
  // AWS reports the same for resource policies, unless one of the keys is there in whatever way.
  const unnamed = sourceKeys.every((key) => readCondition(statement).of(key).length === 0);
  const code =
    type === "RESOURCE_POLICY" && unnamed ? "RESTRICT_ACCESS_TO_SERVICE_PRINCIPAL" : null;
  for (const { text, node } of services) {
    const label = serviceLabelOf(text);
    if (text === "*" || (label !== null && exempt.has(label))) continue;
    yield {
      issue_type: "confused_deputy_risk",
      node,
      field_name: "principal",
      message: `The service ${quote(text)} is let in on behalf of anybody: no condition names the source, so another customer's resource can make it act here.`,
      suggestion:
        "Add `aws:SourceArn` with the resource the service acts for, or `aws:SourceAccount`, `aws:SourceOrgID` or `aws:SourceOrgPaths`.",
      example,
      aws_issue_code: code,
    };
  }
}
