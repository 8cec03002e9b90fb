import { upToLastBrace } from "../../closed-braces.ts";
import { memo } from "../../memo.ts";
import { isRecord } from "../../record.ts";
import { collectLiterals, comparedBy, definitionOf, evaluate } from "./conditions.ts";
import { members, type Part, type Template } from "./template.ts";

/** One way in which the parameters and conditions that a policy uses may turn out. */
export interface Choice {
  /** Values of parameters, pseudo parameters and loop variables; absent: unknown. */
  readonly values: ReadonlyMap<string, string>;
  /** Conditions that are set rather than worked out. */
  readonly forced: ReadonlyMap<string, boolean>;
  /** What is chosen, as in "the condition `IsProduction` is true". */
  readonly phrases: readonly string[];
  /** The same with the definitions of the conditions, which tells two versions of a template apart. */
  readonly reading: readonly string[];
  /** It needs the default of a parameter. */
  readonly byDefault: boolean;
}

/** More choices than this are left out: each is a run of all checks. */
const maxChoices = 10;
const maxCandidates = 6;

/** Names that a part of a template uses. */
interface Used {
  readonly names: Set<string>;
  readonly conditions: Set<string>;
}

/** Collects the names in `Ref` and `Fn::Sub` and the conditions in `Fn::If`. */
function usedIn(value: unknown, used: Used = { names: new Set(), conditions: new Set() }): Used {
  if (Array.isArray(value)) {
    for (const item of value) usedIn(item, used);
  } else if (isRecord(value)) {
    for (const [name, argument] of Object.entries(value)) {
      if (name === "Ref" && typeof argument === "string") used.names.add(argument);
      if (name === "Condition" && typeof argument === "string") used.conditions.add(argument);
      if (name === "Fn::Sub") {
        const text: unknown = Array.isArray(argument) ? argument[0] : argument;
        if (typeof text === "string") {
          for (const [, found = ""] of upToLastBrace(text).matchAll(/\$\{([^!}][^}]*)\}/g))
            used.names.add(found.trim());
        }
      }
      if (name === "Fn::If" && Array.isArray(argument) && typeof argument[0] === "string") {
        used.conditions.add(argument[0]);
      }
      usedIn(argument, used);
    }
  }
  return used;
}

/** Adds the keys of a mapping to the texts that the parameter which chooses one of them may be. */
function collectMapKeys(
  template: Template,
  value: unknown,
  literals: Map<string, Set<string>>,
): void {
  if (Array.isArray(value)) {
    for (const item of value) collectMapKeys(template, item, literals);
  } else if (isRecord(value)) {
    for (const [name, argument] of Object.entries(value)) {
      if (name === "Fn::FindInMap" && Array.isArray(argument)) {
        const levels = keysOfMappings(template).get(String(argument[0])) ?? [];
        for (const [index, keys] of levels.entries()) {
          const key: unknown = argument[index + 1];
          const parameter = isRecord(key) && typeof key.Ref === "string" ? key.Ref : "AWS::";
          if (parameter.startsWith("AWS::")) continue;
          const known = literals.get(parameter) ?? new Set();
          for (const one of keys) known.add(one);
          literals.set(parameter, known);
        }
      }
      collectMapKeys(template, argument, literals);
    }
  }
}

/** The first keys of both levels of each mapping. */
const keysOfMappings = memo(({ mappings }: Template): ReadonlyMap<string, string[][]> => {
  const firstOf = (part: Part) => members(part).slice(0, maxCandidates);
  const levelsOf = (map: Part) => [
    firstOf(map).map(([key]) => key),
    firstOf(map).flatMap(([, part]) => firstOf(part).map(([key]) => key)),
  ];
  return new Map(mappings ? members(mappings).map(([name, map]) => [name, levelsOf(map)]) : []);
});

interface Candidates {
  /** Undefined: unknown. The first is the one that applies while another name is varied. */
  readonly values: readonly (string | undefined)[];
  readonly fallback: string | null;
}

/**
 * The choices for a part of a template: one name at a time is varied, and each condition is once true
 * and once false. Conditions are worked out from the values, so that branches which exclude each other
 * do not stand in one document.
 */
export function choicesFor(
  template: Template,
  part: Part,
  fixed: ReadonlyMap<string, boolean>,
  loops: ReadonlyMap<string, readonly string[]>,
): Choice[] {
  const used = usedIn(part.value);
  for (const name of fixed.keys()) used.conditions.add(name);
  const literals = new Map<string, Set<string>>();
  const seen = new Set<string>();
  for (const name of [...used.conditions])
    collectLiterals(template, name, literals, used.names, seen);
  collectMapKeys(template, part.value, literals);
  const candidates = new Map<string, Candidates>();
  for (const name of used.names) {
    const found = candidatesOf(template, name, literals.get(name) ?? new Set(), loops);
    if (found) candidates.set(name, found);
  }
  const first = new Map<string, string>();
  for (const [name, { values }] of candidates) {
    if (values[0] !== undefined) first.set(name, values[0]);
  }
  const { base, forced: settled } = settledBy(fixed, first, template, candidates);
  const choices: Choice[] = [];
  const seenKeys = new Set<string>();
  const add = (values: ReadonlyMap<string, string>, forced: ReadonlyMap<string, boolean>) => {
    if (choices.length >= maxChoices) return;
    const key = JSON.stringify([[...values], [...forced]]);
    if (seenKeys.has(key)) return;
    seenKeys.add(key);
    const agrees = [...fixed].every(
      ([name, value]) => evaluate(template, name, values, forced) === value,
    );
    if (agrees) choices.push(choiceOf(template, values, forced, used, candidates));
  };
  add(base, settled);
  for (const [name, { values }] of candidates) {
    for (const value of values) {
      add(withValue(base, name, value), settled);
    }
  }
  for (const name of used.conditions) {
    for (const wanted of [true, false]) {
      if (fixed.has(name) && fixed.get(name) !== wanted) continue;
      const has = choices.some(
        ({ values, forced }) => evaluate(template, name, values, forced) === wanted,
      );
      if (has) continue;
      const decided = valuesFor(template, name, wanted, base);
      if (decided) add(decided, settled);
      else add(without(base, template, name), new Map([...fixed, [name, wanted] as const]));
    }
  }
  // A deployment that sets nothing has all defaults at once, whatever the conditions are.
  const compared = new Set([...used.conditions].flatMap((name) => [...comparedBy(template, name)]));
  for (const { values, forced } of [...choices]) {
    const varied = new Map(values);
    for (const [name, { fallback }] of candidates) {
      if (fallback !== null && !compared.has(name) && !values.has(name)) varied.set(name, fallback);
    }
    add(varied, forced);
  }
  if (choices.length === 0) choices.push(choiceOf(template, base, fixed, used, candidates));
  return choices;
}

/**
 * The values under which a policy exists: the conditions around it are as they have to be, so that other values can
 * be varied with them.
 */
function settledBy(
  fixed: ReadonlyMap<string, boolean>,
  first: ReadonlyMap<string, string>,
  template: Template,
  candidates: ReadonlyMap<string, Candidates>,
): { base: ReadonlyMap<string, string>; forced: ReadonlyMap<string, boolean> } {
  let base = first;
  const forced = new Map<string, boolean>();
  for (const [name, wanted] of fixed) {
    if (evaluate(template, name, base, new Map()) === wanted) continue;
    const decided = [...comparedBy(template, name)]
      .flatMap(
        (one) => candidates.get(one)?.values.map((value) => withValue(base, one, value)) ?? [],
      )
      .find((values) => evaluate(template, name, values, new Map()) === wanted);
    if (!decided) forced.set(name, wanted);
    base = decided ?? without(base, template, name);
  }
  return { base, forced };
}

function withValue(
  values: ReadonlyMap<string, string>,
  name: string,
  value: string | undefined,
): ReadonlyMap<string, string> {
  const varied = new Map(values);
  if (value === undefined) varied.delete(name);
  else varied.set(name, value);
  return varied;
}

/** @returns Values with which a condition turns out as wanted, with one parameter changed; null: none. */
function valuesFor(
  template: Template,
  condition: string,
  wanted: boolean,
  base: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> | null {
  for (const name of comparedBy(template, condition)) {
    for (const value of template.parameters.get(name)?.allowed.slice(0, 100) ?? []) {
      const varied = new Map(base).set(name, value);
      if (evaluate(template, condition, varied, new Map()) === wanted) return varied;
    }
  }
  return null;
}

/** @returns The values without those that a condition compares: they may say that it turns out differently. */
function without(
  values: ReadonlyMap<string, string>,
  template: Template,
  condition: string,
): ReadonlyMap<string, string> {
  const compared = comparedBy(template, condition);
  return new Map([...values].filter(([name]) => !compared.has(name)));
}

function choiceOf(
  template: Template,
  values: ReadonlyMap<string, string>,
  forced: ReadonlyMap<string, boolean>,
  used: Used,
  candidates: ReadonlyMap<string, Candidates>,
): Choice {
  const phrases: string[] = [];
  const reading: string[] = [];
  for (const name of used.conditions) {
    const isTrue = evaluate(template, name, values, forced);
    phrases.push(`the condition \`${name}\` is ${isTrue}`);
    reading.push(`\`${name} ${definitionOf(template, name)}\` is ${isTrue}`);
  }
  let byDefault = false;
  for (const [name, value] of values) {
    const isDefault = candidates.get(name)?.fallback === value;
    byDefault ||= isDefault;
    phrases.push(
      isDefault
        ? `the parameter \`${name}\` has its default`
        : `\`${name}\` is \`${value.slice(0, 60)}\``,
    );
    reading.push(`\`${name}\` ${isDefault ? "has its default" : `is ${value}`}`);
  }
  return { values, forced, phrases, reading, byDefault };
}

function candidatesOf(
  { parameters }: Template,
  name: string,
  literals: ReadonlySet<string>,
  loops: ReadonlyMap<string, readonly string[]>,
): Candidates | null {
  const looped = loops.get(name);
  if (looped)
    return looped.length > 0 ? { values: looped.slice(0, maxCandidates), fallback: null } : null;
  const compared = [...literals].slice(0, maxCandidates);
  if (name === "AWS::Partition" && compared.length > 0) {
    return { values: [...new Set(["aws", ...compared])], fallback: null };
  }
  if (name.startsWith("AWS::")) {
    return compared.length > 0 ? { values: [undefined, ...compared], fallback: null } : null;
  }
  const parameter = parameters.get(name);
  if (!parameter) return null;
  const { allowed, fallback, isSecret, type } = parameter;
  if (isSecret || type.startsWith("AWS::SSM::")) {
    return { values: [undefined, ...compared], fallback: null };
  }
  if (allowed.length > 0) {
    const first = fallback !== null && allowed.includes(fallback) ? [fallback] : [];
    const values = [
      ...new Set([...first, ...compared.filter((one) => allowed.includes(one)), ...allowed]),
    ];
    return { values: values.slice(0, maxCandidates), fallback: null };
  }
  // People replace an empty default when they deploy, or a condition compares with it.
  const usable =
    fallback !== null && fallback.trim() !== "" && !literals.has(fallback) ? fallback : null;
  const values = [undefined, ...compared, ...(usable === null ? [] : [usable])];
  return { values, fallback: usable };
}
