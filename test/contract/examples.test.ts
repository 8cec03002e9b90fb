import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type ServerProcess, startProcess } from "../support/process.ts";

const root = new URL("../../", import.meta.url).pathname;
const read = (path: string) => readFileSync(`${root}${path}`, "utf8");

describe("the README", () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startProcess({ flags: { config_source: `${root}examples/config.yaml` } });
  });
  afterAll(() => server.stop());

  test("shows what its call really prints", async () => {
    const files = readdirSync(`${root}examples/policies`).map(
      (name) => `examples/policies/${name}`,
    );
    const failure: unknown = await promisify(execFile)(
      process.execPath,
      ["examples/validate.mjs", ...files.sort()],
      { cwd: root, env: { VALIDATOR_URL: `${server.url}/mcp` } },
    ).then(
      () => undefined,
      (error: unknown) => error,
    );
    // Two of the policies are not valid, so the example ends with 1.
    expect(failure).toMatchObject({ code: 1 });
    const printed = (failure as { stdout: string }).stdout.trim();
    expect(read("README.md")).toContain(printed);
  });

  test("names only files and scripts that exist", () => {
    const text = read("README.md");
    for (const [, path = ""] of text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
      expect(() => read(path.endsWith("/") ? `${path}README.md` : path), path).not.toThrow(
        /ENOENT/,
      );
    }
    const { scripts } = JSON.parse(read("package.json"));
    for (const [, script = ""] of text.matchAll(/npm run ([a-z:0-9]+)/g)) {
      expect(Object.keys(scripts)).toContain(script);
    }
  });
});

describe("the example configs", () => {
  const schema = JSON.parse(read("spec/schemas/config.json"));
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);

  test.each(["examples/config.yaml", "examples/permissive.yaml", "examples/strict.yaml"])(
    "%s fits the published schema and names it",
    (path) => {
      const text = read(path);
      expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true);
      const [, reference = ""] = /yaml-language-server: \$schema=(\S+)/.exec(text) ?? [];
      expect(new URL(reference, `file://${root}${path}`).pathname).toBe(
        `${root}spec/schemas/config.json`,
      );
    },
  );

  test.each([
    ["a bad severity", { wildcard_action: { severity: "dreadful" } }],
    ["an unknown option", { service_wildcard: { allowed_service: ["s3"] } }],
    ["an empty ignore pattern field", { wildcard_action: { ignore_patterns: [{ sid: "" }] } }],
    ["a wrong type of settings", { settings: { fail_on_severity: "dreadful" } }],
  ])("an editor underlines %s", (_, config) => {
    expect(validate(config)).toBe(false);
  });
});
