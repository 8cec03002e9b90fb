import { describe, expect, test } from "vitest";
import type { Severity } from "../../spec/severity.ts";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import type { CustomInstructions } from "../runtime.ts";
import { tools } from "../tools/index.ts";
import { components } from "./components.ts";
import { instructionsFor, type Visible } from "./instructions.ts";

const none: CustomInstructions = { text: null, source: "none" };
const everyTool = tools.map(({ contract }) => contract.name);
const validating: Visible = {
  toolNames: everyTool,
  resources: new Map(components.resources.map((each) => [each.uri, each])),
};

function instructions(
  visible = validating,
  customInstructions = none,
  failing: readonly Severity[] = ["error", "critical", "high"],
) {
  const { settings, engine } = bareRuntime().runtime;
  const failOn = { ...engine, settings: { ...engine.settings, fail_on_severity: failing } };
  return instructionsFor({ settings, customInstructions, engine: failOn })(visible);
}

test.each([
  ["the role", /least privilege/],
  ["only what the task needs", /only what the task needs/],
  ["specific ARNs, no wildcard on writes", /specific ARNs.*no wildcard.*write/],
  ["conditions on sensitive actions", /conditions on sensitive actions/i],
  ["never to guess an ARN", /Never guess an ARN.*`query` kind `arn_formats`/],
  ["to confirm actions", /confirm that actions exist/],
  ["when to stop", /At most two `validate_policies` calls/],
  [
    "which fixes to apply",
    /Pass `fix` `\["equivalent", "repairs"\]` and go on with `fixed_policy`/,
  ],
  ["what to write", /write its `example` at its `example_path`/],
  ["what fails", /severity `error`, `critical` or `high` fails the policy/],
  ["when to ask", /a tag that you do not know, ask the person/],
  ["what to do in doubt", /in doubt, present the policy/],
  ["the list of checks", /iam:\/\/checks,/],
  ["one check", /iam:\/\/checks\/\{check_id\}/],
  ["sensitive actions", /iam:\/\/sensitive-actions\/\{category\}/],
  ["the version of new policies", /2012-10-17/],
])("the instructions tell %s", (_, text) => {
  expect(instructions()).toMatch(text);
});

describe("operator text", () => {
  const text = "Every role needs the boundary `team-boundary`.";

  test("stands last, word for word, under its own heading", () => {
    expect(instructions(validating, { text, source: "config" })).toBe(
      `${instructions()}\n\n## From the operator of this server\n\n${text}`,
    );
  });

  test("of a local config is the project's own, which may be a stranger's", () => {
    const { settings, engine } = bareRuntime({ mode: "local" }).runtime;
    for (const [source, author] of [
      ["config", "the config of this project or session"],
      ["settings", "the operator of this server"],
      ["file", "the operator of this server"],
    ] as const) {
      expect(
        instructionsFor({ settings, engine, customInstructions: { text, source } })(validating),
      ).toContain(`\n\n## From ${author}\n\n${text}`);
    }
  });

  test("without it there is no heading", () => {
    expect(instructions()).not.toMatch(/^#/m);
  });
});

test("they are short", () => {
  const { length } = instructions();
  expect(length).toBeGreaterThan(100);
  expect(length).toBeLessThan(1_300);
});

describe("callers who see less", () => {
  test.each(everyTool.map((tool) => [tool]))(
    "are told nothing of `%s` when it is hidden",
    (hidden) => {
      const toolNames = everyTool.filter((tool) => tool !== hidden);
      const text = instructions({ ...validating, toolNames });
      expect(text).not.toContain(hidden === "query" ? "`query`" : hidden);
    },
  );

  test("are told of no resource they cannot read", () => {
    expect(instructions({ ...validating, resources: new Map() })).not.toContain("iam://");
  });

  test("are told that the token opens nothing, where it opens nothing", () => {
    const text = instructions({ toolNames: [], resources: new Map() });
    expect(text).toMatch(/no scope for any of its tools/);
    for (const tool of everyTool) expect(text).not.toContain(tool);
  });
});

test.each([
  [[], /No severity fails a policy here/],
  [["medium"], /severity `medium` fails the policy/],
] as [Severity[], RegExp][])("with fail_on_severity %j they say so", (failing, text) => {
  expect(instructions(validating, none, failing)).toMatch(text);
});
