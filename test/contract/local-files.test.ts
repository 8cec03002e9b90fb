import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { localValidatePolicies } from "../../spec/tools/local/validate-policies.ts";
import { Detail } from "../../spec/tools/validate-policies.ts";
import { createValidator } from "../../src/library/index.ts";
import type { AnyClient } from "../support/clients.ts";
import { callLocal, connectLocal, folderWith } from "../support/local.ts";
import { readOnly } from "../support/rpc.ts";

const bad = { Statement: { Effect: "Allow", Action: "s3:GetObjct", Resource: "arn:aws:s3:::b/*" } };

const severalDocuments = `# The first one is fine.
Version: "2012-10-17"
Statement:
  - { Sid: ReadReports, Effect: Allow, Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" }
---
Version: "2012-10-17"
Statement:
  Effect: Allow
  Action: s3:GetObjct
  Resource: arn:aws:s3:::b/*
---
{
`;

const files: Record<string, string | Uint8Array> = {
  "good.json": JSON.stringify(readOnly),
  "bad.json": JSON.stringify(bad, null, 2),
  "many.yaml": severalDocuments,
  "broken.json": '{"Statement": [',
  "latin1.json": Buffer.from('{"Id": "é"}', "latin1"),
  "empty.yaml": "",
  "dangling.json": "-> gone.json",
  "huge.json": JSON.stringify({ ...readOnly, Id: "x".repeat(20_000) }),
  "scp/deny.json": JSON.stringify({ Statement: { Effect: "Deny", Action: "*", Resource: "*" } }),
  "package.json": JSON.stringify({ name: "x", version: "1.0.0" }),
  "notes.txt": "not a policy",
};

let folder: string;
let remove: () => Promise<void>;
let client: AnyClient;
beforeAll(async () => {
  ({ folder, remove } = await folderWith(files));
  const args = ["--max-policy-bytes", "10000", "--max-request-bytes", "20000"];
  client = await connectLocal("SDK 2 on 2026-07-28", { cwd: folder, args });
});
afterAll(async () => {
  await client.close();
  await remove();
});

interface Issue {
  readonly file: string | null;
  readonly issue_type: string;
  readonly check_id: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } } | null;
}
interface Result {
  readonly name: string;
  readonly file: string | null;
  readonly document: number | null;
  readonly is_valid: boolean;
  readonly issues: Issue[] | null;
}

async function validate(args: Record<string, unknown>) {
  const { isError, output, text } = await callLocal(client, "validate_policies", args);
  expect(isError, text).toBe(false);
  return localValidatePolicies.output.parse(output) as unknown as {
    results: Result[];
    report?: string;
    skipped?: number;
  };
}

async function refusal(args: Record<string, unknown>): Promise<string> {
  const { isError, text } = await callLocal(client, "validate_policies", args);
  expect(isError).toBe(true);
  return text;
}

describe("the input fix with files", () => {
  interface Fixed extends Result {
    readonly fixed_policy: unknown;
    readonly fixes_applied: Readonly<Record<string, number>>;
  }
  const fixed = async (path: string) =>
    (await validate({ path, fix: ["equivalent", "repairs"] })).results as Fixed[];

  test("returns the text of the file with its fixes, which the result is about", async () => {
    const [result] = await fixed("bad.json");
    expect(result?.fixed_policy).toContain('"Action": "s3:GetObject"');
    expect(result?.fixes_applied).toMatchObject({ repairs: 1 });
    expect(result?.issues?.map(({ issue_type }) => issue_type)).not.toContain("invalid_action");
    expect(await readFile(join(folder, "bad.json"), "utf8")).toBe(files["bad.json"]);
  });

  test("of several documents, has the whole file in the first result", async () => {
    const [first, second, third] = await fixed("many.yaml");
    expect(first?.fixed_policy).toBe(severalDocuments.replace("GetObjct", "GetObject"));
    expect(second).toMatchObject({ fixed_policy: null, document: 1 });
    expect(third).toMatchObject({ fixed_policy: null, document: 2 });
  });

  test("is null where nothing is to fix", async () => {
    expect(await fixed("good.json")).toMatchObject([{ fixed_policy: null, fixes_applied: {} }]);
  });
});

describe("a file", () => {
  test("is validated as its text would be, with the file in every finding", async () => {
    const [fromFile] = (await validate({ path: "bad.json", detail: "full" })).results;
    const policy = { policy: files["bad.json"], name: "bad.json" };
    const [inline] = (await validate({ policies: [policy], detail: "full" })).results;
    expect(fromFile).toEqual({
      ...inline,
      file: "bad.json",
      issues: inline?.issues?.map((issue) => ({ ...issue, file: "bad.json" })),
    });
    expect(fromFile?.issues?.length).toBeGreaterThan(0);
    expect(inline?.issues?.every((issue) => issue.file === null)).toBe(true);
  });

  test.each(Detail.options)(
    "shows for detail %s what the library shows, plus the file",
    async (detail) => {
      const [fromFile] = (await validate({ path: "bad.json", detail })).results;
      const library = await createValidator();
      const policy = files["bad.json"] as string;
      const { issues } = await library.validate(policy, { detail, name: "bad.json" });
      const expected = issues?.map((issue) => ({ ...issue, file: "bad.json" })) ?? null;
      expect(fromFile?.issues).toEqual(expected);
    },
  );

  test("of several documents has one result for each, placed within the file", async () => {
    const { results } = await validate({ path: "many.yaml" });
    expect(results.map(({ name, document, is_valid }) => [name, document, is_valid])).toEqual([
      ["many.yaml", 0, true],
      ["many.yaml", 1, false],
      ["many.yaml", 2, false],
    ]);
    const places = results.map(({ issues }) =>
      (issues ?? [])
        .filter(({ issue_type }) => issue_type.startsWith("invalid_"))
        .map(({ issue_type, location }) => [issue_type, location?.start]),
    );
    const offset = severalDocuments.indexOf("s3:GetObjct");
    expect(places[1]).toEqual([["invalid_action", { line: 9, column: 10, offset }]]);
    expect(places[2]).toEqual([
      ["invalid_syntax", expect.objectContaining({ line: expect.any(Number) })],
    ]);
    const [[, start] = []] = places[2] ?? [];
    expect((start as { line: number }).line).toBeGreaterThanOrEqual(12);
  });

  test.each([
    ["broken.json", "invalid_syntax", /not valid JSON/],
    ["latin1.json", "unreadable_file", /not UTF-8/],
    ["empty.yaml", "invalid_syntax", /empty/],
    ["dangling.json", "unreadable_file", /target does not exist/],
    ["huge.json", "unreadable_file", /20\d\d\d bytes; the limit is 10000 \(max_policy_bytes\)/],
  ])(
    "%s that cannot be validated has a finding that says so",
    async (path, issue_type, message) => {
      const { results } = await validate({ path });
      expect(results).toMatchObject([
        {
          file: path,
          is_valid: false,
          severity_counts: { error: 1 },
          issues: [{ severity: "error", issue_type, message: expect.stringMatching(message) }],
        },
      ]);
    },
  );

  test("that is broken is told even where the config switches the check off", async () => {
    await callLocal(client, "set_config", { action: "set", config: { policy_structure: false } });
    const { results } = await validate({ path: "broken.json" });
    await callLocal(client, "set_config", { action: "clear" });
    expect(results).toMatchObject([
      { is_valid: false, issues: [{ issue_type: "invalid_syntax" }] },
    ]);
  });

  test("takes its type from the call", async () => {
    const { results } = await validate({ path: "scp/deny.json", policy_type: "scp" });
    expect(results).toMatchObject([
      { policy_type: "SERVICE_CONTROL_POLICY", policy_type_source: "cli-flag" },
    ]);
  });

  test("takes its type from a pattern of the config, by its path", async () => {
    const policy_types = [{ pattern: "scp/*", type: "SERVICE_CONTROL_POLICY" }];
    await callLocal(client, "set_config", { action: "set", config: { policy_types } });
    const { results } = await validate({ path: "scp/deny.json" });
    await callLocal(client, "set_config", { action: "clear" });
    expect(results).toMatchObject([{ policy_type_source: "config-glob" }]);
  });
});

describe("directories and globs", () => {
  test("give every policy a result, broken ones too, and count the files that are none", async () => {
    const { results, skipped } = await validate({ path: "." });
    expect(skipped).toBe(3);
    const names = new Set(results.map(({ file }) => file));
    expect([...names]).toEqual([
      "bad.json",
      "broken.json",
      "dangling.json",
      "good.json",
      "huge.json",
      "many.yaml",
      "scp/deny.json",
    ]);
  });

  test("a glob takes what it matches", async () => {
    const { results } = await validate({ glob: "{good,bad}.json" });
    expect(results.map(({ file }) => file)).toEqual(["bad.json", "good.json"]);
  });

  test("a report names the files and shows their lines", async () => {
    const { report = "" } = await validate({ glob: "*.yaml", format: "sarif" });
    const [run] = JSON.parse(report).runs;
    const uris = run.artifacts.map(({ location }: { location: { uri: string } }) => location.uri);
    expect(uris).toEqual(["many.yaml"]);
    const { report: page } = await validate({ path: "many.yaml", format: "markdown" });
    expect(page).toContain("many.yaml (document 2)");
    expect(page).toContain("line 9, column 11");
  });
});

describe("refusals", () => {
  test.each<[Record<string, unknown>, RegExp]>([
    [{}, /exactly one of policies, path, glob/],
    [{ path: "good.json", policies: [readOnly] }, /exactly one/],
    [{ path: "good.json", glob: "*.json" }, /exactly one/],
    [{ policies: [] }, /at least one policy/],
    [{ path: "none.json" }, /none\.json does not exist/],
    [{ path: "notes.txt" }, /not a \.json/],
    [{ path: "/etc" }, /is outside/],
    [{ path: ".." }, /is outside/],
    [{ path: "~/.aws" }, /does not exist/],
    [{ glob: "/etc/**" }, /glob cannot be used/],
    [
      { glob: "*.toml" },
      /No \.json, \.yaml, \.yml, \.template, \.tf, \.tofu, \.tftpl, \.tpl or \.j2 file/,
    ],
    [{ path: "good.json", policy_type: "role" }, /is not a policy type/],
    [{ path: "" }, /path/],
    [{ path: "good.json", profile: "x" }, /unknown field/],
  ])("%j", async (args, message) => {
    expect(await refusal(args)).toMatch(message);
  });

  test("more bytes than max_request_bytes", async () => {
    const wide = JSON.stringify({ ...readOnly, Id: "x".repeat(9_500) });
    const { folder: other, remove: clean } = await folderWith({
      "a.json": wide,
      "b.json": wide,
      "c.json": wide,
    });
    const args = ["--max-policy-bytes", "10000", "--max-request-bytes", "20000"];
    const second = await connectLocal("SDK 1", { cwd: other, args });
    const fits = await callLocal(second, "validate_policies", { glob: "{a,b}.json" });
    const tooMuch = await callLocal(second, "validate_policies", { path: "." });
    await second.close();
    await clean();
    expect(fits.isError).toBe(false);
    expect(tooMuch.text).toMatch(/max_request_bytes/);
  });
});

describe("the root", () => {
  test("is the directory given, wherever the client has started the server", async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), "elsewhere-"));
    const second = await connectLocal("SDK 1", { cwd: elsewhere, args: ["--root", folder] });
    const { output } = await callLocal(second, "validate_policies", { path: "good.json" });
    await second.close();
    await rm(elsewhere, { recursive: true });
    expect(output.results).toMatchObject([{ file: "good.json", is_valid: true }]);
  });

  test("of the whole file system reads nothing until it is asked for", async () => {
    const second = await connectLocal("SDK 1", { cwd: "/" });
    const { isError, text } = await callLocal(second, "validate_policies", { path: "etc" });
    const inline = await callLocal(second, "validate_policies", { policies: [readOnly] });
    await second.close();
    expect([isError, inline.isError]).toEqual([true, false]);
    expect(text).toMatch(/--root/);
  });
});
