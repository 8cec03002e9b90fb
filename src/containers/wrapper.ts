import type { PolicyType } from "../../spec/policy.ts";
import { isRecord } from "../record.ts";
import { documentAt, isDocumentLike } from "./document-at.ts";
import { textPlace } from "./places.ts";
import type { Container, Source } from "./types.ts";

/** Members of the requests and answers of IAM that hold a document. */
export const wrappingMembers: readonly (readonly [name: string, policyType: PolicyType | null])[] =
  [
    ["PolicyDocument", null],
    ["AssumeRolePolicyDocument", "TRUST_POLICY"],
  ];

/** `{PolicyDocument: …}`, `{PolicyName, PolicyDocument}`, and a URL-encoded document. */
export const wrapper: Container = {
  kind: "wrapper",
  recognises: (source) => isWrapped(source.value) || encodedText(source) !== null,
  read(source, reading) {
    const encoded = encodedText(source);
    if (encoded !== null) {
      const facts = { address: "", label: "URL-encoded document", path: [], policyType: null };
      const offsets =
        source.text === null ? null : Array.from({ length: encoded.length + 1 }, (_, at) => at);
      const span = source.text === null ? null : { start: 0, end: encoded.length };
      return [textPlace(facts, { text: encoded, offsets, span }, reading.unknowns)];
    }
    return wrappingMembers.flatMap(
      ([name, policyType]) =>
        documentAt(source, [name], { address: name, policyType }, reading) ?? [],
    );
  },
};

function isWrapped(value: unknown): boolean {
  return isRecord(value) && wrappingMembers.some(([name]) => isDocumentLike(value[name]));
}

/** A text that is URL-encoded JSON as a whole, as IAM's API gives documents. */
function encodedText({ text, value }: Source): string | null {
  const whole = text ?? value;
  return typeof whole === "string" && /^\s*%7B/i.test(whole) ? whole : null;
}
