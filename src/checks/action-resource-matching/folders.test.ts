import { checkCases } from "../../../test/support/check-cases.ts";
import { actionResourceMatching } from "../action-resource-matching.ts";

const on = (Action: string | string[], Resource: string | string[], Effect = "Allow") => ({
  Effect,
  Action,
  Resource,
});

checkCases(actionResourceMatching, [
  ...["arn:aws:s3:::reports/", "arn:aws:s3:::reports/2026/"].map((arn) => ({
    name: `contents of objects on ${arn}`,
    statement: on("s3:GetObject", arn),
    findings: [
      {
        issue_type: "resource_mismatch",
        severity: "high" as const,
        resource: arn,
        message: /ends with a slash, so `s3:GetObject` reaches no object below it\.$/,
        suggestion: `Write \`${arn}*\`.`,
        example: `"${arn}*"`,
      },
    ],
  })),
  ...[
    ["arn:aws:s3:::reports/2026/*"],
    ["arn:aws:s3:::reports/2026/", "arn:aws:s3:::reports/2026/*"],
    ["arn:aws:s3:::reports", "arn:aws:s3:::reports/", "arn:aws:s3:::reports/*"],
    ["arn:aws:s3:::reports/2026/", "arn:aws:s3:::repor*"],
    ["arn:aws:s3:::reports/2026/summary.pdf"],
    [`arn:aws:s3:::reports/\${aws:username}/`],
    ["arn:aws:s3:::reports/*/"],
  ].map((arns) => ({
    name: `accepts ${arns.join(" and ")}`,
    statement: on("s3:GetObject", arns),
    findings: [],
  })),
]);
