import type { Report } from "../../engine/check.ts";
import { splitArn } from "../../policy/arn.ts";
import type { Statement } from "../../policy/model.ts";
import { quote } from "../shared/quote.ts";
import { withoutWhatIsBelow } from "./what-is-below.ts";

/**
 * Calls of the API of a search domain go to paths below it.
 * https://docs.aws.amazon.com/opensearch-service/latest/developerguide/ac.html: the trailing `/*` is significant.
 */
export function domainsWithoutPaths({
  actions,
  resources,
}: Pick<Statement, "actions" | "resources">): Report | null {
  const [first] = resources;
  if (!first?.text.includes(":es:")) return null;
  const entry = actions.find(({ text }) => /^es:eshttp/i.test(text));
  if (!entry || !resources.every(({ text }) => isDomainAlone(text))) return null;
  return withoutWhatIsBelow(entry, first, {
    message: `${quote(entry.text)} is for requests to paths of a domain, and ${quote(first.text)} is the domain without its paths.`,
    below: "/*",
    title: "Name the paths of the domain",
  });
}

function isDomainAlone(text: string): boolean {
  const arn = splitArn(text);
  return arn?.service === "es" && /^domain\/[a-z][a-z0-9-]*$/.test(arn.resource);
}
