import type { CheckContext, Report } from "../../engine/check.ts";
import { childNode } from "../../json/node.ts";
import { splitArn } from "../../policy/arn.ts";
import type { Entry, Policy, Statement } from "../../policy/model.ts";
import { globMatches } from "../../policy/wildcard.ts";
import type { ActionMatch } from "../../services/model.ts";
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

const keyWriter = "kms:PutKeyPolicy";

/**
 * Reports the policy of a KMS key that lets no principal write it: IAM policies reach a key only as far as its key policy
 * lets them, and a grant cannot give this action.
 * https://docs.aws.amazon.com/kms/latest/developerguide/key-policies.html and
 * https://docs.aws.amazon.com/kms/latest/developerguide/grants.html (grant operations)
 */
export function* lostKeyReports({ policy, match }: CheckContext): Generator<Report> {
  const { type, service, isWhole, statements, node } = policy;
  if (type !== "RESOURCE_POLICY" || service !== "kms" || !isWhole) return;
  if (statements.length === 0 || statements.some((one) => mayAllow(keyWriter, one, match))) return;
  yield {
    issue_type: "policy_lock_out",
    node: childNode(node, "Statement"),
    field_name: "action",
    action: keyWriter,
    message: `The key policy allows ${quote(keyWriter)} to no user, role or account, so no principal can change it. ${remedy(keyWriter)}`,
    suggestion: `Allow ${quote(keyWriter)} to the administrators of the key, or ${quote("kms:*")} to the root ARN of its account.`,
  };
}

/** Whether a statement allows the action to a principal that can call it, or may once its own faults are corrected. */
function mayAllow(action: string, statement: Statement, match: CheckContext["match"]): boolean {
  const { allows, denies, actions, notActions, principals } = statement;
  if (!allows) return !denies;
  // KMS takes a key policy from a user, a role or an account; services are other callers.
  if (principals.length > 0 && principals.every(({ type }) => type === "Service")) return false;
  if (actions.length + notActions.length === 0 || covers(statement, action)) return true;
  return actions.some(({ text }) => isUnknown(match(text)));
}

function isUnknown(match: ActionMatch): boolean {
  if (match.kind === "pattern") return match.actions.length === 0;
  return match.kind !== "action" && match.kind !== "any";
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
  if (!covers(statement, action)) return false;
  const service = action.slice(0, action.indexOf(":"));
  // The repository policies of ECR have no `Resource`.
  if (service === "ecr" && !statement.has("Resource") && !statement.has("NotResource")) {
    return true;
  }
  return statement.resources.some(
    ({ text }) => text === "*" || isResourceItself(text, action, service),
  );
}

function covers({ actions, notActions }: Statement, action: string): boolean {
  const matches = ({ text }: Entry) => globMatches(text, action, { ignoreCase: true });
  if (actions.length > 0) return actions.some(matches);
  return notActions.length > 0 && !notActions.some(matches);
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
