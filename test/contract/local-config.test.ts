import { readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { localGetConfig } from "../../spec/tools/local/get-config.ts";
import { setConfig } from "../../spec/tools/local/set-config.ts";
import type { AnyClient } from "../support/clients.ts";
import { callLocal, command, connectLocal, folderWith, startLocal } from "../support/local.ts";

const wide = { Statement: { Effect: "Allow", Action: "iam:*", Resource: "*" } };

let folder: string;
let remove: () => Promise<void>;
let client: AnyClient;
beforeAll(async () => {
  ({ folder, remove } = await folderWith({
    "validator-mcp.yaml": [
      "settings: { fail_on_severity: [error] }",
      "checks: { service_wildcard: { allowed_services: [logs] } }",
      "service_wildcard: { severity: critical }",
      "custom_instructions: Ask the platform team.",
      "",
    ].join("\n"),
  }));
  client = await connectLocal("SDK 2 on 2026-07-28", { cwd: folder });
});
afterEach(() => callLocal(client, "set_config", { action: "clear" }));
afterAll(async () => {
  await client.close();
  await remove();
});

async function get() {
  const { output } = await callLocal(client, "get_config");
  return localGetConfig.output.parse(output);
}

async function set(args: Record<string, unknown>) {
  const { isError, output, text } = await callLocal(client, "set_config", args);
  expect(isError, text).toBe(false);
  return setConfig.output.parse(output);
}

async function severities(): Promise<string[]> {
  const { output } = await callLocal(client, "validate_policies", { policies: [wide] });
  const [result] = output.results as { issues: { check_id: string; severity: string }[] }[];
  return (result?.issues ?? [])
    .filter(({ check_id }) => check_id === "service_wildcard")
    .map(({ severity }) => severity);
}

async function read(uri: string): Promise<unknown> {
  const { contents } = await client.readResource({ uri });
  const [item] = contents as { text: string }[];
  return JSON.parse(item?.text ?? "null");
}

describe("get_config", () => {
  test("shows the local form: the file, the root, nothing of a session", async () => {
    const config = await get();
    expect(config).toMatchObject({
      has_config: true,
      source: "file",
      mode: "local",
      config_path: `${folder}/validator-mcp.yaml`,
      root: folder,
      session_config: null,
      custom_instructions: {
        has_instructions: true,
        instructions: "Ask the platform team.",
        source: "config",
      },
      tool_count: 6,
    });
    expect(config.tool_names).toContain("set_config");
  });
});

describe("set_config", () => {
  test("shows at once in every tool and resource, with another digest", async () => {
    const before = await get();
    expect(await severities()).toEqual(["critical"]);
    const changed = await set({ action: "set", config: { service_wildcard: { severity: "low" } } });

    expect(changed.config_digest).not.toBe(before.config_digest);
    expect(await severities()).toEqual(["low"]);
    const { output } = await callLocal(client, "validate_policies", { policies: [wide] });
    expect(output.config_digest).toBe(changed.config_digest);
    const { output: described } = await callLocal(client, "describe_checks", {
      check_ids: ["service_wildcard"],
    });
    expect(described.checks).toMatchObject([
      { severity: "low", config: { allowed_services: ["logs"] } },
    ]);
    expect(await read("iam://checks/service_wildcard")).toMatchObject({
      configuration: { severity: "low" },
    });
    const after = await get();
    expect(after).toMatchObject({
      source: "session",
      config_digest: changed.config_digest,
      session_config: { service_wildcard: { severity: "low" } },
    });
    expect(after.config.checks.service_wildcard).toMatchObject({ severity: "low" });
    expect(after.config.settings).toMatchObject({ fail_on_severity: ["error"] });
  });

  test("a resource read before does not stay in the client's cache", async () => {
    const uri = "iam://checks/service_wildcard";
    expect(await read(uri)).toMatchObject({ configuration: { severity: "critical" } });
    await set({ action: "set", config: { service_wildcard: false } });
    expect(await read(uri)).toMatchObject({ configuration: { enabled: false } });
  });

  test("gives the digest of a file that says the same", async () => {
    const { config_digest } = await set({
      action: "load",
      yaml: "service_wildcard:\n  severity: low # for now\n",
    });
    const same = await folderWith({
      "validator-mcp.yaml": [
        "settings: { fail_on_severity: [error] }",
        "service_wildcard: { severity: low, allowed_services: [logs] }",
        "custom_instructions: Ask the platform team.",
      ].join("\n"),
    });
    const other = await connectLocal("SDK 1", { cwd: same.folder });
    const { output } = await callLocal(other, "get_config");
    await other.close();
    await same.remove();
    expect(output.config_digest).toBe(config_digest);
  });

  test("replaces what an earlier call has set, and clear takes all of it back", async () => {
    const before = await get();
    await set({ action: "set", config: { service_wildcard: false }, custom_instructions: "Mine." });
    expect(await severities()).toEqual([]);
    await set({ action: "set", config: { wildcard_action: false } });
    expect(await severities()).toEqual(["critical"]);
    expect((await get()).custom_instructions).toMatchObject({ instructions: "Mine." });
    const cleared = await set({ action: "clear" });
    expect(cleared).toMatchObject({
      config_digest: before.config_digest,
      session_config: null,
      custom_instructions: { instructions: "Ask the platform team.", source: "config" },
    });
    expect(await get()).toEqual(before);
  });

  test("wins over the file however either of them spells a section", async () => {
    await set({ action: "set", config: { checks: { service_wildcard: { severity: "low" } } } });
    expect(await severities()).toEqual(["low"]);
    await set({ action: "set", config: { service_wildcard_check: { severity: "medium" } } });
    expect(await severities()).toEqual(["medium"]);
    await set({ action: "set", config: { organization: { fail_on_severity: ["info"] } } });
    expect((await get()).config.settings).toMatchObject({ fail_on_severity: ["info"] });
  });

  test("sets instructions alone, and blank ones mean none", async () => {
    const { config_digest } = await get();
    expect(await set({ action: "set", custom_instructions: " Be strict. " })).toMatchObject({
      config_digest,
      custom_instructions: { instructions: "Be strict.", source: "session" },
    });
    expect(await set({ action: "set", custom_instructions: "" })).toMatchObject({
      custom_instructions: { has_instructions: false, instructions: null },
    });
  });

  test("tells of keys without effect", async () => {
    const { warnings } = await set({
      action: "load",
      yaml: "settings:\n  parallel: true\n",
    });
    expect(warnings).toEqual(["line 2: settings.parallel: has no effect here"]);
    const several = await set({
      action: "load",
      yaml: "settings:\n  fail_fast: true\n  comment_tag: x\n  severity_labels: {error: bug}\n",
    });
    expect(several.warnings).toEqual([
      "line 2: settings.fail_fast: and comment_tag, severity_labels have no effect here",
    ]);
  });

  test.each<[Record<string, unknown>, RegExp]>([
    [{ action: "set", config: { service_wildcrd: {} } }, /did you mean service_wildcard/],
    [{ action: "set", config: { service_wildcard: { severity: "loud" } } }, /severity/],
    [{ action: "set", config: { settings: { fail_on_sev: "low" } } }, /mean fail_on_severity/],
    [{ action: "load", yaml: "a: [" }, /line 1, column/],
    [
      { action: "load", yaml: "x: 1\nservice_wildcard: { severity: loud }" },
      /line 1.*x.*\n.*line 2/,
    ],
    [{ action: "load", yaml: "- 1" }, /mapping/],
    [{ action: "load", yaml: "[".repeat(100_000) }, /too many|too deep|YAML/],
    [{ action: "load", yaml: `# ${"x".repeat(262_144)}` }, /262146 bytes/],
    [{ action: "load" }, /needs yaml/],
    [{ action: "set" }, /needs config or custom_instructions/],
    [{ action: "set", yaml: "a: 1" }, /does not take yaml/],
    [{ action: "clear", config: {} }, /does not take config/],
    [{ action: "reset" }, /action/],
    [
      { action: "set", config: { custom_checks: [{ module: "./x.mjs" }] } },
      /custom_checks: can be set only at start-up/,
    ],
    [
      { action: "set", config: { custom_checks_dir: "." } },
      /custom_checks_dir: can be set only at start-up/,
    ],
    [
      { action: "load", yaml: "settings:\n  aws_services_dir: /x" },
      /line 2: settings\.aws_services_dir/,
    ],
    [{ action: "set", config: { organization: { cache_directory: "/x" } } }, /cache_directory/],
  ])("an invalid one changes nothing: %#", async (args, message) => {
    const before = await get();
    const { isError, text } = await callLocal(client, "set_config", args);
    expect(isError).toBe(true);
    expect(text).toMatch(message);
    expect(await get()).toEqual(before);
  });

  test("keys of the object prototype are keys like others", async () => {
    const config = JSON.parse('{"__proto__": {"severity": "low"}, "toString": false}');
    const { isError, text } = await callLocal(client, "set_config", { action: "set", config });
    expect(isError).toBe(true);
    expect(text).toMatch(/__proto__|toString/);
  });

  test("is one session's own: another client of the same folder sees nothing of it", async () => {
    await set({ action: "set", config: { service_wildcard: false } });
    const other = await connectLocal("SDK 1", { cwd: folder });
    const { output } = await callLocal(other, "get_config");
    await other.close();
    expect(output).toMatchObject({ source: "file", session_config: null });
  });
});

describe("the config of local mode", () => {
  const check = `export const check = {
    check_id: "planted", default_severity: "high", description: "Of the repository.",
    options: { safeParse: (value) => ({ success: true, data: value }) },
    *runStatement({ statement }) { yield { issue_type: "planted", message: "Planted.", statement }; },
  };`;
  const untrusted = {
    "checks/planted.mjs": check,
    "named.mjs": check.replace('"planted"', '"named"'),
    "validator-mcp.yaml":
      "custom_checks_dir: checks\ncustom_checks: [{ module: ./named.mjs }]\nplanted: { enabled: true }\n",
    "policy.json": JSON.stringify({ Statement: [] }),
  };

  async function said(args: readonly string[], cwd: string): Promise<string> {
    const server = startLocal({ args, cwd });
    server.child.stdin.end();
    await server.exited;
    return server.stderr.text;
  }

  test("outside a repository is found in the working directory only, and what was found is said", async () => {
    expect(await said([], folder)).toContain(`config: ${folder}/validator-mcp.yaml (found in`);
    const nested = await folderWith({ "validator-mcp.yaml": "", "below/x.json": "" });
    expect(await said([], `${nested.folder}/below`)).toContain("config: the defaults");
    const given = await said(["--config", "../validator-mcp.yaml"], `${nested.folder}/below`);
    await nested.remove();
    expect(given).toContain(`config: ${nested.folder}/validator-mcp.yaml`);
  });

  test("is found above, up to the root of the repository", async () => {
    const nested = await folderWith({
      "validator-mcp.yaml": "",
      "repository/.git/HEAD": "",
      "repository/own/validator-mcp.yml": "",
      "repository/own/below/x.json": "",
      "repository/none/x.json": "",
      "repository/two/validator-mcp.yaml": "",
      "repository/two/validator-mcp.json": "{}",
    });
    const inside = (path: string) => command(["checks"], { cwd: join(nested.folder, path) });
    const [below, none, two] = await Promise.all(
      ["repository/own/below", "repository/none", "repository/two"].map(inside),
    );
    await nested.remove();
    expect(below?.stderr).toContain("repository/own/validator-mcp.yml (found in a folder above)");
    expect(none?.stderr).toContain("config: the defaults (no validator-mcp.yaml here or above)");
    expect([two?.code, two?.stderr]).toEqual([2, expect.stringContaining("both config files")]);
  });

  test("is not a link to a file elsewhere, whose keys its faults would show", async () => {
    const elsewhere = await folderWith({ "secret.env": "s3cr3t: 1\n" });
    const repository = await folderWith({ "nested/own.yaml": "", "x.json": "" });
    const link = join(repository.folder, "validator-mcp.yaml");
    await symlink(join(elsewhere.folder, "secret.env"), link);
    const { code, stdout, stderr } = await command(["checks"], { cwd: repository.folder });
    const served = await said([], repository.folder);
    await rm(link);
    await symlink("nested/own.yaml", link);
    const within = await command(["checks"], { cwd: repository.folder });
    await Promise.all([elsewhere.remove(), repository.remove()]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/validator-mcp\.yaml is a symbolic link to another directory.*--config/);
    expect(stderr + served).not.toContain("s3cr3t");
    expect(within.code).toBe(0);
  });

  test("that is broken keeps the server from starting", async () => {
    const broken = await folderWith({
      "validator-mcp.yaml": "service_wildcard: { severity: loud }",
    });
    const { code, stderr, stdout } = await command([], { cwd: broken.folder });
    await broken.remove();
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/line 1: service_wildcard\.severity/);
  });

  test("chooses no place to write to", async () => {
    const repository = await folderWith({
      "validator-mcp.yaml": "settings: { cache_directory: planted }\n",
    });
    const { code } = await command(["checks"], { cwd: repository.folder });
    const names = await readdir(repository.folder);
    await repository.remove();
    expect([code, names]).toEqual([0, ["validator-mcp.yaml"]]);
  });

  test("loads no code that it names, says so, and takes their sections for what they are", async () => {
    const repository = await folderWith(untrusted);
    const wary = await command(["checks"], { cwd: repository.folder });
    const trusting = await command(["checks", "--allow-config-custom-checks"], {
      cwd: repository.folder,
    });
    const own = await command(["checks", "--custom-checks-dir", "checks"], {
      cwd: repository.folder,
    });
    const served = await said([], repository.folder);
    await repository.remove();
    expect(wary.code).toBe(0);
    expect(wary.stdout).not.toMatch(/planted|named/);
    expect(wary.stderr).toMatch(/names custom checks; they are not loaded/);
    expect(wary.stderr).toMatch(/line 3: planted/);
    expect(served).toMatch(/names custom checks; they are not loaded/);
    expect(trusting.stdout).toMatch(/^planted +high/m);
    expect(trusting.stdout).toMatch(/^named +high/m);
    expect(trusting.stderr).not.toMatch(/not loaded/);
    expect(own.stdout).toMatch(/^planted +high/m);
    expect(own.stdout).not.toMatch(/^named /m);
  });
});
