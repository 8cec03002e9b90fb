import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, describe, expect, test } from "vitest";
import { runCompare } from "./compare.ts";
import { runSimulate } from "./simulate.ts";

const folder = mkdtempSync(join(tmpdir(), "compare-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const policy = (...actions: string[]) => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: actions, Resource: "arn:aws:s3:::reports/*" }],
});
const reads = file("reads.json", policy("s3:GetObject"));
const writes = file("writes.json", policy("s3:PutObject"));
const both = file("both.json", policy("s3:PutObject", "s3:GetObject"));

function streams() {
  const stdout = new PassThrough();
  return { stdin: new PassThrough(), stdout, stderr: new PassThrough() };
}

describe("compare", () => {
  test.each([
    [reads, both, 1],
    [both, reads, 0],
    [reads, reads, 0],
  ])("tells by its exit status whether more is allowed", async (old, changed, status) => {
    expect(await runCompare(old, changed, {}, {}, streams())).toBe(status);
  });

  test.each([
    [reads, reads, "equal", 0],
    [both, reads, "narrower", 0],
    [reads, both, "wider", 1],
    [reads, writes, "different", 1],
  ])(
    "--both says how the new version relates to the old one",
    async (old, changed, word, status) => {
      const to = streams();
      expect(await runCompare(old, changed, { both: true }, {}, to)).toBe(status);
      expect(String(to.stdout.read())).toBe(`${word}\n`);
    },
  );

  const template = file("template.json", {
    Resources: {
      P: {
        Type: "AWS::IAM::ManagedPolicy",
        Properties: { PolicyDocument: policy("s3:PutObject") },
      },
    },
  });
  const one = `Version: "2012-10-17"\nStatement: [{Effect: Allow, Action: s3:GetObject, Resource: "*"}]\n`;
  const [single, two] = [join(folder, "one.yaml"), join(folder, "two.yaml")];
  writeFileSync(single, one);
  writeFileSync(two, `${one}---\n${one.replace("s3:GetObject", "s3:*")}`);
  const empty = join(folder, "empty.tf");
  writeFileSync(empty, 'resource "aws_s3_bucket" "b" {}\n');

  test("compares the policies of a template", async () => {
    const narrow = file("narrow.json", {
      Resources: {
        P: {
          Type: "AWS::IAM::ManagedPolicy",
          Properties: { PolicyDocument: policy("s3:PutObject", "s3:GetObject") },
        },
      },
    });
    expect(await runCompare(template, narrow, {}, {}, streams())).toBe(1);
    expect(await runCompare(narrow, template, {}, {}, streams())).toBe(0);
    const to = streams();
    expect(await runCompare(narrow, template, { both: true }, {}, to)).toBe(0);
    expect(String(to.stdout.read())).toBe("narrower\n");
  });

  test("a policy that the old version does not have is new access", async () => {
    const to = streams();
    expect(await runCompare(single, two, {}, {}, to)).toBe(1);
    expect(String(to.stdout.read())).toContain("the old version has no policy in this place");
    expect(await runCompare(single, template, {}, {}, streams())).toBe(1);
    expect(await runCompare(template, empty, {}, {}, streams())).toBe(0);
  });

  test("refuses files without policies", async () => {
    const reason = /holds no policy/;
    await expect(runCompare(empty, empty, {}, {}, streams())).rejects.toThrow(reason);
  });

  test("says which side cannot be read", async () => {
    const missing = join(folder, "missing.json");
    await expect(runCompare(missing, reads, {}, {}, streams())).rejects.toThrow(missing);
    await expect(runCompare("-", "-", {}, {}, streams())).rejects.toThrow("standard input");
    const revision = "git:no-such-revision:x.json";
    await expect(runCompare(revision, reads, {}, {}, streams())).rejects.toThrow(
      /no-such-revision/,
    );
  });
});

describe("simulate", () => {
  test("replays the request that a comparison shows", async () => {
    const to = streams();
    await runCompare(reads, both, { format: "json" }, {}, to);
    const report = JSON.parse(String(to.stdout.read()));
    const [answer] = report.results[0].answers;
    for (const shown of [report, answer, answer.violations[0], answer.violations[0].witness]) {
      const request = file("request.json", shown);
      expect(await runSimulate(both, { request }, {}, streams())).toBe(0);
      expect(await runSimulate(reads, { request }, {}, streams())).toBe(1);
    }
  });

  test("says what a file without a request lacks", async () => {
    const request = file("request.json", { results: [{ answers: [] }] });
    await expect(runSimulate(both, { request }, {}, streams())).rejects.toThrow(
      /neither a request \(principal, action, resource\) nor a report/,
    );
  });
});
