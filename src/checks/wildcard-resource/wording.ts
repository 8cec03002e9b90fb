import type { CheckContext } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import type { ActionMatch } from "../../services/model.ts";
import { actionsOf } from "../../services/statement-actions.ts";
import { quote } from "../shared/quote.ts";
import { sampleArnOf, sampleArns } from "../shared/sample-arn.ts";
import { listed } from "../shared/texts.ts";
import type { KeptAction, KeptActions } from "./kept.ts";
import { needsStar } from "./needs-star.ts";

const mostNamed = 5;
const mostForms = 3;
/** Actions whose ARN form is looked up. */
const mostRead = 20;

/** The actions of a statement by what its resources can do for them; unknown ones are in neither list. */
export interface Kinds {
  /** They work on resources that can be named. */
  readonly limitable: readonly KeptAction[];
  /** AWS authorizes them on `*` alone. */
  readonly needStar: readonly string[];
}

/** @param kept The actions that the wildcard is too broad for. */
export function kindsOf(
  kept: KeptActions,
  statement: Statement,
  { match }: Pick<CheckContext, "match">,
): Kinds {
  const limitable = kept.actions.filter(({ meaning }) => {
    if (meaning.kind === "any" || meaning.kind === "action") return true;
    return (
      meaning.kind === "pattern" &&
      meaning.actions.some(({ resourceTypes }) => resourceTypes.length)
    );
  });
  const needStar = new Set<string>();
  for (const [at, { entry, meaning }] of actionsOf(statement, match).read.entries()) {
    // An action that needs `*` is not kept.
    if (kept.byEntry[at] || meaning.kind !== "action") continue;
    if (needsStar(meaning.action)) needStar.add(entry.text);
  }
  return { limitable, needStar: [...needStar] };
}

/** @returns the part of the message that names the actions; empty when the reference knows none. */
export function whatFor({ limitable }: Kinds): string {
  if (limitable.length === 0) return "";
  return ` for actions that can be limited to named resources: ${listed(textsOf(limitable), mostNamed)}`;
}

function textsOf(actions: readonly KeptAction[]): string[] {
  return actions.map(({ text }) => text);
}

/** @returns what to write in place of the wildcard: ARN forms, and what stays with `*`. */
export function suggestionFor({ limitable, needStar }: Kinds): string {
  const actionsByForm = Map.groupBy(limitable.slice(0, mostRead), ({ meaning }) => formOf(meaning));
  actionsByForm.delete(undefined);
  const forms = Array.from(actionsByForm)
    .slice(0, mostForms)
    .map(([form = "", actions]) => `${quote(form)} for ${listed(textsOf(actions), mostNamed)}`);
  const name =
    forms.length > 0
      ? `Name the resources by ARN, such as ${forms.join(", ")}.`
      : "Name the resources by ARN.";
  const split =
    needStar.length > 0
      ? ` Split the statement: ${listed(needStar, mostNamed)} ${needStar.length === 1 ? "needs" : "need"} \`*\`.`
      : "";
  return `${name}${split} If the resources cannot be named, limit them with \`aws:ResourceAccount\` or \`aws:ResourceOrgID\`, or with a resource tag that the actions support.`;
}

function formOf(meaning: ActionMatch): string | undefined {
  if (meaning.kind === "action") return sampleArns(meaning.action, meaning.service, 1)[0];
  return meaning.kind === "pattern" ? sampleArnOf(meaning.actions, meaning.service) : undefined;
}
