import type { Action } from "../../services/model.ts";

/**
 * Metrics in CloudWatch's own format belong to no resource: they are limited with `cloudwatch:namespace`, on `*`. The
 * type `dataset` that the reference lists is for metrics in the format of OpenTelemetry.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/iam-cw-condition-keys-namespace.html
 */
const putMetrics = "cloudwatch:PutMetricData";

/** @returns whether a statement that grants the action has to name `*`. */
export function needsStar({ qualified, resourceTypes }: Action): boolean {
  return resourceTypes.length === 0 || qualified === putMetrics;
}
