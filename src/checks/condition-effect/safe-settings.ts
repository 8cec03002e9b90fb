import type { Statement } from "../../policy/model.ts";
import { correctedEntry, operatorLike } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import { switchValue } from "../shared/switch-value.ts";
import { andWithoutKey, type Effect, isReadable, type ReadableEntry } from "./effect.ts";

interface SafeSetting {
  /** Operators under which a Deny stops the safe requests. */
  readonly operators: RegExp;
  /** Every value is one of these. */
  readonly values?: readonly string[];
  /** The other values; a Deny of all but these stops the safe requests too. */
  readonly others?: readonly string[];
  /** Every action that the statement denies is one of these; lower case. */
  readonly actions?: RegExp;
  /** Nothing else is tested, apart from callers that are exempt. */
  readonly alone?: true;
  readonly safe: string;
  /** The same for a Deny of all but the others. */
  readonly safeAmongOthers?: string;
  readonly wanted: (name: string) => string;
}

const lower = (name: string) => name.replace("Greater", "Less");
const negated = (name: string) => name.replace(/Equals|Like/, "Not$&");

const createsPrincipals = /^iam:create(?:user|role)$/;

/** Keys whose safe value a Deny must not stop. */
const safeSettings: Readonly<Record<string, SafeSetting>> = {
  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ExamplePolicies_EC2.html#iam-example-instance-metadata
  "ec2:metadatahttptokens": {
    operators: /^String(?:Equals|Like)/,
    values: ["required"],
    others: ["optional"],
    safe: "ask for version 2 of the instance metadata service",
    wanted: negated,
  },
  "ec2:roledelivery": {
    operators: /^NumericGreaterThan/,
    safe: "use credentials from version 2 of the instance metadata service",
    wanted: lower,
  },
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/amazon-s3-policy-keys.html#example-object-tls-version
  "s3:tlsversion": {
    operators: /^NumericGreaterThan/,
    safe: "use the newer versions of TLS",
    wanted: lower,
  },
  // https://docs.aws.amazon.com/AmazonS3/latest/API/bucket-policy-s3-sigv4-conditions.html
  "s3:signatureage": {
    operators: /^NumericLessThan/,
    safe: "were signed a short time ago",
    wanted: (name) => name.replace("Less", "Greater"),
  },
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_mfa_configure-api-require.html
  "aws:multifactorauthage": {
    operators: /^NumericLessThan/,
    safe: "were made soon after a sign-in with MFA",
    wanted: (name) => name.replace("Less", "Greater"),
  },
  // https://docs.aws.amazon.com/amazonglacier/latest/dev/vault-lock-policy.html
  "glacier:archiveageindays": {
    operators: /^NumericGreaterThan/,
    actions: /^glacier:deletearchive$/,
    safe: "delete archives of that age",
    wanted: lower,
  },
  // https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-schedule-key-deletion-pending-window-in-days
  "kms:schedulekeydeletionpendingwindowindays": {
    operators: /^NumericGreaterThan/,
    actions: /^kms:schedulekeydeletion$/,
    safe: "leave more time before the key is deleted",
    wanted: lower,
  },
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html#require-sse-kms
  "s3:x-amz-server-side-encryption": {
    operators: /^String(?:Equals|Like)/,
    values: ["aws:kms", "aws:kms:dsse"],
    alone: true,
    safe: "ask for encryption with a KMS key",
    wanted: negated,
  },
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/ensure-object-ownership.html
  "s3:x-amz-acl": {
    operators: /^String(?:Equals|Like)/,
    values: ["bucket-owner-full-control"],
    others: ["public-read", "public-read-write", "authenticated-read"],
    alone: true,
    safe: "give the owner of the bucket full control of the object",
    safeAmongOthers: "ask for no ACL, or for one that is not public,",
    wanted: negated,
  },
  // https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html
  "lambda:functionurlauthtype": {
    operators: /^String(?:Equals|Like)/,
    values: ["AWS_IAM"],
    others: ["NONE"],
    safe: "ask for function URLs with IAM authentication",
    wanted: negated,
  },
  // https://docs.aws.amazon.com/sagemaker/latest/dg/security_iam_id-based-policy-examples.html
  "sagemaker:rootaccess": {
    operators: /^String(?:Equals|Like)/,
    values: ["Disabled"],
    others: ["Enabled"],
    safe: "ask for notebooks without root access",
    wanted: negated,
  },
  "sagemaker:directinternetaccess": {
    operators: /^String(?:Equals|Like)/,
    values: ["Disabled"],
    others: ["Enabled"],
    safe: "ask for notebooks without direct internet access",
    wanted: negated,
  },
  // Of actions on a user or role that exists, the key is the boundary that it has: such a Deny protects it.
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html#access_policies_boundaries-delegate
  "iam:permissionsboundary": {
    operators: /^(?:String|Arn)(?:Equals|Like)/,
    actions: createsPrincipals,
    alone: true,
    safe: "create users and roles with that boundary",
    wanted: negated,
  },
};

/** A Deny of the safe value of a setting. */
export function stopsTheSafe(entry: ReadableEntry, statement: Statement): Effect | null {
  const { operator, keyLower, key, operatorText, values } = entry;
  const setting = Object.hasOwn(safeSettings, keyLower) ? safeSettings[keyLower] : undefined;
  if (!setting) return null;
  // `StringNotEquals` with the unsafe value says the same as `StringEquals` with the safe one.
  const excludes = operator.base.negated && setting.others !== undefined;
  const base = operator.base.name;
  if (!setting.operators.test(excludes ? base.replace("Not", "") : base)) return null;
  const wrong = excludes ? setting.others : setting.values;
  if (wrong && !values.every(({ text }) => wrong.includes(text))) return null;
  if (setting.alone && !isAlone(entry, statement)) return null;
  if (setting.actions && !allActions(statement, setting.actions)) return null;
  if (statement.conditions.filter((one) => one.keyLower === keyLower).length > 1) return null;
  const amongOthers = excludes ? setting.safeAmongOthers : undefined;
  const stopped = amongOthers ?? `${setting.safe}${andWithoutKey(entry)}`;
  const wanted = operatorLike(entry, excludes ? base.replace("Not", "") : setting.wanted(base));
  return {
    kind: "inverted",
    entry,
    reason: `${quote(operatorText)} on ${quote(key)} makes this Deny stop the requests that ${stopped} and not the others.`,
    suggestion: `Write ${quote(wanted)}.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted }), {
      title: "Deny the other requests",
      effect: "changes",
    }),
  };
}

function allActions({ actions }: Statement, pattern: RegExp): boolean {
  return actions.length > 0 && actions.every(({ text }) => pattern.test(text.toLowerCase()));
}

/** Callers that a Deny exempts are no second test of the request. */
const ofCaller = /^aws:(?:principal(?:arn|account|tag\/.+|isawsservice)|viaawsservice)$/;

export function isAlone(entry: ReadableEntry, { conditions }: Statement): boolean {
  return conditions.every(
    (one) =>
      one === entry ||
      (isReadable(one) &&
        ofCaller.test(one.keyLower) &&
        (one.operator.base.negated || one.operator.base.name === "Bool")),
  );
}

/** Keys that only the safe requests carry. */
const safeWhenPresent: Readonly<Record<string, string>> = {
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/amazon-s3-policy-keys.html
  "s3:x-amz-server-side-encryption": "ask for encryption",
  "s3:x-amz-server-side-encryption-aws-kms-key-id": "ask for encryption with a KMS key",
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_mfa_configure-api-require.html
  "aws:multifactorauthage": "were made with MFA",
  // https://docs.aws.amazon.com/lambda/latest/dg/governance-sample-policies.html
  "lambda:vpcids": "ask for a function in a VPC",
  "lambda:subnetids": "ask for a function in a VPC",
  "lambda:securitygroupids": "ask for a function in a VPC",
  // https://docs.aws.amazon.com/sagemaker/latest/dg/security_iam_id-based-policy-examples.html
  "sagemaker:vpcsubnets": "ask for a VPC",
  "sagemaker:vpcsecuritygroupids": "ask for a VPC",
  "sagemaker:volumekmskey": "ask for an encrypted volume",
  "sagemaker:outputkmskey": "ask for encrypted output",
};

/**
 * Networks of the account, unless another test says which of them are stopped.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
 */
const viaEndpoint: ReadonlySet<string> = new Set(["aws:sourcevpc", "aws:sourcevpce"]);

function safeWhenTested(keyLower: string, statement: Statement): string | undefined {
  const { conditions } = statement;
  if (viaEndpoint.has(keyLower) && conditions.length === 1) return "come through a VPC endpoint";
  // Of actions on a user or role that exists, such a Deny protects the boundary that it has.
  if (keyLower === "iam:permissionsboundary" && allActions(statement, createsPrincipals)) {
    return "create users and roles with a boundary";
  }
  return Object.hasOwn(safeWhenPresent, keyLower) ? safeWhenPresent[keyLower] : undefined;
}

/** A Deny of the requests that carry such a key; with a second test of the key it may be about its values. */
export function stopsThePresent(entry: ReadableEntry, statement: Statement): Effect | null {
  const { operator, keyLower, key, values } = entry;
  const safe = safeWhenTested(keyLower, statement);
  if (safe === undefined || operator.base.name !== "Null") return null;
  if (switchValue(values) !== false) return null;
  if (statement.conditions.some((one) => one !== entry && one.keyLower === keyLower)) return null;
  return {
    kind: "inverted",
    entry,
    ...(values[0] ? { node: values[0].node } : {}),
    reason: `\`Null\` on ${quote(key)} is \`false\`, so this Deny stops the requests that ${safe} and not the others.`,
    suggestion: `Write \`"Null": {${JSON.stringify(key)}: "true"}\`.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { value: "true" }), {
      title: "Deny the requests without the key",
      effect: "changes",
    }),
  };
}
