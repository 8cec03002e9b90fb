import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StartupError } from "../errors.ts";
import { loadCustomChecks } from "./custom-checks.ts";
import { resolveConfig } from "./resolve.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "custom-checks-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const schema = "{ safeParse: (value) => ({ success: true, data: value }) }";
const source = (id: string, extra = "") => `
export const check = {
  check_id: "${id}", default_severity: "low", description: "Of the tests.",
  options: ${schema}, runStatement: () => [], ${extra}
};`;

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

function load(value: unknown, more: { directory?: string } = {}) {
  return loadCustomChecks({
    value,
    configPath: join(folder, "config.yaml"),
    directory: more.directory,
    installedRoots: [join(folder, "node_modules")],
  });
}

async function refusal(value: unknown, more: { directory?: string } = {}): Promise<StartupError> {
  try {
    await load(value, more);
  } catch (error) {
    if (error instanceof StartupError) return error;
    throw error;
  }
  throw new Error("everything loaded");
}

describe("custom checks", () => {
  test("a module is named relative to the config; its entry's options reach the check", async () => {
    await put("checks/one.mjs", source("one"));
    const [one] = await load({
      custom_checks: [{ module: "./checks/one.mjs", severity: "high", config: { depth: 3 } }],
    });
    expect(one).toMatchObject({
      source: "config_module",
      check: { check_id: "one" },
      base: { severity: "high", depth: 3 },
    });
  });

  test("a section of the check's own wins over its entry, per key", async () => {
    await put("one.mjs", source("one"));
    const value = {
      custom_checks: [{ module: "./one.mjs", severity: "high", config: { depth: 3, width: 4 } }],
      one: { severity: "low", depth: 9 },
    };
    const { config } = resolveConfig({ value, lineOf: () => null }, "c", await load(value));
    expect(config.checks.one).toMatchObject({ severity: "low", depth: 9, width: 4 });
  });

  test("an entry that is off is not loaded", async () => {
    expect(await load({ custom_checks: [{ module: "./missing.mjs", enabled: false }] })).toEqual(
      [],
    );
  });

  test("the files of a directory are found in order, and stay off until a section enables them", async () => {
    await put("more/b.mjs", source("b"));
    await put("more/a.ts", source("a"));
    await put("more/_draft.mjs", "throw new Error('never loaded')");
    await put("more/.hidden.mjs", "throw new Error('never loaded')");
    await put("more/readme.md", "no module");
    const found = await load({ custom_checks_dir: "more" });
    expect(found.map((one) => [one.check.check_id, one.source])).toEqual([
      ["a", "discovered"],
      ["b", "discovered"],
    ]);
    const value = { b: { enabled: true } };
    const { registry } = resolveConfig({ value, lineOf: () => null }, "c", found);
    expect([registry.get("a")?.enabled, registry.get("b")?.enabled]).toEqual([false, true]);
  });

  test("packages installed beside this one may declare checks in their manifest", async () => {
    await put(
      "node_modules/acme-checks/package.json",
      JSON.stringify({ name: "acme-checks", validatorMcp: { checks: "./checks.mjs" } }),
    );
    await put("node_modules/acme-checks/checks.mjs", source("acme"));
    await put(
      "node_modules/@acme/more/package.json",
      JSON.stringify({ name: "@acme/more", validatorMcp: { checks: ["./a.mjs"] } }),
    );
    await put("node_modules/@acme/more/a.mjs", source("acme_more"));
    await put("node_modules/other/package.json", JSON.stringify({ name: "other" }));
    const found = await load({});
    expect(found.map((one) => [one.check.check_id, one.source])).toEqual([
      ["acme_more", "entry_point"],
      ["acme", "entry_point"],
    ]);
  });

  test("every module that fails is named with its reason, in one line", async () => {
    await put("broken.mjs", "export const x = (");
    await put("empty.mjs", "export const x = 1;");
    await put("bad.mjs", source("Bad-Id"));
    const error = await refusal({
      custom_checks: [
        { module: "./broken.mjs" },
        { module: "./empty.mjs" },
        { module: "./bad.mjs" },
        { module: "no-such-package" },
        { severity: "low" },
      ],
    });
    expect(error.kind).toBe("custom_check");
    expect(error.message).toMatch(
      /broken\.mjs: .*; \.\/empty\.mjs: it exports no check.*; \.\/bad\.mjs: .*snake_case.*; no-such-package: .*; ?/,
    );
    expect(error.message).toContain("custom_checks[4].module: is missing");
    expect(error.message).not.toContain("\n");
  });

  test("a module that does not exist is named by its path, and no file of the server is", async () => {
    const { message } = await refusal({ custom_checks: [{ module: "./none.mjs" }] });
    expect(message).toContain(join(folder, "none.mjs"));
    expect(message).not.toContain("imported from");
  });

  test("an entry that is only a path says how to write it", async () => {
    const { message } = await refusal({ custom_checks: ["./one.mjs"] });
    expect(message).toContain(
      "custom_checks[0]: must be a mapping, such as {module: ./checks/one.mjs}",
    );
  });

  test.each([
    ["default_severity", 'default_severity: "loud"'],
    ["description", 'description: ""'],
    ["options", "options: {}"],
    ["runPolicy", "runStatement: undefined"],
    ["one: element must be one of Sid, Effect", 'element: "Conditions"'],
    ["one: applies_to_policy_types", 'applies_to_policy_types: "TRUST_POLICY"'],
    ['"TRUST", which is not a policy type', 'applies_to_policy_types: ["TRUST"]'],
  ])("a check without a proper %s is refused", async (field, extra) => {
    await put("one.mjs", source("one", extra));
    expect((await refusal({ custom_checks: [{ module: "./one.mjs" }] })).message).toContain(field);
  });

  test("a directory that cannot be read is refused", async () => {
    expect((await refusal({}, { directory: join(folder, "none") })).message).toContain(
      "cannot be read",
    );
  });

  test("two checks with one id are an error of the config", async () => {
    await put("one.mjs", source("one"));
    await put("two.mjs", source("one"));
    const found = await load({ custom_checks: [{ module: "./one.mjs" }, { module: "./two.mjs" }] });
    expect(() => resolveConfig({ value: {}, lineOf: () => null }, "c", found)).toThrow(
      /two checks/,
    );
  });
});
