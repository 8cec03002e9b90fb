import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AnyClient, connect } from "../support/clients.ts";
import { type FunctionTarget, startFunction } from "../support/function-target.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { callLocal, command, connectLocal, folderWith } from "../support/local.ts";
import { managedPolicies } from "../support/managed-policies.ts";
import { configPath } from "../support/target.ts";

const examples = new URL("../../examples/policies/", import.meta.url).pathname;

const statement = (members: object) => JSON.stringify({ Statement: [members] }, null, 2);

/** Policies as text, by file name; text has places, and those must be the same too. */
const texts: Record<string, string> = {
  ...Object.fromEntries(
    readdirSync(examples).map((name) => [name, readFileSync(join(examples, name), "utf8")]),
  ),
  ...Object.fromEntries(
    managedPolicies()
      // Every twentieth, so that many services and sizes have their turn.
      .filter((_, index) => index % 20 === 0)
      .map(({ name, document }) => [`${name}.json`, JSON.stringify(document, null, 2)]),
  ),
  "trust.yaml":
    "Version: '2012-10-17'\nStatement:\n  - Effect: Allow\n    Principal: '*'\n    Action: sts:AssumeRole\n",
  "typo.json": statement({ Effect: "Allow", Action: "s3:GetObjct", Resource: "*" }),
  "bucket.json": statement({
    Effect: "Allow",
    Principal: { AWS: "*" },
    Action: "s3:*",
    Resource: "arn:aws:s3:::b/*",
    Condition: { StringEqual: { "aws:SourceIpp": "10.0.0.0/8" } },
  }),
  "duplicate.json": '{"Statement": [], "Statement": {"Effect": "allow", "Action": 1}}',
  "broken.json": '{"Statement": [{"Effect": "Allow",]}',
  "broken.yaml": "Statement: [",
  "list.json": "[1, 2]",
  "text.yaml": "just text",
  "unicode.json": statement({ Sid: "日本🎌", Effect: "Allow", Action: "iam:*", Resource: "*" }),
};
const names = Object.keys(texts).sort();
/** A directory is searched for policies; these are none. */
const skipped = ["list.json", "text.yaml"];

interface Result {
  readonly name: string;
  readonly issues: { readonly file?: unknown }[];
  readonly file?: unknown;
  readonly document?: unknown;
  readonly unwrapped?: { readonly entry: number } | null;
}

/** What only files have is not of the findings. The entry of a policy template is its index in the call. */
function bare({ file: _file, document: _document, issues, unwrapped, ...rest }: Result) {
  return {
    ...rest,
    ...(unwrapped && { unwrapped: { ...unwrapped, entry: 0 } }),
    issues: issues.map(({ file: _, ...issue }) => issue),
  };
}

const batches = Array.from({ length: Math.ceil(names.length / 50) }, (_, at) =>
  names.slice(at * 50, at * 50 + 50),
);

async function inline(client: AnyClient) {
  const results: Result[] = [];
  let digest: unknown;
  for (const batch of batches) {
    const { output, text } = await callLocal(client, "validate_policies", {
      policies: batch.map((name) => ({ name, policy: texts[name] })),
      detail: "full",
    });
    expect(output.truncated, text.slice(0, 500)).toBe(false);
    results.push(...(output.results as Result[]));
    digest = output.config_digest;
  }
  return { results: results.map(bare), digest };
}

let hosted: InProcess;
let func: FunctionTarget;
let folder: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  hosted = await startInProcess();
  func = await startFunction({});
  ({ folder, remove } = await folderWith(texts));
});
afterAll(async () => {
  await Promise.all([hosted.stop(), func.stop(), remove()]);
});

test("the same policies have the same findings over HTTP, in the function, over stdio and on the command line", async () => {
  const wide = ["--max-response-bytes", String(64 * 1024 * 1024)];
  const local = await connectLocal("SDK 2 on 2026-07-28", {
    cwd: folder,
    args: ["--config", configPath, ...wide],
  });
  const http = await connect(hosted, "SDK 2 on 2026-07-28");
  const lambda = await connect(func, "SDK 2 on 2025-11-25");
  const expected = await inline(http);
  expect(expected.results).toHaveLength(names.length);
  expect(expected.results.flatMap(({ issues }) => issues).length).toBeGreaterThan(200);

  expect(await inline(lambda)).toEqual(expected);
  expect(await inline(local)).toEqual(expected);

  const found = expected.results.filter(({ name }) => !skipped.includes(name));
  const { output } = await callLocal(local, "validate_policies", { path: ".", detail: "full" });
  expect(output.truncated).toBe(false);
  expect(output.config_digest).toBe(expected.digest);
  expect((output.results as Result[]).map(bare)).toEqual(found);

  const { stdout, code } = await command(
    ["validate", "--config", configPath, "--format", "json", "."],
    { cwd: folder },
  );
  expect(code).toBe(1);
  const { results, config_digest } = JSON.parse(stdout);
  expect(config_digest).toBe(expected.digest);
  expect(results.map(bare)).toEqual(found);
  await Promise.all([local.close(), http.close(), lambda.close()]);
}, 300_000);
