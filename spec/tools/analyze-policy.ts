import { z } from "zod";
import { defineToolContract } from "../contract.ts";
import { policyTypeWords } from "../policy.ts";

/** AWS partitions that have Access Analyzer, each with the region used if the caller gives none. */
export const partitionDefaults = {
  aws: "us-east-1",
  "aws-cn": "cn-north-1",
  "aws-us-gov": "us-gov-west-1",
  "aws-eusc": "eusc-de-east-1",
  "aws-iso": "us-iso-east-1",
  "aws-iso-b": "us-isob-east-1",
  "aws-iso-e": "eu-isoe-west-1",
  "aws-iso-f": "us-isof-south-1",
} as const satisfies Record<string, string>;

export const AnalyzerFinding = z.strictObject({
  finding_type: z.enum(["ERROR", "SECURITY_WARNING", "SUGGESTION", "WARNING"]),
  issue_code: z.string(),
  message: z.string(),
  learn_more_link: z.string(),
  locations: z
    .array(z.looseObject({}))
    .optional()
    .describe("Paths and spans as AWS returned them; absent if dropped to fit the size limit."),
});
export type AnalyzerFinding = z.infer<typeof AnalyzerFinding>;

/** Resource types that ValidatePolicy takes for a resource policy. */
export const AnalyzerResourceType = z.enum([
  "AWS::S3::Bucket",
  "AWS::S3::AccessPoint",
  "AWS::S3::MultiRegionAccessPoint",
  "AWS::S3ObjectLambda::AccessPoint",
  "AWS::DynamoDB::Table",
  "AWS::IAM::AssumeRolePolicyDocument",
]);
export type AnalyzerResourceType = z.infer<typeof AnalyzerResourceType>;

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const analyzePolicy = defineToolContract({
  name: "analyze_policy",
  title: "Ask AWS IAM Access Analyzer",
  tag: "analyze",
  openWorld: true,
  description:
    "Validate one policy by AWS's own policy checks (ValidatePolicy of IAM Access Analyzer). Engine aws asks AWS, " +
    "with the server's AWS credentials, and is rate-limited; engine local computes the same findings here.",
  input: z.strictObject({
    policy: z
      .union([z.looseObject({}), z.string()], {
        error: "expected a policy document or its text",
      })
      .describe("The policy document, or its JSON or YAML text."),
    policy_type: z
      .string()
      .default("IDENTITY_POLICY")
      .describe(`One of ${policyTypeWords.join(", ")}; any letter case.`),
    engine: z
      .enum(["aws", "local"])
      .default("aws")
      .describe("aws: send the policy to AWS. local: compute the same findings here, offline."),
    resource_type: AnalyzerResourceType.nullish().describe(
      "With policy_type RESOURCE_POLICY: the type of the resource, for checks that depend on it.",
    ),
    // No default here: a region given by the caller determines the partition.
    partition: z
      .string()
      .optional()
      .describe("AWS partition to call.")
      .meta({ enum: Object.keys(partitionDefaults), default: "aws" }),
    region: z.string().nullish().describe("Region to call; must be allowed on this server."),
    timeout_seconds: z.number().positive().default(30).describe("Seconds to wait for AWS."),
  }),
  output: z.strictObject({
    findings: z.array(AnalyzerFinding),
    finding_count: count.describe("Length of findings."),
    truncated: z
      .literal(true)
      .optional()
      .describe("Present if findings were dropped to fit the size limit."),
    truncated_count: count.optional().describe("Number of findings dropped from the end."),
  }),
  errors: [
    "invalid_arguments",
    "unsupported_partition",
    "unknown_policy_type",
    "invalid_policy_entry",
    "policy_too_large",
    "request_too_large",
    "region_not_allowed",
    "rate_limited",
    "no_credentials",
    "cloud_api_error",
    "cloud_network_error",
    "cloud_timeout",
    "request_timeout",
    "overloaded",
  ],
});
