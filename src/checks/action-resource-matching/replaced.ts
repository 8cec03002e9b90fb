import type { CheckContext } from "../../engine/check.ts";
import { replaceValue } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import { splitArn } from "../../policy/arn.ts";
import type { Entry, Policy, Statement } from "../../policy/model.ts";
import { type ArnFormat, formatsOfType } from "../../services/arn-overlap.ts";
import type { CountingAction } from "../shared/counting-actions.ts";
import {
  type MeantArn,
  withEmptyFields,
  withObjectWord,
  withRoleOfSession,
  withServiceOf,
  withTypeWord,
} from "../shared/meant-arn.ts";
import { input } from "../shared/placeholders.ts";
import { ResourcesOfStatement } from "../shared/resources-of-statement.ts";

/** Entries of `Resource` beyond which none is replaced. */
const mostResources = 50;

/**
 * Empties the Region or the account of ARNs that no resource of their service has, where the actions
 * then work on them: `arn:aws:s3:eu-west-1:111122223333:reports` means `arn:aws:s3:::reports`.
 */
export function withoutFields(
  unfit: readonly CountingAction[],
  { resources }: Statement,
  { policy }: CheckContext,
): FixProposal | null {
  const edits = resources.slice(0, mostResources).flatMap((entry) => {
    const meant = emptied(entry.text, unfit, policy);
    return meant === null ? [] : [replaceValue(entry.node, meant)];
  });
  if (edits.length === 0) return null;
  return {
    title: "Empty the fields of the ARN that such resources do not have",
    effect: "repairs",
    edits,
  };
}

function emptied(text: string, unfit: readonly CountingAction[], policy: Policy): string | null {
  const arn = splitArn(text);
  if (!arn || (arn.region === "" && arn.account === "")) return null;
  // No bucket is called so; it is an access point, which has both fields.
  if (arn.service === "s3" && arn.resource.startsWith("accesspoint/")) return null;
  for (const { service, actions } of unfit) {
    const [action] = actions;
    for (const type of action?.resourceTypes ?? []) {
      for (const format of formatsOfType(service, type)) {
        if (format.service !== arn.service) continue;
        const region = format.region === "" ? "" : arn.region;
        const account = format.account === "" ? "" : arn.account;
        if (region === arn.region && account === arn.account) continue;
        const { prefix, partition, resource } = arn;
        const meant = [prefix, partition, arn.service, region, account, resource].join(":");
        if (action && fits({ text: meant }, policy).fits(service, action)) return meant;
      }
    }
  }
  return null;
}

/**
 * ARNs with the service of the actions in place of one that has no such resources, with the word for their type,
 * of the role in place of its session, or with placeholders for an empty Region and account, where all of the
 * actions then work on them.
 */
export function withMeantArns(
  unfit: readonly CountingAction[],
  { resources }: Statement,
  { policy, services }: CheckContext,
): FixProposal | null {
  const formats = unfit.flatMap(formatsOf);
  const meant = new Map<Entry, MeantArn>();
  for (const entry of resources.slice(0, mostResources)) {
    const { text } = entry;
    const one =
      withServiceOf(text, formats, services) ??
      withObjectWord(text, formats) ??
      withTypeWord(text, formats, services) ??
      withRoleOfSession(text, formats) ??
      withEmptyFields(text, formats);
    if (one) meant.set(entry, one);
  }
  if (meant.size === 0) return null;
  const inputs = new Map(
    [...meant.values()].flatMap((one) => one.inputs.map((asked) => [asked.placeholder, asked])),
  );
  const entries = [...meant].map(([{ node }, { text }]) => ({
    node,
    text: text.replace("<region>", "*").replace("<account-id>", "*"),
  }));
  const repaired = new ResourcesOfStatement(entries, true, policy.type);
  if (!unfit.every(({ service, actions: [one] }) => one && repaired.fits(service, one)))
    return null;
  return {
    title: "Write the ARNs that the actions work on",
    effect: inputs.size === 0 ? "repairs" : "changes",
    edits: [...meant].map(([{ node }, { text }]) => replaceValue(node, text)),
    needs_input: [...inputs.values()],
  };
}

function formatsOf({ service, actions: [action] }: CountingAction): readonly ArnFormat[] {
  return (action?.resourceTypes ?? []).flatMap((type) => formatsOfType(service, type));
}

function fits({ text }: Pick<Entry, "text">, { type, node }: Policy): ResourcesOfStatement {
  return new ResourcesOfStatement([{ text, node }], true, type);
}

const alias = /^(arn:[^:]*:kms:[^:]*:[^:]*):alias\//;

/**
 * The ARN of a key in place of that of an alias. An alias in `Resource` is the alias itself, on which
 * only the actions on aliases work.
 * Source: https://docs.aws.amazon.com/kms/latest/developerguide/alias-authorization.html
 */
export function keysForAliases(
  unfit: readonly CountingAction[],
  { resources }: Statement,
  counting: readonly CountingAction[],
  { policy }: CheckContext,
): FixProposal | null {
  const aliases = resources.filter(({ text }) => alias.test(text));
  const worksOnKeys = ({ service, actions: [action] }: CountingAction) =>
    service.prefix === "kms" && action?.resourceTypes.includes("key") === true;
  if (aliases.length === 0 || aliases.length > 5 || !unfit.every(worksOnKeys)) return null;
  const isUsed = aliases.some((entry) => {
    const own = fits(entry, policy);
    return counting.some(({ service, actions }) =>
      actions.some((action) => own.fits(service, action)),
    );
  });
  if (isUsed) return null;
  const inputs = aliases.map((_, index) =>
    index === 0
      ? input("key-id")
      : input(`key-id-${index + 1}`, "Id of the KMS key", input("key-id").example),
  );
  return {
    title: "Name the key instead of its alias",
    effect: "changes",
    edits: aliases.map(({ text, node }, index) =>
      replaceValue(node, `${alias.exec(text)?.[1]}:key/${inputs[index]?.placeholder}`),
    ),
    needs_input: inputs,
  };
}
