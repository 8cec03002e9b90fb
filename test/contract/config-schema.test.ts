import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configSchema } from "../../spec/config-schema.ts";
import { builtinChecks } from "../../src/checks/index.ts";
import { openYamlEditor, type YamlEditor } from "../support/yaml-editor.ts";

const path = new URL("../../spec/schemas/config.json", import.meta.url).pathname;

let editor: YamlEditor;
beforeAll(async () => {
  editor = await openYamlEditor(path);
}, 60_000);
afterAll(() => editor.close());

test("the published schema is under 120 KB, and each definition is used", () => {
  const text = readFileSync(path, "utf8");
  expect(Buffer.byteLength(text)).toBeLessThan(120_000);
  const { $defs } = configSchema(builtinChecks);
  const unused = Object.keys($defs ?? {}).filter((name) => !text.includes(`"#/$defs/${name}"`));
  expect(unused).toEqual([]);
});

describe("an editor", () => {
  test("completes keys at the top level", async () => {
    const labels = await editor.complete("settings:\n  on_check_error: fail\n", 2, 0);
    expect(labels).toEqual(expect.arrayContaining(["custom_checks", "policy_types"]));
    expect(labels).toEqual(expect.arrayContaining(builtinChecks.map(({ check_id }) => check_id)));
  });

  test("completes settings", async () => {
    const labels = await editor.complete("settings:\n  \n", 1, 2);
    expect(labels).toEqual(expect.arrayContaining(["fail_on_severity", "on_check_error"]));
  });

  test("completes the options and the common keys of a check", async () => {
    const labels = await editor.complete("service_wildcard:\n  \n", 1, 2);
    expect(labels).toEqual(
      expect.arrayContaining(["allowed_services", "enabled", "severity", "ignore_patterns"]),
    );
  });

  test.each([
    ["check", "wildcard_actoin:\n  enabled: true\n", "wildcard_actoin"],
    ["setting", "settings:\n  fail_on_severty: [high]\n", "fail_on_severty"],
    ["option", "service_wildcard:\n  allowed_service: [s3]\n", "allowed_service"],
  ])("marks a misspelt %s", async (_, text, key) => {
    expect((await editor.diagnose(text)).join()).toContain(key);
  });

  test("marks nothing in a config that is right", async () => {
    const text = readFileSync(new URL("../../examples/config.yaml", import.meta.url), "utf8");
    expect(await editor.diagnose(text.replace(/^#.*\n/, ""))).toEqual([]);
  });

  test("shows the description of an option", async () => {
    const shown = await editor.hover("service_wildcard:\n  allowed_services: [s3]\n", 1, 5);
    expect(shown).toContain("Service prefixes");
  });
});
