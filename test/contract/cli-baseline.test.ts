import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { folderWith } from "../support/local.ts";
import { runIn } from "../support/run-in.ts";

/** The command with known findings, and with exceptions of the config. */

const statement = (Sid: string, Action: string) => ({
  Sid,
  Effect: "Allow",
  Action,
  Resource: "*",
});
const policy = (...statements: object[]) =>
  JSON.stringify({ Version: "2012-10-17", Statement: statements });
const clean = policy({ Sid: "Guard", Effect: "Deny", Action: "iam:DeleteUser", Resource: "*" });
const old = policy(statement("Old", "iam:*"));

const template = JSON.stringify({
  Resources: {
    Reader: {
      Type: "AWS::IAM::ManagedPolicy",
      Properties: { PolicyDocument: JSON.parse(old) },
    },
  },
});

let folder: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ folder, remove } = await folderWith({
    ".git/HEAD": "ref: refs/heads/main\n",
    "policies/old.json": old,
    "policies/good.json": clean,
    "stacks/template.json": template,
    "validator-mcp.yaml": "settings: { fail_on_severity: low }\n",
  }));
});
afterEach(() => remove());

const at = (path: string) => join(folder, path);
const run = (args: readonly string[], { cwd = "", stdin = "" } = {}) =>
  runIn(at(cwd), ["validate", ...args], { stdin });
const known = ["--baseline", "baseline.json"];
const update = [...known, "--update-baseline"];

interface Entry {
  readonly file: string;
  readonly check_id: string;
  readonly count: number;
}
const entries = async (): Promise<Entry[]> =>
  JSON.parse(await readFile(at("baseline.json"), "utf8")).findings;
const filesIn = async () => [...new Set((await entries()).map(({ file }) => file))];

describe("a baseline", () => {
  test("lets the findings that it holds pass, and no new one", async () => {
    expect((await run(["."])).code).toBe(1);
    const written = await run([...update, "."]);
    expect(written.code).toBe(0);
    expect(await filesIn()).toEqual(["policies/old.json", "stacks/template.json"]);
    const after = await run([...known, "."]);
    expect(after).toMatchObject({ code: 0 });
    expect(after.stdout).toMatch(/No findings\. \d+ findings left out: \d+ by the baseline\./);

    await writeFile(
      at("policies/old.json"),
      policy(statement("Old", "iam:*"), statement("New", "ec2:*")),
    );
    const more = await run([...known, "-f", "concise", "."]);
    expect(more.code).toBe(1);
    expect(more.stdout).toContain("ec2:*");
    expect(more.stdout).not.toMatch(/policies\/old\.json.*`iam:\*`/);
  });

  test("is the same file from every folder and however often it is written", async () => {
    await run([...update, "."]);
    const text = await readFile(at("baseline.json"), "utf8");
    expect(text).not.toContain(folder);
    await run(["--baseline", "../baseline.json", "--update-baseline", ".."], { cwd: "policies" });
    await run(["--baseline", at("baseline.json"), "--update-baseline", at("")]);
    expect(await readFile(at("baseline.json"), "utf8")).toBe(text);
  });

  test("counts findings that are alike", async () => {
    const twice = `${old}\n---\n${old}`;
    await writeFile(at("policies/old.yaml"), old);
    await run([...update, "policies/old.yaml"]);
    await writeFile(at("policies/old.yaml"), twice);
    expect((await run([...known, "policies/old.yaml"])).code).toBe(1);
    await run([...update, "policies/old.yaml"]);
    expect((await entries()).some(({ count }) => count === 2)).toBe(true);
    expect((await run([...known, "policies/old.yaml"])).code).toBe(0);
  });

  test("names findings that are gone, and shrinks when it is written again", async () => {
    await run([...update, "."]);
    const count = (await entries()).length;
    await writeFile(at("policies/old.json"), clean);
    const { code, stdout, stderr } = await run([...known, "."]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\d+ findings of the baseline gone\./);
    expect(stderr).toMatch(/findings of the baseline are gone: policies\/old\.json \(/);
    const json = JSON.parse((await run([...known, "-f", "json", "."])).stdout);
    const gone = json.baseline.gone.map(({ file }: Entry) => file);
    expect(new Set(gone)).toEqual(new Set(["policies/old.json"]));
    await run([...update, "."]);
    expect(await entries()).toHaveLength(count - gone.length);
    expect(await filesIn()).toEqual(["stacks/template.json"]);
  });

  test("says nothing about files and checks that did not run, and keeps their entries", async () => {
    await run([...update, "."]);
    const all = await entries();
    await writeFile(at("policies/old.json"), clean);
    for (const part of [["stacks"], ["--select", "wildcard_resource", "stacks"]]) {
      expect((await run([...known, ...part])).stderr).not.toContain("gone");
      await run([...update, ...part]);
      expect(await entries()).toEqual(all);
    }
    await rm(at("policies/old.json"));
    expect((await run([...known, "stacks"])).stderr).toContain("gone: policies/old.json");
  });

  test("holds for the text of a file on standard input", async () => {
    await run([...update, "."]);
    const args = [...known, "--stdin-filename", "old.json"];
    const there = ["--baseline", "../baseline.json", ...args.slice(2)];
    expect((await run(there, { cwd: "policies", stdin: old })).code).toBe(0);
    expect((await run([...known, "-"], { stdin: old })).code).toBe(1);
  });

  test("never holds a document that cannot be read", async () => {
    await mkdir(at("broken"));
    await writeFile(at("broken/policy.json"), '{ "Statement": [');
    await run([...update, "broken/policy.json"]);
    expect(await entries()).toEqual([]);
    expect((await run([...known, "broken/policy.json"])).code).toBe(1);
  });

  test("is not a policy of the directory that it is in, also with --strict", async () => {
    await run([...update, "policies"]);
    await writeFile(at("policies/baseline.json"), await readFile(at("baseline.json"), "utf8"));
    const { code, stdout } = await run([
      "--strict",
      "--baseline",
      "policies/baseline.json",
      "policies",
    ]);
    expect(stdout).not.toContain("policies/baseline.json");
    expect(code).toBe(0);
  });

  test.each([
    ["missing.json", null, "does not exist; write it with --baseline"],
    ["baseline.json", "{", "is not JSON; write it again with --update-baseline"],
    ["baseline.json", "[]", "is not a baseline: the file must be a mapping; write it again"],
    ["baseline.json", '{"version":2,"findings":[]}', "is not a baseline: version must be 1"],
    [
      "baseline.json",
      '{"version":1,"findings":[{}]}',
      "is not a baseline: findings.0.file is miss",
    ],
    ["policies", null, "is not a regular file"],
  ])("that is %s with %j stops the run with one line", async (file, text, fault) => {
    if (text !== null) await writeFile(at(file), text);
    const { code, stdout, stderr } = await run(["--baseline", file, "policies"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`--baseline ${file} ${fault}`);
    expect(
      stderr
        .trim()
        .split("\n")
        .filter((line) => !line.includes("config:")),
    ).toHaveLength(1);
  });

  test("is not written through a link, nor without a name", async () => {
    await symlink(at("policies/good.json"), at("baseline.json"));
    // The link leads to JSON that is not a baseline.
    expect((await run([...update, "."])).code).toBe(2);
    expect(await readFile(at("policies/good.json"), "utf8")).toBe(clean);
    const { code, stderr } = await run(["--update-baseline", "."]);
    expect(code).toBe(2);
    expect(stderr).toContain("--update-baseline needs --baseline FILE");
  });
});

const exceptions = JSON.stringify({
  settings: { fail_on_severity: "low" },
  exceptions: [
    { check: "service_wildcard", filepath: "^policies/", reason: "Reviewed.", owner: "Ops" },
    { check: "mfa_condition_antipattern", reason: "Reviewed." },
  ],
});

describe("reports", () => {
  const report = async (format: string, ...more: string[]) =>
    (await run(["-f", format, ...more, "policies/old.json"])).stdout;
  beforeEach(() => writeFile(at("validator-mcp.yaml"), exceptions));

  test("text names what an exception left out, and why", async () => {
    expect(await report("text")).toMatch(/left out: \w+ \S+ service_wildcard: Reviewed\. \(Ops\)/);
    expect(await report("text")).toContain("1 finding left out: 1 by exceptions.");
  });

  test("standard error names exceptions that match nothing, unless its checks did not run", async () => {
    const unused = "Exceptions that match no finding of this run: exceptions.1.";
    expect((await run(["policies/old.json"])).stderr).toContain(unused);
    expect((await run(["-q", "policies/old.json"])).stderr).toBe("");
    const some = await run(["--ignore", "mfa_condition_antipattern", "policies/old.json"]);
    expect(some.stderr).not.toContain("exceptions.");
    expect(JSON.parse(await report("json")).unused_exceptions).toEqual([1]);
  });

  test("--fix leaves alone what an exception leaves out", async () => {
    const twice = policy(statement("Old", "iam:GetUser"), statement("Old", "iam:GetUser"));
    await writeFile(at("policies/old.json"), twice);
    const all = JSON.parse(await report("json")).results[0].issues as { check_id: string }[];
    expect(all.length).toBeGreaterThan(0);
    const ids = [...new Set(all.map(({ check_id }) => check_id))];
    const every = ids.map((check) => ({ check, filepath: "^policies/", reason: "Reviewed." }));
    await writeFile(at("validator-mcp.yaml"), JSON.stringify({ exceptions: every }));
    await run(["--fix", "--fix-effects", "equivalent,narrows,repairs,changes", "old.json"], {
      cwd: "policies",
    });
    expect(await readFile(at("policies/old.json"), "utf8")).toBe(twice);
  });

  test.each(["markdown", "html", "csv", "junit", "concise"])("%s counts it", async (format) => {
    expect(await report(format)).toContain("1 finding left out: 1 by exceptions.");
  });

  test.each(["github", "gitlab", "rdjson"])("%s leaves it out", async (format) => {
    expect(await report(format)).not.toContain("service_wildcard");
  });

  test("SARIF has it as a result with a suppression, unless told otherwise", async () => {
    await run([...update, "policies/old.json"]);
    const resultsOf = async (...more: string[]) =>
      JSON.parse(await report("sarif", ...known, ...more)).runs[0].results as {
        ruleId: string;
        suppressions?: { kind: string; status: string; justification: string }[];
      }[];
    const results = await resultsOf();
    const excepted = results.find(({ ruleId }) => ruleId === "service_wildcard");
    expect(excepted?.suppressions).toEqual([
      {
        kind: "external",
        status: "accepted",
        justification: "Reviewed.",
        properties: { owner: "Ops" },
      },
    ]);
    const others = results.filter((one) => one !== excepted);
    expect(others.length).toBeGreaterThan(0);
    for (const { suppressions } of others) {
      expect(suppressions?.[0]?.justification).toBe("Known in the baseline.");
    }
    expect(await resultsOf("--omit-suppressed")).toEqual([]);
  });
});
