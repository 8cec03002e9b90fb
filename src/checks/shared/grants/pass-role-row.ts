/**
 * Which services assume a role that the caller passes, and by which actions (V3, 5.13). Read from
 * 2026-11-22 to 2026-11-27; `reference` rows are dependent actions or API operations of the Service
 * Authorization Reference, `observed` ones rest on public denials, CloudFormation properties or AWS
 * managed policies.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_use_passrole.html
 */
export interface PassRoleRow {
  /** Service principals, one of which assumes the role. */
  readonly services: readonly string[];
  /** `service:Name` in AWS's spelling. */
  readonly actions: readonly string[];
  readonly page: string;
  readonly rests: "verified" | "reference" | "observed";
}

export const reference = "https://docs.aws.amazon.com/service-authorization/latest/reference";
export const templates = "https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference";
