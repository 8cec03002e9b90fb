import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  maxQueryValues,
  type QueryOutput,
  type queryAccessLevels,
} from "../../spec/tools/query.ts";
import { configFolder } from "../support/config-folder.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { eras } from "../support/rpc.ts";
import { type ServiceReference, serviceReference } from "../support/service-reference.ts";
import { callOf } from "../support/validate.ts";

// The tool's rules are the subject of src/tools/query.test.ts; here is what its callers see of them.

const folder = await configFolder();
let reference: ServiceReference;
let target: InProcess;
let embedded: InProcess;
beforeAll(async () => {
  reference = await serviceReference();
  target = await startInProcess({
    flags: {
      config_source: await folder.write("config.yaml", "settings: { cache_enabled: false }\n"),
    },
    environment: { VALIDATOR_MCP_REFERENCE_DATA_URL: reference.url },
  });
  embedded = await startInProcess();
});
afterAll(async () => {
  await target.stop();
  await embedded.stop();
  await reference.stop();
  await folder.remove();
});

async function answer<Kind extends QueryOutput["kind"]>(
  args: { readonly kind: Kind } & Record<string, unknown>,
  server = target,
) {
  const { result, record } = await callOf(server, "query", args);
  expect(result.isError).toBe(false);
  expect(record).toMatchObject({ tool: "query", policy_count: 0, severity_counts: {} });
  return result.structuredContent as Extract<QueryOutput, { kind: Kind }>;
}

test("service_actions: the actions of a service, in the casing of the data", async () => {
  const expected = {
    kind: "service_actions",
    service: "s3",
    actions: [
      "s3:CreateBucket",
      "s3:DeleteObject",
      "s3:GetBucketPolicy",
      "s3:GetObject",
      "s3:GetObjectVersion",
      "s3:ListAllMyBuckets",
      "s3:ListBucket",
      "s3:PutBucketPolicy",
      "s3:PutObject",
    ],
    total: 9,
  };
  for (const service of ["s3", "S3"]) {
    expect(await answer({ kind: "service_actions", service })).toEqual(expected);
  }
});

test("service_actions: access levels are told apart and taken in any case", async () => {
  const levels: Record<(typeof queryAccessLevels)[number], string[]> = {
    read: ["s3:GetBucketPolicy", "s3:GetObject", "s3:GetObjectVersion"],
    list: ["s3:ListAllMyBuckets", "s3:ListBucket"],
    write: ["s3:CreateBucket", "s3:DeleteObject", "s3:PutObject"],
    tagging: [],
    "permissions-management": ["s3:PutBucketPolicy"],
  };
  for (const [access_level, actions] of Object.entries(levels)) {
    for (const form of [access_level, access_level.toUpperCase()]) {
      const found = await answer({ kind: "service_actions", service: "s3", access_level: form });
      expect(found).toMatchObject({ actions, total: actions.length });
    }
  }
});

test("service_actions: the filter looks at names alone, in any case", async () => {
  const named = (name_filter: string) =>
    answer({ kind: "service_actions", service: "s3", name_filter });
  expect((await named("OBJECTv")).actions).toEqual(["s3:GetObjectVersion"]);
  expect((await named("s3")).actions).toEqual([]);
  expect((await named("")).total).toBe(9);
});

test("action_details: one entry per action asked for, in that order, whatever it is", async () => {
  const actions = [
    "s3:getobject",
    "s3:GetObject",
    "s3:GetObject",
    "s3:Get*",
    "s3:G?tObject",
    "s3:*",
    "s3:Nothing*",
    "s3:GetObjct",
    "nosuch:Get",
    "nonsense",
    "",
    "*",
    "iam:PassRole",
  ];
  const { results } = await answer({ kind: "action_details", actions });
  expect(results.map(({ action }) => action)).toEqual(actions);
  const keys = Object.keys(results[0] ?? {});
  expect(keys).toEqual([
    "action",
    "valid",
    "error",
    "service",
    "access_level",
    "resource_types",
    "condition_keys",
    "description",
    "sensitive",
  ]);
  for (const each of results) {
    expect(Object.keys(each)).toEqual(keys);
    expect(each.error === null).toBe(each.valid);
  }
  const valid = results.filter((each) => each.valid).map(({ action }) => action);
  expect(valid).toEqual([...actions.slice(0, 6), "*", "iam:PassRole"]);
  expect(results[0]).toEqual({
    action: "s3:getobject",
    valid: true,
    error: null,
    service: "s3",
    access_level: "read",
    resource_types: ["object"],
    condition_keys: ["s3:ExistingObjectTag/<key>"],
    description: "N/A",
    sensitive: null,
  });
  // A wildcard has nothing of a single action.
  expect(results[3]).toMatchObject({ access_level: null, resource_types: [], condition_keys: [] });
  expect(results[7]?.error).toContain("s3:GetObject");
  expect(results.at(-1)?.sensitive).toEqual({
    category: "priv_esc",
    severity: "critical",
    name: expect.any(String),
  });
});

test("condition_keys and arn_formats: of the service, in the order of the data", async () => {
  const { condition_keys } = await answer({ kind: "condition_keys", service: "S3" });
  expect(condition_keys).toContain("s3:prefix");
  expect(await answer({ kind: "arn_formats", service: "s3" })).toEqual({
    kind: "arn_formats",
    service: "s3",
    arn_formats: [
      { resource_type: "bucket", arn_formats: ["arn:${Partition}:s3:::${BucketName}"] },
      {
        resource_type: "object",
        arn_formats: ["arn:${Partition}:s3:::${BucketName}/${ObjectName}"],
      },
    ],
  });
});

test("expand_wildcard: what each pattern grants; a bad one fails no other", async () => {
  const patterns = [
    "S3:*bucketPOLICY",
    "*",
    "*:*",
    "s3:GetObject",
    "s3:No*",
    "no:*",
    "x",
    "s3:?et*",
  ];
  const { results } = await answer({ kind: "expand_wildcard", patterns });
  expect(results.map(({ pattern }) => pattern)).toEqual(patterns);
  expect(results.map(({ actions }) => actions)).toEqual([
    ["s3:GetBucketPolicy", "s3:PutBucketPolicy"],
    ["*"],
    ["*"],
    ["s3:GetObject"],
    [],
    [],
    [],
    ["s3:GetBucketPolicy", "s3:GetObject", "s3:GetObjectVersion"],
  ]);
  const failed = results.filter(({ error }) => error !== null).map(({ pattern }) => pattern);
  expect(failed).toEqual(["no:*", "x"]);
});

describe("lists", () => {
  const lists = [
    ["action_details", "actions"],
    ["expand_wildcard", "patterns"],
  ] as const;

  test.each(lists)(
    "%s takes as many %s as it says, and says so when there are more",
    async (...row) => {
      const [kind, field] = row;
      const values = Array(maxQueryValues).fill("s3:GetObject");
      const full = await answer({ kind, [field]: values });
      expect(full.results).toHaveLength(maxQueryValues);
      const { error } = await callOf(target, "query", { kind, [field]: [...values, "s3:*"] });
      expect(error).toMatch(/501 entries.*500/);
    },
  );
});

test.each(eras)("fields of other kinds are ignored, null or not (%s)", async (era) => {
  const plain = await callOf(target, "query", { kind: "arn_formats", service: "s3" }, { era });
  const others = {
    kind: "arn_formats",
    service: "s3",
    actions: ["x"],
    patterns: null,
    access_level: "admin",
    name_filter: "x",
  };
  const { result } = await callOf(target, "query", others, { era });
  expect(result.structuredContent).toEqual(plain.result.structuredContent);
});

test("every service of the embedded data answers every kind", async () => {
  const { prefixes } = embedded.runtime.services;
  expect(prefixes.length).toBeGreaterThan(400);
  for (const service of prefixes.filter((_, index) => index % 9 === 0)) {
    const { actions, total } = await answer({ kind: "service_actions", service }, embedded);
    expect(total).toBe(actions.length);
    await answer({ kind: "condition_keys", service }, embedded);
    await answer({ kind: "arn_formats", service }, embedded);
    const patterns = [`${service}:*`];
    const { results } = await answer({ kind: "expand_wildcard", patterns }, embedded);
    expect(results[0]?.actions).toEqual(actions.toSorted());
    const { results: details } = await answer(
      { kind: "action_details", actions: actions.slice(0, maxQueryValues) },
      embedded,
    );
    expect(details.filter(({ valid }) => !valid)).toEqual([]);
  }
});
