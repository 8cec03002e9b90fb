import type { z } from "zod";
import { authPrefix } from "../../spec/auth.ts";
import type { StartupErrorKind } from "../../spec/errors.ts";
import { Scope } from "../../spec/scopes.ts";
import type { AuthProvider } from "../../spec/settings.ts";
import { editDistance } from "../edit-distance.ts";
import { StartupError } from "../errors.ts";
import { didYouMean } from "../nearest.ts";
import type { Clocks } from "./clocks.ts";

/** The part of the server's log that this directory writes to; nothing secret may be passed to it. */
export interface AuthLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** What every provider is built from. */
export interface AuthContext extends Clocks {
  readonly provider: AuthProvider;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: AuthLog;
  /** `http://<host>:<port>` of this process, when it is known before listening. */
  readonly defaultBaseUrl: string | undefined;
  /** Variables without their prefix that something else reads beside the provider. */
  readonly alsoRead?: readonly string[] | undefined;
  /** Whether `iam:` scopes that do not exist are start-up errors. Default: `error`. */
  readonly unknownNames?: "error" | "warn" | undefined;
}

/** @returns the value of `VALIDATOR_MCP_AUTH_<name>`; undefined when unset or blank. */
export function variable(context: AuthContext, name: string): string | undefined {
  const value = context.environment[authPrefix + name];
  return value === undefined || value.trim() === "" ? undefined : value;
}

/** @returns an error of one line that names the variables; `problem` must not quote their values. */
export function materialError(
  kind: StartupErrorKind,
  context: AuthContext,
  problem: string,
): StartupError {
  return new StartupError(kind, `Auth ${context.provider}: ${problem}`);
}

/** Variables that count with every provider. */
const readByAll = ["STEP_UP", "LOGIN"];

/**
 * Reads the variables a schema names, and warns of others that are set but that this provider does not read.
 * @throws {StartupError} Of the given kind, naming every variable that is missing or wrong, without its value.
 */
export function readMaterial<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  kind: StartupErrorKind,
  context: AuthContext,
): z.output<z.ZodObject<Shape>> {
  const names = Object.keys(schema.shape);
  const known = new Set(
    [...names, ...readByAll, ...(context.alsoRead ?? [])].map((name) => authPrefix + name),
  );
  const unread = Object.keys(context.environment).filter(
    (name) => name.startsWith(authPrefix) && !known.has(name) && context.environment[name]?.trim(),
  );
  if (unread.length > 0) {
    const hints = unread.toSorted().flatMap((name) => misspelling(name, known));
    context.log.warn(
      { variables: unread.toSorted() },
      [`These variables have no effect with --auth ${context.provider}.`, ...hints].join(" "),
    );
  }
  const result = schema.safeParse(
    Object.fromEntries(names.map((name) => [name, variable(context, name)])),
  );
  if (result.success) {
    warnOfScopes(result.data, context);
    return result.data;
  }
  const problems = result.error.issues.map(
    (issue) => `${authPrefix}${issue.path.join(".")} ${issue.message}`,
  );
  throw materialError(kind, context, `${problems.join("; ")}.`);
}

/** Letters that may differ: names of two providers, such as `AUTH0_CLIENT_ID` and `AZURE_CLIENT_ID`, differ in more. */
const typoLetters = 2;

/** @returns a question that names the variable meant, if one is that near. */
function misspelling(name: string, known: ReadonlySet<string>): string[] {
  const meant = [...known].find((one) => editDistance(name, one) <= typoLetters);
  return meant === undefined ? [] : [`For ${name}, did you mean ${meant}?`];
}

/** Scopes that begin with `iam:` but do not exist here, each with the nearest name; other scopes may belong to something else. */
export function unknownScopes(scopes: readonly string[] = []): string[] {
  const known: readonly string[] = Scope.options;
  return scopes
    .filter((scope) => scope.startsWith("iam:") && !known.includes(scope))
    .map((scope) => `${scope.slice(0, 40)}${didYouMean(scope, known)}`);
}

/** Warns of scopes that no token can be given: with one of them required, every request is refused. */
function warnOfScopes(data: object, context: AuthContext): void {
  for (const name of ["REQUIRED_SCOPES", "ADVERTISED_SCOPES"] as const) {
    const value: unknown = Reflect.get(data, name);
    const unknown = unknownScopes(commaList(typeof value === "string" ? value : undefined));
    if (unknown.length === 0) continue;
    context.log.warn(
      {},
      sentence(`${authPrefix}${name} has unknown scopes: ${unknown.join("; ")}`),
    );
  }
}

/** @returns the text with a full stop, unless it ends with a question. */
export function sentence(text: string): string {
  return text.endsWith("?") ? text : `${text}.`;
}

/** @returns the parts of a comma-separated list, trimmed, without empty ones and repetitions. */
export function commaList(text: string | undefined): readonly string[] {
  const parts = (text ?? "").split(",").map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ""))];
}
