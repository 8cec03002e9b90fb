import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folderWith } from "../support/local.ts";
import { readOnly } from "../support/rpc.ts";
import { runIn } from "../support/run-in.ts";

/** The command on a repository that has policies among other files. */

const good = JSON.stringify(readOnly);
const bad = `{
  "Version": "2012-10-17",
  "Statement": [
    { "Effect": "Allow", "Action": "s3:PutObjct", "Resource": "*" },
    { "Effect": "Allow", "Action": "iam:*", "Resource": "*" }
  ]
}
`;

let folder: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ folder, remove } = await folderWith({
    ".git/HEAD": "ref: refs/heads/main\n",
    "package.json": '{ "name": "x", "version": "1.0.0" }',
    "tsconfig.json": "// with a comment\n{}",
    "compose.yml": "services: { web: { image: x } }\n",
    "deploy/network-policy.yaml": "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n",
    "policies/bad.json": bad,
    "policies/good.json": good,
    "policies/broken.json": '{ "Statement": [',
    "validator-mcp.yaml": [
      "policy_types: [{ pattern: policies/scp/*, type: SERVICE_CONTROL_POLICY }]",
      "service_wildcard: { ignore_patterns: [{ filepath: ^legacy/ }] }",
    ].join("\n"),
    "policies/scp/deny.json": '{"Statement":{"Effect":"Deny","Action":"*","Resource":"*"}}',
    "legacy/old.json": '{"Statement":{"Effect":"Allow","Action":"iam:*","Resource":"*"}}',
  }));
});
afterAll(() => remove());

const run = (
  args: readonly string[],
  { cwd = "", stdin = "" }: { cwd?: string; stdin?: string } = {},
) => runIn(join(folder, cwd), args, { stdin });

interface Issue {
  readonly check_id: string;
  readonly fingerprint: string;
  readonly location: { readonly start: { readonly line: number } } | null;
}
/** A result of a comparison. */
interface ComparedResult {
  readonly file: string;
  readonly unwrapped: { readonly address: string; readonly change: string };
  readonly answers: readonly { readonly verdict: string }[];
}
interface Output {
  readonly results: { readonly file: string; readonly policy_type: string; issues: Issue[] }[];
  readonly skipped: number;
}
const json = async (args: readonly string[], more = {}): Promise<Output> =>
  JSON.parse((await run(["validate", "-f", "json", ...args], more)).stdout);
const filesOf = ({ results }: Output) => results.map(({ file }) => file);

describe("a directory", () => {
  test("has only its policies validated, and the other files counted", async () => {
    const output = await json(["."]);
    expect(filesOf(output)).toEqual([
      "legacy/old.json",
      "policies/bad.json",
      "policies/broken.json",
      "policies/good.json",
      "policies/scp/deny.json",
    ]);
    expect(output.skipped).toBe(4);
  });

  test("--strict: the others fail", async () => {
    const output = await json(["--strict", "deploy"]);
    expect(filesOf(output)).toEqual(["deploy/network-policy.yaml"]);
    expect((await run(["validate", "--strict", "deploy"])).code).toBe(1);
  });

  test("--policies-only: named files that are not policies are skipped", async () => {
    const named = ["package.json", "deploy/network-policy.yaml", "policies/broken.json"];
    const output = await json(["--policies-only", ...named]);
    expect(filesOf(output)).toEqual(["policies/broken.json"]);
    expect(output.skipped).toBe(2);
    const { code, stderr } = await run(["validate", "--strict", "--policies-only", "policies"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--strict and --policies-only")]);
  });

  test("without policies is valid, and the verdict says so", async () => {
    const { code, stdout } = await run(["validate", "deploy"]);
    expect([code, stdout]).toEqual([
      0,
      "No policies found. 1 file skipped: not policies (--list-files).\n",
    ]);
  });

  test("a file named explicitly is always validated", async () => {
    expect((await run(["validate", "package.json"])).code).toBe(1);
    expect(filesOf(await json([".", "package.json"]))).toContain("package.json");
  });

  test("--list-files names the policies, and the others with the reason", async () => {
    const { code, stdout, stderr } = await run(["validate", "--list-files", "."]);
    expect(code).toBe(0);
    expect(stdout.trim().split("\n")).toHaveLength(5);
    expect(stderr).toContain("skipped: package.json: it is not a policy\n");
    expect(stderr).toContain("skipped: tsconfig.json: it is not a policy\n");
  });
});

describe("globs in quotes", () => {
  test("find files as a shell does, also above the working directory", async () => {
    expect(filesOf(await json(["policies/{good,bad}.json"]))).toEqual([
      "policies/bad.json",
      "policies/good.json",
    ]);
    const above = await json(["../policies/*.json"], { cwd: "deploy" });
    expect(filesOf(above)).toContain(join(folder, "policies/good.json"));
  });

  test("that match nothing are an error", async () => {
    const { code, stderr } = await run(["validate", "policies/*.jsn"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("matches policies/*.jsn")]);
  });
});

describe("from a subfolder", () => {
  test("config, types, ignore patterns and fingerprints are those of the repository", async () => {
    const fromRoot = await json(["policies/scp", "legacy"]);
    const [scp] = (await json(["scp"], { cwd: "policies" })).results;
    const [old] = (await json(["."], { cwd: "legacy" })).results;
    expect(scp?.policy_type).toBe("SERVICE_CONTROL_POLICY");
    expect(fromRoot.results[0]?.issues).toEqual(
      scp?.issues.map((issue) => ({ ...issue, file: "policies/scp/deny.json" })),
    );
    expect(old?.issues.map(({ check_id }) => check_id)).not.toContain("service_wildcard");
    expect(old?.issues.length).toBeGreaterThan(0);
  });

  test("SARIF places files from the root of the repository, others by their whole address", async () => {
    const outside = await folderWith({ "a b.json": bad });
    const place = join(outside.folder, "a b.json");
    const args = ["validate", "-f", "sarif", "../policies/bad.json", place];
    const { stdout } = await run(args, { cwd: "deploy" });
    await outside.remove();
    const uris = JSON.parse(stdout).runs[0].artifacts.map(
      (one: { location: { uri: string } }) => one.location.uri,
    );
    expect(uris).toEqual(["policies/bad.json", `file://${outside.folder}/a%20b.json`]);
  });
});

describe("options", () => {
  test("--select and --ignore choose the checks", async () => {
    const checksOf = ({ results }: Output) => [
      ...new Set(results.flatMap(({ issues }) => issues.map(({ check_id }) => check_id))),
    ];
    const file = "policies/bad.json";
    const selected = await json(["--select", "service_wildcard,action_validation", file]);
    expect(checksOf(selected)).toEqual(["action_validation", "service_wildcard"]);
    const all = checksOf(await json([file]));
    const ignored = checksOf(await json(["--ignore", "service_wildcard", file]));
    expect(ignored).toEqual(all.filter((id) => id !== "service_wildcard"));
    const { code, stderr } = await run(["validate", "--select", "service_wildcrd", file]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("did you mean service_wildcard?")]);
  });

  test.each<[string[], RegExp]>([
    [["--select", ""], /--select <checks>.*Name at least one check/],
    [["--against-missing", "empty"], /--against-missing needs --against$/m],
    [["--ignore", "zzz"], /--ignore zzz: unknown check; validator-mcp checks lists them$/m],
  ])("%j is refused, because it would have no effect", async (args, message) => {
    const { code, stderr } = await run(["validate", ...args, "policies/bad.json"]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  const templateOf = (...actions: string[]) =>
    JSON.stringify({
      Resources: Object.fromEntries(
        actions.map((action, index) => [
          `P${index}`,
          {
            Type: "AWS::IAM::ManagedPolicy",
            Properties: {
              PolicyDocument: {
                Version: "2012-10-17",
                Statement: [{ Effect: "Allow", Action: action, Resource: "arn:aws:s3:::a/*" }],
              },
            },
          },
        ]),
      ),
    });
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };

  test("--against compares the policies of a template with those in the same places", async () => {
    await write("earlier/stacks/same.json", templateOf("s3:GetObject", "s3:GetObjectTagging"));
    await write("stacks/same.json", templateOf("s3:GetObject"));
    await write("earlier/stacks/more.json", templateOf("s3:GetObject"));
    await write("stacks/more.json", templateOf("s3:*", "s3:PutObject"));
    const against = ["validate", "--select", "no_new_access", "--against", "dir:earlier"];
    const found = await run([...against, "-f", "json", "stacks"]);
    expect(found.code).toBe(1);
    const { results, removed } = JSON.parse(found.stdout);
    expect(
      results.map(({ file, unwrapped, answers: [answer] }: ComparedResult) => [
        `${file} ${unwrapped.address.split(".")[1]} ${unwrapped.change} ${answer?.verdict}`,
      ]),
    ).toEqual([
      ["stacks/more.json P0 changed violated"],
      ["stacks/more.json P1 new undefined"],
      ["stacks/same.json P0 unchanged holds"],
    ]);
    expect(removed).toEqual([
      {
        file: "stacks/same.json",
        address: "Resources.P1.Properties.PolicyDocument",
        earlier_line: 1,
        resource_type: "AWS::IAM::ManagedPolicy",
      },
    ]);
    expect(found.stderr).toMatch(/New, and not compared .*: stacks\/more\.json \(Resources\.P1\./);
    expect(found.stderr).toMatch(/Removed: stacks\/same\.json \(Resources\.P1\./);
    const asked = await run([...against, "--against-missing", "empty", "stacks"]);
    expect(asked.stdout).toContain("the old version has no policy in this place");
  });

  test("compare of two files names what is gone by the old file", async () => {
    await write("before.json", templateOf("s3:GetObject", "s3:GetObjectTagging"));
    await write("after.json", templateOf("s3:GetObject"));
    const { code, stdout, stderr } = await run([
      ...["compare", "-f", "json"],
      ...["before.json", "after.json"],
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).removed).toEqual([
      expect.objectContaining({ file: "before.json", earlier_line: 1 }),
    ]);
    expect(stderr).toMatch(/Removed: before\.json \(Resources\.P1\./);
  });

  test("compare takes two directories, and finds a policy that is in another file now", async () => {
    await write("old/a.json", templateOf("s3:GetObject", "s3:PutObject"));
    await write("old/b.json", templateOf());
    await write("old/gone.json", templateOf("s3:GetObject", "s3:PutObject", "s3:DeleteObject"));
    await write("new/a.json", templateOf("s3:GetObject"));
    await write("new/b.json", templateOf("s3:GetObject", "s3:PutObject"));
    const same = await run(["compare", "old", "new"]);
    expect(same.code).toBe(1);
    const { stdout, code } = await run(["compare", "-f", "json", "old", "new"]);
    expect(code).toBe(1);
    const { results, removed } = JSON.parse(stdout);
    expect(
      results.map(
        ({ file, unwrapped: { address, change }, answers: [answer] }: ComparedResult) =>
          `${file} ${address.split(".")[1]} ${change} ${answer?.verdict}`,
      ),
    ).toEqual([
      "new/a.json P0 unchanged holds",
      "new/b.json P0 unchanged holds",
      "new/b.json P1 new violated",
    ]);
    expect(
      removed.map(({ file, address }: Record<string, string>) => `${file} ${address}`),
    ).toEqual(expect.arrayContaining(["old/gone.json Resources.P2.Properties.PolicyDocument"]));
    await write("old/gone.json", templateOf());
    await write("new/b.json", templateOf());
    await write("new/c.json", templateOf("s3:GetObject", "s3:PutObject").replace("P0", "P7"));
    const moved = await run(["compare", "-f", "json", "old", "new"]);
    const places = JSON.parse(moved.stdout).results.map(
      ({ file, unwrapped: { address, change } }: ComparedResult) =>
        `${file} ${address.split(".")[1]} ${change}`,
    );
    expect(places).toEqual([
      "new/a.json P0 unchanged",
      "new/c.json P7 new",
      "new/c.json P1 unchanged",
    ]);
    const mixed = await run(["compare", "old", "new/a.json"]);
    expect([mixed.code, mixed.stderr]).toEqual([2, expect.stringContaining("two directories")]);
  });

  test("--stdin-filename: standard input is that file of the repository", async () => {
    const args = ["--stdin-filename", "policies/scp/new.json"];
    const { results } = await json(args, { stdin: '{"Statement":[]}' });
    expect(results).toMatchObject([
      { file: "policies/scp/new.json", policy_type: "SERVICE_CONTROL_POLICY" },
    ]);
  });

  test("--quiet prints findings and nothing else", async () => {
    const valid = await run([
      "validate",
      "--quiet",
      "--select",
      "sid_uniqueness",
      "policies/good.json",
    ]);
    expect(valid).toEqual({ code: 0, stdout: "", stderr: "" });
    const { stdout, stderr } = await run(["validate", "-q", "policies/bad.json"]);
    expect([stdout.startsWith("policies/bad.json fails"), stderr]).toEqual([true, ""]);
  });

  test("several outputs are written in one run, and a verdict where none is shown", async () => {
    await mkdir(join(folder, "out"), { recursive: true });
    const outputs = ["-o", "out/a.sarif", "-o", "gitlab:out/quality.json", "-o", "out/a.xml"];
    const { code, stdout, stderr } = await run(["validate", ...outputs, "policies/bad.json"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^validator-mcp: 1 policy, 1 failing\. \d+ findings: /m);
    const read = (name: string) => readFile(join(folder, "out", name), "utf8");
    expect(JSON.parse(await read("a.sarif")).version).toBe("2.1.0");
    expect(JSON.parse(await read("quality.json"))[0].location.path).toBe("policies/bad.json");
    expect(await read("a.xml")).toContain("<testsuites");
  });

  test.each([
    [["-o", "out.unknown"], /is not that of a report format/],
    [["-o", "a.md", "-o", "markdown:a.md"], /a\.md twice/],
    [["-f", "sarf"], /did you mean sarif\?/],
  ])("%j is refused", async (args, message) => {
    const { code, stderr } = await run(["validate", ...args, "policies/good.json"]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

test("reports show findings by line; JSON keeps the order of the checks", async () => {
  const { results } = await json(["policies/bad.json"]);
  const lines = results[0]?.issues.map(({ location }) => location?.start.line ?? 0) ?? [];
  expect(new Set(lines).size).toBeGreaterThan(1);
  const { stdout } = await run(["validate", "-f", "concise", "policies/bad.json"]);
  const concise = [...stdout.matchAll(/^policies\/bad\.json:(\d+):/gm)].map(([, line]) =>
    Number(line),
  );
  expect(concise).toEqual(lines.toSorted((a, b) => a - b));
});

describe("config", () => {
  test("check names every fault of a config and fails", async () => {
    const faulty = join(folder, "out-faulty.yaml");
    await writeFile(faulty, "service_wildcard: { severity: loud }\nsetings: {}\n");
    const { code, stderr } = await run(["config", "check", "--config", faulty]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/line 1: [\s\S]*line 2: /)]);
    const named = await run(["config", "check", faulty]);
    expect([named.code, named.stderr]).toEqual([2, stderr]);
    const { stdout } = await run(["config", "check"]);
    expect(stdout).toMatch(
      /validator-mcp\.yaml: valid, \d+ of \d+ checks are on, digest [0-9a-f]{64}\n$/,
    );
  });

  test("print shows what is in effect, as YAML or JSON", async () => {
    const [yaml, inJson] = await Promise.all([
      run(["config", "print"]),
      run(["config", "print", "--json"]),
    ]);
    expect(yaml.stdout).toMatch(/^settings:\n {2}fail_on_severity:\n/);
    expect(JSON.parse(inJson.stdout).checks.service_wildcard.ignore_patterns).toEqual([
      { filepath: "^legacy/" },
    ]);
  });
});
