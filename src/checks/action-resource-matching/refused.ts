import type { CheckContext } from "../../engine/check.ts";
import { splitArn } from "../../policy/arn.ts";
import type { Statement } from "../../policy/model.ts";
import { formatsOfType } from "../../services/arn-overlap.ts";
import type { CountingAction } from "../shared/counting-actions.ts";

/** Services that refuse the policy of a resource with an action of another service. */
const refusesOthers: Readonly<Record<string, string>> = {
  // `MalformedPolicy: Policy has invalid action`
  s3: "S3",
  // `Policy statement action out of service scope!`, https://github.com/hashicorp/terraform/issues/12740
  sns: "SNS",
  sqs: "SQS",
};

type Asked = Pick<CountingAction, "service" | "actions">;

/** @returns the service that refuses the policy because of an action of another service; null where that is not certain. */
export function refusesForeign(
  { service, actions }: Asked,
  { resources }: Statement,
  context: Pick<CheckContext, "policy">,
): string | null {
  if (!isOfResource(context)) return null;
  const [owner = "", second] = new Set(resources.map(({ text }) => splitArn(text)?.service ?? ""));
  if (second !== undefined || !Object.hasOwn(refusesOthers, owner)) return null;
  if (service.prefix === owner) return null;
  const types = actions.flatMap(({ resourceTypes }) => resourceTypes);
  const formats = types.flatMap((type) => formatsOfType(service, type));
  return formats.length === 0 || formats.some((one) => one.service === owner)
    ? null
    : (refusesOthers[owner] ?? null);
}

/**
 * Whether the policy is that of a bucket, and S3 refuses it with an action that no resource of its statement fits: `Action does
 * not apply to any resource(s) in statement`, https://github.com/ministryofjustice/modernisation-platform/pull/10762
 */
export function bucketRefuses(
  { service, actions }: Asked,
  { resources }: Statement,
  context: Pick<CheckContext, "policy">,
): boolean {
  return (
    isOfResource(context) &&
    service.prefix === "s3" &&
    actions.some(({ resourceTypes }) => resourceTypes.length > 0) &&
    resources.length > 0 &&
    resources.every(({ text }) => /^arn:[^:]*:s3:::./.test(text))
  );
}

/** Endpoint policies look the same where the type is not declared, and may name any action. */
function isOfResource({ policy: { type, typeSource } }: Pick<CheckContext, "policy">): boolean {
  return type === "RESOURCE_POLICY" && typeSource !== "auto-detect";
}
