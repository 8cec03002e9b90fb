import { execFile } from "node:child_process";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { localValidatePolicies } from "../../spec/tools/local/validate-policies.ts";
import { builtinChecks } from "../../src/checks/index.ts";
import { version } from "../../src/version.ts";
import { parseCsv } from "../support/csv.ts";
import { command, folderWith } from "../support/local.ts";
import { readOnly } from "../support/rpc.ts";
import { runIn } from "../support/run-in.ts";

/** Valid; its worst finding is of severity medium. */
const good = JSON.stringify(readOnly);
const bad = `{
  "Version": "2012-10-17",
  "Statement": [
    { "Sid": "Typo", "Effect": "Allow", "Action": "s3:GetObjct", "Resource": "arn:aws:s3:::b/*" }
  ]
}
`;

let folder: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ folder, remove } = await folderWith({
    "good.json": good,
    "bad.json": bad,
    "broken.json": "{",
    "policies/scp/deny.yaml": "Statement: { Effect: Deny, Action: '*', Resource: '*' }\n",
    "wide.json": JSON.stringify({ Statement: { Effect: "Allow", Action: "iam:*", Resource: "*" } }),
    "strict.yaml": "settings: { fail_on_severity: [low] }\n",
    "broken.yaml": "service_wildcard: { severity: loud }\n",
  }));
});
afterAll(() => remove());

const run = (
  args: readonly string[],
  more: { stdin?: string; env?: Record<string, string> } = {},
) => runIn(folder, args, more);

/** The real process. */
const runReal = (args: readonly string[], env: Record<string, string> = {}) =>
  command(args, { cwd: folder, env });

test("a report is not written through a symbolic link, which a repository may hold", async () => {
  await writeFile(join(folder, "victim.txt"), "kept");
  await symlink(join(folder, "victim.txt"), join(folder, "linked.sarif"));
  const result = await run(["validate", "--output", "linked.sarif", "good.json"]);
  expect([result.code, result.stderr]).toEqual([2, expect.stringContaining("symbolic link")]);
  expect(await readFile(join(folder, "victim.txt"), "utf8")).toBe("kept");
});

describe("exit status", () => {
  test.each<[string, string[], number]>([
    ["0 when every policy is valid", ["good.json"], 0],
    ["1 when one is not", ["good.json", "bad.json"], 1],
    ["2 without a path", [], 2],
    ["2 when a path does not exist", ["good.json", "none.json"], 2],
    ["2 when a directory has no policy", ["--config", "strict.yaml", "node_modules"], 2],
    ["2 for an option that does not exist", ["--no-such-option", "good.json"], 2],
    ["2 for a format that does not exist", ["--format", "xml", "good.json"], 2],
    ["2 for a type that does not exist", ["--policy-type", "role", "good.json"], 2],
    ["2 for a severity that does not exist", ["--fail-on", "loud", "good.json"], 2],
    ["2 when the config is broken", ["--config", "broken.yaml", "good.json"], 2],
    ["2 when the config does not exist", ["--config", "none.yaml", "good.json"], 2],
    ["2 when the report cannot be written", ["--output", "none/x.json", "good.json"], 2],
    ["1 when the config's threshold is reached", ["--config", "strict.yaml", "good.json"], 1],
    ["1 when --fail-on is reached", ["--fail-on", "low", "good.json"], 1],
    ["0 below --fail-on", ["--fail-on", "error", "wide.json"], 0],
    ["0 with --fail-on none, whatever is found", ["--fail-on", "none", "bad.json"], 0],
    [
      "1 with --fail-on none for a text that is not a policy",
      ["--fail-on", "none", "broken.json"],
      1,
    ],
  ])("%s", async (_, args, code) => {
    const result = await run(["validate", ...args]);
    expect(result.code, result.stderr).toBe(code);
    if (code === 2) {
      expect(result.stdout).toBe("");
      expect(result.stderr.trim().split("\n").at(-1)).toMatch(/^(validator-mcp: | {2}line)/);
    }
  });

  test("2 when simulate gets a format that does not exist", async () => {
    const { code, stderr } = await run(["simulate", "good.json", "--request", "-", "-f", "xml"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Allowed choices are text, json.");
  });
});

describe("text", () => {
  test("is the default: the finding, its line and what is meant underlined, no colour off a terminal", async () => {
    const { stdout, stderr } = await run(["validate", "bad.json"]);
    expect(stdout).toContain("bad.json fails IDENTITY_POLICY (default)");
    expect(stdout).toContain("error 4:51 action_validation invalid_action");
    expect(stdout).toMatch(/4 \| .*"Action": "s3:GetObjct".*\n +\| +\^{13}\n/);
    expect(stdout).toMatch(/^1 policy, 1 failing\. 1 finding: 1 error\.$/m);
    expect(stdout).not.toContain("\u001b");
    expect(stderr).toBe("validator-mcp: config: the defaults (no validator-mcp.yaml here)\n");
  });

  test.each([
    [{ FORCE_COLOR: "1" }, true],
    [{ FORCE_COLOR: "0" }, false],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  ])("%j: coloured %s", async (env, coloured) => {
    const { stdout } = await runReal(["validate", "bad.json"], env);
    expect(stdout.includes("\u001b[")).toBe(coloured);
  });
});

describe("other formats", () => {
  test("json is what the tool answers, with all details", async () => {
    const { stdout } = await run(["validate", "-f", "json", "good.json", "bad.json"]);
    const output = localValidatePolicies.output.parse(JSON.parse(stdout));
    expect(output.results).toMatchObject([
      { name: "good.json", is_valid: true, summary: { total_statements: 1 } },
      {
        file: "bad.json",
        issues: [{ issue_type: "invalid_action", file: "bad.json", statement_sid: "Typo" }],
      },
    ]);
    expect(output.totals).toMatchObject({
      policies: 2,
      invalid: 1,
      severity_counts: { error: 1, critical: 0, warning: 0 },
    });
  });

  test("sarif places findings in the files", async () => {
    const { stdout } = await run(["validate", "-f", "sarif", "."]);
    const [{ results }] = JSON.parse(stdout).runs;
    const [location] = results
      .filter(({ ruleId }: { ruleId: string }) => ruleId === "action_validation")
      .map((one: { locations: { physicalLocation: unknown }[] }) => one.locations[0]);
    expect(location?.physicalLocation).toMatchObject({
      artifactLocation: { uri: "bad.json" },
      region: { startLine: 4, startColumn: 51 },
    });
  });

  test("csv, markdown and html are the reports of those names", async () => {
    const [csv, markdown, html] = await Promise.all(
      ["csv", "markdown", "html"].map((format) => run(["validate", "-f", format, "bad.json"])),
    );
    expect(parseCsv(csv?.stdout ?? "").flat()).toContain("invalid_action");
    expect(markdown?.stdout).toMatch(/^# IAM policy validation report\n/);
    expect(html?.stdout).toMatch(/^<!doctype html>/);
  });

  test("a file's name tells the format, --format wins", async () => {
    const { stdout, code } = await run(["validate", "-o", "report.sarif", "bad.json"]);
    expect([stdout, code]).toEqual(["", 1]);
    expect(JSON.parse(await readFile(join(folder, "report.sarif"), "utf8")).version).toBe("2.1.0");
    await run(["validate", "-o", "report.html", "-f", "markdown", "bad.json"]);
    expect(await readFile(join(folder, "report.html"), "utf8")).toMatch(/^# IAM/);
    await run(["validate", "-o", "report.txt", "bad.json"], { env: { FORCE_COLOR: "1" } });
    expect(await readFile(join(folder, "report.txt"), "utf8")).not.toContain("\u001b");
  });
});

describe("standard input", () => {
  test.each([
    ["JSON", bad, 1],
    ["YAML", "Statement: { Effect: Allow, Action: s3:GetObjct, Resource: '*' }", 1],
    ["a valid policy", good, 0],
    ["nothing", "", 1],
  ])("is validated as one file: %s", async (_, stdin, code) => {
    const result = await run(["validate", "-f", "json", "-"], { stdin });
    expect(result.code).toBe(code);
    expect(JSON.parse(result.stdout).results).toMatchObject([{ file: "stdin" }]);
  });

  test("may stand beside files", async () => {
    const { stdout } = await run(["validate", "-f", "json", "good.json", "-"], { stdin: good });
    const { results } = JSON.parse(stdout);
    expect(results.map(({ file }: { file: string }) => file)).toEqual(["stdin", "good.json"]);
  });

  test("over the limit of one policy is not validated", async () => {
    const env = { VALIDATOR_MCP_MAX_POLICY_BYTES: String(good.length) };
    expect((await run(["validate", "-"], { stdin: good, env })).code).toBe(0);
    const { code, stderr } = await run(["validate", "-"], { stdin: `${good} `, env });
    expect(code).toBe(2);
    expect(stderr).toMatch(/max_policy_bytes/);
  });
});

describe("options", () => {
  test("--policy-type holds for every policy", async () => {
    const { stdout } = await run(["validate", "-f", "json", "--policy-type", "SCP", "policies"]);
    expect(JSON.parse(stdout).results).toMatchObject([
      { file: "policies/scp/deny.yaml", policy_type: "SERVICE_CONTROL_POLICY" },
    ]);
  });

  test("--fail-on is config: verdicts and digest follow", async () => {
    const [plain, strict] = await Promise.all(
      [[], ["--fail-on", "medium"]].map(async (args) =>
        JSON.parse((await run(["validate", "-f", "json", ...args, "good.json"])).stdout),
      ),
    );
    expect(strict.results[0].issues).toEqual(plain.results[0].issues);
    expect(strict.config_digest).not.toBe(plain.config_digest);
  });

  test("variables of a container's server do not stand in the way", async () => {
    const env = {
      VALIDATOR_MCP_MODE: "hosted",
      VALIDATOR_MCP_TRANSPORT: "http",
      VALIDATOR_MCP_AUTH: "jwt",
      VALIDATOR_MCP_HOST: "0.0.0.0",
    };
    expect((await run(["validate", "good.json"], { env })).code).toBe(0);
  });

  test("VALIDATOR_MCP_CONFIG names the config", async () => {
    const env = { VALIDATOR_MCP_CONFIG: "strict.yaml" };
    const { stderr } = await run(["validate", "wide.json"], { env });
    expect(stderr).toContain(`config: ${folder}/strict.yaml`);
  });
});

describe("query", () => {
  test("answers as the tool does", async () => {
    const { stdout, code } = await run(["query", "action-details", "s3:GetObject", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: "action_details",
      results: [{ action: "s3:GetObject", valid: true, access_level: "read" }],
    });
  });

  test.each<[string[], RegExp]>([
    [["service_actions", "s3", "--access-level", "list"], /^s3:ListAllMyBuckets$/m],
    [["service_actions", "iam", "--name-filter", "passrole"], /^iam:PassRole\n$/],
    [["condition_keys", "s3"], /^s3:prefix$/m],
    [["arn_formats", "s3"], /^bucket\n {2}arn:/m],
    [["expand_wildcard", "iam:Pass*", "sts:Decode*"], /^iam:Pass\*\n {2}iam:PassRole\nsts:/],
    [["action_details", "iam:PassRole"], /^ {2}sensitive: Privilege Escalation/m],
    [
      ["condition_key", "s3:prefix"],
      /^s3:prefix\n(?:.*\n)*? {2}actions:\n(?:.*\n)*? {4}s3:ListBucket$/m,
    ],
    [["condition-key", "aws:SourceIp"], /^ {2}global: requests for any action can carry it$/m],
    [
      ["condition_key", "aws:ResourceTag/team", "--service", "sqs"],
      /^ {2}resource types:\n {4}sqs:queue\n {2}actions:\n {4}sqs:/m,
    ],
    [
      ["resource_type", "s3:bucket"],
      /^s3:bucket\n {2}ARN formats:\n {4}arn:.*\n(?:.*\n)*? {4}s3:ListBucket$/m,
    ],
    [["wildcard_only_actions", "s3"], /^s3:ListAllMyBuckets$/m],
  ])("%j", async (args, expected) => {
    const { stdout, code } = await run(["query", ...args]);
    expect(code).toBe(0);
    expect(stdout).toMatch(expected);
  });

  test.each<[string[], number, RegExp]>([
    [["action_details", "s3:Nope"], 1, /s3:Nope: /],
    [["expand_wildcard", "nope:*"], 1, /nope/],
    [["expand_wildcard", "s3:Get*", "s3:Zz*"], 1, /^s3:Zz\*: matches no action$/m],
    [["service_actions", "nope"], 2, /not in the reference data/],
    [["service_actions", "s3", "ec2"], 2, /one service/],
    [["s3cr3t", "s3"], 2, /^validator-mcp: query: unknown kind; use one of service_actions/],
    [["service_actions"], 2, /missing required argument/],
    [["condition_kei", "s3:prefix"], 2, /did you mean condition_key\?/],
    [
      ["condition_key", "s3:prefx"],
      2,
      /`s3:prefx` is not in the reference data .*Did you mean `s3:prefix`/,
    ],
    [["resource_type", "s3:buket"], 2, /no resource type `buket`.*`s3:bucket`/],
    [["resource_type", "bucket"], 2, /written `service:name`/],
    [["condition_key", "s3:prefix", "aws:SourceIp"], 2, /takes one key, e\.g\. s3:prefix/],
    [["service_actions", "s3", "--access-level", "x"], 2, /access level/],
  ])("%j: exit status %d", async (args, code, message) => {
    const result = await run(["query", ...args]);
    expect(result.code).toBe(code);
    expect(result.stdout + result.stderr).toMatch(message);
  });
});

describe("checks", () => {
  test("lists every check with its state by the config", async () => {
    const { stdout } = await run(["checks"]);
    expect(stdout.trim().split("\n")).toHaveLength(builtinChecks.length);
    expect(stdout).toMatch(/^service_wildcard +high +\S/m);
  });

  test("shows one with its documentation and options", async () => {
    const { stdout } = await run(["checks", "service_wildcard"]);
    expect(stdout).toMatch(/^service_wildcard\n/);
    expect(stdout).toContain("allowed_services");
  });

  test("knows no others", async () => {
    const { code, stderr } = await run(["checks", "service_wildcrd"]);
    expect(code).toBe(2);
    expect(stderr).toContain("service_wildcrd");
  });

  test("--json is what describe_checks answers", async () => {
    const { stdout } = await run(["checks", "--json", "service_wildcard"]);
    expect(JSON.parse(stdout)).toMatchObject({ checks: [{ check_id: "service_wildcard" }] });
  });
});

describe("the command", () => {
  test("tells its version and nothing else", async () => {
    expect(await runReal(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  test.each(["bash", "zsh", "fish"])("completes itself in %s", async (shell) => {
    const { stdout, code } = await runReal(["completion", shell]);
    expect(code).toBe(0);
    for (const word of ["validate", "checks", "fail-on", "sync-services"]) {
      expect(stdout).toContain(word);
    }
  });

  test.each([
    [["va"], "validate"],
    [["validate", "--fa"], "--fail-on"],
    [["validate", "go"], "good.json"],
    [["checks", "--js"], "--json"],
  ])("bash completes %j with %s", async (words, expected) => {
    const { stdout: script } = await runReal(["completion", "bash"]);
    const line = ["validator-mcp", ...words].map((word) => `'${word}'`).join(" ");
    const bash = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _validator_mcp; echo "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)("bash", ["-c", `${script}\n${bash}`], {
      cwd: folder,
    });
    expect(stdout.trim()).toBe(expected);
  });
});
