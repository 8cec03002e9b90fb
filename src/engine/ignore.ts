import { type IgnoreField, type IgnorePattern, ignoreFieldAliases } from "../../spec/config.ts";
import { compileExpression } from "../policy/expression.ts";

/**
 * The fields of a finding that ignore patterns match; null is treated as an empty text, except for
 * `filepath`: null is a name that its caller chose, which no pattern matches.
 */
type IgnorableFields = Readonly<Record<IgnoreField, string | null>>;

type Matcher = (finding: IgnorableFields) => boolean;

/** Compiled ignore patterns of one check (or of one requirement of a check). */
export interface IgnoreFilter {
  /** False: there are no patterns. */
  readonly isActive: boolean;
  /** @returns Whether a pattern drops the finding. */
  ignores(finding: IgnorableFields): boolean;
  /** Like `ignores`, but only with patterns that have an `action` field. */
  ignoresAction(finding: IgnorableFields): boolean;
}

const none: IgnoreFilter = { isActive: false, ignores: () => false, ignoresAction: () => false };

function anywhere(expression: string): (text: string) => boolean {
  const compiled = compileExpression(expression);
  return (text) => compiled.matchesAnywhere(text);
}

/** A `sid` without `*` must equal the Sid. It never matches a statement without a Sid. */
function fieldMatcher(field: IgnoreField, value: string): Matcher {
  if (field === "sid" && !value.includes("*")) return (finding) => finding.sid === value;
  const matches = anywhere(value);
  return (finding) => matches(finding[field] ?? "");
}

function canonical(field: string): IgnoreField {
  return (
    Object.hasOwn(ignoreFieldAliases, field)
      ? ignoreFieldAliases[field as keyof typeof ignoreFieldAliases]
      : field
  ) as IgnoreField;
}

/** @returns Whether every expression of the pattern compiles. */
export function compiles(pattern: IgnorePattern): boolean {
  try {
    compileIgnorePatterns([pattern]);
    return true;
  } catch {
    return false;
  }
}

/** @throws {Error} If an expression does not compile. */
export function compileIgnorePatterns(patterns: readonly IgnorePattern[]): IgnoreFilter {
  if (patterns.length === 0) return none;
  const compiled = patterns.map((pattern) => {
    const fields = Object.entries(pattern).filter(([, value]) => value !== undefined);
    const matchers = fields.map(([name, value]): Matcher => {
      const field = canonical(name);
      const list = (Array.isArray(value) ? value : [value ?? ""]).map((one) =>
        fieldMatcher(field, one),
      );
      return (finding) =>
        (field !== "filepath" || finding.filepath !== null) &&
        list.some((matches) => matches(finding));
    });
    return {
      hasAction: fields.some(([name]) => canonical(name) === "action"),
      matches: (finding: IgnorableFields) => matchers.every((matches) => matches(finding)),
    };
  });
  return {
    isActive: true,
    ignores: (finding) => compiled.some((pattern) => pattern.matches(finding)),
    ignoresAction: (finding) =>
      compiled.some((pattern) => pattern.hasAction && pattern.matches(finding)),
  };
}
