import { expect, test } from "vitest";
import { epochSeconds, isTimeKey, startOfDay } from "./dates.ts";

test.each([
  ["1970-01-01T00:00:10Z", 10],
  ["1970-01-02", 86_400],
  ["1971", 31_536_000],
  ["12345", 12_345],
  ["1577836800", 1_577_836_800],
  ["x12345", null],
  ["12345x", null],
  ["tomorrow", null],
  ["${aws:PrincipalTag/end}", null],
] as const)("%s is %s seconds after 1970", (text, seconds) => {
  expect(epochSeconds(text)).toBe(seconds);
});

test("a day begins at midnight of Greenwich", () => {
  expect(startOfDay("1970-01-02")).toBe(86_400);
});

test("the time of the request and of the credentials are times", () => {
  expect(["aws:currenttime", "aws:epochtime", "aws:tokenissuetime"].every(isTimeKey)).toBe(true);
  expect(isTimeKey("s3:object-lock-retain-until-date")).toBe(false);
});
