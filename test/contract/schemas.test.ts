import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { configSchemaId } from "../../spec/config-schema.ts";
import { toolContracts } from "../../spec/tools/index.ts";
import { maxQueryValues } from "../../spec/tools/query.ts";
import {
  accessAnalyzer,
  awsFinding,
  found,
  stubAwsEnvironment,
} from "../support/access-analyzer.ts";
import { faulty, faultyJson, faultyYaml } from "../support/faulty-policy.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { publishedSchemas, schemaErrors } from "../support/published-schemas.ts";
import { eras, readOnly, rpc } from "../support/rpc.ts";
import { callOf, largeBody, validated } from "../support/validate.ts";

const aws = accessAnalyzer();
let target: InProcess;
let narrow: InProcess;
beforeAll(async () => {
  aws.server.listen({ onUnhandledFrame: "error" });
  target = await startInProcess({ flags: { analyze_rate_limit: "0" } });
  narrow = await startInProcess({
    flags: { analyze_rate_limit: "0", max_response_bytes: "6000" },
  });
});
afterAll(async () => {
  for (const server of [target, narrow]) {
    await server.stop();
    await server.runtime.pool.close();
  }
  aws.server.close();
  vi.unstubAllEnvs();
});
beforeEach(() => {
  stubAwsEnvironment();
  aws.reset();
  aws.answer(found(...Array.from({ length: 20 }, (_, index) => awsFinding(`CODE_${index}`))));
});

/** Calls that succeed, of every shape the answers have. */
const successes = {
  validate_policies: [
    { policies: [readOnly] },
    { policies: [faulty, faultyJson, faultyYaml, "[", "5", {}, { policy: {}, name: "x" }] },
    { policies: [faultyJson, "["], detail: "full" },
    { policies: [faultyJson, "["], detail: "summary" },
    ...["csv", "html", "json", "markdown", "sarif"].map((format) => ({
      policies: [{ policy: faultyYaml, name: "a.yaml" }, readOnly],
      detail: "full",
      format,
    })),
    { policies: [{ policy: readOnly, name: null, policy_type: null }], policy_type: null },
  ],
  query: [
    { kind: "service_actions", service: "s3" },
    { kind: "service_actions", service: "s3", access_level: null, name_filter: null },
    { kind: "service_actions", service: "s3", actions: null, patterns: null },
    { kind: "service_actions", service: "s3", access_level: "write", name_filter: "tag" },
    {
      kind: "action_details",
      actions: [
        "s3:GetObject",
        "iam:PassRole",
        "s3:*",
        "s3:Nothing",
        "nosuch:X",
        "",
        "*",
        "s3:Ge?",
      ],
      service: null,
      access_level: null,
    },
    { kind: "action_details", actions: Array(maxQueryValues).fill("s3:GetObject") },
    { kind: "condition_keys", service: "ec2", patterns: [] },
    { kind: "arn_formats", service: "iam", name_filter: "x" },
    { kind: "expand_wildcard", patterns: ["*", "s3:Get*", "nosuch:*", "s3:Nothing*", "nonsense"] },
  ],
  describe_checks: [
    {},
    { check_ids: null },
    { check_ids: [] },
    { check_ids: ["sid_uniqueness", "sid_uniqueness", "nothing", "toString"] },
  ],
  get_config: [{}],
  analyze_policy: [
    { policy: readOnly },
    { policy: faultyYaml, policy_type: "scp", partition: "aws", region: null, timeout_seconds: 5 },
  ],
} satisfies Record<string, readonly object[]>;
type ToolName = keyof typeof successes;
// The keys of the table above.
const toolNames = Object.keys(successes) as ToolName[];

const calls = Object.entries(successes).flatMap(([name, all]) =>
  all.map((args) => ({ name, args, text: JSON.stringify(args).slice(0, 60) })),
);

describe.each(eras)("every success fits the published schema of its tool (%s)", (era) => {
  test.each(calls)("$name $text", async ({ name, args }) => {
    expect(schemaErrors(`${name}.input`, args)).toEqual([]);
    const { result, record } = await callOf(target, name, args, { era });
    expect(result).toMatchObject({ isError: false });
    expect(schemaErrors(`${name}.output`, result.structuredContent)).toEqual([]);
    const [{ type, text } = { type: "", text: "" }, ...others] = result.content as {
      type: string;
      text: string;
    }[];
    expect([type, others]).toEqual(["text", []]);
    expect(JSON.parse(text)).toEqual(result.structuredContent);
    expect(schemaErrors("audit-record", record)).toEqual([]);
  });

  test.each(calls.filter(({ name }) => /validate|analyze/.test(name)))(
    "cut to fit: $name $text",
    async ({ name, args }) => {
      const { result } = await callOf(narrow, name, args, { era });
      expect(result.isError).toBe(false);
      expect(schemaErrors(`${name}.output`, result.structuredContent)).toEqual([]);
    },
  );
});

test("findings fit their own schemas, validated on either thread", async () => {
  for (const bodyBytes of [0, largeBody]) {
    for (const [detail, schema] of [
      ["findings", "lean-finding"],
      ["fix", "fix-finding"],
      ["full", "finding"],
    ]) {
      const { output } = await validated(target, { policies: [faultyJson], detail }, { bodyBytes });
      const issues = output.results.flatMap((result): object[] => result.issues ?? []);
      expect(issues.length).toBeGreaterThan(0);
      for (const issue of issues) expect(schemaErrors(schema ?? "", issue)).toEqual([]);
    }
  }
});

interface Schema extends Record<string, unknown> {
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Every object in a schema, the schema itself first. */
function* partsOf(schema: unknown): Generator<Schema> {
  if (Array.isArray(schema)) for (const part of schema) yield* partsOf(part);
  else if (typeof schema === "object" && schema !== null) {
    yield schema as Schema;
    for (const part of Object.values(schema)) yield* partsOf(part);
  }
}

const published = (name: string, io: "input" | "output") => {
  const schema = publishedSchemas.get(`${name}.${io}`);
  if (!schema) throw new Error(`${name}.${io} is not published`);
  return schema;
};

describe("the list of tools", () => {
  test.each(eras)("shows the published schemas (%s)", async (era) => {
    const { body } = await rpc(target, "tools/list", {}, { era });
    const tools = body.result?.tools as Record<"name" | "inputSchema" | "outputSchema", Schema>[];
    expect(tools.map(({ name }) => name)).toEqual(toolNames);
    expect(toolContracts.map(({ name }) => name)).toEqual(toolNames);
    for (const { name, inputSchema, outputSchema } of tools) {
      for (const [io, schema] of [
        ["input", inputSchema],
        ["output", outputSchema],
      ] as const) {
        const { $id, title, ...rest } = published(String(name), io);
        expect($id).toBe(`urn:validator-mcp:schema:${name}.${io}`);
        expect(title).toEqual(expect.any(String));
        expect(schema).toEqual({ ...rest, type: "object" });
      }
    }
  });

  test.each(toolNames)("%s: every argument is described", (name) => {
    const fields = Object.entries(published(name, "input").properties as object);
    const undescribed = fields.filter(
      ([, schema]) =>
        ![...partsOf(schema)].some(({ description }) => /.{8}/.test(`${description ?? ""}`)),
    );
    expect(undescribed).toEqual([]);
  });

  test.each(toolNames)("%s: nothing of local mode, at any depth", (name) => {
    const fields = [...partsOf(published(name, "input"))].flatMap(({ properties }) =>
      Object.keys(properties ?? {}),
    );
    const local = /^(paths?|globs?|files?|director(y|ies)|config|profile|credentials?)$/;
    expect(fields.filter((field) => local.test(field))).toEqual([]);
  });
});

describe.each(toolNames)("arguments of %s", (name) => {
  const [example = {}] = successes[name];
  const schema = published(name, "input");

  test("unknown ones are refused by the schema and by the server, which names them", async () => {
    for (const key of ["nonsense", "path", "profile", "config", "__proto__x", "Policies"]) {
      const args = { ...example, [key]: "x" };
      expect(schemaErrors(`${name}.input`, args), key).not.toEqual([]);
      const { error } = await callOf(target, name, args);
      expect(error).toContain(key);
      expect(error).toContain("unknown field");
    }
  });

  test("the schema says that there are no others", () => {
    expect(schema).toMatchObject({ type: "object", additionalProperties: false });
    // Model providers refuse a union at the root.
    for (const union of ["oneOf", "anyOf", "allOf"]) expect(schema).not.toHaveProperty(union);
  });
});

/** Fields that may be null. */
const nullable = [
  ["validate_policies", "policy_type"],
  ["query", "service"],
  ["query", "actions"],
  ["query", "patterns"],
  ["query", "access_level"],
  ["query", "name_filter"],
  ["describe_checks", "check_ids"],
  ["analyze_policy", "region"],
] as const;

/** For each field a call that does not need it. */
function callWithout(tool: ToolName, field: string): object {
  if (tool !== "query") return successes[tool][0] ?? {};
  return field === "actions" || field === "patterns"
    ? { kind: "arn_formats", service: "s3" }
    : { kind: "expand_wildcard", patterns: ["s3:Get*"] };
}

test.each(nullable)("%s: %s may be null, which is as if it were absent", async (tool, field) => {
  const without = callWithout(tool, field);
  const args = { ...without, [field]: null };
  expect(schemaErrors(`${tool}.input`, args)).toEqual([]);
  const given = await callOf(target, tool, args);
  const absent = await callOf(target, tool, without);
  expect(given.result.isError).toBe(false);
  expect(given.result.structuredContent).toEqual(absent.result.structuredContent);
});

test.each([
  "service_actions",
  "action_details",
  "condition_keys",
  "arn_formats",
  "expand_wildcard",
])("the schema of query says itself what %s needs", (kind) => {
  const fields = { service: "s3", actions: ["s3:Get*"], patterns: ["s3:Get*"] };
  const accepted = Object.entries(fields)
    .filter(([field, value]) => schemaErrors("query.input", { kind, [field]: value }).length === 0)
    .map(([field]) => field);
  const needed = { action_details: "actions", expand_wildcard: "patterns" }[kind] ?? "service";
  expect(accepted).toEqual([needed]);
  expect(schemaErrors("query.input", { kind })).not.toEqual([]);
  expect(schemaErrors("query.input", { kind, [needed]: null })).not.toEqual([]);
});

test("the schema of a policy takes all three forms, and nothing else", () => {
  for (const policy of [readOnly, faultyJson, { policy: readOnly, name: null }, { policy: "" }]) {
    expect(schemaErrors("policy-input", policy)).toEqual([]);
  }
  for (const other of [1, true, null, [readOnly]]) {
    expect(schemaErrors("policy-input", other)).not.toEqual([]);
  }
});

test("every published schema has an id, a title and is of 2020-12", () => {
  expect(publishedSchemas.size).toBeGreaterThan(20);
  for (const [name, schema] of publishedSchemas) {
    expect(schema).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: name === "config" ? configSchemaId : `urn:validator-mcp:schema:${name}`,
      title: expect.stringMatching(/.{3}/),
    });
  }
});

test.each([
  ["validate_policies", { policies: [] }, "at least one policy is required"],
  ["analyze_policy", { policy: readOnly, partition: "aws-moon" }, "Unsupported partition"],
] as const)("the schema of %s refuses what the server refuses: %j", async (tool, args, says) => {
  expect(schemaErrors(`${tool}.input`, args)).not.toEqual([]);
  expect((await callOf(target, tool, args)).error).toContain(says);
});
