import type { Report } from "../../engine/check.ts";
import { splitArn } from "../../policy/arn.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import { globMatches } from "../../policy/wildcard.ts";
import { readCondition } from "../shared/condition-limits.ts";
import { dateTest } from "../shared/grants/dates.ts";
import { quote } from "../shared/quote.ts";

/** The action that replaces the policy of a resource, by service. */
const policyWriters: readonly string[] = [
  "s3:PutBucketPolicy",
  "s3:PutAccessPointPolicy",
  "s3express:PutBucketPolicy",
  "kms:PutKeyPolicy",
  "sqs:SetQueueAttributes",
  "sns:SetTopicAttributes",
  "secretsmanager:PutResourcePolicy",
  "ecr:SetRepositoryPolicy",
  "lambda:AddPermission",
  "dynamodb:PutResourcePolicy",
  "kinesis:PutResourcePolicy",
  "elasticfilesystem:PutFileSystemPolicy",
  "glacier:SetVaultAccessPolicy",
  "backup:PutBackupVaultAccessPolicy",
  "events:PutPermission",
  "codeartifact:PutRepositoryPermissionsPolicy",
];

/** Reports that a Deny is for everyone and covers writing the policy of the resource itself. */
export function* lockOutReports(
  statement: Statement,
  { type }: Policy,
  dataDate: string,
): Generator<Report> {
  if (type !== "RESOURCE_POLICY" || !statement.principals.some(isEveryone)) return;
  if (!appliesAlways(statement, dataDate)) return;
  const writer = policyWriters.find((action) => isDenied(action, statement));
  if (writer === undefined) return;
  yield {
    issue_type: "policy_lock_out",
    node: statement.at(statement.has("Action") ? "Action" : "NotAction"),
    field_name: statement.has("Action") ? "action" : "not_action",
    action: writer,
    message: `The Deny applies to everyone and covers ${quote(writer)}, so no principal can change this policy. ${remedy(writer)}`,
    suggestion:
      "Deny the data actions that are meant, or exempt an administrator with `ArnNotEquals` on `aws:PrincipalArn`.",
  };
}

function isEveryone({ type, text }: Statement["principals"][number]): boolean {
  return type === "AWS" && text === "*";
}

/** Without a condition, or with entries that hold for every request only. */
function appliesAlways(statement: Statement, dataDate: string): boolean {
  return readCondition(statement).entries.every(
    ({ openness, isNull, negated, entry }) =>
      dateTest(entry, dataDate) === "always" ||
      (!isNull &&
        !negated &&
        openness !== null &&
        (entry.operator?.ifExists === true || entry.keyLower === "aws:principalarn")),
  );
}

function isDenied(action: string, statement: Statement): boolean {
  const { actions, notActions, resources } = statement;
  const covers = ({ text }: { text: string }) => globMatches(text, action, { ignoreCase: true });
  const covered =
    actions.length > 0 ? actions.some(covers) : notActions.length > 0 && !notActions.some(covers);
  if (!covered) return false;
  const service = action.slice(0, action.indexOf(":"));
  // The repository policies of ECR have no `Resource`.
  if (service === "ecr" && !statement.has("Resource") && !statement.has("NotResource")) {
    return true;
  }
  return resources.some(({ text }) => text === "*" || isResourceItself(text, action, service));
}

/** Objects of a bucket or access point have no policy; a resource of another service is not the one meant. */
function isResourceItself(text: string, action: string, service: string): boolean {
  const arn = splitArn(text);
  if (arn?.service !== service) return false;
  if (action === "s3:PutBucketPolicy") return !arn.resource.includes("/");
  if (action !== "s3:PutAccessPointPolicy") return true;
  return /^accesspoint\/[^/]+$/.test(arn.resource);
}

function remedy(writer: string): string {
  if (writer === "s3:PutBucketPolicy") {
    // https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketPolicy.html
    return "Only the root user of the owning account can remove it.";
  }
  if (writer.startsWith("kms:")) {
    // https://docs.aws.amazon.com/kms/latest/APIReference/API_PutKeyPolicy.html
    return "KMS refuses it unless its lockout safety check is bypassed.";
  }
  return "That includes the administrators of the owning account.";
}
