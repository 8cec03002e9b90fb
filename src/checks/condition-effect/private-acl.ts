import type { Statement } from "../../policy/model.ts";
import { correctedEntry } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote, quoteList } from "../shared/quote.ts";
import { andWithoutKey, type Effect, type ReadableEntry } from "./effect.ts";
import { isAlone } from "./safe-settings.ts";

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#canned-acl */
const publicAcls = ["public-read", "public-read-write", "authenticated-read"];

/** A request without the header gives the same ACL, so such a Deny does not even force another one. */
const closedAcls: ReadonlySet<string> = new Set(["private", "bucket-owner-full-control"]);

/** A Deny of the ACL that is not public, where the public ones are meant. */
export function stopsPrivateAcl(entry: ReadableEntry, statement: Statement): Effect | null {
  const { operator, keyLower, key, operatorText, values } = entry;
  if (keyLower !== "s3:x-amz-acl" || !/^String(?:Equals|Like)/.test(operator.base.name)) {
    return null;
  }
  if (!values.some(({ text }) => text === "private")) return null;
  if (!values.every(({ text }) => closedAcls.has(text)) || !isAlone(entry, statement)) return null;
  return {
    kind: "inverted",
    entry,
    reason: `${quote(operatorText)} on ${quote(key)} makes this Deny stop the requests that ask for an ACL without public access${andWithoutKey(entry)} and not the others.`,
    suggestion: `List the ACLs that are public: ${quoteList(publicAcls)}.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { value: publicAcls }), {
      title: "Deny the public ACLs",
      effect: "changes",
    }),
  };
}
