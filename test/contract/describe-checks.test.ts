import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { severityRank } from "../../spec/severity.ts";
import {
  CheckDescription,
  describeChecks,
  type ListedCheck,
} from "../../spec/tools/describe-checks.ts";
import { builtinChecks } from "../../src/checks/index.ts";
import { configFolder } from "../support/config-folder.ts";
import { customCheckModule, publicImports } from "../support/custom-check.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { startProcess } from "../support/process.ts";
import { call, eras, type RpcBody, readOnly, rpc } from "../support/rpc.ts";
import { validated } from "../support/validate.ts";

const folder = await configFolder();

/** Reports every statement with a word of its options. */
const reporting = {
  options: 'z.strictObject({ word: z.string().default("none") })',
  run: `*runStatement(statement, { options }) {
    yield { issue_type: "seen", node: statement.node, message: options.word };
  }`,
};

let target: InProcess;
beforeAll(async () => {
  target = await startInProcess({
    flags: {
      config_source: await folder.write(
        "config.yaml",
        "wildcard_action: { severity: low }\nwildcard_resource: false\nservice_wildcard: { allowed_services: [logs] }\n",
      ),
    },
  });
});
afterAll(async () => {
  await target.stop();
  await folder.remove();
});

function checksIn({ result }: RpcBody): ListedCheck[] {
  return describeChecks.output.parse(result?.structuredContent).checks;
}

async function listed(args: object = {}, server = target): Promise<ListedCheck[]> {
  const { body } = await call(server, "describe_checks", args);
  return checksIn(body);
}

/** The checks that were asked for by id; all of them when no ids are given. */
async function described(
  { check_ids = everyId }: { check_ids?: readonly string[] } = {},
  server = target,
): Promise<CheckDescription[]> {
  return CheckDescription.array().parse(await listed({ check_ids }, server));
}

const everyId = builtinChecks.map(({ check_id }) => check_id).sort();
const ids = (checks: readonly { check_id: string }[]) => checks.map(({ check_id }) => check_id);

test.each(eras)("lists every check in short, sorted by id (%s)", async (era) => {
  const { body } = await call(target, "describe_checks", {}, { era });
  const checks = checksIn(body);
  expect(ids(checks)).toEqual(everyId);
  for (const check of checks) {
    expect(Object.keys(check)).toEqual(["check_id", "description", "severity", "enabled"]);
    expect(check.description).toMatch(/^\S.*\S$/);
  }
});

test("the list of all checks takes under 2,000 tokens", async () => {
  const { body } = await call(target, "describe_checks", {});
  expect(encode(JSON.stringify(body.result?.structuredContent)).length).toBeLessThan(2_000);
});

test("describes the checks asked for by id, with documentation and examples", async () => {
  for (const check of await described()) {
    const { docstring, supersedes, applies_to_policy_types, examples } = check;
    expect(docstring?.trim()).not.toBe("");
    expect(supersedes).toEqual(supersedes.toSorted());
    expect(applies_to_policy_types).toEqual(applies_to_policy_types?.toSorted() ?? null);
    expect(examples.reported.length).toBeGreaterThan(0);
    expect(examples.accepted.length).toBeGreaterThan(0);
  }
});

test("says for each issue type which severity applies and whether the operator set it", async () => {
  const [action, structure] = await described({
    check_ids: ["wildcard_action", "condition_type_mismatch"],
  });
  expect(structure?.check_id).toBe("wildcard_action");
  expect(structure).toMatchObject({ severity: "low", severity_set: true });
  expect(action).toMatchObject({ severity_set: false });
  const severities = Object.values(action?.severities ?? {});
  for (const { applies, range, set } of severities) {
    expect(set).toBe(false);
    expect((applies === null) !== (range === null)).toBe(true);
    expect(range).toEqual(range?.toSorted((a, b) => severityRank[b] - severityRank[a]) ?? null);
  }
});

describe("check_ids", () => {
  test("picks, in the order of ids, each once", async () => {
    const wanted = ["wildcard_action", "policy_size", "wildcard_action"];
    expect(ids(await described({ check_ids: wanted }))).toEqual(["policy_size", "wildcard_action"]);
  });

  test("leaves unknown ids out silently", async () => {
    const wanted = ["nothing", "policy_size", "Policy_Size", "", "toString", "__proto__"];
    expect(ids(await described({ check_ids: wanted }))).toEqual(["policy_size"]);
    expect(await described({ check_ids: ["nothing"] })).toEqual([]);
  });

  test("null means all, an empty list none", async () => {
    expect(await listed({ check_ids: null })).toEqual(await listed());
    expect(await described({ check_ids: [] })).toEqual([]);
  });
});

test("shows the state and the active options, without what stands beside them", async () => {
  const [service, action, resource] = await described({
    check_ids: ["wildcard_action", "wildcard_resource", "service_wildcard"],
  });
  expect(service).toMatchObject({
    check_id: "service_wildcard",
    default_severity: "high",
    severity: "high",
    enabled: true,
    source: "builtin",
    config: { allowed_services: ["logs"] },
  });
  expect(action).toMatchObject({ severity: "low", enabled: true, default_severity: "medium" });
  expect(resource).toMatchObject({ enabled: false });
  for (const { config } of await described()) {
    expect(config).not.toHaveProperty("enabled");
    expect(config).not.toHaveProperty("severity");
  }
});

describe("the resources of the same data", () => {
  const read = async (uri: string, server = target) => {
    const { body } = await rpc(server, "resources/read", { uri });
    const contents = (body.result?.contents ?? []) as { text: string }[];
    return JSON.parse(contents[0]?.text ?? "");
  };

  test("iam://checks lists the same checks with the same state", async () => {
    const expected = (await described()).map(
      ({ check_id, description, default_severity, severity, enabled }) => ({
        check_id,
        description,
        default_severity,
        severity,
        enabled,
      }),
    );
    expect(await read("iam://checks")).toEqual(expected);
  });

  test("iam://checks/{check_id} shows one", async () => {
    expect(await read("iam://checks/wildcard_action")).toEqual({
      check_id: "wildcard_action",
      description: expect.any(String),
      default_severity: "medium",
      category: "privilege_escalation",
      example_violation: { title: expect.any(String), policy: expect.any(Object) },
      example_fix: { title: expect.any(String), policy: expect.any(Object) },
      configuration: {
        enabled: true,
        severity: "low",
        severity_set: true,
        severities: expect.objectContaining({}),
      },
      related: expect.arrayContaining(["full_wildcard"]),
    });
    expect(await read("iam://checks/nothing")).toEqual({
      check_id: "nothing",
      description: "Check not found",
      default_severity: null,
      category: "unknown",
      example_violation: null,
      example_fix: null,
      configuration: {},
      related: [],
    });
  });
});

describe("custom checks", () => {
  const start = async (config: string, flags = {}) =>
    startInProcess({
      flags: { config_source: await folder.write("custom.yaml", config), ...flags },
    });

  test("are there with their source, options and findings, and change the digest", async () => {
    await folder.write("named.mjs", customCheckModule({ id: "named_check", ...reporting }));
    const config =
      "custom_checks:\n  - { module: ./named.mjs, severity: high, config: { word: Hello } }\n";
    const server = await start(config);
    const other = await start(config.replace("Hello", "Goodbye"));
    const [check] = await described({ check_ids: ["named_check"] }, server);
    const { body } = await rpc(server, "resources/read", { uri: "iam://checks" });
    const { output } = await validated(server, { policies: [readOnly] });
    await server.stop();
    await other.stop();
    expect(check).toMatchObject({
      source: "config_module",
      severity: "high",
      enabled: true,
      config: { word: "Hello" },
    });
    expect(JSON.stringify(body)).toContain("named_check");
    expect(output.results[0]?.issues).toContainEqual(
      expect.objectContaining({ check_id: "named_check", severity: "high", message: "Hello" }),
    );
    const digests = [target, server, other].map(({ runtime }) => runtime.digest);
    expect(new Set(digests).size).toBe(3);
    expect(output.config_digest).toBe(server.runtime.digest);
  });

  test("found in a directory are off until the config switches them on", async () => {
    const inner = await configFolder();
    const path = await inner.write("found.mjs", customCheckModule({ id: "found_check" }));
    const flags = { custom_checks_dir: path.slice(0, path.lastIndexOf("/")) };
    const off = await start("settings: {}\n", flags);
    const on = await start("found_check: { enabled: true }\n", flags);
    const states = [off, on].map(async (server) => {
      const [check] = await described({ check_ids: ["found_check"] }, server);
      await server.stop();
      return [check?.source, check?.enabled];
    });
    expect(await Promise.all(states)).toEqual([
      ["discovered", false],
      ["discovered", true],
    ]);
    await inner.remove();
    expect(off.runtime.digest).not.toBe(on.runtime.digest);
  });

  test("that throw are a finding of theirs, which nothing hides; the others still run", async () => {
    const run = "*runPolicy() { throw new Error('broken'); }";
    await folder.write("throwing.mjs", customCheckModule({ id: "throwing_check", run }));
    const server = await start(
      `settings: { hide_severities: [error, info] }
custom_checks:
  - { module: ./throwing.mjs }
throwing_check: { ignore_patterns: [{ action: ".*" }, { filepath: ".*" }], hide_severities: [error] }
`,
    );
    const admin = {
      Version: "2012-10-17",
      Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }],
    };
    const { output, result } = await validated(server, { policies: [admin, "["] });
    await server.stop();
    const [first] = output.results;
    expect(first?.is_valid).toBe(false);
    expect(first?.issues).toContainEqual(
      expect.objectContaining({
        check_id: "throwing_check",
        issue_type: "check_execution_error",
        severity: "error",
      }),
    );
    expect(first?.issues?.length).toBeGreaterThan(1);
    expect(JSON.stringify(result)).not.toContain("broken");
    // The line that names the check comes from the worker, straight to standard error.
    expect(server.log.text).not.toContain("broken");
  });

  test("import what they are written with from any folder, on either thread", async () => {
    await folder.write(
      "anywhere.mjs",
      customCheckModule({ id: "anywhere", imports: publicImports, ...reporting }),
    );
    const config = "custom_checks: [{ module: ./anywhere.mjs, config: { word: Hello } }]\n";
    const server = await startProcess({
      flags: { config_source: await folder.write("anywhere.yaml", config) },
    });
    const policy = JSON.stringify(readOnly);
    const policies = [policy, policy.padEnd(100_000, " ")];
    const answers = policies.map((each) => call(server, "validate_policies", { policies: [each] }));
    for (const { body } of await Promise.all(answers)) {
      expect(JSON.stringify(body.result?.structuredContent)).toContain('"message":"Hello"');
    }
    await server.stop();
  });
});
