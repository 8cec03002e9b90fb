import { expect, test } from "vitest";
import type { Check } from "./check.ts";
import type { RegisteredCheck } from "./registry.ts";
import { effectiveSeverity } from "./severities.ts";

test("an issue type has the severity that it declares, else that of its check", () => {
  const issue_types = {
    a: { severity: "check" },
    b: { severity: "low" },
    c: { severity: ["low", "high", "low", "medium"] },
    d: { severity: ["info", "info"] },
    e: { severity: [] },
  } as unknown as Check["issue_types"];
  const severities = (set: boolean) => ({
    a: { applies: "medium", range: null, set },
    b: { applies: "low", range: null, set: false },
    c: { applies: null, range: ["high", "medium", "low"], set: false },
    d: { applies: "info", range: null, set: false },
    e: { applies: null, range: [], set: false },
  });
  const about = { check: { issue_types }, severity: "medium", configuredSeverity: null };
  const registered = about as unknown as RegisteredCheck;
  expect(effectiveSeverity(registered)).toEqual({
    severity: "medium",
    severity_set: false,
    severities: severities(false),
  });
  const set = { ...registered, configuredSeverity: "medium" as const };
  expect(effectiveSeverity(set)).toMatchObject({
    severity_set: true,
    severities: severities(true),
  });
});
