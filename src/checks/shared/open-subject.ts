import type { NeededInput } from "../../../spec/finding.ts";
import {
  eksIssuer,
  gitHubIssuer,
  gitHubSubject,
  gitLabSubject,
  kubernetesSubject,
  type SubjectFormat,
  sharedProvider,
} from "../../policy/oidc-providers.ts";
import { input } from "./placeholders.ts";

/** A value with placeholders, and what these ask for. */
export interface OpenValue {
  readonly value: string;
  readonly needs: readonly NeededInput[];
}

const organization = input("org", "Your organization or group at the provider", "example-org");
const project = input("repo", "The repository or project", "example-repo");
const branch = input("branch", "The branch that may assume the role", "main");
const namespace = input("namespace", "Namespace of the service account", "payments");
const serviceAccount = input("service-account", "Name of the service account", "orders");
const subject = input("subject", "The subject of the tokens to accept", "example-subject");

/** Formats that the vendors document whole. */
const whole: ReadonlyMap<SubjectFormat, OpenValue> = new Map([
  [
    gitHubSubject,
    { value: "repo:<org>/<repo>:ref:refs/heads/<branch>", needs: [organization, project, branch] },
  ],
  [
    gitLabSubject,
    {
      value: "project_path:<org>/<repo>:ref_type:branch:ref:<branch>",
      needs: [organization, project, branch],
    },
  ],
  [
    kubernetesSubject,
    {
      value: "system:serviceaccount:<namespace>:<service-account>",
      needs: [namespace, serviceAccount],
    },
  ],
]);

/** https://developer.hashicorp.com/terraform/cloud-docs/workspaces/dynamic-provider-credentials/workload-identity-tokens */
const terraform: OpenValue = {
  value: "organization:<org>:project:<project>:workspace:<workspace>:run_phase:<run-phase>",
  needs: [
    organization,
    input("project", "The project in HCP Terraform", "example-project"),
    input("workspace", "The workspace that may assume the role", "example-workspace"),
    input("run-phase", "plan or apply", "apply"),
  ],
};

const unknown: OpenValue = { value: subject.placeholder, needs: [subject] };

/** @returns the subject of an issuer in the form that its vendor documents, with placeholders. */
export function openSubject(issuer: string): OpenValue {
  const lower = issuer.toLowerCase();
  if (lower === gitHubIssuer) return whole.get(gitHubSubject) ?? unknown;
  if (eksIssuer.test(lower)) return whole.get(kubernetesSubject) ?? unknown;
  if (lower === "app.terraform.io") return terraform;
  const format = sharedProvider(issuer)?.subject;
  if (!format) return unknown;
  const { prefix } = format;
  return (
    whole.get(format) ?? {
      value: `${prefix}${subject.placeholder}`,
      needs: [input("subject", `What follows ${prefix} in the subject`, "example")],
    }
  );
}
