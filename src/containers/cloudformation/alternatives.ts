import { parsePolicyText } from "../places.ts";
import type { Alternative, AttachedTo, Place, Reading, Source } from "../types.ts";
import { Branches } from "./branches.ts";
import type { Choice } from "./choices.ts";
import { removed } from "./resolved.ts";
import { Resolver } from "./resolver.ts";
import type { Part, Template } from "./template.ts";

/** What is needed to read a value of a template as a policy. */
export interface AlternativesContext {
  readonly template: Template;
  readonly source: Pick<Source, "text">;
  readonly reading: Reading;
  /** False: the value is one statement, or a list of them. */
  readonly isDocument: boolean;
  /** Adds what a deployment adds to the document; null: nothing. */
  readonly complete: ((value: unknown) => unknown) | null;
  readonly attached: (resolver: Resolver) => AttachedTo | null;
}

export interface Alternatives {
  /** None: the value is removed, or cannot be read. */
  readonly alternatives: readonly Alternative[];
  readonly form: Place["form"];
  /** Why not everything was read; null: it was. */
  readonly reason: string | null;
  /** Some branches of conditions are in none of the alternatives. */
  readonly hasUnreadBranches: boolean;
}

/** Reads a policy once for each choice. */
export function alternativesOf(
  part: Part,
  choices: readonly Choice[],
  context: AlternativesContext,
): Alternatives {
  const { template, source, reading } = context;
  const alternatives: Alternative[] = [];
  let form: Place["form"] = "object";
  let reason: string | null = null;
  const branches = new Branches();
  for (const choice of choices) {
    const resolver = new Resolver(template, reading.unknowns, choice, source.text, branches);
    const read = readAlternative(part, resolver, choice, context);
    if (read === null) continue;
    if ("reason" in read) {
      reason ??= read.reason;
      continue;
    }
    form = read.form;
    reason ??= resolver.partly;
    alternatives.push({ ...read.alternative, attached: context.attached(resolver) });
  }
  const hasUnreadBranches = !branches.areAllTaken(part.value);
  return { alternatives: distinct(alternatives), form, reason, hasUnreadBranches };
}

type ReadAlternative =
  | { readonly reason: string }
  | { readonly alternative: Alternative; readonly form: Place["form"] };

function readAlternative(
  part: Part,
  resolver: Resolver,
  { phrases, reading: chosen, byDefault }: Choice,
  { reading, isDocument, complete }: AlternativesContext,
): ReadAlternative | null {
  const resolved = resolver.resolve(part);
  if (resolved === removed || resolved.value === null) return null;
  const { value, root } = resolved;
  const about = {
    choices: phrases,
    readings: [chosen],
    byDefault,
    problems: resolver.problems,
  };
  if (typeof value === "string") {
    const { offsets = null } = resolved;
    const parsed = parsePolicyText({ text: value, offsets, span: part.root }, reading.unknowns);
    if ("reason" in parsed) return parsed;
    const { form, ...document } = parsed;
    return { form, alternative: { ...about, ...document } };
  }
  if (isDocument) {
    const completed = complete ? complete(value) : value;
    return { form: "object", alternative: { ...about, value: completed, root, faults: [] } };
  }
  const document = { Version: "2012-10-17", Statement: value };
  const members = root && new Map([["Statement", { key: root, value: root }]]);
  const around = root && { start: root.start, end: root.end, members, items: null };
  return {
    form: "statements",
    alternative: { ...about, value: document, root: around, faults: [] },
  };
}

/** Choices that lead to the same document are one; it keeps what they have in common. */
function distinct(alternatives: readonly Alternative[]): Alternative[] {
  const byValue = new Map<string, Alternative>();
  for (const one of alternatives) {
    const key = JSON.stringify([
      one.value ?? null,
      one.attached,
      one.faults.map((fault) => fault.kind),
    ]);
    const known = byValue.get(key);
    const readings = [...(known?.readings ?? []), ...(one.readings ?? [])];
    const shared = new Set(one.choices);
    const choices = known?.choices.filter((choice) => shared.has(choice));
    const byDefault = (known?.byDefault ?? true) && one.byDefault;
    byValue.set(
      key,
      known ? { ...known, choices: choices ?? [], byDefault, readings } : { ...one, readings },
    );
  }
  return [...byValue.values()];
}
