import { describe, expect, it } from "vitest";
import { placesIn, type ShownPlace } from "../../../test/support/container-places.ts";
import { terraformPlan, terraformState } from "./plan.ts";

const allow = (resource: unknown) => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: resource }],
});
const text = (resource: unknown) => JSON.stringify(allow(resource));

interface Change {
  readonly address: string;
  readonly mode?: string;
  readonly type: string;
  readonly actions?: readonly string[];
  readonly after?: object | null;
  readonly before?: object;
  readonly after_unknown?: object;
  readonly after_sensitive?: object;
  readonly deposed?: string;
}

function plan(changes: readonly Change[], rest: object = {}): object {
  return {
    format_version: "1.2",
    terraform_version: "1.9.0",
    planned_values: {},
    resource_changes: changes.map(({ address, mode = "managed", type, deposed, ...change }) => ({
      address,
      mode,
      type,
      ...(deposed ? { deposed } : {}),
      change: { actions: ["create"], ...change },
    })),
    ...rest,
  };
}

const read = async (value: object, container = terraformPlan): Promise<ShownPlace[]> =>
  (await placesIn(container, JSON.stringify(value))) ?? [];

const policy = (address: string, rest: Partial<Change> = {}): Change => ({
  address,
  type: "aws_iam_policy",
  after: { policy: text("*") },
  ...rest,
});

describe("policies of Terraform plans", () => {
  it("are read in a plan that was cut down", async () => {
    const cut = {
      format_version: "1.2",
      resource_changes: [
        {
          address: "aws_kms_key.main",
          type: "aws_kms_key",
          change: { actions: ["create"], after: { policy: text("*") } },
        },
        {
          address: "data.aws_iam_policy_document.main",
          type: "aws_iam_policy_document",
          change: { actions: ["read"], after: { json: text("*") } },
        },
      ],
    };
    const planned = {
      format_version: "1.2",
      resource_changes: [],
      planned_values: {
        root_module: {
          resources: [
            { address: "aws_iam_policy.p", type: "aws_iam_policy", values: { policy: text("*") } },
          ],
        },
      },
    };
    expect((await read(cut)).map(({ address }) => address)).toContain("aws_kms_key.main.policy");
    expect((await read(planned)).map(({ address }) => address)).toEqual([
      "aws_iam_policy.p.policy",
    ]);
  });

  it("are those that a plan leaves in place", async () => {
    const places = await read(
      plan([
        policy("aws_iam_policy.new"),
        policy("aws_iam_policy.same", { actions: ["no-op"] }),
        policy("aws_iam_policy.changed", { actions: ["update"], before: { policy: "{}" } }),
        policy("aws_iam_policy.replaced", { actions: ["delete", "create"] }),
        policy("aws_iam_policy.gone", {
          actions: ["delete"],
          after: null,
          before: { policy: "{}" },
        }),
        policy("aws_iam_policy.kept", { actions: ["forget"] }),
        policy("aws_iam_policy.old", { deposed: "1a2b" }),
      ]),
    );
    expect(places.map(({ address }) => address)).toEqual([
      "aws_iam_policy.new.policy",
      "aws_iam_policy.same.policy",
      "aws_iam_policy.changed.policy",
      "aws_iam_policy.replaced.policy",
    ]);
  });

  it("have the pointer and the positions of the plan", async () => {
    const [found] = await read(plan([policy("module.app.aws_iam_policy.p")]));
    expect(found?.place.path).toEqual(["resource_changes", 0, "change", "after", "policy"]);
    const resource = found?.place.alternatives[0]?.root?.members
      ?.get("Statement")
      ?.value.items?.[0]?.members?.get("Resource");
    expect(found?.source.text?.slice(resource?.value.start, resource?.value.end)).toBe('\\"*\\"');
  });

  it("are one for equal instances of a resource", async () => {
    const places = await read(
      plan([
        policy('aws_iam_policy.p["a"]'),
        policy('aws_iam_policy.p["b"]'),
        policy('aws_iam_policy.p["c"]', { after: { policy: text("arn:aws:s3:::jobs/*") } }),
      ]),
    );
    expect(places.map(({ address }) => address)).toEqual([
      'aws_iam_policy.p["a"].policy',
      'aws_iam_policy.p["c"].policy',
    ]);
    expect(places[0]?.place.notes.join()).toContain('aws_iam_policy.p["b"].policy');
  });

  it("are not there where the provider computes them", async () => {
    const bucket = {
      address: "aws_s3_bucket.b",
      type: "aws_s3_bucket",
      after: { bucket: "jobs" },
      after_unknown: { policy: true },
    };
    const resources = [{ address: "aws_s3_bucket.b", expressions: { bucket: {} } }];
    expect(await read(plan([bucket], { configuration: { root_module: { resources } } }))).toEqual(
      [],
    );
  });

  it("are rendered from their data source while a value is known after apply", async () => {
    const changes: Change[] = [
      {
        address: "module.app.data.aws_iam_policy_document.d",
        mode: "data",
        type: "aws_iam_policy_document",
        actions: ["read"],
        after: {
          statement: [
            {
              effect: null,
              sid: "A",
              actions: ["s3:GetObjct"],
              not_actions: null,
              resources: ["arn:aws:s3:::jobs/*", null],
              principals: [{ type: "AWS" }],
              condition: [
                { test: "StringEquals", variable: "aws:PrincipalOrgID", values: ["o-1"] },
              ],
            },
          ],
        },
        after_unknown: {
          json: true,
          statement: [{ resources: [false, true], principals: [{ identifiers: true }] }],
        },
      },
      policy("module.app.aws_iam_policy.p", { after: {}, after_unknown: { policy: true } }),
    ];
    const inner = {
      resources: [
        {
          address: "aws_iam_policy.p",
          expressions: { policy: { references: ["var.document"] } },
        },
        { address: "data.aws_iam_policy_document.d", expressions: {} },
      ],
      outputs: { json: { expression: { references: ["data.aws_iam_policy_document.d.json"] } } },
    };
    const app = { module: inner, expressions: { document: { references: ["module.app.json"] } } };
    const configuration = { root_module: { module_calls: { app } } };
    const places = await read(plan(changes, { configuration }));
    expect(places.map(({ address, state }) => [address, state])).toEqual([
      ["module.app.aws_iam_policy.p.policy", "read"],
    ]);
    const at = "module.app.data.aws_iam_policy_document.d.statement[0]";
    expect(places[0]?.documents).toEqual([
      {
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Allow",
            Sid: "A",
            Action: ["s3:GetObjct"],
            Resource: ["arn:aws:s3:::jobs/*", `\${${at}.resources[1]}`],
            Principal: { AWS: [`\${${at}.principals[0].identifiers}`] },
            Condition: { StringEquals: { "aws:PrincipalOrgID": ["o-1"] } },
          },
        ],
      },
    ]);
  });

  it("are not read where the whole text is known after apply", async () => {
    const changes = [policy("aws_iam_policy.p", { after: {}, after_unknown: { policy: true } })];
    const expressions = { policy: { references: ["aws_s3_bucket.b.arn"] } };
    const root_module = { resources: [{ address: "aws_iam_policy.p", expressions }] };
    expect(await read(plan(changes, { configuration: { root_module } }))).toMatchObject([
      {
        state: "not_read",
        reason: "The policy is known after apply. It refers to `aws_s3_bucket.b.arn`.",
      },
    ]);
  });

  it("are not shown where Terraform marks them as sensitive", async () => {
    const changes = [policy("aws_iam_policy.p", { after_sensitive: { policy: true } })];
    expect(await read(plan(changes))).toMatchObject([{ state: "not_read", documents: [] }]);
  });

  it("are boundaries where only a boundary refers to them", async () => {
    const changes = [policy("aws_iam_policy.limit"), policy("aws_iam_policy.both")];
    const references = (...names: string[]) => ({ references: names });
    const resources = [
      {
        address: "aws_iam_role.a",
        expressions: { permissions_boundary: references("aws_iam_policy.limit.arn") },
      },
      {
        address: "aws_iam_role.b",
        expressions: { permissions_boundary: references("aws_iam_policy.both.arn") },
      },
      {
        address: "aws_iam_role_policy_attachment.b",
        expressions: { policy_arn: references("aws_iam_policy.both.arn") },
      },
    ];
    const places = await read(plan(changes, { configuration: { root_module: { resources } } }));
    expect(places.map(({ type }) => type)).toEqual(["PERMISSIONS_BOUNDARY", "IDENTITY_POLICY"]);
  });

  it("are boundaries where their names say so and nothing attaches them", async () => {
    const names = ["aws_iam_policy.ci_boundary", "aws_iam_policy.boundary"];
    const resources = [
      ...names.map((address) => ({ address, expressions: { policy: {} } })),
      {
        address: "aws_iam_role_policy_attachment.b",
        expressions: { policy_arn: { references: ["aws_iam_policy.boundary.arn"] } },
      },
    ];
    const changes = names.map((name) => policy(name));
    const places = await read(plan(changes, { configuration: { root_module: { resources } } }));
    expect(places.map(({ type }) => type)).toEqual(["PERMISSIONS_BOUNDARY", "IDENTITY_POLICY"]);
  });

  it("are data sources alone where no resource has their text", async () => {
    const document = (name: string, json: string) => ({
      address: `data.aws_iam_policy_document.${name}`,
      mode: "data",
      type: "aws_iam_policy_document",
      values: { json },
    });
    const resources = [document("used", text("*")), document("other", text("arn:aws:s3:::b/*"))];
    const prior_state = { values: { root_module: { resources } } };
    const places = await read(plan([policy("aws_iam_policy.p")], { prior_state }));
    expect(places.map(({ address }) => address)).toEqual([
      "aws_iam_policy.p.policy",
      "data.aws_iam_policy_document.other",
    ]);
  });

  it("are found in planned values alone, in child modules", async () => {
    const resource = {
      address: "module.a.aws_iam_role.r",
      mode: "managed",
      type: "aws_iam_role",
      values: { assume_role_policy: "{}", inline_policy: [{ policy: text("*") }, { policy: "" }] },
    };
    const root_module = { child_modules: [{ resources: [resource] }] };
    const places = await read({ format_version: "0.1", planned_values: { root_module } });
    expect(places.map(({ address, type }) => [address, type])).toEqual([
      ["module.a.aws_iam_role.r.inline_policy[0].policy", "IDENTITY_POLICY"],
      ["module.a.aws_iam_role.r.assume_role_policy", "TRUST_POLICY"],
    ]);
  });

  it("are not guessed in a format of the future", async () => {
    const future = { ...plan([policy("aws_iam_policy.p")]), format_version: "2.0" };
    expect(await read(future)).toMatchObject([{ state: "not_read" }]);
  });
});

describe("policies of Terraform states", () => {
  const resource = {
    address: "aws_sqs_queue.q",
    mode: "managed",
    type: "aws_sqs_queue",
    values: {
      arn: "arn:aws:sqs:eu-west-1:123456789012:jobs",
      policy: text("*"),
      redrive_policy: "{}",
    },
  };

  it("are found in a shown state", async () => {
    const state = { format_version: "1.0", values: { root_module: { resources: [resource] } } };
    const places = await read(state, terraformState);
    expect(places).toMatchObject([{ address: "aws_sqs_queue.q.policy", type: "RESOURCE_POLICY" }]);
    expect(places[0]?.place.attached?.arn).toBe(resource.values.arn);
  });

  it("are found in a state file", async () => {
    const { type, values } = resource;
    const instances = [
      { index_key: "a", attributes: values },
      { deposed: "1", attributes: values },
    ];
    const resources = [{ module: "module.m", mode: "managed", type, name: "q", instances }];
    const state = { version: 4, terraform_version: "1.9.0", lineage: "x", resources };
    expect(await read(state, terraformState)).toMatchObject([
      { address: 'module.m.aws_sqs_queue.q["a"].policy' },
    ]);
  });
});

describe("what is not a plan", () => {
  it.each([
    ["a provider's schema", { format_version: "1.0", provider_schemas: {} }],
    ["a package", { name: "x", version: "1.0.0", dependencies: {} }],
    ["the result of a validation", { format_version: "1.0", valid: true, diagnostics: [] }],
    ["a list", []],
  ])("%s", async (_title, value) => {
    expect(await placesIn(terraformPlan, JSON.stringify(value))).toBeNull();
    expect(await placesIn(terraformState, JSON.stringify(value))).toBeNull();
  });
});
