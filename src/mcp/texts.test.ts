import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ConfigSettings } from "../../spec/config.ts";
import { Profile, profiles } from "../../spec/scopes.ts";
import { Severity } from "../../spec/severity.ts";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import type { Caller } from "../auth/caller.ts";
import { builtinChecks } from "../checks/index.ts";
import { sensitiveCategories } from "../checks/sensitive-action/catalogue.ts";
import { tools } from "../tools/index.ts";
import { createCatalogue } from "./catalogue.ts";
import { components } from "./components.ts";
import { configExamples } from "./config-examples.ts";
import { instructionsFor } from "./instructions.ts";

const { resources, resourceTemplates, prompts } = components;
const toolNames = tools.map(({ contract }) => contract.name);
const uris = [
  ...resources.map(({ uri }) => uri),
  ...resourceTemplates.map(({ uriTemplate }) => uriTemplate),
];

/** Every member name and every listed value of a schema. */
function vocabulary(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(vocabulary);
  if (typeof schema !== "object" || schema === null) {
    return typeof schema === "string" && /^\w+$/.test(schema) ? [schema] : [];
  }
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "description" ? [] : [key, ...vocabulary(value)],
  );
}

/** Every snake_case word that means something on this server. */
const known = new Set([
  ...toolNames,
  ...prompts.flatMap(({ name, arguments: args }) => [name, ...args.map((one) => one.name)]),
  ...builtinChecks.flatMap((check) => [check.check_id, ...Object.keys(check.issue_types)]),
  ...sensitiveCategories.flatMap(({ id, aliases }) => [id, ...aliases]),
  ...tools.flatMap(({ contract }) => [
    ...vocabulary(z.toJSONSchema(contract.input, { io: "input" })),
    ...vocabulary(z.toJSONSchema(contract.output, { io: "output" })),
  ]),
  ...vocabulary(z.toJSONSchema(ConfigSettings, { io: "input" })),
  // The variable of a template.
  ...uris.flatMap((uri) => [...uri.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)),
]);

const failOnSeverity = Severity.options;
const allScopes: Caller = { subject: "a", clientId: "a", scopes: [], may: () => true };

const instructions = Profile.options.map((profile) => {
  const { runtime } = bareRuntime({ profile });
  const view = createCatalogue(tools, components, profile).viewFor(allScopes);
  return { profile, text: instructionsFor(runtime)(view) };
});

function descriptions(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(descriptions);
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "description" && typeof value === "string" ? [value] : descriptions(value),
  );
}

const args = Object.fromEntries(
  prompts.flatMap((prompt) => prompt.arguments.map(({ name }) => [name, "value"])),
);

/** Every text of ours that a client may show to a model, by where it stands. */
const texts: [where: string, text: string][] = [
  ...instructions.map(({ profile, text }): [string, string] => [`instructions, ${profile}`, text]),
  ...tools.flatMap(({ contract }): [string, string][] => [
    [`tool ${contract.name}`, contract.description],
    [
      `schemas of ${contract.name}`,
      [
        ...descriptions(z.toJSONSchema(contract.input, { io: "input" })),
        ...descriptions(z.toJSONSchema(contract.output, { io: "output" })),
      ].join("\n"),
    ],
  ]),
  ...[...resources, ...resourceTemplates].map((one): [string, string] => [
    `resource ${one.name}`,
    one.description,
  ]),
  ...prompts.flatMap((one): [string, string][] => [
    [`prompt ${one.name}`, one.description],
    [`arguments of ${one.name}`, one.arguments.map(({ description }) => description).join("\n")],
    [`text of ${one.name}`, one.render(args, { toolNames, failOnSeverity })],
    [
      `text of ${one.name} with no other tool`,
      one.render(args, { toolNames: ["validate_policies"], failOnSeverity }),
    ],
    [`text of ${one.name} without tools`, one.render(args, { toolNames: [], failOnSeverity })],
  ]),
  ...configExamples.map(({ title, purpose, yaml }): [string, string] => [
    `example ${title}`,
    `${purpose}\n${yaml}`,
  ]),
];

describe("every name in a text exists", () => {
  test.each(texts)("%s", (_, text) => {
    const words = text.match(/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g) ?? [];
    expect(words.filter((word) => !known.has(word))).toEqual([]);
    const named = (text.match(/iam:\/\/[^\s,;)`]+/g) ?? []).map((uri) => uri.replace(/\.$/, ""));
    expect(named.filter((uri) => !uris.includes(uri))).toEqual([]);
  });

  test("and the search finds names that do not", () => {
    expect(known.has("set_config")).toBe(false);
    expect(known.has("validate_policy")).toBe(false);
    expect(uris).not.toContain("iam://examples");
  });
});

test.each(instructions)("instructions of $profile name nothing it removes", ({ profile, text }) => {
  const { tags } = profiles[profile];
  const removed = <One extends { tag: string }>(one: One) =>
    tags !== null && !tags.some((tag) => tag === one.tag);
  const contracts = tools.map(({ contract }) => contract);
  const named = [
    ...contracts.filter(removed).filter(({ name }) => new RegExp(`\\b${name}\\b`).test(text)),
    ...resources.filter(removed).filter(({ uri }) => text.includes(uri)),
  ];
  expect(named).toEqual([]);
});

test("no text mentions a fixed list of checks: the registry is asked", () => {
  for (const [where, text] of texts) {
    if (where.startsWith("example ")) continue;
    const ids = builtinChecks.filter(({ check_id }) => text.includes(check_id));
    expect([where, ids]).toEqual([where, []]);
  }
});
