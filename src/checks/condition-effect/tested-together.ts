import { withCondition } from "../../fixes/condition-block.ts";
import { appendEntry, removeConditions, splitStatement } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import { childNode } from "../../json/node.ts";
import type { Policy, Statement } from "../../policy/model.ts";
import { isRecord } from "../../record.ts";
import { hasRoomFor } from "../shared/fix-split.ts";
import { quoteList } from "../shared/quote.ts";
import { switchValue } from "../shared/switch-value.ts";
import { type Effect, isReadable, type ReadableEntry } from "./effect.ts";
import { asksAbsence } from "./refused-tags.ts";

/**
 * A Deny of requests that break several requirements at once: those that meet one of them pass. AWS writes one
 * statement for each requirement:
 * https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_scps_examples_tagging.html,
 * "Require a tag on specified created resources", and
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-logic-multiple-context-keys-or-values.html
 */
export function* testedTogether(statement: Statement, policy: Policy): Iterable<Effect> {
  if (!statement.denies || statement.conditions.length < 2) return;
  const tests = statement.conditions.filter(isReadable).filter(breaksRequirement);
  const names = new Set(tests.map(({ keyLower }) => keyLower));
  const second = tests.find(({ keyLower }) => keyLower !== tests[0]?.keyLower);
  if (names.size < 2 || !second) return;
  const keys = [...new Map(tests.map(({ key, keyLower }) => [keyLower, key])).values()];
  const absent = tests.every((one) => isTag(one) && asksAbsence(one));
  yield {
    kind: absent ? "together" : "joined",
    entry: second,
    reason: absent
      ? `This Deny asks that ${quoteList(keys, 3)} are all absent, so requests with only one of these tags pass.`
      : `This Deny stops only requests that break the requirements on ${quoteList(keys, 3)} all at once, so those that meet one of them pass.`,
    suggestion: absent
      ? "Write one statement for each tag that is required."
      : "Write one statement for each requirement.",
    consequence: "",
    fix: () => oneByOne(statement, tests, policy),
  };
}

/** More statements than these from one are for people to write; each holds the rest of the condition. */
const mostRequirements = 8;

/** A statement for each requirement; the first keeps its place. */
function oneByOne(
  statement: Statement,
  tests: readonly ReadableEntry[],
  policy: Policy,
): FixProposal | null {
  const byKey = [...Map.groupBy(tests, ({ keyLower }) => keyLower).values()];
  if (byKey.length > mostRequirements) return null;
  const others = (own: readonly ReadableEntry[]) => tests.filter((one) => !own.includes(one));
  const { Sid: _sid, ...kept } = statement.raw;
  const [first, ...later] = byKey.map((own, at) => ({
    ...(at === 0 ? statement.raw : kept),
    Condition: withCondition(statement, {}, others(own)),
  }));
  const edit = removeConditions(statement, others(byKey[0] ?? []));
  if (!edit) return null;
  if (!hasRoomFor(policy, later)) return null;
  const { raw } = policy.document;
  const isListed = isRecord(raw) && Array.isArray(raw.Statement);
  return {
    title: "Write one statement for each requirement",
    effect: "narrows",
    edits: isListed
      ? [edit, ...later.map((one) => appendEntry(childNode(policy.node, "Statement"), one))]
      : [splitStatement(statement, [first, ...later])],
    argument: "Together the Denies stop what the one stopped, and more.",
  };
}

const isTag = ({ keyLower }: ReadableEntry) => keyLower.startsWith("aws:requesttag/");

/** A property of a request that a Deny asks to be secure; each is wanted for itself, not as a way around another one. */
function breaksRequirement(entry: ReadableEntry): boolean {
  const { operator, keyLower, values } = entry;
  const { name, negated } = operator.base;
  if (isTag(entry)) return asksAbsence(entry) || (negated && operator.setPrefix === null);
  switch (keyLower) {
    case "aws:securetransport":
    case "aws:multifactorauthpresent":
    case "ec2:encrypted":
    case "rds:storageencrypted":
    case "elasticfilesystem:encrypted":
      return name === "Bool" && switchValue(values) === false;
    case "s3:tlsversion":
      return name.startsWith("NumericLessThan");
    case "s3:x-amz-server-side-encryption":
      return negated || asksAbsence(entry);
    case "s3:x-amz-server-side-encryption-aws-kms-key-id":
    case "ec2:metadatahttptokens":
      return negated;
    default:
      return false;
  }
}
