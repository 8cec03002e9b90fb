import type { Statement } from "../../policy/model.ts";
import { correctedEntry, operatorLike } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { quote } from "../shared/quote.ts";
import type { Effect, ReadableEntry } from "./effect.ts";

interface Inversion {
  /** Ends the sentence "so it denies exactly the requests that …". */
  readonly denied: string;
  readonly spared: string;
  /** Keys that give the entry another meaning when they are tested beside it. */
  readonly unless: RegExp;
  readonly operator: "Bool" | "BoolIfExists";
}

const inversions: Readonly<Record<string, Inversion>> = {
  "aws:securetransport": {
    denied: "are encrypted with TLS",
    spared: "lets unencrypted ones through",
    unless: /tlsversion$/,
    operator: "Bool",
  },
  "aws:multifactorauthpresent": {
    denied: "were made with MFA",
    spared: "lets those without MFA through",
    unless: /^aws:multifactorauthage$/,
    operator: "BoolIfExists",
  },
};

/** A Deny that asks for the safe value of a key, so that it stops the safe requests. */
export function* invertedEffects(entry: ReadableEntry, statement: Statement): Iterable<Effect> {
  const { operator, keyLower, key, operatorText, values } = entry;
  if (!statement.denies || operator.base.name !== "Bool" || values.length === 0) return;
  const inversion = Object.hasOwn(inversions, keyLower) ? inversions[keyLower] : undefined;
  if (!inversion || !values.every(({ text }) => text.toLowerCase() === "true")) return;
  if (statement.conditions.some(({ keyLower: other }) => inversion.unless.test(other))) return;
  const wanted = operatorLike({ operator: { ...operator, ifExists: false } }, inversion.operator);
  yield {
    kind: "inverted",
    entry,
    ...(values[0] ? { node: values[0].node } : {}),
    reason: `${quote(operatorText)} on ${quote(key)} is \`true\`, so this Deny stops the requests that ${inversion.denied} and ${inversion.spared}.`,
    suggestion: `Write \`"${wanted}": {${JSON.stringify(key)}: "false"}\`.`,
    consequence: "",
    ...fixedBy(() => correctedEntry(statement, entry, { operator: wanted, value: "false" }), {
      title: "Deny the unsafe requests: test for false",
      effect: "changes",
    }),
  };
}
