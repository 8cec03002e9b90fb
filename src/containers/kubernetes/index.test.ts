import { describe, expect, it } from "vitest";
import { placesIn } from "../../../test/support/container-places.ts";
import { kubernetes } from "./index.ts";

const read = async (yaml: string) => (await placesIn(kubernetes, yaml)) ?? [];

const manifest = (apiVersion: string, kind: string, spec: string) =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: jobs\nspec:\n${spec.replaceAll(/^/gm, "  ")}\n`;

const policy = '{"Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}]}';

describe("policies of manifests", () => {
  it.each([
    [
      "iam.services.k8s.aws/v1alpha1",
      "Role",
      `assumeRolePolicyDocument: '${policy}'`,
      "spec.assumeRolePolicyDocument",
      "TRUST_POLICY",
    ],
    [
      "iam.services.k8s.aws/v1alpha1",
      "Role",
      `inlinePolicies:\n  read: '${policy}'`,
      "spec.inlinePolicies.read",
      "IDENTITY_POLICY",
    ],
    [
      "sqs.services.k8s.aws/v1alpha1",
      "Queue",
      `policy: |\n  ${policy}`,
      "spec.policy",
      "RESOURCE_POLICY",
    ],
    [
      "iam.aws.crossplane.io/v1beta1",
      "Policy",
      `forProvider:\n  document: '${policy}'`,
      "spec.forProvider.document",
      "IDENTITY_POLICY",
    ],
    [
      "iam.aws.upbound.io/v1beta1",
      "Role",
      `forProvider:\n  assumeRolePolicy: '${policy}'`,
      "spec.forProvider.assumeRolePolicy",
      "TRUST_POLICY",
    ],
    [
      "iam.aws.m.upbound.io/v1beta1",
      "Role",
      `forProvider:\n  inlinePolicy:\n  - policy: '${policy}'`,
      "spec.forProvider.inlinePolicy[0].policy",
      "IDENTITY_POLICY",
    ],
    [
      "kafka.aws.upbound.io/v1beta1",
      "ClusterPolicy",
      `forProvider:\n  policy: '${policy}'`,
      "spec.forProvider.policy",
      "RESOURCE_POLICY",
    ],
    [
      "apigateway.aws.crossplane.io/v1alpha1",
      "RestAPI",
      `forProvider:\n  policy: '${policy}'`,
      "spec.forProvider.policy",
      "RESOURCE_POLICY",
    ],
    [
      "iot.aws.crossplane.io/v1alpha1",
      "Policy",
      `forProvider:\n  policyDocument: '${policy}'`,
      "spec.forProvider.policyDocument",
      "IDENTITY_POLICY",
    ],
    [
      "cloudwatchlogs.aws.crossplane.io/v1alpha1",
      "ResourcePolicy",
      `forProvider:\n  policyDocument: '${policy}'`,
      "spec.forProvider.policyDocument",
      "RESOURCE_POLICY",
    ],
    [
      "s3.aws.upbound.io/v1beta1",
      "BucketPolicy",
      `initProvider:\n  policy: '${policy}'`,
      "spec.initProvider.policy",
      "RESOURCE_POLICY",
    ],
    [
      "ec2.aws.upbound.io/v1beta1",
      "VPCEndpoint",
      `forProvider:\n  policy: '${policy}'`,
      "spec.forProvider.policy",
      "ENDPOINT_POLICY",
    ],
    [
      "cloudwatchevents.aws.upbound.io/v1beta1",
      "BusPolicy",
      `forProvider:\n  policy: '${policy}'`,
      "spec.forProvider.policy",
      "RESOURCE_POLICY",
    ],
  ])("%s %s", async (apiVersion, kind, spec, path, type) => {
    const found = await read(manifest(apiVersion, kind, spec));
    expect(found).toMatchObject([
      { address: `${kind}/jobs ${path}`, type, documents: [JSON.parse(policy)], state: "read" },
    ]);
  });

  it("keep the lines of the manifest in a block of text", async () => {
    const spec =
      'policyDocument: |\n  {\n    "Statement": [{\n      "Effect": "Allow"\n    }]\n  }';
    const text = manifest("iam.services.k8s.aws/v1alpha1", "Policy", spec);
    const [found] = await read(text);
    const effect = found?.place.alternatives[0]?.root?.members
      ?.get("Statement")
      ?.value.items?.[0]?.members?.get("Effect")?.value;
    expect(text.slice(effect?.start, effect?.end)).toBe('"Allow"');
  });

  it("leave placeholders unknown, and policy variables as they are", async () => {
    const document =
      '{"Statement": {"Effect": "Allow", "Action": "s3:*", "Resource": "arn:aws:s3:::${BUCKET}/${aws:username}"}}';
    const [found] = await read(
      manifest("iam.services.k8s.aws/v1alpha1", "Policy", `policyDocument: '${document}'`),
    );
    const token = found?.place.alternatives[0]?.value as { Statement: { Resource: string } };
    expect(token.Statement.Resource).not.toContain("BUCKET");
    expect(found?.documents).toEqual([JSON.parse(document)]);
  });

  it("leave the placeholders of Helm and of the environment unknown", async () => {
    const spec =
      'policyDocument: |\n  {"Statement": {"Effect": "Allow", "Action": {{ .Values.actions | toJson }}, "Resource": "arn:aws:iam::$ACCOUNT:role/{{ .Values.role }}"}}';
    const found = await read(manifest("iam.services.k8s.aws/v1alpha1", "Policy", spec));
    expect(found.flatMap(({ documents }) => documents)).toEqual([
      {
        Statement: {
          Effect: "Allow",
          Action: "${.Values.actions | toJson}",
          Resource: "arn:aws:iam::${ACCOUNT}:role/${.Values.role}",
        },
      },
    ]);
  });

  it("are found in the templates of a resource graph", async () => {
    const graph = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
spec:
  resources:
  - id: read
    template:
      apiVersion: iam.services.k8s.aws/v1alpha1
      kind: Policy
      metadata:
        name: \${schema.spec.name}
      spec:
        policyDocument: '${policy.replace('"*"', '"${bucket.status.arn}/*"')}'
`;
    const [place, ...others] = await read(graph);
    expect(others).toEqual([]);
    expect(place).toMatchObject({ type: "IDENTITY_POLICY", state: "read" });
    expect(place?.documents).toMatchObject([
      { Statement: [{ Resource: "${bucket.status.arn}/*" }] },
    ]);
  });

  it.each([
    [
      "combine",
      `- type: CombineFromComposite
      toFieldPath: spec.forProvider.policy
      combine:
        variables: [{fromFieldPath: spec.a}, {fromFieldPath: spec.b}]
        strategy: string
        string:`,
    ],
    [
      "a transform",
      `- fromFieldPath: spec.a
      toFieldPath: spec.forProvider.policy
      transforms:
      - type: string
        string:`,
    ],
  ])("are the format texts of patches: %s", async (_title, patch) => {
    const composition = `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
spec:
  resources:
  - name: p
    base:
      apiVersion: iam.aws.upbound.io/v1beta1
      kind: Policy
      metadata: {name: p}
      spec: {forProvider: {policy: '{}'}}
    patches:
    ${patch}
          fmt: '${policy.replace('"*"', '"arn:aws:s3:::%s/*"')}'
`;
    const places = await read(composition);
    expect(places.map(({ address, state, type }) => [address, state, type])).toEqual([
      ["Policy/p spec.forProvider.policy", "read", "IDENTITY_POLICY"],
    ]);
    expect(places[0]?.documents).toMatchObject([
      { Statement: [{ Resource: "arn:aws:s3:::${spec.a}/*" }] },
    ]);
  });

  it("are found in lists and in compositions, with what their patches set", async () => {
    const role = (name: string) =>
      `apiVersion: iam.aws.upbound.io/v1beta1\nkind: Role\nmetadata:\n  name: ${name}\nspec:\n  forProvider:\n    assumeRolePolicy: '${policy}'`;
    const indent = (text: string) => text.replaceAll("\n", "\n      ");
    const composition = `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
spec:
  resources:
  - name: a
    base:
      ${indent(role("a"))}
  - name: b
    base:
      ${indent(role("b"))}
    patches:
    - fromFieldPath: spec.x
      toFieldPath: spec.forProvider.assumeRolePolicy
`;
    const found = await read(composition);
    expect(found.map(({ address, state }) => [address, state])).toEqual([
      ["Role/a spec.forProvider.assumeRolePolicy", "read"],
      ["Role/b spec.forProvider.assumeRolePolicy", "not_read"],
    ]);
    const list = `apiVersion: v1\nkind: List\nitems:\n- ${role("c").replaceAll("\n", "\n  ")}\n`;
    expect(await read(list)).toHaveLength(1);
  });

  it("are found in the pipeline of a composition, and in its templates of Go, which are not read", async () => {
    const inputs = (template: string) => `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
spec:
  mode: Pipeline
  pipeline:
  - step: patch
    input:
      apiVersion: pt.fn.crossplane.io/v1beta1
      kind: Resources
      resources:
      - base:
          apiVersion: iam.aws.upbound.io/v1beta1
          kind: Policy
          spec: {forProvider: {policy: '${policy}'}}
  - step: render
    input:
      apiVersion: gotemplating.fn.crossplane.io/v1beta1
      kind: GoTemplate
      inline:
        template: |
          ${template.replaceAll("\n", "\n          ")}
`;
    const rendered = (kind: string, member: string) =>
      `---\napiVersion: iam.aws.upbound.io/v1beta1\nkind: ${kind}\nspec:\n  forProvider:\n    ${member}: {{ toJson .policy }}`;
    const text = inputs(
      ["{{ range .roles }}", rendered("Role", "assumeRolePolicy"), rendered("User", "path")].join(
        "\n",
      ),
    );
    const found = await read(text);
    expect(found.map(({ address, state, type }) => [address, state, type])).toEqual([
      ["Policy spec.forProvider.policy", "read", "IDENTITY_POLICY"],
      [
        "spec.pipeline[1].input.inline.template Role spec.forProvider.assumeRolePolicy",
        "not_read",
        "TRUST_POLICY",
      ],
    ]);
    const alone = text
      .replace("pt.fn", "other.fn")
      .replace("iam.aws.upbound.io/v1beta1\n          kind: Policy", "x/v1\n          kind: Y");
    expect((await read(alone)).map(({ state }) => state)).toEqual(["not_read"]);
    const other = await placesIn(kubernetes, alone.replace("gotemplating", "kcl"));
    expect(other).toBeNull();
  });

  it("are read from clusters of eksctl", async () => {
    const attached = "attachPolicy: {Statement: []}";
    const pods = "podIdentityAssociations: [{permissionPolicy: {Statement: []}}]";
    const found = await read(`apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: jobs}
iam:
  serviceAccounts: [{${attached}}, {attachPolicyARNs: []}]
  ${pods}
addons: [{${attached}, ${pods}}]
nodeGroups: [{iam: {${attached}}}]
managedNodeGroups: [{iam: {${attached}}}]
`);
    expect(found.map(({ address }) => address)).toEqual([
      "ClusterConfig/jobs iam.serviceAccounts[0].attachPolicy",
      "ClusterConfig/jobs iam.podIdentityAssociations[0].permissionPolicy",
      "ClusterConfig/jobs addons[0].attachPolicy",
      "ClusterConfig/jobs addons[0].podIdentityAssociations[0].permissionPolicy",
      "ClusterConfig/jobs nodeGroups[0].iam.attachPolicy",
      "ClusterConfig/jobs managedNodeGroups[0].iam.attachPolicy",
    ]);
    expect(found.every(({ type }) => type === "IDENTITY_POLICY")).toBe(true);
  });

  it("are not read in the provider's own grammar", async () => {
    const spec = "forProvider:\n  policy:\n    version: '2012-10-17'\n    statements: []";
    const found = await read(manifest("s3.aws.crossplane.io/v1alpha3", "BucketPolicy", spec));
    expect(found).toMatchObject([{ state: "not_read" }]);
  });

  it("quotes the beginning of an expression that is not known, on one line", async () => {
    const long = `jsonencode({\n  Version = "2012-10-17"\n${"  Statement = []\n".repeat(50)}})`;
    const [place] = await read(
      manifest(
        "kms.aws.upbound.io/v1beta1",
        "Key",
        `forProvider:\n  policy: |\n    \${${long.replaceAll("\n", "\n    ")}}`,
      ),
    );
    expect(place).toMatchObject({
      state: "not_read",
      reason: expect.stringMatching(
        /^The policy is the value of `jsonencode\(\{ Version = .{1,60}…`, which is/,
      ),
    });
  });
});

describe("what holds no policy", () => {
  it.each([
    ["a network policy", "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nspec: {}\n"],
    ["a role of the cluster", "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nrules: []\n"],
    ["a policy of Kyverno", "apiVersion: kyverno.io/v1\nkind: Policy\nspec: {rules: []}\n"],
    [
      "a definition",
      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {group: iam.services.k8s.aws}\n",
    ],
    ["a config map", `apiVersion: v1\nkind: ConfigMap\ndata:\n  p.json: '${policy}'\n`],
  ])("%s", async (_title, yaml) => {
    expect(await placesIn(kubernetes, yaml)).toBeNull();
  });
});
