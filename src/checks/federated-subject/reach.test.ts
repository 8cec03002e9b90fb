import { expect, test } from "vitest";
import {
  gitHubSubject,
  gitLabSubject,
  kubernetesSubject,
  vercelSubject,
} from "../../policy/oidc-providers.ts";
import { patternOf, reachOf } from "./reach.ts";

test.each([
  ["*", "tenants"],
  ["re*", "tenants"],
  ["repo:*", "tenants"],
  ["repo:ac?e/api:ref:refs/heads/main", "tenants"],
  ["repo:acme*", "tenants"],
  ["repo:acme/*", "projects"],
  ["repo:acme/ap?:ref:refs/heads/main", "projects"],
  ["repo:acme/api*", "projects"],
  ["repo:acme@123/api:*", "project"],
  ["repo:acme@12*", "projects"],
  ["repo:acme/api:*", "project"],
  ["repo:acme/api:pull_request", "project"],
  ["repo:acme/api:ref:*", "project"],
  ["repo:acme/api:ref:refs/heads/*", "project"],
  ["repo:acme/api:environment:*", "project"],
  ["repo:acme/api@456:*", "project"],
  ["repo:acme/api@456:ref:refs/heads/main", "exact"],
  ["repo:acme/api@456", "exact"],
  ["repo:acme/api:ref:refs/heads/release-*", "exact"],
  ["repo:acme/api:environment:prod*", "exact"],
  ["repo:acme/api:job_workflow_ref:acme/x*", "exact"],
  ["repo:acme/api:ref:refs/heads/main", "exact"],
  ["repo:acme/api", "exact"],
  ["repo:acme", null],
  ["rep", null],
  ["project:acme/*", null],
  ["acme/api:*", null],
] as const)("a subject of GitHub %s reaches %s", (text, reach) => {
  expect(reachOf(text, gitHubSubject)).toBe(reach);
});

test.each([
  ["project_path:acme/api:*", "project"],
  ["project_path:acme/api:ref_type:branch:ref:*", "project"],
  ["project_path:acme/api:ref_type:branch:ref:main*", "exact"],
  ["project_path:acme/*:ref_type:branch:ref:main", "projects"],
  ["project_path:acme*", "tenants"],
] as const)("a subject of GitLab %s reaches %s", (text, reach) => {
  expect(reachOf(text, gitLabSubject)).toBe(reach);
});

test.each([
  ["owner:acme:project:shop:environment:production", "exact"],
  ["owner:acme:project:shop:environment:*", "project"],
  ["owner:acme:project:shop:*", "project"],
  ["owner:acme:project:*", "projects"],
  ["owner:acme:*", "projects"],
  ["owner:*", "tenants"],
] as const)("a subject of Vercel %s reaches %s", (text, reach) => {
  expect(reachOf(text, vercelSubject)).toBe(reach);
});

test.each([
  ["system:serviceaccount:shop:orders", "exact"],
  ["system:serviceaccount:shop:*", "projects"],
  ["system:serviceaccount:*", "tenants"],
  ["system:serviceaccount:shop", null],
] as const)("a subject of Kubernetes %s reaches %s", (text, reach) => {
  expect(reachOf(text, kubernetesSubject)).toBe(reach);
});

test("a subject without parts reaches all or one", () => {
  const format = { prefix: "https://github.com/", tenantEnds: "", projectEnds: "" };
  expect(reachOf("https://github.com/acme", format)).toBe("exact");
  expect(reachOf("https://github.com/*", format)).toBe("tenants");
});

test("a policy variable is a wildcard, and a placeholder of a template some fixed text", () => {
  expect(patternOf("repo:acme/${aws:PrincipalTag/repo}:*")).toBe("repo:acme/*:*");
  expect(patternOf("repo:acme/${Repository}:*")).toBe("repo:acme/V:*");
  expect(patternOf("repo:acme/{{ repository }}:*")).toBe("repo:acme/V:*");
});
