import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { Namespace } from "kubernetes-models/v1/Namespace";
import { Service } from "kubernetes-models/v1/Service";
import { ServiceAccount } from "kubernetes-models/v1/ServiceAccount";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, type ScalarTag } from "yaml";
import { z } from "zod";
import { settingSources } from "../../spec/settings.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { call } from "../support/rpc.ts";
import { workflowFaults } from "../support/workflow-parser.ts";

const root = join(import.meta.dirname, "../..");
const read = (name: string) => readFile(join(root, name), "utf8");
const Json = z.record(z.string(), z.unknown());

/** Variables of the server that an example sets must exist, or a typing error is a silent default. */
const variables = new Set(Object.values(settingSources).map(({ variable }) => variable));
function expectKnown(names: readonly string[]): void {
  const ours = names.filter((name) => /^VALIDATOR_MCP_(?!AUTH_)/.test(name));
  expect(ours.filter((name) => !variables.has(name))).toEqual([]);
}

describe("deploy/kubernetes", () => {
  const models = {
    Deployment,
    HorizontalPodAutoscaler,
    Ingress,
    Namespace,
    NetworkPolicy,
    PodDisruptionBudget,
    Service,
    ServiceAccount,
  };
  const Kustomization = z.looseObject({ resources: z.array(z.string()) });
  const Resource = z.looseObject({ kind: z.enum(Object.keys(models) as (keyof typeof models)[]) });
  const folder = "deploy/kubernetes";

  test("is made of resources that fit the API, all of them listed", async () => {
    const { resources } = Kustomization.parse(parse(await read(`${folder}/kustomization.yaml`)));
    const present = (await readdir(join(root, folder))).filter(
      (name) => !["kustomization.yaml", "config.yaml"].includes(name),
    );
    expect(resources.toSorted()).toEqual(present.toSorted());
    const kinds = [];
    for (const name of resources) {
      const document = Resource.parse(parse(await read(`${folder}/${name}`)));
      kinds.push(document.kind);
      // The models take what they then validate.
      new models[document.kind](document as never).validate();
    }
    expect(new Set(kinds).size).toBe(Object.keys(models).length);
  });

  test("runs the image as hardened as the tests do", async () => {
    const document = parse(await read(`${folder}/deployment.yaml`));
    const { spec } = document.spec.template;
    const [container] = spec.containers;
    expect(spec.enableServiceLinks).toBe(false);
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(container.volumeMounts).toContainEqual({ name: "tmp", mountPath: "/tmp" });
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(15);
    expectKnown(container.env.map(({ name }: { name: string }) => name));
  });

  test("selects in every resource the pods that the deployment makes", async () => {
    const labels = { "app.kubernetes.io/name": "validator-mcp" };
    const specOf = async (name: string) => parse(await read(`${folder}/${name}.yaml`)).spec;
    const deployment = await specOf("deployment");
    expect(deployment.selector.matchLabels).toEqual(labels);
    expect(deployment.template.metadata.labels).toEqual(labels);
    expect((await specOf("service")).selector).toEqual(labels);
    expect((await specOf("disruption-budget")).selector.matchLabels).toEqual(labels);
    expect((await specOf("network-policy")).podSelector.matchLabels).toEqual(labels);
  });
});

describe("deploy/compose.yaml", () => {
  test("runs the image read-only with a tmpfs, and nginx with the tested configuration", async () => {
    const { services } = parse(await read("deploy/compose.yaml"), { merge: true });
    const replicas = [services["validator-1"], services["validator-2"]];
    for (const replica of replicas) {
      expect(replica).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
      expect(replica.tmpfs[0]).toMatch(/^\/tmp:/);
      expectKnown(Object.keys(replica.environment));
      // The name and the port of deploy/nginx.conf.
      expect(replica.networks.inside.aliases).toEqual(["validator"]);
    }
    const addresses = replicas.map(({ networks }) => networks.inside.ipv4_address);
    expect(new Set(addresses).size).toBe(2);
    expect(Object.keys(services.proxy.depends_on)).toEqual(["validator-1", "validator-2"]);
    expect(services.proxy.volumes[0].source).toBe("./nginx.conf");
  });
});

/** Tags of CloudFormation, read as the value that the test deploys with. */
const values: Readonly<Record<string, string>> = {
  "AWS::Partition": "aws",
  "AWS::Region": "eu-west-1",
  "AWS::AccountId": "111122223333",
  FunctionName: "validator-mcp",
};
const substitute = (text: string) =>
  text.replace(/\$\{([A-Za-z:.]+)\}/g, (whole, name: string) => values[name] ?? whole);
const scalarTags: ScalarTag[] = [
  { tag: "!Ref", resolve: (name: string) => values[name] ?? `(${name})` },
  { tag: "!Sub", resolve: substitute },
  { tag: "!GetAtt", resolve: (name: string) => `(${name})` },
];
const listTags = ["!And", "!Equals", "!If", "!Not"].map((tag) => ({
  tag,
  collection: "seq" as const,
}));
const template = parse(readFileSync(join(root, "deploy/aws-sam/template.yaml"), "utf8"), {
  customTags: [...scalarTags, ...listTags],
});

describe("deploy/aws-sam", () => {
  const { Resources } = template;

  test("lets a function URL be called with both permissions it needs", () => {
    const permissions = Object.values<{ Type: string; Condition: string; Properties: object }>(
      Resources,
    ).filter(
      ({ Type, Condition }) =>
        Type === "AWS::Lambda::Permission" && Condition === "BehindFunctionUrl",
    );
    expect(permissions.map(({ Properties }) => Properties)).toMatchObject([
      { Action: "lambda:InvokeFunctionUrl", FunctionUrlAuthType: "NONE" },
      { Action: "lambda:InvokeFunction", InvokedViaFunctionUrl: true },
    ]);
  });

  test("never pairs auth gateway with a URL that anyone may call", () => {
    const { Variables } = Resources.Validator.Properties.Environment;
    const elsewhere = ["WithLogin", "github", "jwt"];
    expect(Variables.VALIDATOR_MCP_AUTH).toEqual(["BehindHttpApi", "gateway", elsewhere]);
    expect(Resources.Url.Condition).toBe("BehindFunctionUrl");
    expect(Resources.Api.Condition).toBe("BehindHttpApi");
    expectKnown(Object.keys(Variables));
  });

  test("keeps the server's limit below the function's, and that below the API's 30 s", () => {
    const { Timeout, Environment } = Resources.Validator.Properties;
    const [, ...limits] = Environment.Variables.VALIDATOR_MCP_REQUEST_TIMEOUT_S;
    const [, ...timeouts] = Timeout;
    expect(timeouts[0]).toBeLessThan(30);
    for (const [index, limit] of limits.entries()) {
      expect(Number(limit)).toBeLessThan(timeouts[index]);
    }
    expect(Resources.Validator.Properties.ReservedConcurrentExecutions).toBe("(ConcurrencyLimit)");
  });
});

describe("policies of the deploy examples", () => {
  let server: InProcess;
  beforeAll(async () => {
    server = await startInProcess();
  });
  afterAll(() => server.stop());

  const { Properties: role } = template.Resources.Role;
  const policies = [
    ["the function's role", "IDENTITY_POLICY", role.Policies[0].PolicyDocument],
    ["the function's trust policy", "TRUST_POLICY", role.AssumeRolePolicyDocument],
    [
      "analyze-policy.json",
      "IDENTITY_POLICY",
      JSON.parse(readFileSync(join(root, "deploy/analyze-policy.json"), "utf8")),
    ],
  ] as const;

  test.each(policies)("%s passes this validator", async (_, policy_type, policy) => {
    const { body } = await call(server, "validate_policies", { policies: [policy], policy_type });
    const { results } = Json.parse(body.result?.structuredContent);
    expect(results).toMatchObject([{ is_valid: true }]);
  });
});

describe(".github/workflows", () => {
  const folder = join(root, ".github/workflows");

  test("are read by a parser that sees what is wrong", async () => {
    const content = "on: push\njobs:\n  a:\n    runs-onn: ubuntu-24.04\n    steps: []\n";
    expect(await workflowFaults("wrong.yml", content)).toContainEqual(
      expect.stringContaining("runs-onn"),
    );
  });

  test("are workflows as GitHub reads them, with actions pinned to a commit", async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".yml"));
    expect(names.toSorted()).toEqual([
      "ci.yml",
      "fuzz.yml",
      "mutation.yml",
      "reference-data.yml",
      "release.yml",
    ]);
    for (const name of names) {
      const content = await readFile(join(folder, name), "utf8");
      expect(await workflowFaults(name, content)).toEqual([]);
      // A token left in the checkout is there for the code of every dependency.
      const checkouts = content.split("actions/checkout@").slice(1);
      for (const step of checkouts) {
        expect(step.split(/^ +- /m)[0]).toContain("persist-credentials: false");
      }
      for (const [, action = ""] of content.matchAll(/uses: (.*)$/gm)) {
        expect([name, action]).toEqual([
          name,
          expect.stringMatching(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/),
        ]);
      }
    }
  });

  test("run no code of a dependency in a job that may write", async () => {
    const Job = z.looseObject({
      permissions: z.record(z.string(), z.string()).default({}),
      steps: z.array(z.looseObject({ run: z.string().optional() })),
    });
    const Workflow = z.looseObject({ jobs: z.record(z.string(), Job) });
    const writers: string[] = [];
    for (const file of ["release.yml", "reference-data.yml"]) {
      const { jobs } = Workflow.parse(parse(await readFile(join(folder, file), "utf8")));
      for (const [name, { permissions, steps }] of Object.entries(jobs)) {
        if (!Object.values(permissions).includes("write")) continue;
        writers.push(name);
        for (const { run = "" } of steps) {
          expect(run).not.toMatch(/\b(npm (ci|i|install|run|test|start)|npx|node)\b/);
        }
      }
    }
    expect(writers.toSorted()).toEqual(["image", "npm", "propose", "registry", "tag"]);
  });
});
