import { describe, expect, test } from "vitest";
import { kubernetesLinks } from "../test/support/kubernetes-links.ts";
import { StartupError } from "./errors.ts";
import { readSettings } from "./settings.ts";

const hosted = { mode: "hosted", config_source: "config.yaml", auth: "none" };

function refusal(
  flags: Record<string, string>,
  environment: Record<string, string> = {},
): StartupError {
  try {
    readSettings(flags, environment);
  } catch (error) {
    if (error instanceof StartupError) return error;
    throw error;
  }
  throw new Error("the settings were accepted");
}

describe("settings", () => {
  test("a flag wins over a variable, a variable over the default", () => {
    const { settings } = readSettings(
      { ...hosted, max_policies: "7" },
      { VALIDATOR_MCP_MAX_POLICIES: "9", VALIDATOR_MCP_PORT: "9000" },
    );
    expect(settings).toMatchObject({ max_policies: 7, port: 9000, max_policy_bytes: 1_048_576 });
  });

  test("a blank variable does not count", () => {
    const { settings, authExplicit } = readSettings(
      { mode: "local" },
      { VALIDATOR_MCP_PORT: "  ", VALIDATOR_MCP_AUTH: "\t" },
    );
    expect(settings.port).toBe(8000);
    expect(authExplicit).toBe(false);
  });

  test("an unknown variable is an error with the nearest known name, never its value", () => {
    const misspelt = { VALIDATOR_MCP_ALOWED_HOSTS: "s3cr3t.example.com" };
    const message = refusal(hosted, misspelt).message;
    expect(message).toMatch(/VALIDATOR_MCP_ALOWED_HOSTS.*mean VALIDATOR_MCP_ALLOWED_HOSTS\?/);
    expect(message).not.toContain("s3cr3t");
    expect(refusal(hosted, { VALIDATOR_MCP_NO_SUCH: "1" }).message).not.toMatch(/did you mean/);
  });

  test.each([
    [{ ...hosted, unknown_names: "warn" }, {}],
    [hosted, { VALIDATOR_MCP_UNKNOWN_NAMES: "warn" }],
  ])("unknown_names turns unknown variables into warnings (%#)", (flags, more) => {
    const { warnings } = readSettings(flags, { VALIDATOR_MCP_PRT: "1", ...more });
    expect(warnings).toEqual([
      "Ignored: VALIDATOR_MCP_PRT is not a setting; did you mean VALIDATOR_MCP_PORT?",
    ]);
  });

  test("variables of providers, blank variables and those of other programs are not unknown", () => {
    const { warnings } = readSettings(hosted, {
      VALIDATOR_MCP_AUTH_TOKEN_FILE: "t.json",
      VALIDATOR_MCP_NO_SUCH: " ",
      VALIDATOR_VECTORS_DIR: "v",
    });
    expect(warnings).toEqual([]);
  });

  test("variables that Kubernetes makes for Services are ignored with one warning", () => {
    const { settings, warnings } = readSettings(hosted, kubernetesLinks);
    expect(settings).toMatchObject({ port: 8000 });
    expect(settings.metrics_port).toBeUndefined();
    expect(warnings).toHaveLength(1);
    for (const name of Object.keys(kubernetesLinks)) expect(warnings?.[0]).toContain(name);
    expect(readSettings({ ...hosted, port: "9" }, kubernetesLinks).settings.port).toBe(9);
  });

  test.each([
    ["allowed_origins", "not an origin"],
    ["allowed_origins", "https://tools.example.com/path"],
    ["allowed_origins", "tools.example.com"],
    ["allowed_hosts", "http://x/"],
    ["allowed_hosts", "mcp.example.com/mcp"],
  ])("%s that can never match is refused: %s", (field, value) => {
    const error = refusal(hosted, { [`VALIDATOR_MCP_${field.toUpperCase()}`]: value });
    expect(error.message).toMatch(/must list/);
  });

  test.each([
    ["allowed_origins", "https://tools.example.com, vscode-webview://abc,http://localhost:3000"],
    ["allowed_hosts", "mcp.example.com, mcp.example.com:8443,[::1]:8000,127.0.0.1"],
  ])("%s takes %s", (field, value) => {
    const variable = `VALIDATOR_MCP_${field.toUpperCase()}`;
    expect(() => readSettings(hosted, { [variable]: value })).not.toThrow();
  });

  test("a port that is not a service link is still invalid", () => {
    expect(() => readSettings(hosted, { VALIDATOR_MCP_PORT: "http://x" })).toThrow(/PORT/);
  });

  test("the layers are merged before a rule reads them", () => {
    const { settings } = readSettings(
      { mode: "hosted" },
      { VALIDATOR_MCP_CONFIG: "c.yaml", VALIDATOR_MCP_AUTH: "none" },
    );
    expect(settings.config_source).toBe("c.yaml");
  });

  test("lists are comma-separated, spaces trimmed, empty parts dropped", () => {
    const { settings } = readSettings(
      { ...hosted, allowed_regions: " eu-west-1, ,us-east-1," },
      {},
    );
    expect(settings.allowed_regions).toEqual(["eu-west-1", "us-east-1"]);
  });

  test.each([
    ["max_policies", "0"],
    ["max_policies", "1.5"],
    ["max_policies", "many"],
    ["max_policies", "1e3"],
    ["port", "65536"],
    ["port", "-1"],
    ["analyze_rate_limit", "-1"],
    ["profile", "everything"],
    ["transport", "carrier-pigeon"],
    ["mode", "remote"],
    ["unknown_names", "ignore"],
    ["access_log", "yes"],
  ])("%s refuses %s, naming flag and variable", (field, value) => {
    const error = refusal({ ...hosted, [field]: value });
    expect(error.kind).toBe("invalid_setting");
    expect(error.message).toContain(`--${field.replaceAll("_", "-")}`);
    expect(error.message).toContain(`VALIDATOR_MCP_${field.toUpperCase()}`);
    expect(error.message).not.toContain("\n");
  });

  test.each([
    ["port", "80.5", "must be a whole number from 0 to 65535, in digits only."],
    ["port", "tcp", "must be a whole number from 0 to 65535, in digits only."],
    ["max_policy_bytes", "1MiB", "must be a whole number of at least 1, in digits only."],
    ["mode", "remote", "must be one of local, hosted."],
    ["allowed_regions", "eu west", "must list regions such as eu-west-1, separated by commas."],
  ])("%s says what to write instead of %s", (field, value, words) => {
    expect(refusal({ ...hosted, [field]: value }).message).toMatch(new RegExp(`: ${words}$`));
  });

  test.each([
    [undefined, "off"],
    ["on", "on"],
    [" ON ", "on"],
    ["Off", "off"],
  ])("VALIDATOR_MCP_ACCESS_LOG=%s is %s", (value, expected) => {
    const { settings } = readSettings(hosted, { VALIDATOR_MCP_ACCESS_LOG: value });
    expect(settings.access_log).toBe(expected);
  });

  test.each([
    ["port", "0"],
    ["port", "65535"],
    ["max_policies", "1"],
    ["analyze_rate_limit", "0"],
  ])("%s takes %s", (field, value) => {
    expect(readSettings({ ...hosted, [field]: value }, {}).settings).toHaveProperty(
      field,
      Number(value),
    );
  });

  test.each([
    [
      "hosted mode without --auth",
      { mode: "hosted", config_source: "c.yaml" },
      "auth_not_explicit",
    ],
    ["hosted mode without a config", { mode: "hosted", auth: "none" }, "config_required"],
    ["hosted mode over stdio", { ...hosted, transport: "stdio" }, "hosted_stdio"],
    ["an unknown way of authentication", { ...hosted, auth: "kerberos" }, "unknown_auth"],
    [
      "instructions given twice",
      { ...hosted, instructions: "a", instructions_file: "b" },
      "instructions_conflict",
    ],
  ])("%s is refused", (_, flags, kind) => {
    expect(refusal(flags).kind).toBe(kind);
  });

  test("the removed transport sse names its successor", () => {
    expect(refusal({ ...hosted, transport: "sse" }).message).toMatch(/removed.*http/);
  });

  test("a variable that says --auth was given explicitly cannot be set", () => {
    expect(
      refusal({ mode: "hosted", config_source: "c" }, { VALIDATOR_MCP_AUTH_EXPLICITLY_SET: "true" })
        .kind,
    ).toBe("auth_not_explicit");
  });
});
