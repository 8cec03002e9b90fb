import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ConfigSettings } from "../../spec/config.ts";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { builtinChecks } from "../checks/index.ts";
import { sensitiveCategories } from "../checks/sensitive-action/catalogue.ts";
import { parseConfigText } from "../config/read.ts";
import { resolveConfig } from "../config/resolve.ts";
import type { Check } from "../engine/check.ts";
import { NotFoundParameter } from "./component.ts";
import { configExamples } from "./config-examples.ts";
import { resources, resourceTemplates } from "./resources.ts";

const novel: Check = {
  check_id: "a_novel_check",
  default_severity: "low",
  description: "Made for this test.",
  docstring: "Made for this test.",
  risk_explanation: "",
  risk_category: "",
  documentation_url: "https://example.com/",
  remediation_steps: [],
  options: z.strictObject({}),
  issue_types: {},
  examples: { bad: [], good: [] },
};

const builtin = builtinChecks.map((check) => ({ check, source: "builtin" as const }));

async function contextFor(yaml: string) {
  const text = await parseConfigText(yaml, "config.yaml");
  const checks = [...builtin, { check: novel, source: "entry_point" as const }];
  const { registry } = resolveConfig(text, "config.yaml", checks);
  const { runtime } = bareRuntime({}, registry.checks);
  return { runtime, signal: new AbortController().signal };
}

async function read(uri: string, yaml = ""): Promise<string> {
  const resource = resources.find((one) => one.uri === uri);
  if (!resource) throw new Error(`no resource ${uri}`);
  return resource.read(await contextFor(yaml));
}

async function readTemplate(uriTemplate: string, variables: Record<string, string>, yaml = "") {
  const template = resourceTemplates.find((one) => one.uriTemplate === uriTemplate);
  if (!template) throw new Error(`no template ${uriTemplate}`);
  return JSON.parse(await template.read(variables, await contextFor(yaml)));
}

test("resources and templates come in the order of the contract", () => {
  expect(resources.map(({ uri, tag, mimeType }) => [uri, tag, mimeType])).toEqual([
    ["iam://checks", "validate", "application/json"],
    ["iam://sensitive-categories", "validate", "application/json"],
    ["iam://config-schema", "orgconfig", "application/json"],
    ["iam://config-examples", "orgconfig", "text/markdown"],
  ]);
  expect(resourceTemplates.map(({ uriTemplate, tag }) => [uriTemplate, tag])).toEqual([
    ["iam://sensitive-actions/{category}", "validate"],
    ["iam://checks/{check_id}", "validate"],
  ]);
});

describe("iam://checks", () => {
  const yaml = "full_wildcard:\n  severity: low\nsid_uniqueness: false\n";

  test("lists the checks of the live registry by id, as the config resolves them", async () => {
    const list: Record<string, unknown>[] = JSON.parse(await read("iam://checks", yaml));
    const ids = [...builtinChecks, novel].map(({ check_id }) => check_id).sort();
    expect(list.map(({ check_id }) => check_id)).toEqual(ids);
    expect(list.find(({ check_id }) => check_id === "full_wildcard")).toEqual({
      check_id: "full_wildcard",
      description: expect.stringMatching(/./),
      default_severity: "critical",
      severity: "low",
      enabled: true,
    });
    expect(list.find(({ check_id }) => check_id === "sid_uniqueness")).toMatchObject({
      enabled: false,
    });
  });

  test("one check has its documentation and the severities that apply", async () => {
    const one = await readTemplate("iam://checks/{check_id}", { check_id: "full_wildcard" }, yaml);
    expect(one).toEqual({
      check_id: "full_wildcard",
      description: expect.stringMatching(/./),
      default_severity: "critical",
      category: "privilege_escalation",
      example_violation: expect.objectContaining({ title: expect.stringMatching(/./) }),
      example_fix: expect.objectContaining({ title: expect.stringMatching(/./) }),
      configuration: {
        enabled: true,
        severity: "low",
        severity_set: true,
        severities: { security_risk: { applies: "low", range: null, set: true } },
      },
      related: expect.arrayContaining(["wildcard_action", "wildcard_resource"]),
    });
  });

  test.each(["nonsense", "toString", "__proto__", ""])("%j is a check not found", async (id) => {
    expect(await readTemplate("iam://checks/{check_id}", { check_id: id })).toEqual({
      check_id: id,
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

describe("sensitive actions", () => {
  const template = "iam://sensitive-actions/{category}";

  test("the categories tell how many actions their lists have", async () => {
    const table = JSON.parse(await read("iam://sensitive-categories"));
    expect(Object.keys(table)).toEqual(sensitiveCategories.map(({ id }) => id));
    for (const [category, row] of Object.entries(table)) {
      const { actions } = await readTemplate(template, { category });
      expect(row).toEqual({
        name: expect.any(String),
        description: expect.any(String),
        severity: expect.any(String),
        action_count: actions.length,
      });
      expect(actions.length).toBeGreaterThan(0);
      expect(actions).toEqual([...actions].sort());
    }
    expect(table.priv_esc).toMatchObject({ name: "Privilege Escalation", severity: "critical" });
    expect(table.data_access).toMatchObject({ severity: "medium" });
  });

  test("a category goes by its alias too, in any letter case, and is shown as given", async () => {
    const plain = await readTemplate(template, { category: "priv_esc" });
    for (const category of ["privilege_escalation", "Privilege_Escalation", "PRIV_ESC"]) {
      expect(await readTemplate(template, { category })).toEqual({ ...plain, category });
    }
  });

  test.each(["nonsense", "constructor", ""])(
    "%j is refused with the words there are",
    async (category) => {
      const refused = readTemplate(template, { category });
      await expect(refused).rejects.toThrow(NotFoundParameter);
      await expect(refused).rejects.toThrow(/credential_exposure.*priv_esc.*resource_exposure/);
      await expect(refused).rejects.toThrow(/use one of \w+(, \w+)+\.$/);
    },
  );
});

describe("iam://config-schema", () => {
  test("describes every setting of the config file", async () => {
    const schema = JSON.parse(await read("iam://config-schema"));
    expect(schema).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
    });
    expect(Object.keys(schema.properties)).toEqual(Object.keys(ConfigSettings.shape));
    expect(schema.required).toBeUndefined();
  });
});

describe("iam://config-examples", () => {
  test("has five examples, each in its own YAML block", async () => {
    const page = await read("iam://config-examples");
    const blocks = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml]) => yaml);
    expect(blocks).toEqual(configExamples.map(({ yaml }) => yaml));
    expect(blocks).toHaveLength(5);
    expect(page.split("\n\n## ")).toHaveLength(6);
  });

  test.each(configExamples.map(({ title, yaml }) => [title, yaml]))(
    "%s is a config this server starts with, warning only of severities left out on purpose",
    async (_, yaml) => {
      const text = await parseConfigText(yaml, "example.yaml");
      const { warnings, config } = resolveConfig(text, "example.yaml", builtin);
      expect(warnings.filter((one) => !one.includes("fail_on_severity"))).toEqual([]);
      const written: Record<string, object> = JSON.parse(JSON.stringify(text.value));
      for (const [section, values] of Object.entries(written)) {
        const active = section === "settings" ? config.settings : config.checks[section];
        expect(active).toMatchObject(values);
      }
    },
  );
});
