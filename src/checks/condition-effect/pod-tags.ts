import { nearestName } from "../../nearest.ts";
import type { Statement } from "../../policy/model.ts";
import { correctedEntry } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import { type Effect, passesWithoutKey, type ReadableEntry } from "./effect.ts";

/** Tags of the sessions of pods: https://docs.aws.amazon.com/eks/latest/userguide/pod-id-abac.html */
const podTags = [
  "eks-cluster-arn",
  "eks-cluster-name",
  "kubernetes-namespace",
  "kubernetes-service-account",
  "kubernetes-pod-name",
  "kubernetes-pod-uid",
];

/** A misspelt tag in the trust policy of a role for pods. */
export function misspeltPodTag(entry: ReadableEntry, statement: Statement): Effect | null {
  const { allows, principals } = statement;
  if (!allows || !principals.every(({ text }) => text === "pods.eks.amazonaws.com")) return null;
  if (principals.length === 0 || passesWithoutKey(entry)) return null;
  const [, tag] = /^aws:requesttag\/(.+)$/.exec(entry.keyLower) ?? [];
  if (tag === undefined || podTags.includes(tag)) return null;
  const meant = nearestName(tag, podTags);
  if (meant === undefined) return null;
  const key = `${entry.key.split("/", 1)[0]}/${meant}`;
  return {
    kind: "never",
    entry,
    reason: `EKS gives the sessions of pods no tag ${quote(tag)}.`,
    suggestion: `Write ${quote(key)}.`,
    ...fixedBy(() => correctedEntry(statement, entry, { key }), {
      title: "Test the tag that sessions of pods have",
      effect: "changes",
    }),
  };
}
