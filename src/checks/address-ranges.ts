import ipaddr from "ipaddr.js";
import { z } from "zod";
import { type CodePlace, defineCheck } from "../engine/check.ts";
import { removeEntries, replaceValue } from "../fixes/edits.ts";
import type { FixProposal } from "../fixes/proposal.ts";
import { pointerOf } from "../json/node.ts";
import { memo } from "../memo.ts";
import type { Statement } from "../policy/model.ts";

/** Values of conditions by their JSON Pointers: a list of thousands of ranges may need a fix for each. */
const valuesByPointer = memo(
  ({ conditions }: Statement) =>
    new Map(
      conditions.flatMap(({ values }) => values.map((value) => [pointerOf(value.node), value])),
    ),
);

function asNetwork({ issue, statement }: CodePlace): FixProposal | null {
  const [node] = issue.nodes;
  const value = node && statement && valuesByPointer(statement).get(pointerOf(node));
  if (!value) return null;
  const [address = "", bits = ""] = value.text.split("/");
  const { IPv4, IPv6 } = ipaddr;
  const network = IPv4.isValid(address)
    ? IPv4.networkAddressFromCIDR(value.text)
    : IPv6.networkAddressFromCIDR(value.text);
  return {
    title: "Write the first address of the network",
    effect: "equivalent",
    edits: [replaceValue(node, `${network.toString()}/${bits}`)],
    argument: "The bits after the mask do not count.",
  };
}

function withoutPrivate({ issue }: CodePlace): FixProposal | null {
  return {
    title: "Remove the private ranges, which the key never has",
    effect: "changes",
    edits: removeEntries(issue.nodes.map((node) => ({ node }))),
  };
}

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
    private_range: { severity: "check", when: "A private range is listed beside public ones." },
  },
  // The engine reports what AWS's own policy check finds; see src/access-analyzer/rules.
  aws_codes: {
    IMPROVE_IP_RANGE: { issue_type: "host_bits_set", fix: asNetwork },
    PRIVATE_IP_ADDRESS_SUBSET: { issue_type: "private_range", fix: withoutPrivate },
    PRIVATE_NOT_IP_ADDRESS_SUBSET: { issue_type: "private_range", fix: withoutPrivate },
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
