import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Check } from "../engine/check.ts";
import { StartupError } from "../errors.ts";
import { digestOf } from "./digest.ts";
import { parseConfigText } from "./read.ts";
import { resolveConfig } from "./resolve.ts";

function checkWith(check_id: string, options: z.ZodType = z.strictObject({})): Check {
  return {
    check_id,
    default_severity: "medium",
    description: "A check of the tests.",
    docstring: "Reports nothing.",
    risk_explanation: "",
    risk_category: "",
    documentation_url: "",
    remediation_steps: [],
    options,
    issue_types: {},
    examples: { bad: [], good: [] },
    runStatement: () => [],
  };
}

const tags = z.strictObject({
  keys: z.array(z.string()).default(["Owner"]),
  weights: z.record(z.string(), z.number()).default({ low: 1, high: 2 }),
});
const checks = [checkWith("tag_rules", tags), checkWith("region_lock")].map((check) => ({
  check,
  source: "builtin" as const,
}));

async function resolve(yaml: string) {
  return resolveConfig(
    await parseConfigText(yaml, "config.yaml"),
    "config file config.yaml",
    checks,
  );
}

async function faults(yaml: string): Promise<string> {
  try {
    await resolve(yaml);
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    throw error;
  }
  throw new Error("the config was accepted");
}

describe("the config file", () => {
  test("an empty file means the defaults", async () => {
    const { config } = await resolve("");
    expect(config.settings.fail_on_severity).toEqual(["error", "critical", "high"]);
    expect(config.checks.tag_rules).toMatchObject({
      enabled: true,
      severity: null,
      keys: ["Owner"],
    });
  });

  test("the template setting is true, and wins over a check's own option only where it is given", async () => {
    const option = z.strictObject({ allow_template_variables: z.boolean().default(true) });
    const targets = [{ check: checkWith("names", option), source: "builtin" as const }];
    const under = async (yaml: string) => {
      const text = await parseConfigText(yaml, "config.yaml");
      const { config, registry } = resolveConfig(text, "config.yaml", targets);
      expect(registry.get("names")?.options).toEqual({
        allow_template_variables: config.checks.names?.allow_template_variables,
      });
      return [
        config.settings.allow_template_variables,
        config.checks.names?.allow_template_variables,
      ];
    };
    const off = "names: { allow_template_variables: false }";
    expect(await under("")).toEqual([true, true]);
    expect(await under(off)).toEqual([true, false]);
    expect(await under(`settings: { allow_template_variables: null }\n${off}`)).toEqual([
      true,
      false,
    ]);
    expect(await under(`settings: { allow_template_variables: true }\n${off}`)).toEqual([
      true,
      true,
    ]);
    expect(await under("organization: { allow_template_variables: false }")).toEqual([
      false,
      false,
    ]);
  });

  test("objects merge key by key, lists and scalars replace, null means the default", async () => {
    const { config } = await resolve(`
tag_rules: { keys: [CostCentre], weights: { high: 9 }, severity: null }
region_lock: null
`);
    expect(config.checks.tag_rules).toMatchObject({
      keys: ["CostCentre"],
      weights: { low: 1, high: 9 },
      severity: null,
    });
    expect(config.checks.region_lock).toMatchObject({ enabled: true });
  });

  test("false switches a check off", async () => {
    const { registry } = await resolve("region_lock: false");
    expect(registry.get("region_lock")?.enabled).toBe(false);
  });

  test("top-level sections win over old spellings, those over `checks`, key by key", async () => {
    const { config } = await resolve(`
checks: { tag_rules: { severity: low, keys: [a], enabled: false } }
tag_rules_check: { severity: high, keys: [b] }
tag_rules: { severity: critical }
`);
    expect(config.checks.tag_rules).toMatchObject({
      severity: "critical",
      keys: ["b"],
      enabled: false,
    });
  });

  test("one severity means a list of one", async () => {
    const { registry } = await resolve("tag_rules: { hide_severities: low }");
    expect([...(registry.get("tag_rules")?.hidden ?? [])]).toEqual(["low"]);
  });

  test("a check's own hide_severities replaces the global one, also when empty", async () => {
    const { registry } = await resolve(
      "settings: { hide_severities: [info] }\ntag_rules: { hide_severities: [] }",
    );
    expect(registry.get("tag_rules")?.hidden.size).toBe(0);
    expect([...(registry.get("region_lock")?.hidden ?? [])]).toEqual(["info"]);
  });

  test("the old name organization wins over settings, with a warning", async () => {
    const { config, warnings } = await resolve(
      "settings: { max_concurrency: 3, on_check_error: warn }\norganization: { max_concurrency: 5 }",
    );
    expect(config.settings).toMatchObject({ max_concurrency: 5, on_check_error: "warn" });
    expect(warnings.join()).toContain("organization");
  });

  test("settings that nothing reads are warned of, and typed like the others", async () => {
    const { warnings } = await resolve(
      "settings: { max_concurrent: 4, parallel: true, max_workers: null, fail_fast: false }",
    );
    for (const key of ["max_concurrent", "parallel", "fail_fast"]) {
      expect(warnings.join("\n")).toContain(key);
    }
    await expect(resolve("settings: { fail_fast: maybe }")).rejects.toThrow(/settings\.fail_fast/);
  });

  test("fail_on_severity: one severity is a threshold, a list exactly that set, and a gap is warned of", async () => {
    const threshold = await resolve("settings: { fail_on_severity: medium }");
    expect(threshold.config.settings.fail_on_severity).toEqual([
      "error",
      "critical",
      "high",
      "warning",
      "medium",
    ]);
    expect(threshold.warnings).toEqual([]);
    const list = await resolve("settings: { fail_on_severity: [high, error] }");
    expect(list.config.settings.fail_on_severity).toEqual(["high", "error"]);
    expect(list.warnings).toEqual([
      expect.stringMatching(/^line 1: settings\.fail_on_severity: leaves out critical,/),
    ]);
  });

  test("every fault is listed, with its line, and no value is shown", async () => {
    const message = await faults(`settings:
  fail_on_severity: []
  on_check_error: explode-secretly
tag_rules:
  severity: dreadful
  keys: 7
regoin_lock:
  enabled: true
`);
    expect(message.split("\n")).toEqual([
      "config file config.yaml is not valid:",
      expect.stringMatching(/line 2: settings\.fail_on_severity:/),
      expect.stringMatching(/line 3: settings\.on_check_error:/),
      expect.stringMatching(/line 5: tag_rules\.severity:/),
      expect.stringMatching(/line 6: tag_rules\.keys:/),
      expect.stringMatching(/line 7: regoin_lock: .*region_lock\?/),
    ]);
    expect(message).not.toMatch(/dreadful|explode-secretly/);
  });

  test.each([
    ["an empty ignore pattern", "tag_rules: { ignore_patterns: [{}] }", /at least one field/],
    ["an unknown field of one", "tag_rules: { ignore_patterns: [{ file: x }] }", /file/],
    [
      "an expression that does not compile",
      'tag_rules: { ignore_patterns: [{ sid: x }, { sid: "(*" }] }',
      /ignore_patterns\.1: every field must be a regular expression in RE2 syntax, which has no/,
    ],
    ["a policy type entry without type", "policy_types: [{ pattern: x }]", /policy_types\.0\.type/],
    [
      "an unknown word for a policy type",
      "policy_types: [{ pattern: x, type: FOO }]",
      /policy_types\.0\.type/,
    ],
    ["a section that is a list", "tag_rules: [1]", /mapping, false or null/],
    ["an unknown key deep in an option", "tag_rules: { weights: { low: x } }", /weights\.low/],
    ["a config that is a list", "[1, 2]", /mapping/],
  ])("%s is an error", async (_, yaml, pattern) => {
    expect(await faults(yaml)).toMatch(pattern);
  });

  test.each([["settings without effect", "settings: { parallel: true }", /settings\.parallel/]])(
    "%s are a warning",
    async (_, yaml, pattern) => {
      expect((await resolve(yaml)).warnings.join("\n")).toMatch(pattern);
    },
  );

  test.each([
    [
      "a setting",
      "settings: { fail_on_sev: low }",
      /settings\.fail_on_sev: .*mean fail_on_severity\?/,
    ],
    ["an option", "tag_rules: { severty: low }", /tag_rules\.severty: .*mean severity\?/],
    ["a nested config block", "tag_rules: { config: { keys: [] } }", /under tag_rules: keys/],
  ])("%s with an unknown name is an error, or a warning on request", async (_, yaml, pattern) => {
    expect(await faults(yaml)).toMatch(pattern);
    const text = await parseConfigText(yaml, "c.yaml");
    expect(resolveConfig(text, "c.yaml", checks, false, "warn").warnings.join("\n")).toMatch(
      pattern,
    );
  });

  test.each([
    [
      "settings: { fail_on_severity: [low, 5] }",
      ["settings.fail_on_severity.1: must be one of error,"],
    ],
    ["settings: { fail_on_severity: loud }", ["settings.fail_on_severity: must be one of error,"]],
    [
      "settings: { cache_ttl_hours: soon, max_concurrency: 0.5 }",
      [
        "settings.max_concurrency: must be a whole number",
        "settings.cache_ttl_hours: must be a number",
      ],
    ],
    [
      "tag_rules: { ignore_patterns: [{ sid: [5] }, {}] }",
      [
        "tag_rules.ignore_patterns.0.sid.0: must be a string",
        "tag_rules.ignore_patterns.1: an ignore pattern needs",
      ],
    ],
    ["policy_types: [{ type: IDENTITY_POLICY }]", ["policy_types.0.pattern: is missing"]],
  ])("%s: every fault has its own path and a plain sentence", async (yaml, expected) => {
    const lines = (await faults(yaml)).split("\n").slice(1);
    expect(lines).toHaveLength(expected.length);
    for (const [index, words] of expected.entries()) expect(lines[index]).toContain(words);
  });

  test("YAML that does not parse names line and column", async () => {
    await expect(parseConfigText("settings: [1,", "c.yaml")).rejects.toThrow(
      /line \d+, column \d+/,
    );
    await expect(parseConfigText("a: 1\n---\nb: 2", "c.yaml")).rejects.toThrow(/more than one/);
    await expect(parseConfigText("a: 1\na: 2", "c.yaml")).rejects.toThrow(/line 2/);
  });
});

describe("exceptions", () => {
  const reason = "Reviewed.";
  const yamlOf = (...exceptions: object[]) => JSON.stringify({ exceptions });

  test("are kept as they are given", async () => {
    const exceptions = [
      { fingerprint: "0123456789abcdef", reason, owner: "Platform", expires: "2999-12-31" },
      { check: ["tag_rules"], sid: "Upload", action: ["^s3:", "^ec2:"], reason },
    ];
    const { config, warnings } = await resolve(yamlOf(...exceptions));
    expect(config.exceptions).toEqual(exceptions);
    expect(warnings).toEqual([]);
  });

  test.each([
    [{ check: "tag_rules" }, "exceptions.0.reason: is missing; say why this finding is accepted"],
    [{ check: "tag_rules", reason: " " }, "exceptions.0.reason: is empty; say why this finding"],
    [{ check: "tag_rules", reason: 7 }, "exceptions.0.reason: must be a string"],
    [{ reason }, "exceptions.0: needs fingerprint or check"],
    [{ fingerprint: "0123", reason }, "exceptions.0.fingerprint: is not a fingerprint; it has 16"],
    [{ check: "tag_rule", reason }, "exceptions.0.check: no check has the id tag_rule; did you"],
    [{ check: "tag_rules", expires: "2026-02-30", reason }, "exceptions.0.expires: is not a date"],
    [{ check: "tag_rules", expire: "2026-01-31", reason }, "exceptions.0.expire: unknown key"],
    [{ check: "tag_rules", action: "(", reason }, "exceptions.0: every expression must be"],
    [{ check: "tag_rules", action: "a".repeat(513), reason }, "exceptions.0.action: must have at"],
  ])("%j is a fault of its line", async (exception, fault) => {
    expect(await faults(yamlOf(exception))).toContain(`line 1: ${fault}`);
  });

  test("are limited in number, and in the expressions for one check", async () => {
    const one = { fingerprint: "0123456789abcdef", reason };
    expect((await resolve(yamlOf(...Array(1000).fill(one)))).config.exceptions).toHaveLength(1000);
    expect(await faults(yamlOf(...Array(1001).fill(one)))).toContain("must have at most 1000");
    const wide = { check: "tag_rules", action: Array(20).fill("x"), reason };
    await resolve(yamlOf(...Array(10).fill(wide)));
    expect(await faults(yamlOf(...Array(11).fill(wide)))).toContain(
      "exceptions: has 220 expressions for tag_rules; the limit is 200",
    );
  });

  test("that have no effect are warnings", async () => {
    const { warnings } = await resolve(
      JSON.stringify({
        region_lock: false,
        exceptions: [
          { check: "region_lock", reason },
          { check: "tag_rules", reason, expires: "2020-01-31" },
        ],
      }),
    );
    expect(warnings).toEqual([
      "line 1: exceptions.0.check: has no effect: region_lock is off",
      "line 1: exceptions.1.expires: expired on 2020-01-31, so its findings count again; renew or remove it",
    ]);
  });
});

describe("config_digest", () => {
  const of = async (yaml: string) => {
    const { config, registry } = await resolve(yaml);
    return digestOf(config, registry);
  };

  test("is the same for the same meaning, however the file is written", async () => {
    const one = await of("tag_rules: { severity: low }\nregion_lock: { enabled: true }");
    const same = await of('{"region_lock": null, "tag_rules": {"severity": "low"}}');
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(same).toBe(one);
  });

  test.each([
    "tag_rules: { severity: low }",
    "region_lock: false",
    "tag_rules: { keys: [x] }",
    "settings: { on_check_error: warn }",
    "exceptions: [{ check: tag_rules, reason: Reviewed. }]",
  ])("changes with %s", async (yaml) => {
    expect(await of(yaml)).not.toBe(await of(""));
  });

  test("stays what it was with an empty list of exceptions", async () => {
    expect(await of("exceptions: []")).toBe(await of(""));
    const { config } = await resolve("");
    expect(config).not.toHaveProperty("exceptions");
  });

  /** Of the empty config, with these checks and sources registered in this order. */
  const ofRegistered = async (
    ...rows: readonly (readonly [string, "builtin" | "discovered"])[]
  ) => {
    const { config, registry } = resolveConfig(
      await parseConfigText("", "config.yaml"),
      "config.yaml",
      rows.map(([id, source]) => ({ check: checkWith(id), source })),
    );
    return digestOf(config, registry);
  };

  test("does not depend on the order in which checks were registered", async () => {
    const a = ["a", "builtin"] as const;
    const b = ["b", "builtin"] as const;
    const c = ["c", "builtin"] as const;
    const digest = await ofRegistered(a, b, c);
    expect(await ofRegistered(c, b, a)).toBe(digest);
    expect(await ofRegistered(b, c, a)).toBe(digest);
    expect(await ofRegistered(c, a, b)).toBe(digest);
  });

  test("changes with the place a check was loaded from", async () => {
    const builtin = await ofRegistered(["a", "builtin"]);
    expect(await ofRegistered(["a", "discovered"])).not.toBe(builtin);
  });

  test("has this value for the empty config of the two checks above (golden)", async () => {
    expect(await of("")).toMatchInlineSnapshot(
      `"2bd6a9ae31549124528f0586e451b8e8f70bae9f08558846c67781bbaf8fa69e"`,
    );
  });
});

describe("options that fit their schema and mean nothing", () => {
  test("are said in a warning", async () => {
    const { policySize } = await import("../checks/policy-size.ts");
    const { resourceValidation } = await import("../checks/resource-validation.ts");
    const { warnings } = resolveConfig(
      await parseConfigText(
        'policy_size: { policy_type: huge, organizations_measurement: guess }\nresource_validation: { arn_pattern: "(" }',
        "c",
      ),
      "c",
      [policySize, resourceValidation].map((check) => ({ check, source: "builtin" as const })),
    );
    expect(warnings).toEqual([
      expect.stringMatching(/line 1: policy_size\.policy_type: is not a limit/),
      expect.stringMatching(/line 1: policy_size\.organizations_measurement: .*as_written holds/),
      expect.stringMatching(/line 2: resource_validation\.arn_pattern: does not compile/),
    ]);
  });
});

test("what a key of the file holds is shown as escapes: it can neither forge a line nor act on a terminal", async () => {
  const key = "region_lock\u001b]0;x\u0007\u001b[2K\r\nvalidator-mcp: fine";
  const text = await parseConfigText(JSON.stringify({ [key]: { enabled: true } }), "c.yaml");
  const registered = checks;
  let message = "";
  try {
    const { warnings } = resolveConfig(text, "c.yaml", registered);
    message = warnings.join("\n");
  } catch (error) {
    message = error instanceof StartupError ? error.message : "";
  }
  expect(message).toContain("\\u001b]0;x");
  for (const raw of ["\u001b", "\u0007", "\r"]) expect(message).not.toContain(raw);
  expect(message.split("\n").some((line) => line.startsWith("validator-mcp: fine"))).toBe(false);
});
