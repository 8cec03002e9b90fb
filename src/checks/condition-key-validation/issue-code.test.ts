import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { conditionKeyValidation } from "../condition-key-validation.ts";

const on = (Action: unknown, key: string, operator = "StringEquals", Effect = "Allow") => ({
  Effect,
  Action,
  Resource: "*",
  Condition: { [operator]: { [key]: "x" } },
});
const allowTag = "ALLOW_WITH_UNSUPPORTED_TAG_CONDITION_KEY_FOR_SERVICE";
const denyTag = "DENY_WITH_UNSUPPORTED_TAG_CONDITION_KEY_FOR_SERVICE";
const types = {
  identity: "IDENTITY_POLICY",
  scp: "SERVICE_CONTROL_POLICY",
  resource: "RESOURCE_POLICY",
} as const;
/** Lists of identities have no tags. */
const untagged = "sts:GetCallerIdentity";
const resourceTag = "aws:ResourceTag/team";

checkCases(
  conditionKeyValidation,
  [
    ...(
      [
        ["identity", on(untagged, resourceTag), allowTag],
        ["identity", on(untagged, resourceTag, "StringLike"), allowTag],
        ["identity", on(untagged, resourceTag, "StringLike", "Deny"), denyTag],
        ["scp", on(untagged, resourceTag, "StringEquals", "Deny"), denyTag],
        ["scp", on(untagged, resourceTag), null],
        ["identity", on(untagged, resourceTag, "StringEqualsIgnoreCase"), null],
        ["identity", on(untagged, "aws:RequestTag/team"), null],
        ["identity", on("s3:GetObject", "aws:ResourceTag/"), "MISSING_TAG_KEY_IN_CONDITION"],
        ["identity", on("s3:GetObject", "saml:aud"), null],
        ["identity", on("s3:GetObject", "id.example.com/a:email"), null],
        ["identity", on("s3:GetObject", "sts:ExternalId"), "UNSUPPORTED_ACTION_FOR_CONDITION_KEY"],
        ["identity", on("s3:GetObject", "ec2:InstanceType"), null],
        ["identity", on("s3:GetObject", "s3:ExistingObjectTag"), "MISSING_TAG_KEY_IN_CONDITION"],
        ["identity", on("s3:GetObject", "s3:nosuch"), "INVALID_SERVICE_CONDITION_KEY"],
        ["identity", on("s3:GetObject", "nosuch:key"), "INVALID_SERVICE"],
        ["identity", on("s3:GetObject", "aws:nosuch"), "INVALID_GLOBAL_CONDITION_KEY"],
        ["identity", on("s3:GetObject", "aws:arn"), "UNSUPPORTED_GLOBAL_CONDITION_KEY"],
        ["identity", on("s3:GetObject", "nosuch"), "INVALID_CONDITION_KEY_FORMAT"],
      ] as const
    ).map(([type, statement, aws_issue_code]) => ({
      name: `the code of AWS for ${JSON.stringify(statement.Condition)} beside ${statement.Effect} of ${statement.Action} in a ${type} policy is ${aws_issue_code}`,
      type: types[type],
      statement,
      findings: [{ issue_type: "invalid_condition_key", aws_issue_code }],
    })),
  ],
  embeddedServices(),
);
