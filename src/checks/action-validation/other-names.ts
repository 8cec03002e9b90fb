import type { CheckContext } from "../../engine/check.ts";
import type { Entry, Statement } from "../../policy/model.ts";
import { similarServices, suggestActions } from "../../services/suggest.ts";
import { prefixByOtherName } from "../shared/other-service-names.ts";
import { withinBudget } from "../shared/suggestion-budget.ts";

/**
 * Calls of the API whose permission has another name. Not here: `ListBuckets`, which may also be a misspelt
 * `s3:ListBucket`. `ReEncrypt` needs both of `ReEncryptFrom` and `ReEncryptTo`, and AWS's key policies write them so.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-api-permissions-reference.html
 * https://docs.aws.amazon.com/sns/latest/dg/sns-batch-api-actions.html
 * https://docs.aws.amazon.com/kms/latest/APIReference/API_ReEncrypt.html
 */
const actionByCall: ReadonlyMap<string, string> = new Map([
  ["kms:reencrypt", "kms:ReEncrypt*"],
  ["lambda:invoke", "lambda:InvokeFunction"],
  ["s3:completemultipartupload", "s3:PutObject"],
  ["s3:createmultipartupload", "s3:PutObject"],
  ["s3:deletebucketanalyticsconfiguration", "s3:PutAnalyticsConfiguration"],
  ["s3:deletebucketcors", "s3:PutBucketCORS"],
  ["s3:deletebucketencryption", "s3:PutEncryptionConfiguration"],
  ["s3:deletebucketintelligenttieringconfiguration", "s3:PutIntelligentTieringConfiguration"],
  ["s3:deletebucketinventoryconfiguration", "s3:PutInventoryConfiguration"],
  ["s3:deletebucketlifecycle", "s3:PutLifecycleConfiguration"],
  ["s3:deletebucketmetricsconfiguration", "s3:PutMetricsConfiguration"],
  ["s3:deletebucketreplication", "s3:PutReplicationConfiguration"],
  ["s3:deletebuckettagging", "s3:PutBucketTagging"],
  ["s3:deleteobjects", "s3:DeleteObject"],
  ["s3:deletepublicaccessblock", "s3:PutBucketPublicAccessBlock"],
  ["s3:getbucketaccelerateconfiguration", "s3:GetAccelerateConfiguration"],
  ["s3:getbucketanalyticsconfiguration", "s3:GetAnalyticsConfiguration"],
  ["s3:getbucketencryption", "s3:GetEncryptionConfiguration"],
  ["s3:getbucketintelligenttieringconfiguration", "s3:GetIntelligentTieringConfiguration"],
  ["s3:getbucketinventoryconfiguration", "s3:GetInventoryConfiguration"],
  ["s3:getbucketlifecycle", "s3:GetLifecycleConfiguration"],
  ["s3:getbucketlifecycleconfiguration", "s3:GetLifecycleConfiguration"],
  ["s3:getbucketmetricsconfiguration", "s3:GetMetricsConfiguration"],
  ["s3:getbucketnotificationconfiguration", "s3:GetBucketNotification"],
  ["s3:getbucketreplication", "s3:GetReplicationConfiguration"],
  ["s3:getobjectlockconfiguration", "s3:GetBucketObjectLockConfiguration"],
  ["s3:getpublicaccessblock", "s3:GetBucketPublicAccessBlock"],
  ["s3:headbucket", "s3:ListBucket"],
  ["s3:headobject", "s3:GetObject"],
  ["s3:listmultipartuploads", "s3:ListBucketMultipartUploads"],
  ["s3:listobjects", "s3:ListBucket"],
  ["s3:listobjectsv2", "s3:ListBucket"],
  ["s3:listobjectversions", "s3:ListBucketVersions"],
  ["s3:listparts", "s3:ListMultipartUploadParts"],
  ["s3:putbucketaccelerateconfiguration", "s3:PutAccelerateConfiguration"],
  ["s3:putbucketanalyticsconfiguration", "s3:PutAnalyticsConfiguration"],
  ["s3:putbucketencryption", "s3:PutEncryptionConfiguration"],
  ["s3:putbucketintelligenttieringconfiguration", "s3:PutIntelligentTieringConfiguration"],
  ["s3:putbucketinventoryconfiguration", "s3:PutInventoryConfiguration"],
  ["s3:putbucketlifecycle", "s3:PutLifecycleConfiguration"],
  ["s3:putbucketlifecycleconfiguration", "s3:PutLifecycleConfiguration"],
  ["s3:putbucketmetricsconfiguration", "s3:PutMetricsConfiguration"],
  ["s3:putbucketnotificationconfiguration", "s3:PutBucketNotification"],
  ["s3:putbucketreplication", "s3:PutReplicationConfiguration"],
  ["s3:putobjectlockconfiguration", "s3:PutBucketObjectLockConfiguration"],
  ["s3:putpublicaccessblock", "s3:PutBucketPublicAccessBlock"],
  ["s3:selectobjectcontent", "s3:GetObject"],
  ["s3:uploadpart", "s3:PutObject"],
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-express-security-iam.html
  ...["CopyObject", "DeleteObject", "GetObject", "HeadObject", "ListObjectsV2", "PutObject"].map(
    (call) => [`s3express:${call.toLowerCase()}`, "s3express:CreateSession"] as const,
  ),
  ["sns:publishbatch", "sns:Publish"],
  ["sqs:changemessagevisibilitybatch", "sqs:ChangeMessageVisibility"],
  ["sqs:deletemessagebatch", "sqs:DeleteMessage"],
  ["sqs:sendmessagebatch", "sqs:SendMessage"],
]);

/**
 * Whether a text is the call that lists all buckets, `s3:ListBuckets`, or a misspelt `s3:ListBucket`. The permission of
 * the call is `s3:ListAllMyBuckets`; it works on no single bucket.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html
 */
export function mayListBuckets(text: string, { resources }: Statement): boolean {
  const isNamed = ({ text: resource }: Entry) => /^arn:[^:]*:s3:::[^*?]/.test(resource);
  if (text.toLowerCase() !== "s3:listbuckets") return false;
  return resources.length === 0 || !resources.every(isNamed);
}

/** Calls that need several permissions: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
const actionsByCall: ReadonlyMap<string, readonly string[]> = new Map([
  ["s3:copyobject", ["s3:GetObject", "s3:PutObject"]],
]);

/** @returns the action that permits the call of the API, if that has another name. */
export function actionOfCall(text: string): string | undefined {
  return actionByCall.get(text.toLowerCase());
}

/** @returns the actions that permit the call of the API together; empty where it is not known to need several. */
export function actionsOfCall(text: string): readonly string[] {
  return actionsByCall.get(text.toLowerCase()) ?? [];
}

const mostSuggestions = 3;

/** The actions that an action of an unknown service may mean, nearest first. */
interface Meant {
  readonly near: readonly string[];
  /** The first one is certain, although its letters differ. */
  readonly isCertain: boolean;
}

/**
 * Offers only actions that exist, except of services that are not loaded.
 * @param service The unknown prefix, in lower case. @param exists Whether an action or pattern matches.
 */
export function meantService(
  text: string,
  service: string,
  { services, policy }: CheckContext,
  exists: (text: string) => boolean,
): Meant {
  const name = text.slice(text.indexOf(":") + 1);
  const known = prefixByOtherName.get(service);
  if (known !== undefined) {
    if (exists(`${known}:${name}`)) return { near: [`${known}:${name}`], isCertain: true };
    const found = services.get(known);
    const near = found ? withinBudget(policy, () => suggestActions(found, name)) : [];
    return { near, isCertain: false };
  }
  // A short prefix is near to many, of which only few have the action.
  const similar = withinBudget(policy, () => similarServices(services, service));
  const here = similar
    .filter((prefix) => !services.get(prefix) || exists(`${prefix}:${name}`))
    .map((prefix) => `${prefix}:${name}`)
    .slice(0, mostSuggestions);
  if (here.length > 0) return { near: here, isCertain: false };
  const both = similar.slice(0, mostSuggestions).flatMap((prefix) => {
    const found = services.get(prefix);
    return found ? withinBudget(policy, () => suggestActions(found, name)).slice(0, 1) : [];
  });
  return { near: both, isCertain: false };
}
