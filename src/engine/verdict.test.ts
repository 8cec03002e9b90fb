import { expect, test } from "vitest";
import { Severity } from "../../spec/severity.ts";
import { findingWith } from "../../test/support/report-input.ts";
import { allPass, countSeverities } from "./verdict.ts";

const with_ = (...severities: Severity[]) =>
  severities.map((severity) => findingWith({ severity }));

test("findings are counted by severity, and only severities that occur", () => {
  expect(countSeverities([])).toEqual({});
  expect(countSeverities(with_("low", "error", "low"))).toEqual({ low: 2, error: 1 });
});

test("no findings pass, whatever fails", () => {
  expect(allPass([], { fail_on_severity: Severity.options })).toBe(true);
});

test.each(Severity.options)("%s fails if it is in the list, and only then", (severity) => {
  const others = Severity.options.filter((one) => one !== severity);
  expect(allPass(with_(severity), { fail_on_severity: [severity] })).toBe(false);
  expect(allPass(with_(severity), { fail_on_severity: others })).toBe(true);
  expect(allPass(with_(severity), { fail_on_severity: [] })).toBe(true);
});

test("one finding that fails is enough", () => {
  const settings = { fail_on_severity: ["error", "high"] as const };
  expect(allPass(with_("low", "high", "info"), settings)).toBe(false);
  expect(allPass(with_("low", "critical", "info"), settings)).toBe(true);
});
