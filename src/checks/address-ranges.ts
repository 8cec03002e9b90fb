import { z } from "zod";
import { defineCheck } from "../engine/check.ts";

export const addressRanges = defineCheck({
  check_id: "address_ranges",
  default_severity: "info",
  description: "Address ranges that are written misleadingly or partly without effect.",
  docstring: `Reports ranges under \`IpAddress\` and \`NotIpAddress\` that are not written as a network, such as \`203.0.113.7/24\`, and private ranges beside public ones in \`aws:SourceIp\`, which holds public addresses only.`,
  risk_explanation: "A range that is wider than it looks lets more callers in.",
  risk_category: "configuration",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-reference-policy-checks.html",
  remediation_steps: [
    "Write the first address of the network.",
    "Remove private ranges from aws:SourceIp, or test aws:VpcSourceIp.",
  ],
  options: z.strictObject({}),
  issue_types: {
    host_bits_set: { severity: "check", when: "A range has bits set behind its mask." },
    private_range: { severity: "check", when: "A private range stands beside public ones." },
  },
  // The engine reports what AWS's own policy check finds; see src/access-analyzer/rules.
  aws_codes: {
    IMPROVE_IP_RANGE: { issue_type: "host_bits_set" },
    PRIVATE_IP_ADDRESS_SUBSET: { issue_type: "private_range" },
    PRIVATE_NOT_IP_ADDRESS_SUBSET: { issue_type: "private_range" },
  },
  examples: {
    bad: [
      {
        title: "The range is the whole network, not one address.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "s3:GetObject",
              Resource: "arn:aws:s3:::reports/*",
              Condition: { IpAddress: { "aws:SourceIp": "203.0.113.7/24" } },
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "A network, written by its first address.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: "s3:GetObject",
              Resource: "arn:aws:s3:::reports/*",
              Condition: { IpAddress: { "aws:SourceIp": "203.0.113.0/24" } },
            },
          ],
        },
      },
    ],
  },
});
