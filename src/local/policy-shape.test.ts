import { describe, expect, test } from "vitest";
import { isPolicyShaped, mentionsPolicy } from "./policy-shape.ts";

const statement = { Effect: "Allow", Action: "s3:GetObject", Resource: "*" };

describe("a value is a policy by its shape", () => {
  test.each<[string, unknown]>([
    ["a policy", { Version: "2012-10-17", Statement: [statement] }],
    ["a policy without a version and with one statement", { Statement: statement }],
    ["an SCP", { Statement: [{ Effect: "Deny", Action: "*", Resource: "*" }] }],
    [
      "a trust policy",
      { Statement: { Effect: "Allow", Principal: { AWS: "1" }, Action: "sts:AssumeRole" } },
    ],
    ["a policy whose Effect is misspelt", { Statement: [{ ...statement, Effect: "Alow" }] }],
    ["a policy without an action", { Statement: [{ Effect: "Allow", Resource: "*" }] }],
    ["a policy whose Statement is misspelt", { Version: "2012-10-17", Statment: [statement] }],
    ["a policy in lower case", { version: "2012-10-17", statement: [{ effect: "Allow" }] }],
    ["a policy without statements", { Version: "2012-10-17", Statement: [] }],
    ["a list of statements", [statement, statement]],
    ["one statement", statement],
  ])("%s", (_, value) => expect(isPolicyShaped(value)).toBe(true));

  test.each<[string, unknown]>([
    ["package.json", { name: "x", version: "1.0.0", scripts: { build: "tsc" } }],
    ["a compose file", { version: "3.8", services: { web: { image: "x" } } }],
    ["a Kubernetes NetworkPolicy", { apiVersion: "v1", kind: "NetworkPolicy", spec: {} }],
    ["a WAF rule", { Name: "r", Statement: { ByteMatchStatement: { SearchString: "x" } } }],
    [
      "a data protection policy",
      { Version: "2021-06-01", Statement: [{ DataIdentifier: ["x"], Operation: { Audit: {} } }] },
    ],
    [
      "a stack policy",
      { Statement: [{ Effect: "Deny", Action: "Update:*", Principal: "*", Resource: "*" }] },
    ],
    [
      "a policy of Cedar",
      {
        effect: "permit",
        principal: { op: "All" },
        action: { op: "All" },
        resource: { op: "All" },
      },
    ],
    ["an Azure policy", JSON.parse('{"properties":{"policyRule":{"then":{"effect":"deny"}}}}')],
    ["a JSON Schema", { properties: { Statement: { type: "array" } } }],
    ["an event pattern", { source: ["aws.ec2"], detail: { state: ["running"] } }],
    ["a list of texts", ["a", "b"]],
    ["an empty list", []],
    ["a text", "Statement"],
    ["nothing", null],
  ])("%s is not one", (_, value) => expect(isPolicyShaped(value)).toBe(false));
});

test.each<[string, boolean]>([
  ['{"Version": "2012-10-17", "Statement": [', true],
  ["Statement: [", true],
  ["{ broken", false],
  ["# Statement about policies\n[", false],
  ["{{- if .Values.iam }}\nStatement:\n{{- end }}", false],
])("%j that does not parse was meant as a policy: %s", (text, meant) => {
  expect(mentionsPolicy(text)).toBe(meant);
});
