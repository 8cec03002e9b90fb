import type { ResourceType } from "../access-analyzer/types.ts";

/**
 * Resource types of templates whose policies Access Analyzer checks by the type of the resource.
 * https://docs.aws.amazon.com/access-analyzer/latest/APIReference/API_ValidatePolicy.html (validatePolicyResourceType)
 */
const types: Readonly<Record<string, ResourceType>> = {
  "AWS::S3::BucketPolicy": "AWS::S3::Bucket",
  aws_s3_bucket: "AWS::S3::Bucket",
  aws_s3_bucket_policy: "AWS::S3::Bucket",
  "AWS::S3::AccessPoint": "AWS::S3::AccessPoint",
  aws_s3_access_point: "AWS::S3::AccessPoint",
  aws_s3control_access_point_policy: "AWS::S3::AccessPoint",
  "AWS::S3::MultiRegionAccessPointPolicy": "AWS::S3::MultiRegionAccessPoint",
  aws_s3control_multi_region_access_point_policy: "AWS::S3::MultiRegionAccessPoint",
  "AWS::S3ObjectLambda::AccessPointPolicy": "AWS::S3ObjectLambda::AccessPoint",
  aws_s3control_object_lambda_access_point_policy: "AWS::S3ObjectLambda::AccessPoint",
  "AWS::DynamoDB::Table": "AWS::DynamoDB::Table",
  "AWS::DynamoDB::GlobalTable": "AWS::DynamoDB::Table",
  aws_dynamodb_resource_policy: "AWS::DynamoDB::Table",
};

/** @param resourceType Of the resource in a template, as in `AWS::S3::BucketPolicy`; null: not known. */
export function analyzedTypeOf(resourceType: string | null): ResourceType | null {
  if (resourceType === null || !Object.hasOwn(types, resourceType)) return null;
  return types[resourceType] ?? null;
}
