import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** One fault of a value: its place in the value and a sentence part such as `must be a string`. */
export interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Lists the problems that a schema found, each with its own path and a plain message that never contains
 * the value. Of a union, only the alternatives that fit the value best are described: those whose
 * problems are deepest in the value.
 * Zod's `z.prettifyError` and `z.treeifyError` do not go into unions.
 */
export function problemsOf(issues: readonly Issue[]): Problem[] {
  return issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ path: [...issue.path, key], message: "unknown key" }));
    }
    if (issue.code === "invalid_union" && issue.errors.length > 0) {
      return below(issue.path, problemsOfUnion(issue.errors));
    }
    if (issue.code === "invalid_element" || issue.code === "invalid_key") {
      return below(issue.path, problemsOf(issue.issues));
    }
    return [{ path: issue.path, message: sentenceOf(issue) }];
  });
}

function below(path: readonly PropertyKey[], problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
}

/** How well an alternative fits: 0, the value has another type; 1, it has the type but a wrong value; 2, the problem is inside. */
function fitOf(issues: readonly Issue[], problems: readonly Problem[]): number {
  if (problems.every(({ path }) => path.length > 0)) return 2;
  return issues.some(({ code, path }) => code === "invalid_type" && path.length === 0) ? 0 : 1;
}

function problemsOfUnion(alternatives: readonly (readonly Issue[])[]): Problem[] {
  const ranked = alternatives.map((issues) => {
    const problems = problemsOf(issues);
    return { problems, fit: fitOf(issues, problems) };
  });
  const best = Math.max(...ranked.map(({ fit }) => fit));
  const fitting = ranked.filter(({ fit }) => fit === best).map(({ problems }) => problems);
  if (best === 2) return fitting.reduce((least, one) => (one.length < least.length ? one : least));
  const messages = new Set(fitting.flat().map(({ message }) => message));
  const [first = "is not valid", ...others] = messages;
  const rest = others.map((message) => ` or ${message.replace(/^must (be|have) /, "")}`);
  return [{ path: [], message: first + rest.join("") }];
}

const words: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping",
  record: "a mapping",
  null: "null",
};

/** How the messages of Zod begin; any other is that of a schema in `spec/`. */
const written = /^(Invalid|Too|Unrecognized)\b/;

function sentenceOf(issue: Issue): string {
  if (!written.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      if (issue.message.endsWith("received undefined")) return "is missing";
      return `must be ${words[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      if (issue.origin !== "number" && issue.origin !== "int") return "must not be empty";
      return `must be ${issue.inclusive ? "at least" : "more than"} ${issue.minimum}`;
    case "too_big":
      return issue.origin === "number" || issue.origin === "int"
        ? `must be at most ${issue.maximum}`
        : `must have at most ${issue.maximum} entries or characters`;
    case "invalid_format":
      if (issue.format === "url") return "must be a URL";
      return issue.message.replace(/^Invalid string: /, "");
    default:
      return issue.message;
  }
}
