import type { CheckContext } from "../../engine/check.ts";
import type { Statement } from "../../policy/model.ts";
import { actionsOf } from "../../services/statement-actions.ts";
import { quote } from "../shared/quote.ts";
import { sampleArnOf, sampleArns } from "../shared/sample-arn.ts";
import { listed } from "../shared/texts.ts";
import { needsStar } from "./needs-star.ts";

const mostNamed = 5;
const mostForms = 3;
/** Actions whose ARN form is looked up. */
const mostRead = 20;

/** The actions of a statement by what its resources can do for them; unknown ones are in neither list. */
export interface Kinds {
  /** They work on resources that can be named. */
  readonly limitable: readonly string[];
  /** AWS authorizes them on `*` alone. */
  readonly needStar: readonly string[];
}

/** @param kept The actions that the wildcard is too broad for. */
export function kindsOf(
  kept: readonly string[],
  statement: Statement,
  { match }: Pick<CheckContext, "match">,
): Kinds {
  const limitable = kept.filter((text) => {
    const meaning = match(text);
    if (meaning.kind === "any" || meaning.kind === "action") return true;
    return (
      meaning.kind === "pattern" &&
      meaning.actions.some(({ resourceTypes }) => resourceTypes.length)
    );
  });
  const needStar = new Set<string>();
  for (const { entry, meaning } of actionsOf(statement, match).read) {
    if (meaning.kind === "action" && needsStar(meaning.action)) needStar.add(entry.text);
  }
  return { limitable, needStar: [...needStar] };
}

/** @returns the part of the message that names the actions; empty when the reference knows none. */
export function whatFor({ limitable }: Kinds): string {
  if (limitable.length === 0) return "";
  return ` for actions that can be limited to named resources: ${listed(limitable, mostNamed)}`;
}

/** @returns what to write in place of the wildcard: ARN forms, and what stays with `*`. */
export function suggestionFor(
  { limitable, needStar }: Kinds,
  context: Pick<CheckContext, "match">,
): string {
  const actionsByForm = Map.groupBy(limitable.slice(0, mostRead), (text) => formOf(text, context));
  const forms = [...actionsByForm].flatMap(([form, texts]) =>
    form === undefined ? [] : [`${quote(form)} for ${listed(texts, mostNamed)}`],
  );
  const name =
    forms.length > 0
      ? `Name the resources by ARN, such as ${forms.slice(0, mostForms).join(", ")}.`
      : "Name the resources by ARN.";
  const split =
    needStar.length > 0
      ? ` Split the statement: ${listed(needStar, mostNamed)} ${needStar.length === 1 ? "needs" : "need"} \`*\`.`
      : "";
  return `${name}${split} If the resources cannot be named, limit them with \`aws:ResourceAccount\` or \`aws:ResourceOrgID\`, or with a resource tag that the actions support.`;
}

function formOf(text: string, { match }: Pick<CheckContext, "match">): string | undefined {
  const meaning = match(text);
  if (meaning.kind === "action") return sampleArns(meaning.action, meaning.service, 1)[0];
  return meaning.kind === "pattern" ? sampleArnOf(meaning.actions, meaning.service) : undefined;
}
