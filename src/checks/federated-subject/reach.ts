import { replaceClosed } from "../../closed-braces.ts";
import { replacePlaceholders } from "../../policy/arn.ts";
import type { SubjectFormat } from "../../policy/oidc-providers.ts";

/** How far a pattern over the subjects of a provider reaches. */
export type Reach =
  /** Other customers of the provider. */
  | "tenants"
  /** Every project of the tenant, or several. */
  | "projects"
  /** All that runs in one project. */
  | "project"
  /** One branch, tag or environment, or a family of them. */
  | "exact";

/** Parts of a subject after the project that name something narrower. */
const narrower: Readonly<Record<string, RegExp>> = {
  "repo:": /^(?:ref:refs\/(?:heads|tags)\/|environment:|(?!ref:|environment:)[a-z_]+:)[^*?]/,
  "project_path:": /^ref_type:[a-z]+:ref:[^*?]/,
};
const labelled = /^[^:*?]+:[^*?]/;

const policyVariable = /\$\{(?:aws|saml|sts|iam):(?!:)[^}]*\}/gi;

/** @returns the value with a wildcard for each policy variable, and fixed text for template placeholders. */
export function patternOf(value: string): string {
  return replacePlaceholders(replaceClosed(value, policyVariable, "*"), "V");
}

/**
 * @param text A value of the subject, as {@link patternOf} returns it.
 * @returns null when the value does not begin as the provider's subjects do.
 */
export function reachOf(text: string, format: SubjectFormat): Reach | null {
  const wildcard = text.search(/[*?]/);
  const fixed = wildcard < 0 ? text : text.slice(0, wildcard);
  const { prefix, tenantEnds, projectEnds, projectLabel } = format;
  if (fixed.length < prefix.length)
    return wildcard >= 0 && prefix.startsWith(fixed) ? "tenants" : null;
  if (!fixed.startsWith(prefix)) return null;
  if (tenantEnds === "") return wildcard < 0 ? "exact" : "tenants";
  const tenant = fixed.slice(prefix.length);
  const end = indexOfAny(tenant, tenantEnds);
  if (end < 0) return wildcard < 0 ? null : "tenants";
  // `owner@<id>/name`: the id belongs to the owner.
  const slash = tenant[end] === "@" ? text.indexOf("/", prefix.length + end) : prefix.length + end;
  if (slash < 0) return "projects";
  const project = text.slice(slash + 1);
  const label = projectLabel ? indexOfAny(project, ":") + 1 : 0;
  const projectEnd =
    projectEnds === "" ? project.length : indexOfAny(project.slice(label), projectEnds);
  const name = projectEnds === "" ? project : project.slice(0, label + projectEnd);
  if (projectEnds !== "" && projectEnd < 0) return wildcard < 0 ? "exact" : "projects";
  if (/[*?]/.test(name)) return "projects";
  const rest = restAfter(project, label + projectEnd);
  if (!/[*?]/.test(rest))
    return prefix === "repo:" && rest === "pull_request" ? "project" : "exact";
  return (narrower[prefix] ?? labelled).test(rest) ? "exact" : "project";
}

/** What follows the project and, in `name@<id>:…`, its id. */
function restAfter(project: string, end: number): string {
  const from = project[end] === "@" ? project.indexOf(":", end) : end;
  return from < 0 ? project.slice(end) : project.slice(from + 1);
}

function indexOfAny(text: string, characters: string): number {
  return [...text].findIndex((character) => characters.includes(character));
}
