import { describe, expect, test } from "vitest";
import { Profile } from "../../spec/scopes.ts";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import type { CustomInstructions } from "../runtime.ts";
import { instructionsFor } from "./instructions.ts";

const none: CustomInstructions = { text: null, source: "none" };

function instructions(profile: Profile = "full", customInstructions = none) {
  const { settings } = bareRuntime({ profile }).runtime;
  return instructionsFor({ settings, customInstructions });
}

test.each([
  ["the role", /least privilege/],
  ["only what the task needs", /only what the task needs/],
  ["specific ARNs, no wildcard on writes", /specific ARNs.*no wildcard.*write/],
  ["conditions on sensitive actions", /conditions on sensitive actions/i],
  ["never to guess an ARN", /Never guess an ARN.*`query` kind `arn_formats`/],
  ["to confirm actions", /confirm that actions exist/],
  ["when to stop", /At most two `validate_policies` calls/],
  ["what to mend", /`error` and `critical` findings by the finding's `example`/],
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

  test("stands last, word for word, under a heading of its own", () => {
    expect(instructions("full", { text, source: "config" })).toBe(
      `${instructions()}\n\n## From the operator of this server\n\n${text}`,
    );
  });

  test("of a local config is the project's own, which may be a stranger's", () => {
    const { runtime } = bareRuntime({ mode: "local" });
    const { settings } = runtime;
    for (const [source, author] of [
      ["config", "the config of this project or session"],
      ["settings", "the operator of this server"],
      ["file", "the operator of this server"],
    ] as const) {
      expect(instructionsFor({ settings, customInstructions: { text, source } })).toContain(
        `\n\n## From ${author}\n\n${text}`,
      );
    }
  });

  test("without it there is no heading", () => {
    expect(instructions()).not.toMatch(/^#/m);
  });
});

test.each(Profile.options)("they are short in profile %s", (profile) => {
  const { length } = instructions(profile);
  expect(length).toBeGreaterThan(100);
  expect(length).toBeLessThan(1_000);
});
