import { describe, expect, test } from "vitest";
import { embeddedServices } from "../../services/embedded.ts";
import {
  sensitiveActionIgnoringCase,
  sensitiveActionOf,
  sensitiveCategories,
} from "./catalogue.ts";
import { combinations } from "./combinations.ts";

const all = sensitiveCategories.flatMap(({ actions }) => actions);

describe("the list of sensitive actions", () => {
  test("has 579 actions in four categories, 13 of them in two", () => {
    expect(sensitiveCategories.map(({ id, actions }) => [id, actions.length])).toEqual([
      ["credential_exposure", 66],
      ["data_access", 119],
      ["priv_esc", 71],
      ["resource_exposure", 333],
    ]);
    expect(new Set(all).size).toBe(579);
  });

  test("finds an action by its very name, in the first of its categories", () => {
    const entry = {
      category: "credential_exposure",
      severity: "critical",
      name: "Credential Exposure",
    };
    expect(sensitiveActionOf("iam:CreateAccessKey")).toEqual(entry);
    expect(sensitiveActionOf("iam:createaccesskey")).toBeUndefined();
    expect(sensitiveActionIgnoringCase("IAM:createaccesskey")).toEqual(entry);
    expect(sensitiveActionOf("sts:GetSessionToken")).toEqual({ ...entry, severity: "medium" });
    expect(sensitiveActionOf("codeartifact:GetAuthorizationToken")).toMatchObject({
      severity: "medium",
    });
    expect(sensitiveActionOf("sts:AssumeRole")).toBeUndefined();
    expect(sensitiveActionOf("secretsmanager:BatchGetSecretValue")).toBeUndefined();
    expect(sensitiveActionOf("toString")).toBeUndefined();
  });

  test.each([
    ["signin:CreateOAuth2Token", "credential_exposure", "medium"],
    ["codebuild:DeleteSourceCredentials", "resource_exposure", "medium"],
    ["codebuild:ImportSourceCredentials", "credential_exposure", "critical"],
    ["chime:DeleteVoiceConnectorTerminationCredentials", "resource_exposure", "medium"],
  ])("has %s as %s, %s", (name, category, severity) => {
    expect(sensitiveActionOf(name)).toMatchObject({ category, severity });
  });

  test("has names that AWS has, in AWS's spelling", async () => {
    const services = embeddedServices();
    const names = [...all, ...combinations.flatMap(({ allOf }) => allOf)];
    await services.load(new Set(names.map((name) => name.split(":", 1)[0] ?? "")));
    const unknown = names.filter((name) => {
      const [prefix = "", action = ""] = name.split(":");
      return services.get(prefix)?.action(action)?.qualified !== name;
    });
    expect(unknown).toEqual([]);
  });
});
