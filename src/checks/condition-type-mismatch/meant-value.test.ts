import { expect, test } from "vitest";
import type { ConditionType } from "../../policy/condition-operator.ts";
import { meantBoolean, meantValue } from "./meant-value.ts";

test.each<[ConditionType, string, string]>([
  ["Bool", "yes", "true"],
  ["Bool", "No", "false"],
  ["Bool", "1", "true"],
  ["Bool", "0", "false"],
  ["Bool", "ON", "true"],
  ["Bool", "off", "false"],
  ["Bool", " treu ", "true"],
  ["Bool", "flase", "false"],
  ["Bool", "tru", "true"],
  ["Date", "2026-12-31 23:59", "2026-12-31T23:59:00Z"],
  ["Date", "2026-12-31T23:59:30 UTC", "2026-12-31T23:59:30Z"],
  ["Date", "2026-12-31t23:59:30.1234gmt", "2026-12-31T23:59:30.1234Z"],
  ["Date", "2026/1/2", "2026-01-02"],
  ["Date", "2026.11.12", "2026-11-12"],
  ["Date", "31.12.2026", "2026-12-31"],
  ["Date", "12/31/2026", "2026-12-31"],
  ["Date", "13-1-2026", "2026-01-13"],
  ["Date", "1-13-2026", "2026-01-13"],
  ["Date", "Dec 31, 2026", "2026-12-31"],
  ["Date", "Dec. 1 2026", "2026-12-01"],
  ["Date", "31 December 2026", "2026-12-31"],
  ["Date", "1. Dec 2026", "2026-12-01"],
  ["IPAddress", "203.0.113.0 / 24", "203.0.113.0/24"],
  ["IPAddress", "203.0.113.0  \\  24", "203.0.113.0/24"],
  ["IPAddress", "203.0.113.*", "203.0.113.0/24"],
  ["IPAddress", "203.0.*.*", "203.0.0.0/16"],
  ["IPAddress", "10.*", "10.0.0.0/8"],
  ["IPAddress", "203.0.113/24", "203.0.113.0/24"],
  ["IPAddress", "10/8", "10.0.0.0/8"],
  ["IPAddress", "203.0.113.0-203.0.113.255", "203.0.113.0/24"],
  ["IPAddress", "203.0.113.0 – 203.0.113.127", "203.0.113.0/25"],
  ["IPAddress", "203.0.113.7-203.0.113.7", "203.0.113.7/32"],
  ["IPAddress", "203.0.113.0/255.255.255.0", "203.0.113.0/24"],
  ["IPAddress", "10.0.0.0/255.0.0.0", "10.0.0.0/8"],
  ["ARN", "arn:aws:s3::reports", "arn:aws:s3:::reports"],
])("of type %s, %s means %s", (kind, text, value) => {
  expect(meantValue([kind], text)?.value).toBe(value);
});

test.each<[ConditionType, string]>([
  ["Bool", "else"],
  ["Bool", "maybe"],
  ["Bool", ""],
  ["Bool", "trueish"],
  ["Date", "03/04/2026"],
  ["Date", "12/12/2026"],
  ["Date", "31.31.2026"],
  ["Date", "at 2026-12-31 23:59"],
  ["Date", "2026-12-31 23:59 or so"],
  ["Date", "12026/1/2"],
  ["Date", "2026/1/234"],
  ["Date", "131.12.2026"],
  ["Date", "31.12.20261"],
  ["Date", "the Dec 31, 2026"],
  ["Date", "Dec 31, 2026 or so"],
  ["Date", "Abc 31, 2026"],
  ["Date", "next year"],
  ["IPAddress", "the office"],
  ["IPAddress", "203.0.113"],
  ["IPAddress", "203.0.113/25"],
  ["IPAddress", "203.0.113-24"],
  ["IPAddress", "203.0.113.0-24"],
  ["IPAddress", "203.0.113.0-203.0.113.255-203.0.114.0"],
  ["IPAddress", "203.0.113.0-203.0.113.200"],
  ["IPAddress", "203.0.113.7-203.0.113.255"],
  ["IPAddress", "203.0.113.0/255.0.255.0"],
  ["IPAddress", "203.0.113.0-x"],
  ["IPAddress", "x-203.0.113.0"],
  ["IPAddress", "x203.0.113.*"],
  ["IPAddress", "203.0.113.*x"],
  ["IPAddress", "999.0.113.*"],
  ["IPAddress", `203.0.113.0${" ".repeat(60)}/24`],
  ["ARN", "reports"],
  ["Numeric", "ten"],
  ["String", "text"],
])("of type %s, it is not certain what %s means", (kind, text) => {
  expect(meantValue([kind], text)).toBeNull();
});

test("a key of two types, or of none, has no certain value", () => {
  expect(meantValue(["Bool", "String"], "yes")).toBeNull();
  expect(meantValue([], "yes")).toBeNull();
});

test.each<[ConditionType, string, string]>([
  ["Bool", "yes", "Write the boolean that is meant"],
  ["Date", "2026/1/2", "Write the date in ISO 8601, in UTC"],
  ["IPAddress", "10.*", "Write the range in CIDR notation"],
  ["ARN", "arn:aws:s3::reports", "Write the ARN that is meant"],
])("the fix of a value of type %s says what it writes: %s", (kind, text, title) => {
  expect(meantValue([kind], text)?.title).toBe(title);
});

test("words that name true or false are booleans", () => {
  expect(["True", "FALSE", "toString", "constructor"].map(meantBoolean)).toEqual([
    "true",
    "false",
    null,
    null,
  ]);
});
