import { memo } from "../../memo.ts";
import { nearestName } from "../../nearest.ts";
import { quoteList } from "../shared/quote.ts";
import { kmsLists } from "./kms-values.ts";
import { serviceLists } from "./service-values.ts";
import type { ValueForm } from "./value-form.ts";
import type { ValueList } from "./value-list.ts";

const s3 = "https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html";
const ec2 =
  "https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonec2.html";
const route53 =
  "https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/specifying-rrset-conditions.html";
const dynamodb =
  "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html";

const lists: readonly ValueList[] = [
  {
    key: "s3:x-amz-acl",
    values: [
      "private",
      "public-read",
      "public-read-write",
      "authenticated-read",
      "aws-exec-read",
      "bucket-owner-read",
      "bucket-owner-full-control",
      "log-delivery-write",
    ],
    grows: false,
    page: "https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#canned-acl",
  },
  {
    key: "s3:x-amz-server-side-encryption",
    values: ["AES256", "aws:kms", "aws:kms:dsse", "aws:fsx"],
    grows: true,
    names: {
      kms: "aws:kms",
      awskms: "aws:kms",
      ssekms: "aws:kms",
      dsse: "aws:kms:dsse",
      ssekmsdsse: "aws:kms:dsse",
      dssekms: "aws:kms:dsse",
      sses3: "AES256",
      aes: "AES256",
      sse: "AES256",
    },
    written: /^(?:AES256$|aws:)/,
    page: "https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html",
  },
  {
    key: "s3:x-amz-storage-class",
    values: [
      "STANDARD",
      "REDUCED_REDUNDANCY",
      "STANDARD_IA",
      "ONEZONE_IA",
      "INTELLIGENT_TIERING",
      "GLACIER",
      "GLACIER_IR",
      "DEEP_ARCHIVE",
      "OUTPOSTS",
      "SNOW",
      "EXPRESS_ONEZONE",
      "FSX_OPENZFS",
      "FSX_ONTAP",
    ],
    grows: true,
    // The words of the console.
    names: {
      glacierinstant: "GLACIER_IR",
      glacierinstantretrieval: "GLACIER_IR",
      glacierflexible: "GLACIER",
      glacierflexibleretrieval: "GLACIER",
      glacierdeeparchive: "DEEP_ARCHIVE",
      standardinfrequentaccess: "STANDARD_IA",
      onezoneinfrequentaccess: "ONEZONE_IA",
      onezone: "ONEZONE_IA",
      intelligent: "INTELLIGENT_TIERING",
    },
    written: /^[A-Z][A-Z0-9_]*$/,
    page: "https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html",
  },
  { key: "s3:object-lock-mode", values: ["GOVERNANCE", "COMPLIANCE"], grows: false, page: s3 },
  { key: "s3:x-amz-metadata-directive", values: ["COPY", "REPLACE"], grows: false, page: s3 },
  {
    key: "s3:authtype",
    values: ["REST-HEADER", "REST-QUERY-STRING", "POST"],
    grows: false,
    page: "https://docs.aws.amazon.com/AmazonS3/latest/API/bucket-policy-s3-sigv4-conditions.html",
  },
  {
    key: "s3:signatureversion",
    values: ["AWS", "AWS4-HMAC-SHA256", "AWS4-ECDSA-P256-SHA256"],
    grows: true,
    written: /^AWS/,
    page: "https://docs.aws.amazon.com/AmazonS3/latest/API/bucket-policy-s3-sigv4-conditions.html",
  },
  {
    key: "s3express:sessionmode",
    values: ["ReadOnly", "ReadWrite"],
    grows: false,
    page: "https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-express-security-iam-example-bucket-policies.html",
  },
  { key: "ec2:metadatahttptokens", values: ["optional", "required"], grows: false, page: ec2 },
  { key: "ec2:metadatahttpendpoint", values: ["enabled", "disabled"], grows: false, page: ec2 },
  { key: "ec2:tenancy", values: ["default", "dedicated", "host"], grows: false, page: ec2 },
  {
    key: "ec2:volumetype",
    values: ["gp2", "gp3", "io1", "io2", "st1", "sc1", "standard"],
    grows: true,
    page: ec2,
  },
  {
    key: "route53:changeresourcerecordsetsactions",
    values: ["CREATE", "UPSERT", "DELETE"],
    grows: false,
    page: route53,
  },
  {
    key: "route53:changeresourcerecordsetsrecordtypes",
    values: [
      "A",
      "AAAA",
      "CAA",
      "CNAME",
      "DS",
      "HTTPS",
      "MX",
      "NAPTR",
      "NS",
      "PTR",
      "SOA",
      "SPF",
      "SRV",
      "SSHFP",
      "SVCB",
      "TLSA",
      "TXT",
    ],
    grows: true,
    page: route53,
  },
  ...kmsLists,
  ...serviceLists,
  {
    key: "dynamodb:select",
    values: ["ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "COUNT"],
    grows: false,
    page: dynamodb,
  },
  {
    key: "dynamodb:returnvalues",
    values: ["NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"],
    grows: false,
    page: dynamodb,
  },
  {
    key: "sns:protocol",
    values: [
      "http",
      "https",
      "email",
      "email-json",
      "sms",
      "sqs",
      "application",
      "lambda",
      "firehose",
    ],
    grows: true,
    written: /^[a-z-]+$/,
    page: "https://docs.aws.amazon.com/sns/latest/api/API_Subscribe.html",
  },
  {
    key: "elasticloadbalancing:scheme",
    values: ["internet-facing", "internal"],
    grows: false,
    page: "https://docs.aws.amazon.com/elasticloadbalancing/latest/userguide/security_iam_service-with-iam.html",
  },
  {
    key: "lambda:functionurlauthtype",
    values: ["AWS_IAM", "NONE"],
    grows: false,
    page: "https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html",
  },
];

/** Providers of the user are listed beside them, so others exist. */
const methods: ValueList = {
  key: "cognito-identity.amazonaws.com:amr",
  values: ["authenticated", "unauthenticated"],
  grows: true,
  page: "https://docs.aws.amazon.com/cognito/latest/developerguide/role-trust-and-permissions.html",
};

const byKey = new Map([...lists, methods].map((list) => [list.key, list]));

/** @returns The listed value that a text is likely to mean; null where none is near. */
export function listedValue(keyLower: string, text: string): string | null {
  const list = byKey.get(keyLower);
  if (!list || list.values.includes(text)) return null;
  const name = text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const named = list.names && Object.hasOwn(list.names, name) ? list.names[name] : undefined;
  return named ?? nearestName(text, list.values) ?? null;
}

/**
 * @param texts The values of the condition, without wildcards.
 * @returns The form of a key whose values are listed; undefined where none of these texts is surely wrong.
 */
export function listForm(keyLower: string, texts: readonly string[]): ValueForm | undefined {
  const list = byKey.get(keyLower);
  if (!list) return undefined;
  const { grows, written } = list;
  const isWrong = (text: string) =>
    (written !== undefined && !written.test(text)) || listedValue(keyLower, text) !== null;
  if (grows && !texts.every(isWrong)) return undefined;
  return formOf(list);
}

const formOf = memo(({ key, values, page }: ValueList): ValueForm => {
  const escaped = values.map((value) => value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return {
    keys: [key],
    words: quoteList(values, values.length),
    value: new RegExp(`^(?:${escaped.join("|")})$`),
    prefixes: values,
    hasCapitals: true,
    code: null,
    page,
  };
});
