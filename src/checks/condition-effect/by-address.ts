import type { Statement } from "../../policy/model.ts";
import { quote, quoteList } from "../shared/quote.ts";
import { arePrivate, coveredFamilies, runsOf } from "./addresses.ts";
import { type Effect, exceptWithoutKey, type ReadableEntry } from "./effect.ts";

/** What the ranges of one entry say by themselves. */
export function effectOfAddresses(entry: ReadableEntry, { allows }: Statement): Effect | null {
  const { operator, keyLower, key, operatorText, values } = entry;
  const { negated } = operator.base;
  const texts = values.map(({ text }) => text);
  const publicOnly = keyLower === "aws:sourceip";
  const covered = coveredFamilies(texts, publicOnly);
  if (covered.length > 0) {
    const families = covered.join(" and ");
    return {
      kind: negated ? "never" : "always",
      entry,
      reason: negated
        ? `${quote(operatorText)} excludes every ${families} address, so no request from such an address meets it.`
        : `The ranges under ${quote(operatorText)} on ${quote(key)} cover every ${families} address.`,
      suggestion: negated
        ? "List the ranges that are meant to be exempt, or remove the entry."
        : "List the address ranges of your own network, or remove the entry.",
      consequence: fromCovered(negated, allows),
    };
  }
  if (!publicOnly) return null;
  const runs = runsOf(texts);
  if (!runs || !arePrivate(runs)) return null;
  return {
    kind: negated ? "always" : "never",
    entry,
    reason: `${quote(key)} holds public addresses only, and ${quoteList(texts, 3)} ${texts.length === 1 ? "is" : "are"} private.`,
    suggestion:
      "List the public addresses that the requests come from. For requests through a VPC endpoint test `aws:VpcSourceIp` together with `aws:SourceVpc`.",
    code: negated ? "PRIVATE_NOT_IP_ADDRESS" : "PRIVATE_IP_ADDRESS",
    ...exceptWithoutKey(entry),
  };
}

/** Requests from addresses of the other family, and those through a VPC endpoint, are another matter. */
function fromCovered(negated: boolean, allows: boolean): string {
  if (negated)
    return `This ${allows ? "Allow grants nothing to" : "Deny stops none of"} these requests.`;
  return `This ${allows ? "Allow keeps out no request" : "Deny stops every request"} from such an address.`;
}
