import { expect, test } from "vitest";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { engineFor } from "../../test/support/run-check.ts";
import { builtinChecks } from "../checks/index.ts";
import { validateText } from "./validate-text.ts";

const { runtime: bare } = bareRuntime();
const runtime = { ...bare, engine: engineFor(builtinChecks) };
const options = { declaredType: null, maxFileBytes: 10_000, maxDocuments: 10 };

const template = `# roles
Resources:
  Shared:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      PolicyDocument:
        Version: "2012-10-17"
        Statement: {Effect: Allow, Action: s3:GetObjct, Resource: !Sub "arn:aws:s3:::\${Bucket}/*"}
`;

test("the policies of a template in a file have positions of the file", async () => {
  const text = `first: 1\n---\n${template}`;
  const documents = await validateText({ label: "app.yaml", text }, runtime, options);
  const [found] = documents.filter(({ unwrapped }) => unwrapped);
  expect(found).toMatchObject({
    file: "app.yaml",
    document: 1,
    unwrapped: { label: "Resources.Shared.Properties.PolicyDocument", first_line: 9 },
  });
  expect(found?.findings).toMatchObject([
    { issue_type: "invalid_action", location: { start: { line: 10 } } },
  ]);
});

test("the limit for policies counts for policies, not for the templates that hold them", async () => {
  const small = { ...options, maxFileBytes: 100 };
  const documents = await validateText({ label: "app.yaml", text: template }, runtime, small);
  expect(documents[0]?.unwrapped?.state).toBe("read");
  const policy = JSON.stringify({ Version: "2012-10-17", Statement: [], Id: "x".repeat(100) });
  const [large] = await validateText({ label: "p.json", text: policy }, runtime, small);
  expect(large?.findings).toMatchObject([{ issue_type: "unreadable_file" }]);
});

test.each([
  ["of Terraform or the shell is a placeholder", "${OIDC}:aud", "template_text", 0],
  ["of CloudFormation is a mistake", "${AWS::AccountId}:aud", undefined, 1],
])("a ${name} %s in a file of JSON", async (_title, key, kind, errors) => {
  const text = JSON.stringify({
    Version: "2012-10-17",
    Statement: {
      Effect: "Allow",
      Principal: { Federated: "arn:aws:iam::111122223333:oidc-provider/example.com" },
      Action: "sts:AssumeRoleWithWebIdentity",
      Condition: { StringEquals: { [key]: "sts.amazonaws.com" } },
    },
  });
  const [found] = await validateText({ label: "trust.json", text }, runtime, options);
  expect(found?.unwrapped?.kind).toBe(kind);
  expect(found?.findings.filter(({ severity }) => severity === "error")).toHaveLength(errors);
});

test("beside a manifest with a policy in a named file, other manifests are skipped", async () => {
  const role = `apiVersion: iam.services.k8s.aws/v1alpha1
kind: Policy
metadata: {name: jobs}
spec: {policyDocument: '{"Statement": []}'}
`;
  const text = `${role}---\napiVersion: v1\nkind: ConfigMap\ndata: {}\n---\n{ broken\n`;
  const skipped: unknown[] = [];
  const onSkip = (one: unknown) => skipped.push(one);
  const documents = await validateText({ label: "a.yaml", text }, runtime, { ...options, onSkip });
  // What cannot be parsed may be anything.
  expect(documents.map(({ document }) => document)).toEqual([0, 2]);
  expect(skipped).toEqual([{ file: "a.yaml", document: 1, reason: "it is not a policy" }]);
});
