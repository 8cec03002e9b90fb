import {
  type ConfigException,
  exceptionPatterns,
  maxExpressionsPerCheck,
} from "../../spec/suppression.ts";
import { compileExceptions, dayOf, hasExpired } from "../engine/exceptions.ts";
import type { RegisteredCheck } from "../engine/registry.ts";
import { didYouMean } from "../nearest.ts";
import { badExpression } from "../policy/expression.ts";
import type { Faults } from "./sections.ts";

/**
 * Checks what the schema cannot: names of checks, expressions, and the number of comparisons.
 * @param checksAreMissing Custom checks were not loaded, so an unknown check is a warning.
 * @param now In ms since 1970; an exception that has expired is a warning.
 * @returns The exceptions, if they compile.
 */
export function readExceptions(
  given: readonly ConfigException[],
  registered: readonly RegisteredCheck[],
  checksAreMissing: boolean,
  faults: Faults,
  now = Date.now(),
): readonly ConfigException[] {
  const checks = new Map(registered.map((one) => [one.check.check_id, one]));
  const unknown = checksAreMissing ? faults.warnings : faults.errors;
  const expressions = new Map<string, number>();
  const today = dayOf(now);
  let compiles = true;
  for (const [index, exception] of given.entries()) {
    const path = ["exceptions", index];
    const ids = typeof exception.check === "string" ? [exception.check] : (exception.check ?? []);
    for (const id of ids) {
      const check = checks.get(id);
      const at = { path: [...path, "check"] };
      if (!check) {
        const nearest = didYouMean(id, [...checks.keys()]);
        unknown.push({ ...at, message: `no check has the id ${id}${nearest}` });
      } else if (!check.enabled) {
        faults.warnings.push({ ...at, message: `has no effect: ${id} is off` });
      }
      const count = (expressions.get(id) ?? 0) + expressionsOf(exception);
      expressions.set(id, count);
    }
    const { expires = null } = exception;
    if (hasExpired({ expires }, today)) {
      const message = `expired on ${expires}, so its findings count again; renew or remove it`;
      faults.warnings.push({ path: [...path, "expires"], message });
    }
    try {
      compileExceptions([exception]);
    } catch {
      compiles = false;
      faults.errors.push({ path, message: `every expression ${badExpression}` });
    }
  }
  for (const [id, count] of expressions) {
    if (count <= maxExpressionsPerCheck) continue;
    const message = `has ${count} expressions for ${id}; the limit is ${maxExpressionsPerCheck}: combine them, or use fingerprints`;
    faults.errors.push({ path: ["exceptions"], message });
  }
  return compiles ? given : [];
}

/** Expressions with which each finding of the check is compared. */
function expressionsOf(exception: ConfigException): number {
  if (exception.fingerprint !== undefined) return 0;
  return exceptionPatterns.reduce((sum, field) => sum + [exception[field] ?? []].flat().length, 0);
}
