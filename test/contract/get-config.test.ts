import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtinChecks } from "../../src/checks/index.ts";
import type { Flags } from "../../src/settings.ts";
import { configFolder } from "../support/config-folder.ts";
import { customCheckModule } from "../support/custom-check.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { call, eras, readOnly, rpc } from "../support/rpc.ts";
import { configPath, tokens, withTokens } from "../support/target.ts";

const secret = "S3cretValue";
const folder = await configFolder();

const config = `
settings:
  fail_on_severity: [error]
  deployment_password: ${secret}
service_wildcard:
  severity: medium
  allowed_services: [logs]
custom_instructions: |
  Ask the platform team about exceptions.
custom_checks:
  - module: ./inventory.mjs
    config:
      endpoint: https://inventory.example
      api_token: ${secret}
      retries: 3
      nested: { "client-secret": ${secret}, list: [{ privateKey: ${secret} }] }
      passwords: [${secret}]
`;

let target: InProcess;
beforeAll(async () => {
  await folder.write("inventory.mjs", customCheckModule({ id: "asks_the_inventory" }));
  target = await startInProcess({
    ...withTokens,
    flags: {
      auth: "token",
      unknown_names: "warn",
      config_source: await folder.write("config.yaml", config),
    },
  });
});
afterAll(async () => {
  await target.stop();
  await folder.remove();
});

async function configSeenBy(token: string, server = target) {
  const { body } = await call(server, "get_config", {}, { token });
  return body.result?.structuredContent as Record<string, Record<string, unknown>>;
}

const all = { token: tokens.all };

test.each(eras)(
  "tells what is active, where it comes from, and who it is told to (%s)",
  async (era) => {
    const { body } = await call(target, "get_config", {}, { ...all, era });
    expect(body.result?.structuredContent).toEqual({
      has_config: true,
      config: { settings: expect.any(Object), checks: expect.any(Object) },
      source: "file",
      config_digest: target.runtime.digest,
      mode: "hosted",
      profile: "full",
      tool_count: 5,
      tool_names: ["analyze_policy", "describe_checks", "get_config", "query", "validate_policies"],
      custom_instructions: {
        has_instructions: true,
        instructions: "Ask the platform team about exceptions.",
        source: "config",
      },
      reference_data: {
        source: "embedded",
        date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
  },
);

test("counts the tools that its caller can see", async () => {
  expect(await configSeenBy(tokens.config)).toMatchObject({
    tool_count: 1,
    tool_names: ["get_config"],
  });
});

test("shows which higher severities a list of failing ones leaves out", async () => {
  const settings = "settings:\n  fail_on_severity: [critical, medium]\n";
  const flags: Flags = { config_source: await folder.write("gap.yaml", settings) };
  const other = await startInProcess({ flags });
  const { body } = await call(other, "get_config", {});
  await other.stop();
  expect(body.result?.structuredContent).toMatchObject({
    config: {
      settings: {
        fail_on_severity: ["critical", "medium"],
        fail_on_severity_left_out: ["error", "high", "warning"],
      },
    },
  });
});

describe("the config", () => {
  test("is the defaults merged with the file, for every check", async () => {
    const { config: shown } = await configSeenBy(tokens.all);
    expect(shown?.settings).toMatchObject({ fail_on_severity: ["error"], on_check_error: "fail" });
    const checks = shown?.checks as Record<string, Record<string, unknown>>;
    const ids = [...builtinChecks.map(({ check_id }) => check_id), "asks_the_inventory"];
    expect(Object.keys(checks).sort()).toEqual(ids.sort());
    expect(checks.service_wildcard).toMatchObject({
      enabled: true,
      severity: "medium",
      severity_set: true,
      allowed_services: ["logs"],
    });
    expect(checks.wildcard_action).toMatchObject({
      enabled: true,
      severity: "medium",
      severity_set: false,
    });
  });

  test("masks what looks like a secret, and only that", async () => {
    const { config: shown } = await configSeenBy(tokens.all);
    expect(shown?.settings).toMatchObject({ deployment_password: "***" });
    const checks = shown?.checks as Record<string, unknown>;
    expect(checks.asks_the_inventory).toMatchObject({
      endpoint: "https://inventory.example",
      api_token: "***",
      retries: 3,
      nested: { "client-secret": "***", list: [{ privateKey: "***" }] },
      passwords: ["***"],
    });
    expect(checks.sensitive_action).toMatchObject({ scoped_resource_severities: null });
  });

  test("shows no secret and no path anywhere, to anyone, in any answer", async () => {
    const answers = [
      await call(target, "get_config", {}, all),
      await call(target, "describe_checks", {}, all),
      await rpc(target, "resources/read", { uri: "iam://checks" }, all),
      await rpc(target, "resources/read", { uri: "iam://checks/asks_the_inventory" }, all),
      await rpc(target, "server/discover", {}, { ...all, era: "2026" }),
      await call(target, "validate_policies", { policies: [readOnly], format: "sarif" }, all),
    ];
    for (const { text, status } of answers) {
      expect(status).toBe(200);
      expect(text).not.toContain(secret);
      expect(text).not.toContain("config.yaml");
      expect(text).not.toContain(import.meta.dirname);
    }
    expect(target.log.text).not.toContain(secret);
  });

  test("never changes, whatever is called", async () => {
    const before = await configSeenBy(tokens.all);
    await call(target, "get_config", { settings: { fail_on_severity: ["info"] } }, all);
    await call(target, "set_config", { settings: { fail_on_severity: ["info"] } }, all);
    await call(target, "validate_policies", { policies: [readOnly], config: {} }, all);
    await call(target, "describe_checks", {}, all);
    expect(await configSeenBy(tokens.all)).toEqual(before);
  });
});

describe("operator instructions", () => {
  const rows: [source: string, flags: () => Promise<Flags>, text: string | null][] = [
    ["settings", async () => ({ instructions: "  From a setting. " }), "From a setting."],
    [
      "file",
      async () => ({ instructions_file: await folder.write("note.md", "From a file.\n") }),
      "From a file.",
    ],
    [
      "config",
      async () => ({
        config_source: await folder.write("a.yaml", "custom_instructions: From the config.\n"),
      }),
      "From the config.",
    ],
    ["none", async () => ({ config_source: configPath }), null],
    [
      "none",
      async () => ({ config_source: await folder.write("b.yaml", "custom_instructions: '  '\n") }),
      null,
    ],
    [
      "settings",
      async () => ({
        instructions: "From a setting.",
        config_source: await folder.write("a.yaml", "custom_instructions: From the config.\n"),
      }),
      "From a setting.",
    ],
  ];

  test.each(rows)("from %s", async (source, flags, instructions) => {
    const server = await startInProcess({ flags: await flags() });
    const { body } = await call(server, "get_config");
    const { body: discovered } = await rpc(server, "server/discover", {}, { era: "2026" });
    const { body: handshake } = await rpc(server, "initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "contract-tests", version: "1" },
    });
    await server.stop();
    expect(body.result?.structuredContent).toMatchObject({
      custom_instructions: { has_instructions: instructions !== null, instructions, source },
    });
    for (const { result } of [discovered, handshake]) {
      if (instructions === null) expect(result?.instructions).not.toContain("From");
      else expect(result?.instructions).toContain(instructions);
    }
  });
});

test("the data directory is named as a source, not by its path", async () => {
  await folder.write("_services.json", JSON.stringify([{ service: "s3", url: "/s3.json" }]));
  await folder.write("s3.json", JSON.stringify({ Name: "s3", Actions: [{ Name: "GetObject" }] }));
  const path = await folder.write(
    "_manifest.json",
    JSON.stringify({ download_date: "2026-02-03T04:05:06Z" }),
  );
  const server = await startInProcess({
    flags: { aws_services_dir: path.slice(0, path.lastIndexOf("/")) },
  });
  const { body, text } = await call(server, "get_config");
  await server.stop();
  expect(body.result?.structuredContent).toMatchObject({
    reference_data: { source: "directory", date: "2026-02-03" },
  });
  expect(text).not.toContain("_manifest");
});
