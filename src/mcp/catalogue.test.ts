import { describe, expect, test } from "vitest";
import { type Scope, scopeOfTag, Tag } from "../../spec/scopes.ts";
import type { Caller } from "../auth/caller.ts";
import { tools } from "../tools/index.ts";
import { createCatalogue } from "./catalogue.ts";
import { components } from "./components.ts";

function callerWith(...scopes: Scope[]): Caller {
  return { subject: "x", clientId: "x", scopes, may: (scope) => scopes.includes(scope) };
}

const full = () => createCatalogue(tools, components, "full");

test("every tag opens with a scope, but for the one that is free on purpose", () => {
  expect(Object.keys(scopeOfTag).sort()).toEqual([...Tag.options].sort());
  const free = Tag.options.filter((tag) => scopeOfTag[tag] === null);
  expect(free).toEqual(["fix"]);
});

test("names are unique among their kind", () => {
  const { resources, resourceTemplates, prompts } = components;
  for (const names of [
    tools.map(({ contract }) => contract.name),
    [...resources, ...resourceTemplates].map(({ name }) => name),
    resources.map(({ uri }) => uri),
    prompts.map(({ name }) => name),
  ]) {
    expect(new Set(names).size).toBe(names.length);
  }
});

test("callers with the same scopes share one view; others do not", () => {
  const catalogue = full();
  const one = catalogue.viewFor(callerWith("iam:query"));
  expect(catalogue.viewFor(callerWith("iam:query"))).toBe(one);
  expect(catalogue.viewFor(callerWith("iam:config"))).not.toBe(one);
});

describe("a view", () => {
  test("lists and reaches the same", () => {
    for (const scopes of [[], ["iam:query"], ["iam:validate", "iam:config"]] as Scope[][]) {
      const view = full().viewFor(callerWith(...scopes));
      expect([...view.tools.keys()]).toEqual(view.lists.tools.map(({ name }) => name));
      expect([...view.resources.keys()]).toEqual(view.lists.resources.map(({ uri }) => uri));
      expect([...view.prompts.keys()]).toEqual(view.lists.prompts.map(({ name }) => name));
      const listed = view.lists.templates.map(({ uriTemplate }) => uriTemplate);
      expect(view.templates.map(({ definition }) => definition.uriTemplate)).toEqual(listed);
      for (const { match, definition } of view.templates) {
        const [variable = ""] = Object.keys(match(definition.uriTemplate) ?? {});
        expect(definition.uriTemplate).toContain(`{${variable}}`);
      }
      expect(view.toolNames).toEqual([...view.tools.keys()].sort());
    }
  });

  test.each<[Scope[], string[], string[]]>([
    [[], [], []],
    [["iam:query", "iam:analyze"], [], []],
    [
      ["iam:validate"],
      ["iam://checks", "iam://sensitive-categories"],
      ["iam://sensitive-actions/{category}", "iam://checks/{check_id}"],
    ],
    [["iam:config"], ["iam://config-schema", "iam://config-examples"], []],
  ])("with %j has just the resources that go with its tools", (scopes, resources, templates) => {
    const view = full().viewFor(callerWith(...scopes));
    expect([...view.resources.keys()]).toEqual(resources);
    expect(view.templates.map(({ definition }) => definition.uriTemplate)).toEqual(templates);
  });

  test("never grows with an unknown scope", () => {
    const caller = { ...callerWith(), scopes: ["iam:*", "IAM:QUERY", "iam:query "] };
    expect(full().viewFor(caller).toolNames).toEqual([]);
  });
});

test("the scope of a tool is known by its own name only", () => {
  const catalogue = full();
  expect(catalogue.scopeOf("query")).toBe("iam:query");
  for (const name of ["toString", "__proto__", "no_such_tool"]) {
    expect(catalogue.scopeOf(name)).toBeUndefined();
  }
});

test("lists have all that is told of a component, and nothing else", () => {
  const { lists } = full().viewFor(callerWith("iam:validate", "iam:config"));
  for (const resource of lists.resources) {
    expect(Object.keys(resource)).toEqual(["uri", "name", "title", "description", "mimeType"]);
  }
  for (const template of lists.templates) {
    const keys = ["uriTemplate", "name", "title", "description", "mimeType"];
    expect(Object.keys(template)).toEqual(keys);
  }
  const [prompt] = lists.prompts;
  expect(Object.keys(prompt ?? {})).toEqual(["name", "title", "description", "arguments"]);
  expect(prompt?.arguments?.[0]).toEqual({
    name: "service",
    description: expect.any(String),
    required: true,
  });
  expect(lists.prompts.map(({ name }) => name)).toContain("fix_policy_issues_workflow");
});

test("a profile that changes nothing takes the tools that change something, and their scopes", () => {
  const [first, ...others] = tools;
  if (!first) throw new Error("no tools");
  const changing = { ...first, contract: { ...first.contract, mutates: true } };
  const all = callerWith("iam:validate", "iam:query", "iam:config", "iam:analyze");
  for (const [profile, there] of [
    ["read-only", false],
    ["full", true],
  ] as const) {
    const catalogue = createCatalogue([changing, ...others], components, profile);
    const { name } = first.contract;
    expect(catalogue.viewFor(all).tools.has(name)).toBe(there);
    expect(catalogue.scopeOf(name) !== undefined).toBe(there);
    expect(catalogue.viewFor(all).toolNames).toContain("query");
  }
});

test("no caller is asked for a scope that is none", () => {
  const asked: unknown[] = [];
  const may = (scope: Scope) => asked.push(scope) < 0;
  full().viewFor({ ...callerWith(), may });
  expect(asked.sort()).toEqual(["iam:analyze", "iam:config", "iam:query", "iam:validate"]);
});

test("a profile takes components from everyone", () => {
  const narrow = createCatalogue(tools, components, "validate-only");
  const view = narrow.viewFor(callerWith("iam:validate", "iam:query", "iam:config"));
  expect(view.toolNames).toEqual(["describe_checks", "validate_policies"]);
  expect([...view.prompts.keys()]).not.toContain("fix_policy_issues_workflow");
  expect(narrow.scopeOf("query")).toBeUndefined();
});
