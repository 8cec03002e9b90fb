import { checkCases } from "../../../test/support/check-cases.ts";
import { resourceValidation } from "../resource-validation.ts";

const ssm = "arn:aws:ssm:eu-west-1";
const secret = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:app/db";
const of = (Resource: string) => ({ Effect: "Allow", Action: "*", Resource });

/** An ARN that no resource has, the reason, the advice, and the ARN that is meant. */
const impossible: readonly (readonly [string, string, string, string | null])[] = [
  [
    "arn:aws:s3:::/reports/*",
    "the name of a bucket cannot begin with a slash",
    "Write the name of the bucket right after the colons.",
    "arn:aws:s3:::reports/*",
  ],
  [
    "arn:aws:s3:::///reports",
    "the name of a bucket cannot begin with a slash",
    "Write the name of the bucket right after the colons.",
    "arn:aws:s3:::reports",
  ],
  [
    "arn:aws:s3:::/*/reports",
    "the name of a bucket cannot begin with a slash",
    "Write the name of the bucket right after the colons.",
    null,
  ],
  [
    "arn:aws:s3:::reports.s3.eu-west-1.amazonaws.com/2026/*",
    "`reports.s3.eu-west-1.amazonaws.com` is the address of a bucket, and an ARN has its name",
    "Write the name of the bucket alone.",
    "arn:aws:s3:::reports/2026/*",
  ],
  [
    `${ssm}:111122223333:parameter//app//db`,
    "an ARN has the name of a parameter without its leading slash",
    "Write one slash after `parameter`.",
    `${ssm}:111122223333:parameter/app//db`,
  ],
  [
    `${ssm}:111122223333:parameter///app`,
    "an ARN has the name of a parameter without its leading slash",
    "Write one slash after `parameter`.",
    `${ssm}:111122223333:parameter/app`,
  ],
  [
    `${ssm}:111122223333:document/AWS-RunShellScript`,
    "the documents of AWS have no account in their ARN",
    "Leave the account empty.",
    `${ssm}::document/AWS-RunShellScript`,
  ],
  [
    "arn:aws:codecommit:eu-west-1:111122223333:repository/shop/api",
    "the name of the repository follows the fifth colon directly",
    "Write the name of the repository alone after the fifth colon.",
    "arn:aws:codecommit:eu-west-1:111122223333:shop/api",
  ],
  [
    secret,
    "the ARN of a secret ends with a hyphen and six random characters",
    "Copy the whole ARN, or match the six characters with `-??????`.",
    `${secret}-??????`,
  ],
];

const possible = [
  "arn:aws:s3:::reports/reports.s3.amazonaws.com/a",
  "arn:aws:s3:eu-west-1:111122223333:accesspoint/a",
  `${ssm}:111122223333:parameter/app//db`,
  `${ssm}:111122223333:document/deploy/AWS-RunShellScript`,
  `${ssm}:111122223333:document/AWSome`,
  `${ssm}::document/AWS-RunShellScript`,
  `${ssm}:*:document/AWS-RunShellScript`,
  "arn:aws:codecommit:eu-west-1:111122223333:my-repository",
  `${secret}-a1B2c3`,
  `${secret}-*`,
];

checkCases(resourceValidation, [
  ...impossible.map(([resource, because, suggestion, meant]) => ({
    name: `says what is wrong with ${resource}`,
    statement: of(resource),
    findings: [
      {
        message: new RegExp(
          `^No [a-z]+ matches \`[^\`]+\`: ${because.replace(/[.*]/g, "\\$&")}\\.$`,
        ),
        suggestion,
        example: meant === null ? null : JSON.stringify(meant),
      },
    ],
  })),
  {
    name: "accepts the forms that resources have",
    statement: possible.map(of),
    findings: [],
  },
]);
