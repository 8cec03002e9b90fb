import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { validateFiles } from "./validate-files.ts";

const policy = JSON.stringify({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" }],
});
const resources = [
  "aws_iam_policy.root",
  "aws_iam_policy.many[1]",
  'module.app["eu.west"].aws_iam_policy.inner',
  'module.app["eu.west"].module.deep[0].aws_iam_policy.inner',
  "module.registry.aws_iam_policy.root",
  "module.link.aws_iam_policy.inner",
  "module.above.aws_iam_policy.inner",
  "aws_iam_policy.elsewhere",
];
const planned = resources.map((address) => ({
  address,
  mode: "managed",
  type: "aws_iam_policy",
  name: address.replace(/^.*\.|\[.*$/g, ""),
  values: { policy },
}));
const plan = JSON.stringify({
  format_version: "1.2",
  planned_values: { root_module: { resources: planned } },
  resource_changes: planned.map(({ values, ...one }) => ({
    ...one,
    change: { actions: ["create"], before: null, after: values, after_unknown: {} },
  })),
  configuration: {
    root_module: {
      module_calls: {
        app: {
          source: "./modules/app",
          module: { module_calls: { deep: { source: "../deep", module: {} } } },
        },
        registry: { source: "terraform-aws-modules/iam/aws", module: {} },
        link: { source: "./link", module: {} },
        above: { source: "../outside", module: {} },
      },
    },
  },
});
const block = (name: string) => `resource "aws_iam_policy" "${name}" {\n  policy = "x"\n}\n`;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "plan-sources-"));
  for (const folder of ["run/modules/app", "run/modules/deep", "outside"]) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await writeFile(join(root, "run/plan.json"), plan);
  await writeFile(join(root, "run/iam.tf"), `# roles\n\n${block("root")}\n${block("many")}`);
  await writeFile(join(root, "run/modules/app/main.tf"), `locals {}\n${block("inner")}`);
  await writeFile(join(root, "run/modules/deep/a.tf"), block("inner"));
  await writeFile(join(root, "outside/main.tf"), block("inner"));
  await symlink(join(root, "outside"), join(root, "run/link"));
});
afterAll(() => rm(root, { recursive: true }));

async function sources(base?: string) {
  const { runtime } = bareRuntime();
  const path = join(root, "run/plan.json");
  const validated = await validateFiles(
    [{ label: "run/plan.json", path, place: path, named: true }],
    runtime,
    { declaredType: null, maxFileBytes: 1_000_000, maxDocuments: 20, base },
  );
  return Object.fromEntries(
    validated.map(({ unwrapped }) => [
      unwrapped?.address.replace(/\.policy$/, ""),
      unwrapped?.source && `${unwrapped.source.file}:${unwrapped.source.line}`,
    ]),
  );
}

const beside = {
  "aws_iam_policy.root": "run/iam.tf:3",
  "aws_iam_policy.many[1]": "run/iam.tf:7",
  'module.app["eu.west"].aws_iam_policy.inner': "run/modules/app/main.tf:2",
  'module.app["eu.west"].module.deep[0].aws_iam_policy.inner': "run/modules/deep/a.tf:1",
  "module.registry.aws_iam_policy.root": undefined,
  "module.link.aws_iam_policy.inner": undefined,
  "module.above.aws_iam_policy.inner": undefined,
  "aws_iam_policy.elsewhere": undefined,
};

test("the policies of a plan name the blocks of the .tf files beside it", async () => {
  expect(await sources()).toEqual(beside);
});

test("modules above the plan are read up to the root of the run", async () => {
  const above = "module.above.aws_iam_policy.inner";
  const link = "module.link.aws_iam_policy.inner";
  expect(await sources(root)).toEqual({
    ...beside,
    [above]: "outside/main.tf:1",
    [link]: "run/link/main.tf:1",
  });
});
