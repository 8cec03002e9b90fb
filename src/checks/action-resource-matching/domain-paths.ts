import type { Report } from "../../engine/check.ts";
import { splitArn } from "../../policy/arn.ts";
import type { Statement } from "../../policy/model.ts";
import { correctedNode } from "../shared/corrected.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";

/**
 * Calls of the API of a search domain go to paths below it.
 * https://docs.aws.amazon.com/opensearch-service/latest/developerguide/ac.html: the trailing `/*` is significant.
 */
export function* domainsWithoutPaths({
  actions,
  resources,
}: Pick<Statement, "actions" | "resources">): Iterable<Report> {
  const [first] = resources;
  if (!first?.text.includes(":es:")) return;
  const entry = actions.find(({ text }) => /^es:eshttp/i.test(text));
  if (!entry || !resources.every(({ text }) => isDomainAlone(text))) return;
  const corrected = `${first.text}/*`;
  yield {
    issue_type: "resource_mismatch",
    severity: "high",
    action: entry.text,
    field_name: "resource",
    resource: first.text,
    node: first.node,
    message: `${quote(entry.text)} is for requests to paths of a domain, and ${quote(first.text)} is the domain without its paths.`,
    suggestion: `Write ${quote(corrected)}.`,
    ...fixedBy(() => correctedNode(first.node, corrected), {
      title: "Name the paths of the domain",
      effect: "changes",
    }),
  };
}

function isDomainAlone(text: string): boolean {
  const arn = splitArn(text);
  return arn?.service === "es" && /^domain\/[a-z][a-z0-9-]*$/.test(arn.resource);
}
