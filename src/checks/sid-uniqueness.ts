import { z } from "zod";
import { defineCheck, type Report } from "../engine/check.ts";
import { removeMember, replaceValue } from "../fixes/edits.ts";
import type { FixProposal } from "../fixes/proposal.ts";
import { memo } from "../memo.ts";
import type { Policy, Statement } from "../policy/model.ts";
import { holdsPolicyVariable } from "../policy/policy-variables.ts";
import { policyTypeFacts } from "../policy/type-facts.ts";
import { correctedNode } from "./shared/corrected.ts";
import { fixedBy } from "./shared/fixed-by.ts";
import { joinWords, quote, quoteList, thousands } from "./shared/quote.ts";

const wellFormed = /^[A-Za-z0-9]+$/;
/** Statement numbers that one message names. */
const mostNumbers = 50;

export const sidUniqueness = defineCheck({
  check_id: "sid_uniqueness",
  default_severity: "error",
  description:
    "Statement ids are unique in the policy and, where IAM itself reads them, alphanumeric.",
  docstring: `Reports statement ids (\`Sid\`) that AWS refuses or that no longer tell statements apart.

- **Format.** IAM and Organizations accept the letters A to Z and a to z and digits, nothing else: no spaces, no
  hyphens, no underscores. Resource and trust policies are left out: other services accept more (SQS and SNS
  write \`__owner_statement\` themselves), and AWS's rule names identity policies, SCPs and RCPs only.
- **Uniqueness.** Within one policy a \`Sid\` may appear once; letter case counts. The second and every later
  statement with the same \`Sid\` is reported, with the numbers of all of them.

A statement without a \`Sid\`, or with an empty one, is never reported: the element is optional.`,
  risk_explanation:
    "AWS refuses a document with a malformed or repeated statement id, so the policy never takes effect. Where a service does accept it, tools and people that go by the id can pick the wrong statement.",
  risk_category: "compliance",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_sid.html",
  remediation_steps: [
    "Give every statement a separate id, or leave the ids out.",
    "Use letters and digits only, for instance in camel case: `ReadReports`.",
  ],
  options: z.strictObject({}),
  issue_types: {
    invalid_sid_format: {
      severity: "check",
      when: "A Sid holds anything but letters and digits; not in resource, trust and endpoint policies.",
    },
    duplicate_sid: { severity: "check", when: "An earlier statement has the same Sid." },
  },
  examples: {
    bad: [
      {
        title: "Two statements share an id.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Sid: "Reports",
              Effect: "Allow",
              Action: "s3:ListBucket",
              Resource: "arn:aws:s3:::reports",
            },
            {
              Sid: "Reports",
              Effect: "Allow",
              Action: "s3:GetObject",
              Resource: "arn:aws:s3:::reports/*",
            },
          ],
        },
      },
      {
        title: "IAM takes no hyphen in an id.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Sid: "read-reports",
              Effect: "Allow",
              Action: "s3:GetObject",
              Resource: "arn:aws:s3:::reports/*",
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "Each id is alphanumeric and used once; one statement has none.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Sid: "ListReports",
              Effect: "Allow",
              Action: "s3:ListBucket",
              Resource: "arn:aws:s3:::reports",
            },
            {
              Sid: "ReadReports",
              Effect: "Allow",
              Action: "s3:GetObject",
              Resource: "arn:aws:s3:::reports/*",
            },
            { Effect: "Allow", Action: "s3:ListAllMyBuckets", Resource: "*" },
          ],
        },
      },
    ],
  },

  *runPolicy({ policy, peer }) {
    const bySid = new Map<string, Statement[]>();
    const { plainSids } = policyTypeFacts[policy.type];
    for (const statement of policy.statements) {
      if (!statement.sid) continue;
      const group = bySid.get(statement.sid);
      if (group) group.push(statement);
      else bySid.set(statement.sid, [statement]);
      if (!plainSids || wellFormed.test(statement.sid)) continue;
      // `policy_variables` reports a variable in a Sid.
      if (peer("policy_variables") && holdsPolicyVariable(statement.sid)) continue;
      yield malformed(statement, statement.sid, policy);
    }
    for (const [sid, group] of bySid) {
      if (group.length > 1) yield* repeated(sid, group, policy);
    }
  },
});

function malformed(statement: Statement, sid: string, policy: Policy): Report {
  const { type } = policy;
  const wrong = [...new Set(sid)].filter((character) => !wellFormed.test(character));
  const cleaned = sid.replace(/[^A-Za-z0-9]/g, "");
  const spaces = wrong.includes(" ");
  const others = wrong.filter((character) => character !== " ");
  const problem = spaces
    ? `contains a space${others.length > 0 ? ` and ${quoteList(others, 20)}` : ""}`
    : `contains ${quoteList(wrong, 20)}`;
  return {
    issue_type: "invalid_sid_format",
    statement,
    node: statement.at("Sid"),
    field_name: "sid",
    message: `The Sid ${quote(sid)} ${problem}; only the letters A to Z and a to z and digits are allowed.`,
    suggestion: cleaned
      ? `Write ${quote(cleaned)}.`
      : "Use letters and digits, or leave `Sid` out.",
    ...(cleaned
      ? fixedBy(() => correctedNode(statement.at("Sid"), freeSid(cleaned, policy, statement)), {
          title: "Remove the characters that a Sid cannot have",
          effect: "repairs",
        })
      : {
          fix: () => ({
            title: "Remove the Sid, which has no letter or digit",
            effect: "repairs" as const,
            edits: [removeMember(statement.at("Sid"))],
          }),
        }),
    // AWS documents the code for these types; trust policies have none that says the same.
    aws_issue_code: type === "TRUST_POLICY" ? null : "UNSUPPORTED_SID",
  };
}

/** The statements of each Sid. */
const usesOf = memo(({ statements }: Policy) =>
  Map.groupBy(statements, ({ sid }) => sid ?? undefined),
);

/** Statements that share a Sid above which the fix would be longer than a fix may be. */
const mostNumbered = 256;

/**
 * One edit for the whole group, so that no two statements take the same number.
 * @returns null if the group is too large for a fix.
 */
function numbered(sid: string, group: readonly Statement[], policy: Policy): FixProposal | null {
  if (group.length > mostNumbered) return null;
  const taken = new Set(usesOf(policy).keys());
  let number = 2;
  const edits = group.slice(1).map((statement) => {
    while (taken.has(`${sid}${number}`)) number++;
    taken.add(`${sid}${number}`);
    return replaceValue(statement.at("Sid"), `${sid}${number}`);
  });
  return { title: "Number the statements that share a Sid", effect: "repairs", edits };
}

/** The name, or the name with the lowest number that no other statement has. */
function freeSid(name: string, policy: Policy, own: Statement): string {
  const uses = usesOf(policy);
  const taken = (sid: string) => uses.get(sid)?.some((one) => one !== own) ?? false;
  let free = name;
  for (let number = 2; taken(free); number++) free = `${name}${number}`;
  return free;
}

function* repeated(sid: string, group: readonly Statement[], policy: Policy): Iterable<Report> {
  const { type } = policy;
  const numbers = group.slice(0, mostNumbers).map(({ index }) => String(index + 1));
  const list = joinWords(numbers, group.length - numbers.length);
  let proposal: FixProposal | null | undefined;
  for (const statement of group.slice(1)) {
    yield {
      issue_type: "duplicate_sid",
      statement,
      node: statement.at("Sid"),
      field_name: "sid",
      message: `The Sid ${quote(sid)} is used by ${thousands(group.length)} statements: ${list}. A Sid may appear once in a policy.`,
      suggestion: "Give each of these statements a different id, or remove the id.",
      fix: () => (proposal ??= numbered(sid, group, policy)),
      aws_issue_code:
        type === "RESOURCE_POLICY" ? "UNIQUE_SIDS_RECOMMENDED" : "UNIQUE_SIDS_REQUIRED",
    };
  }
}
