import type { z } from "zod";
import { ToolError } from "../errors.ts";
import { excerpt } from "./excerpt.ts";

const maxIssues = 5;
const maxReason = 300;

/** @returns the tool error for arguments that do not fit the schema: each field, and why. */
export function invalidArguments(error: z.ZodError): ToolError {
  const issues = withoutConsequences(error.issues);
  const reasons = issues.slice(0, maxIssues).map(reason);
  const more = issues.length - reasons.length;
  if (more > 0) reasons.push(`and ${more} more`);
  return new ToolError("invalid_arguments", `Invalid arguments: ${reasons.join("; ")}.`);
}

/** A value of a wrong type is measured all the same: a text in place of a list is "too long" as well. */
function withoutConsequences(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const wrongTypes = new Set(
    issues.filter(({ code }) => code === "invalid_type").map(({ path }) => fieldName(path)),
  );
  return issues.filter(
    ({ code, path }) => code === "invalid_type" || !wrongTypes.has(fieldName(path)),
  );
}

function reason(issue: z.core.$ZodIssue): string {
  const field = fieldName(issue.path);
  return field === "" ? text(issue) : `${field}: ${text(issue)}`;
}

/** The library's messages name types and allowed values but never quote the value given; keys they do quote. */
function text(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.slice(0, maxIssues).map((key) => `"${excerpt(key)}"`);
    return `unknown ${issue.keys.length === 1 ? "field" : "fields"} ${keys.join(", ")}`;
  }
  if ("options" in issue && issue.options) {
    return `expected one of ${issue.options.map((option) => `"${String(option)}"`).join(", ")}`;
  }
  return excerpt(issue.message, maxReason);
}

/** @returns e.g. `policies[3].name`. */
function fieldName(path: readonly PropertyKey[]): string {
  let name = "";
  for (const part of path) {
    if (typeof part === "number") name += `[${part}]`;
    else name += `${name === "" ? "" : "."}${excerpt(String(part))}`;
  }
  return excerpt(name, maxReason);
}
