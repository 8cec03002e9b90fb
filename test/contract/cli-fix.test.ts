import { chmod, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { command, folderWith } from "../support/local.ts";

const broken = `{
  "Statement": [
    { "Effect": "allow", "Action": ["s3:GetObject", "s3:Get*"], "Resource": "arn:aws:s3:::b/*" }
  ]
}
`;
const repaired = `{
  "Version": "2012-10-17",
  "Statement": [
    { "Effect": "Allow", "Action": ["s3:Get*"], "Resource": "arn:aws:s3:::b/*" }
  ]
}
`;
const template = "Resources:\n  Bucket:\n    Type: AWS::S3::Bucket\n";

let remove: (() => Promise<void>) | undefined;
afterEach(async () => {
  await remove?.();
});

async function folderOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const made = await folderWith(files);
  remove = made.remove;
  return made.folder;
}

const textOf = (folder: string, name: string) => readFile(join(folder, name), "utf8");

describe("validate --fix", () => {
  test("writes the fixes, keeps the mode, and reports what is left", async () => {
    const folder = await folderOf({ "a.json": broken, "fine.json": repaired, "t.yaml": template });
    await chmod(join(folder, "a.json"), 0o640);
    const before = await stat(join(folder, "fine.json"));
    const result = await command(["validate", "--fix", "a.json", "fine.json"], { cwd: folder });
    expect(result.code, result.stderr).toBe(0);
    expect(result.stderr.trim().split("\n").length).toBe(1);
    expect(await textOf(folder, "a.json")).toBe(repaired);
    expect((await stat(join(folder, "a.json"))).mode & 0o777).toBe(0o640);
    expect((await stat(join(folder, "fine.json"))).ino).toBe(before.ino);
    expect((await readdir(folder)).sort()).toEqual(["a.json", "fine.json", "t.yaml"]);
  });

  test("keeps a byte order mark, line ends and the other documents of a file", async () => {
    const yaml =
      "\uFEFFVersion: 2012-10-17\r\nStatement: # one\r\n  - {Effect: allow, Action: s3:Get*, Resource: '*'}\r\n---\r\nDescription: no policy\r\n---\r\nVersion: 2012-10-17\r\nStatement:\r\n  - {Effect: ALLOW, Action: s3:Get*, Resource: '*'}\r\n";
    const folder = await folderOf({ "a.yaml": yaml });
    await command(["validate", "--fix", "a.yaml"], { cwd: folder });
    expect(await textOf(folder, "a.yaml")).toBe(
      yaml.replace("allow", "Allow").replace("ALLOW", "Allow"),
    );
  });

  test("writes a statement, and a list of them, as a policy", async () => {
    const statement = '{"Effect":"Allow","Action":"s3:GetObject","Resource":"arn:aws:s3:::b/*"}';
    const folder = await folderOf({
      "list.json": `[${statement}]\n`,
      "one.json": `${statement}\n`,
    });
    const { code, stderr } = await command(["validate", "--fix", "."], { cwd: folder });
    expect(code, stderr).toBe(0);
    const policy = `{"Version":"2012-10-17","Statement":[${statement}]}\n`;
    expect(await textOf(folder, "list.json")).toBe(policy);
    expect(await textOf(folder, "one.json")).toBe(policy);
  });

  test("leaves templates alone", async () => {
    const folder = await folderOf({ "t.yaml": `Description: x\n${template}` });
    await command(["validate", "--fix", "t.yaml"], { cwd: folder });
    expect(await textOf(folder, "t.yaml")).toBe(`Description: x\n${template}`);
  });

  test("writes standard input to standard output, and the report to standard error", async () => {
    const { stdout, stderr, code } = await command(["validate", "--fix", "-"], { stdin: broken });
    expect(stdout).toBe(repaired);
    expect(stderr).toContain("stdin");
    expect(code).toBe(0);
  });

  test("applies the effects asked for", async () => {
    const folder = await folderOf({ "a.json": broken });
    const args = ["validate", "--fix", "--fix-effects", "repairs", "a.json"];
    await command(args, { cwd: folder });
    expect(await textOf(folder, "a.json")).toBe(broken.replace("allow", "Allow"));
    const wrong = await command(["validate", "--fix", "--fix-effects", "all", "a.json"], {
      cwd: folder,
    });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("equivalent, narrows")]);
    const alone = await command(["validate", "--fix-effects", "repairs", "a.json"], {
      cwd: folder,
    });
    expect(alone.code).toBe(2);
  });
});

describe("validate --diff", () => {
  test("prints what would change, writes nothing, and fails", async () => {
    const folder = await folderOf({ "a.json": broken, "fine.json": repaired });
    const result = await command(["validate", "--diff", "a.json", "fine.json"], { cwd: folder });
    expect(result.code, result.stderr).toBe(1);
    expect(result.stdout).toBe(`--- a/a.json
+++ b/a.json
@@ -1,5 +1,6 @@
 {
+  "Version": "2012-10-17",
   "Statement": [
-    { "Effect": "allow", "Action": ["s3:GetObject", "s3:Get*"], "Resource": "arn:aws:s3:::b/*" }
+    { "Effect": "Allow", "Action": ["s3:Get*"], "Resource": "arn:aws:s3:::b/*" }
   ]
 }
`);
    expect(await textOf(folder, "a.json")).toBe(broken);
  });

  test("keeps the byte order mark and the line ends, so that the diff applies", async () => {
    const text = `\uFEFF${broken.replaceAll("\n", "\r\n")}`;
    const folder = await folderOf({ "a.json": text });
    const { stdout } = await command(["validate", "--diff", "a.json"], { cwd: folder });
    const kept = stdout.split("\n").filter((line) => /^[ -](?!-- )/.test(line));
    expect(kept.map((line) => `${line.slice(1)}\n`).join("")).toBe(text);
  });

  test("succeeds where nothing would change", async () => {
    const { code, stdout } = await command(["validate", "--diff", "-"], { stdin: repaired });
    expect([code, stdout]).toEqual([0, ""]);
  });
});
