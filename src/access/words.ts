import type { Budget } from "./budget.ts";
import { freshServices } from "./caller-kinds.ts";
import type { Found } from "./feasible.ts";
import type { Literal } from "./literals.ts";
import { matches, unitsOf } from "./patterns.ts";
import { foreign, isForeign, isRun, isSingle, isVariable, type Token } from "./tokens.ts";

/** A stretch of a text: fixed characters, a variable, or what wildcards left open. */
type Stretch =
  | { readonly kind: "fixed"; readonly text: string }
  | { readonly kind: "variable"; readonly token: Token }
  | {
      readonly kind: "open";
      /** Foreign characters in its place. */
      readonly length: number;
      /** Whether a `*` is among its wildcards, so that it may be of another length. */
      readonly isFree: boolean;
    };

/** Takes a found text apart along the wildcards of its pattern. */
function stretchesOf({ pattern, text }: Found): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let at = 0;
  let open: { wildcards: Token[] } | null = null;
  const close = () => {
    if (!open) return;
    let length = 0;
    while (isForeign(text[at] ?? 0)) {
      at++;
      length++;
    }
    stretches.push({
      kind: "open",
      length,
      isFree: open.wildcards.some(isRun),
    });
    open = null;
  };
  for (const token of pattern.tokens) {
    if (isRun(token) || isSingle(token)) {
      open ??= { wildcards: [] };
      open.wildcards.push(token);
      continue;
    }
    close();
    const found = text[at++] ?? 0;
    const last = stretches.at(-1);
    if (isVariable(found)) stretches.push({ kind: "variable", token: found });
    else if (last?.kind === "fixed") {
      stretches[stretches.length - 1] = {
        kind: "fixed",
        text: last.text + String.fromCharCode(found),
      };
    } else stretches.push({ kind: "fixed", text: String.fromCharCode(found) });
  }
  close();
  return stretches;
}

/** How many words are tried beside the first values of fields. */
const fieldRounds = 3;

/** Words for open stretches, by the field of an ARN that they fill (6: not in an ARN). */
export interface Wording {
  /** For a stretch that is a whole field. */
  readonly fields: readonly (string | null)[];
  /** The same where those of the fields do not meet what is asked, the more usual ones first. */
  readonly others?: readonly (readonly (string | null)[])[];
  readonly words: readonly string[];
}

export const plainWords: readonly string[] = ["example", "other", "x1", "sample-2", "Value3"];

/**
 * Spells a found text, trying words until the literals are met.
 * @param textOf The value of a variable.
 * @returns at most `max` texts, the most readable first.
 */
export function spellings(
  found: Found,
  wording: Wording,
  textOf: (variable: Token) => string,
  meets: (text: string) => boolean,
): readonly string[] {
  const stretches = stretchesOf(found);
  const texts: string[] = [];
  for (const [round, word] of [...wording.words, null, undefined].entries()) {
    const text = spell(stretches, wording, word, round, textOf);
    if (!texts.includes(text) && meets(text)) texts.push(text);
    if (texts.length >= 2) break;
  }
  return texts;
}

/** @param word Null: a character for each foreign one; undefined: those themselves. */
function spell(
  stretches: readonly Stretch[],
  wording: Wording,
  word: string | null | undefined,
  round: number,
  textOf: (variable: Token) => string,
): string {
  let text = "";
  // Asked of the text itself, the text would be copied for each stretch. The first field begins the text.
  let endsWithColon = true;
  let colons = 0;
  for (const [index, stretch] of stretches.entries()) {
    let added: string;
    if (stretch.kind === "variable") added = textOf(stretch.token);
    else if (stretch.kind === "fixed") {
      added = stretch.text;
      colons += stretch.text.split(":").length - 1;
    } else {
      const isWhole = endsWithColon && startsWithColon(stretches[index + 1]);
      const fields = round < fieldRounds ? wording.fields : wording.others?.[round - fieldRounds];
      added = openText(stretch, isWhole ? fields?.[colons] : null, word);
    }
    text += added;
    if (added !== "") endsWithColon = added.endsWith(":");
  }
  return text;
}

function startsWithColon(stretch: Stretch | undefined): boolean {
  return stretch?.kind === "fixed" && stretch.text.startsWith(":");
}

function openText(
  stretch: Extract<Stretch, { kind: "open" }>,
  field: string | null | undefined,
  word: string | null | undefined,
): string {
  if (typeof field === "string" && stretch.isFree) return field;
  if (stretch.length === 0) return "";
  if (word === undefined) return String.fromCharCode(foreign).repeat(stretch.length);
  if (word === null || !stretch.isFree) return "x".repeat(stretch.length);
  return word;
}

/** Whether a text meets the literals about one value. */
export function textMeets(text: string, literals: readonly Literal[], budget: Budget): boolean {
  return tokensMeet(unitsOf(text), literals, budget);
}

/** The same of its tokens. */
export function tokensMeet(
  tokens: readonly Token[],
  literals: readonly Literal[],
  budget: Budget,
): boolean {
  return literals.every(({ texts }) => {
    if (!texts) return true;
    return texts.patterns.some((pattern) => matches(pattern, tokens, budget)) !== texts.negated;
  });
}

/** The six fields of an example ARN of a service; null: the field is not decided. */
export function arnFields(service: string, account: string | null): readonly (string | null)[] {
  return [null, "aws", service, "us-east-1", account ?? "111122223333", null];
}

/** Another Region and account, then another partition as well. */
export function otherArnFields(service: string): readonly (readonly (string | null)[])[] {
  return [
    [null, "aws", service, "eu-west-1", "444455556666", null],
    [null, "aws-cn", service, "cn-north-1", "444455556666", null],
  ];
}

/** Values that a reader expects for some keys. */
export const preferred: ReadonlyMap<string, readonly string[]> = new Map([
  ["aws:requestedregion", ["us-east-1", "eu-west-1"]],
  ["aws:userid", ["AIDAEXAMPLE"]],
  ["aws:username", ["alice"]],
  ["aws:principalorgid", ["o-example"]],
  ["aws:principalaccount", ["111122223333", "444455556666", "777788889999"]],
  ["aws:principalservicename", freshServices],
  ["aws:sourceaccount", ["111122223333", "444455556666"]],
  ["aws:resourceaccount", ["111122223333", "444455556666"]],
  ["aws:securetransport", ["true", "false"]],
]);
