import {
  gitHubIssuer,
  oidcProvidersDate,
  type SharedProvider,
} from "../../policy/oidc-providers.ts";
import { quote } from "../shared/quote.ts";
import type { FederatedProvider, Width } from "./providers.ts";

const date = `(subject formats of ${oidcProvidersDate})`;

/** What other claims of the statement fix. */
export type Fixed = "nothing" | "tenant" | "project";

export const messageFor = {
  audience: (value: string, { name }: SharedProvider) =>
    `The audience ${quote(value)} admits tokens of other customers of ${name}, which tells its customers apart by the audience ${date}.`,

  subject(
    value: string,
    width: Width,
    provider: FederatedProvider,
    issuer: string,
    fixed: Fixed,
  ): string {
    const name = provider.kind === "shared" ? provider.shared.name : quote(issuer);
    const subject = `The subject ${quote(value)}`;
    switch (width.kind) {
      case "cluster":
        return `${subject} admits every pod of the cluster ${quote(issuer)}.`;
      case "namespaces":
        return width.reach === "projects"
          ? `${subject} admits service accounts of several namespaces of the cluster.`
          : `${subject} admits every service account that matches, not one.`;
      case "other claim":
        return `${subject} does not begin with the owner. A repository can choose the claims of its subject, so a repository of a stranger can send this one ${date}.`;
      case "called workflow":
        return `${subject} names the workflow that is called, not who calls it; any repository can call a workflow of a public repository ${date}.`;
      case "pattern":
        break;
    }
    if (fixed === "project" && width.reach !== "project") {
      return `${subject} leaves open what runs in the project that another claim of the statement fixes: every ${restOf(value)} of it that matches can assume this role.`;
    }
    if (fixed === "tenant" && width.reach === "tenants") {
      return `${subject} leaves the project open, and another claim of the statement fixes the customer of ${name}: every project of this customer that matches can assume this role.`;
    }
    switch (width.reach) {
      case "tenants":
        return `${subject} does not fix whose it is, so other customers of ${name} can assume this role ${date}.`;
      case "projects":
        return provider.kind === "shared"
          ? `${subject} fixes the customer of ${name} and leaves the project open: every project that matches can assume this role ${date}.`
          : `${subject} leaves the project open: every project at ${name} that matches can assume this role.`;
      default:
        return value.endsWith(":pull_request")
          ? `${subject} admits workflows that run for pull requests, whose code has not been approved yet ${date}.`
          : `${subject} fixes the project and leaves the rest open: every ${restOf(value)} that matches can assume this role.`;
    }
  },
};

/** What subjects hold behind the project: GitHub and GitLab have branches, CircleCI has users. */
function restOf(subject: string): string {
  return /^(repo|project_path):/.test(subject) ? "branch, tag and environment" : "subject";
}

/**
 * The suggestion for a subject that is too wide, in the words of its provider.
 * @param issuer Host and path of the provider.
 */
export function adviceFor(
  { kind, reach }: Width,
  provider: FederatedProvider,
  issuer: string,
): string {
  if (kind === "cluster" || kind === "namespaces") {
    return "Name namespace and service account: `system:serviceaccount:NAMESPACE:NAME`.";
  }
  const gitHub = issuer.toLowerCase() === gitHubIssuer;
  if (kind === "called workflow") {
    return "Add a condition on `token.actions.githubusercontent.com:repository_owner` with your organization.";
  }
  if (gitHub) {
    return "Name owner, repository and branch or environment: `repo:OWNER/REPOSITORY:ref:refs/heads/BRANCH` or `repo:OWNER/REPOSITORY:environment:NAME`.";
  }
  const format = provider.kind === "shared" ? provider.shared.subject : provider.format;
  const begins = format ? `, beginning with \`${format.prefix}\`` : "";
  return reach === "tenants"
    ? `Give the name of your organization in full, up to the delimiter${begins}, and the project.`
    : `Give the project and the branch, tag or environment in full${begins}.`;
}
