import { isRecord } from "../../record.ts";
import { documentAt, isDocumentLike, shownPath } from "../document-at.ts";
import { networkOf } from "../network.ts";
import { organizationsType } from "../terraform/attributes.ts";
import type { AttachedTo, Container, Place, Reading, Source } from "../types.ts";
import { type Path, valueAt } from "../values.ts";
import { isAuthorizationDetails, readAuthorizationDetails } from "./authorization-details.ts";
import { type AnswerMember, answerMembers } from "./members.ts";

/** What `aws` commands answer. Decided by the names of members that hold a document. */
export const awsAnswer: Container = {
  kind: "aws_answer",
  recognises: ({ value }) =>
    isRecord(value) &&
    (isAuthorizationDetails(value) || organizationPolicy(value) || membersIn(value).length > 0),
  async read(source, reading) {
    const { value } = source;
    if (!isRecord(value)) return [];
    if (isAuthorizationDetails(value)) return readAuthorizationDetails(source, reading);
    if (organizationPolicy(value)) return organizationPlaces(source, reading);
    return membersIn(value).flatMap(([member, path]) => {
      const attached = member.policyType === "RESOURCE_POLICY" ? attachedTo(value) : null;
      const { policyType, service } = member;
      const network = networkOf(service, null, valueAt(value, path.slice(0, -1)));
      const facts = { address: shownPath(path), policyType, service, attached, network };
      return documentAt(source, path, facts, reading) ?? [];
    });
  },
};

/** The paths of the rows that fit, each path once. */
function membersIn(value: Readonly<Record<string, unknown>>): [AnswerMember, Path][] {
  const found = new Map<string, [AnswerMember, Path]>();
  for (const member of answerMembers) {
    const isComplete = member.beside.every((name) => valueAt(value, name.split(".")) !== undefined);
    if (!isComplete) continue;
    for (const path of pathsOf(value, member.path)) {
      const name = shownPath(path);
      if (!found.has(name) && isDocumentLike(valueAt(value, path))) found.set(name, [member, path]);
    }
  }
  return [...found.values()];
}

/** @returns Paths to the values of a pattern that are there. */
function pathsOf(value: unknown, pattern: readonly string[], before: Path = []): Path[] {
  const [step, ...rest] = pattern;
  if (step === undefined) return [before];
  if (step === "[]" || step === "*") {
    if (typeof value !== "object" || value === null) return [];
    if (Array.isArray(value) !== (step === "[]")) return [];
    return Object.entries(value).flatMap(([name, part]) =>
      pathsOf(part, rest, [...before, step === "[]" ? Number(name) : name]),
    );
  }
  if (!isRecord(value) || !Object.hasOwn(value, step)) return [];
  return pathsOf(value[step], rest, [...before, step]);
}

/** `aws organizations describe-policy`; other types of policies are in other languages. */
function organizationPolicy({ Policy: policy }: Readonly<Record<string, unknown>>): boolean {
  return isRecord(policy) && isRecord(policy.PolicySummary) && typeof policy.Content === "string";
}

function organizationPlaces(source: Source, reading: Reading): Place[] {
  const policyType = organizationsType(valueAt(source.value, ["Policy", "PolicySummary", "Type"]));
  if (policyType === null) return [];
  const facts = { address: "Policy.Content", policyType };
  const place = documentAt(source, ["Policy", "Content"], facts, reading);
  return place ? [place] : [];
}

/** The ARN that an answer has beside the policy. */
function attachedTo(value: Readonly<Record<string, unknown>>): AttachedTo | null {
  const arns = [
    value.ARN,
    value.BackupVaultArn,
    valueAt(value, ["Attributes", "QueueArn"]),
    valueAt(value, ["Attributes", "TopicArn"]),
    valueAt(value, ["DomainStatus", "ARN"]),
  ];
  const arn = arns.find((one) => typeof one === "string" && one.startsWith("arn:"));
  return typeof arn === "string" ? { arn, name: null } : null;
}
