import type { Report } from "../../engine/check.ts";
import { hasVariable, splitArn } from "../../policy/arn.ts";
import type { Statement } from "../../policy/model.ts";
import { quote } from "../shared/quote.ts";
import { withoutWhatIsBelow } from "./what-is-below.ts";

/** Actions that read or write the contents of objects; other tools create an empty object for a folder. */
const contents = /^s3:(?:get|put|delete)object(?:version)?$/i;

/**
 * Folders of a bucket are a part of the keys of their objects, so an ARN that ends with a slash names one object at most.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-folders.html
 */
export function foldersWithoutObjects({
  actions,
  resources,
}: Pick<Statement, "actions" | "resources">): Report | null {
  const first = resources.find(({ text }) => isFolder(text));
  const entry = first && actions.find(({ text }) => contents.test(text));
  if (!entry) return null;
  // Beside a pattern for objects, the folder is named for the tools that create it.
  if (resources.some(({ text }) => !isFolder(text) && mayNameObjects(text))) return null;
  return withoutWhatIsBelow(entry, first, {
    message: `${quote(first.text)} ends with a slash, so ${quote(entry.text)} reaches no object below it.`,
    below: "*",
    title: "Name the objects of the folder",
  });
}

function isFolder(text: string): boolean {
  if (!text.endsWith("/")) return false;
  const arn = splitArn(text);
  if (arn?.service !== "s3" || `${arn.region}${arn.account}` !== "") return false;
  return /^[^/*?]+\/(?:[^*?]*\/)?$/.test(arn.resource) && !hasVariable(arn.resource);
}

function mayNameObjects(text: string): boolean {
  return /[/*?]/.test(text) || hasVariable(text);
}
