import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { query as contract, type QueryInput } from "../../spec/tools/query.ts";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { serviceDataFrom } from "../../test/support/service-data.ts";
import { onlyCaller } from "../admission/call-pass.ts";
import { ToolError } from "../errors.ts";
import { runQuery, writeQuery } from "../query/run-query.ts";
import { writeFitting } from "../results/prepared-output.ts";
import { query } from "./query.ts";

const services = serviceDataFrom(
  [
    {
      Name: "s3",
      Actions: [
        {
          Name: "GetObject",
          ActionConditionKeys: ["s3:authType"],
          Resources: [{ Name: "object" }],
          Annotations: {
            Properties: { IsWrite: false },
            Description: "Grants permission to read.",
          },
        },
        { Name: "PutObject", Annotations: { Properties: { IsWrite: true } } },
        { Name: "ListAllMyBuckets", Annotations: { Properties: { IsList: true } } },
        { Name: "PutBucketPolicy", Annotations: { Properties: { IsPermissionManagement: true } } },
        { Name: "Untold" },
      ],
      Resources: [
        {
          Name: "object",
          ARNFormats: ["arn:a, arn:b"],
          ConditionKeys: ["s3:ExistingObjectTag/<key>"],
        },
        { Name: "bucket", ARNFormats: [] },
      ],
      ConditionKeys: [
        { Name: "s3:authType", Types: ["String"] },
        { Name: "s3:ExistingObjectTag/<key>", Types: ["String"] },
      ],
    },
  ],
  { date: "2026-01-31" },
);

const ask = (input: unknown) => runQuery(contract.input.parse(input), services);

async function refusal(input: QueryInput): Promise<[kind: string, message: string]> {
  const error: unknown = await runQuery(input, services).catch((thrown: unknown) => thrown);
  if (!(error instanceof ToolError)) throw new Error("not refused", { cause: error });
  return [error.kind, error.message];
}

const nothingKnown = {
  service: null,
  access_level: null,
  resource_types: [],
  condition_keys: [],
  description: null,
  sensitive: null,
};

describe("service_actions", () => {
  test("lists a service's actions, sorted, whatever the case of the prefix", async () => {
    expect(await ask({ kind: "service_actions", service: "S3" })).toEqual({
      kind: "service_actions",
      service: "s3",
      actions: [
        "s3:GetObject",
        "s3:ListAllMyBuckets",
        "s3:PutBucketPolicy",
        "s3:PutObject",
        "s3:Untold",
      ],
      total: 5,
    });
  });

  test("filters by access level and by a part of the name, both in any case", async () => {
    const byLevel = await ask({ kind: "service_actions", service: "s3", access_level: "Write" });
    expect(byLevel).toMatchObject({ actions: ["s3:PutObject"], total: 1 });
    const byName = await ask({ kind: "service_actions", service: "s3", name_filter: "put" });
    expect(byName).toMatchObject({ actions: ["s3:PutBucketPolicy", "s3:PutObject"], total: 2 });
  });

  test("the filter ignores the prefix", async () => {
    const answer = await ask({ kind: "service_actions", service: "s3", name_filter: "s3" });
    expect(answer).toMatchObject({ actions: [], total: 0 });
  });

  test("an access level that does not exist is refused with those that do", async () => {
    expect(
      await refusal({ kind: "service_actions", service: "s3", access_level: "admin" }),
    ).toEqual([
      "invalid_arguments",
      "`service_actions` of `s3`: the access level `admin` does not exist. Use one of " +
        "read, write, list, tagging, permissions-management.",
    ]);
  });
});

describe("action_details", () => {
  test("tells all there is of an action in any letter case", async () => {
    expect(await ask({ kind: "action_details", actions: ["S3:getobject"] })).toEqual({
      kind: "action_details",
      results: [
        {
          action: "S3:getobject",
          valid: true,
          error: null,
          service: "s3",
          access_level: "read",
          resource_types: ["object"],
          condition_keys: ["s3:authType"],
          description: "Grants permission to read.",
          sensitive: null,
        },
      ],
    });
  });

  test("an action without flags or description has level Unknown and description N/A", async () => {
    expect(await ask({ kind: "action_details", actions: ["s3:Untold"] })).toMatchObject({
      results: [{ valid: true, access_level: "Unknown", description: "N/A" }],
    });
  });

  test("the catalogue of sensitive actions is asked for the very spelling", async () => {
    const answer = await ask({
      kind: "action_details",
      actions: ["s3:PutBucketPolicy", "s3:putbucketpolicy"],
    });
    expect(answer).toMatchObject({
      results: [
        { sensitive: { category: "resource_exposure", severity: "high" } },
        { sensitive: null },
      ],
    });
  });

  test("a pattern is valid when it matches something, and tells nothing else", async () => {
    const actions = ["s3:Get*", "s3:?etObject", "s3:*", "*", "*:*"];
    const answer = await ask({ kind: "action_details", actions });
    expect(answer).toEqual({
      kind: "action_details",
      results: actions.map((action) => ({ ...nothingKnown, action, valid: true, error: null })),
    });
  });

  test("what is wrong with an action is said in its entry, in the order asked", async () => {
    const actions = ["s3:GetObjct", "s33:GetObject", "s3:Nope*", "GetObject", "s3:", "s3:GetObjct"];
    const answer = await ask({ kind: "action_details", actions });
    const unknown = {
      ...nothingKnown,
      action: "s3:GetObjct",
      valid: false,
      service: "s3",
      error:
        "`s3` has no action `GetObjct` in the reference data of 2026-01-31. " +
        "Did you mean `s3:GetObject`?",
    };
    expect(answer).toEqual({
      kind: "action_details",
      results: [
        unknown,
        {
          ...nothingKnown,
          action: "s33:GetObject",
          valid: false,
          error: "The service `s33` is not in the reference data of 2026-01-31. Did you mean `s3`?",
        },
        {
          ...nothingKnown,
          action: "s3:Nope*",
          valid: false,
          error: "Nothing in the reference data of 2026-01-31 matches this pattern.",
        },
        {
          ...nothingKnown,
          action: "GetObject",
          valid: false,
          error: "An action is written `service:Name`; the colon is missing.",
        },
        {
          ...nothingKnown,
          action: "s3:",
          valid: false,
          error: "An action is written `service:Name`; one of the two parts is empty.",
        },
        unknown,
      ],
    });
  });
});

describe("condition_keys and arn_formats", () => {
  test("list what the service has, in the order of the data", async () => {
    expect(await ask({ kind: "condition_keys", service: "s3" })).toEqual({
      kind: "condition_keys",
      service: "s3",
      condition_keys: ["s3:authType", "s3:ExistingObjectTag/<key>"],
    });
    expect(await ask({ kind: "arn_formats", service: "s3" })).toEqual({
      kind: "arn_formats",
      service: "s3",
      arn_formats: [
        { resource_type: "object", arn_formats: ["arn:a", "arn:b"] },
        { resource_type: "bucket", arn_formats: [] },
      ],
    });
  });
});

describe("expand_wildcard", () => {
  test("gives each pattern what it grants, and one bad pattern fails no other", async () => {
    const patterns = [
      "S3:get*",
      "s3:?utObject",
      "s3:getobject",
      "*",
      "*:*",
      "s3:No*",
      "x:*",
      "*:A",
    ];
    expect(await ask({ kind: "expand_wildcard", patterns })).toEqual({
      kind: "expand_wildcard",
      results: [
        { pattern: "S3:get*", actions: ["s3:GetObject"], error: null },
        { pattern: "s3:?utObject", actions: ["s3:PutObject"], error: null },
        { pattern: "s3:getobject", actions: ["s3:GetObject"], error: null },
        { pattern: "*", actions: ["*"], error: null },
        { pattern: "*:*", actions: ["*"], error: null },
        { pattern: "s3:No*", actions: [], error: null },
        {
          pattern: "x:*",
          actions: [],
          error: "The service `x` is not in the reference data of 2026-01-31.",
        },
        {
          pattern: "*:A",
          actions: [],
          error: "The service prefix of an action cannot contain a wildcard; only its name can.",
        },
      ],
    });
  });
});

describe("what is refused", () => {
  test.each(["service_actions", "condition_keys", "arn_formats"] as const)(
    "%s of a service that is empty or unknown",
    async (kind) => {
      expect(await refusal({ kind, service: "" })).toEqual([
        "missing_parameter",
        `The kind \`${kind}\` needs \`service\`.`,
      ]);
      expect(await refusal({ kind, service: "__proto__" })).toEqual([
        "unknown_service",
        `\`${kind}\`: the service \`__proto__\` is not in the reference data of 2026-01-31.`,
      ]);
    },
  );

  test("an empty list", async () => {
    expect(await refusal({ kind: "action_details", actions: [] })).toEqual([
      "missing_parameter",
      "The kind `action_details` needs `actions`.",
    ]);
    expect(await refusal({ kind: "expand_wildcard", patterns: [] })).toEqual([
      "missing_parameter",
      "The kind `expand_wildcard` needs `patterns`.",
    ]);
  });

  test("501 entries, but not 500", async () => {
    const actions = Array.from({ length: 500 }, () => "s3:GetObject");
    const answer = await runQuery({ kind: "action_details", actions }, services);
    expect(answer).toMatchObject({ results: expect.objectContaining({ length: 500 }) });
    expect(await refusal({ kind: "action_details", actions: [...actions, "*"] })).toEqual([
      "too_many_values",
      "`action_details`: `actions` has 501 entries; the limit is 500. Use several calls.",
    ]);
  });

  test("an answer of one byte more than a response may have", async () => {
    const output = await runQuery({ kind: "condition_keys", service: "s3" }, services);
    const text = JSON.stringify(output);
    const complete = {
      content: [{ type: "text", text }],
      structuredContent: output,
      isError: false,
    };
    const bytes = Buffer.byteLength(JSON.stringify(complete));
    const ask = async (maxResultBytes: number) => {
      const ran = await query.run(
        { kind: "condition_keys", service: "s3" },
        {
          runtime: { ...bareRuntime().runtime, services },
          signal: new AbortController().signal,
          toolNames: [],
          ...onlyCaller,
          maxResultBytes,
        },
      );
      return writeFitting(contract.output, ran, maxResultBytes);
    };
    expect(await ask(bytes)).toMatchObject({ json: text });
    await expect(ask(bytes - 1)).rejects.toThrow(`${bytes} bytes; the limit is ${bytes - 1}`);
  });

  test("a call whose caller has left", async () => {
    const patterns = Array.from({ length: 500 }, () => `s3:${"*a".repeat(200_000)}`);
    const call = runQuery(
      { kind: "expand_wildcard", patterns },
      services,
      AbortSignal.abort(new Error("gone")),
    );
    await expect(call).rejects.toThrow("gone");
  });
});

test.for([
  ["expand_wildcard", "patterns", 24, []],
  ["expand_wildcard", "patterns", 25, [25]],
  ["action_details", "actions", 24, []],
  ["action_details", "actions", 25, [25]],
] as const)("%s of %j: %i values, in a worker: %j", async ([kind, field, count, inWorker]) => {
  const { runtime } = bareRuntime();
  const lengths: (number | undefined)[] = [];
  const pool: typeof runtime.pool = {
    ...runtime.pool,
    query: async (task, { caller, signal }) => {
      expect(caller).toBe("alice");
      lengths.push(Object.values(task.input).find(Array.isArray)?.length);
      return writeQuery(task, services, signal);
    },
  };
  const ran = await query.run(
    contract.input.parse({ kind, [field]: Array.from({ length: count }, () => "s3:GetObject") }),
    {
      runtime: { ...runtime, services, pool },
      signal: new AbortController().signal,
      toolNames: [],
      ...onlyCaller,
      turnKey: "alice",
      maxResultBytes: 1_048_576,
    },
  );
  expect(ran.output).toMatchObject({ results: expect.objectContaining({ length: count }) });
  expect(lengths).toEqual(inWorker);
});

describe("the input schema", () => {
  const published = z.toJSONSchema(contract.input, { io: "input" });
  const validate = new Ajv2020().compile(published);

  test("has no union at its root, which model providers refuse", () => {
    expect(published).toMatchObject({ type: "object", additionalProperties: false });
    expect(Object.keys(published)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:oneOf|anyOf|allOf)$/)]),
    );
  });

  test.each([
    [{ kind: "service_actions", service: "s3" }],
    [{ kind: "service_actions", service: "s3", access_level: "list", name_filter: "x" }],
    [{ kind: "condition_keys", service: "s3", actions: null, patterns: ["x"] }],
    [{ kind: "arn_formats", service: "s3" }],
    [{ kind: "action_details", actions: ["s3:GetObject"], service: null, access_level: null }],
    [{ kind: "expand_wildcard", patterns: ["s3:*"] }],
  ])("%j passes as published and as parsed", (input) => {
    expect(validate(input)).toBe(true);
    expect(contract.input.safeParse(input).success).toBe(true);
  });

  test.each([
    [{}, "kind", /service_actions.*expand_wildcard/],
    [{ kind: "actions" }, "kind", /service_actions.*expand_wildcard/],
    [{ kind: "service_actions" }, "service", /^the kind `service_actions` needs `service`$/],
    [{ kind: "arn_formats", service: null }, "service", /^the kind `arn_formats` needs `service`$/],
    [{ kind: "condition_keys", service: 7 }, "service", /expected string/],
    [{ kind: "action_details" }, "actions", /^the kind `action_details` needs `actions`$/],
    [{ kind: "expand_wildcard" }, "patterns", /^the kind `expand_wildcard` needs `patterns`$/],
    [{ kind: "service_actions", service: "s3", region: "x" }, "", /region/],
  ])("%j is refused as published and as parsed, naming the field", (input, field, reason) => {
    expect(validate(input)).toBe(false);
    const { error } = contract.input.safeParse(input);
    expect(error?.issues.map((issue) => issue.path.join("."))).toEqual([field]);
    expect(error?.issues[0]?.message).toMatch(reason);
  });
});
