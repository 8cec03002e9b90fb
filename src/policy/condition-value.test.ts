import { describe, expect, test } from "vitest";
import type { ConditionType } from "./condition-operator.ts";
import { holdsVariable, isBoolean, isIpOrCidr, isValueOf } from "./condition-value.ts";

const values: Record<ConditionType, { good: readonly string[]; bad: readonly string[] }> = {
  String: { good: ["", "x", "${aws:username}"], bad: [] },
  Numeric: {
    good: ["0", "-1", "10.25", "-0.5", "00012"],
    bad: ["", "+5", "1e3", "1.", ".5", "1,000", "0x10", " 1", "1\n", "${x}", "Infinity"],
  },
  Bool: { good: ["true", "FALSE", "${aws:x}"], bad: ["", "yes", "1", " true", "${aws:x"] },
  Date: {
    good: [
      "2030-01-31",
      "2020-02-29",
      "2000-02-29",
      "2030-01-31T10:20:30Z",
      "2030-01-31T10:20:30.1Z",
      "2030-01-31T10:20:30.123456Z",
      "2030-01-31T10:20:30+14:00",
      "2030-01-31T10:20:30.5-05:30",
      "2030-06",
      "2030-01-31T10:20Z",
      "2030-01-31T10:20+01:00",
      "2030-12-31T23:59:59Z",
      "2030-12",
      "2030-01-31T10:20:30-13:59",
      "00000000001700000000",
      "2030",
      "0",
      "1700000000",
      "32503680000",
    ],
    bad: [
      "",
      "2019-02-29",
      "1900-02-29",
      "2030-02-30",
      "2030-04-31",
      "2030-13-01",
      "2030-00-01",
      "2030-01-00",
      "2030-01-31T10:20:30",
      "2030-01-31 10:20:30Z",
      "2030-01-31T24:00:00Z",
      "2030-01-31T10:60:00Z",
      "2030-01-31T10:20:60Z",
      "2030-01-31T10:20:30.Z",
      "2030-01-31T10:20:30.1234567Z",
      "2030-01-31T10:20:30+14:01",
      "2030-01-31T10:20:30+15:00",
      "2030-01-31T10:20:30+01:60",
      "2030-01-31T10:20:30+0100",
      "2030-01-31T10Z",
      "2030-1-1",
      "32503680001",
      "000000000001700000000",
      "2030-13",
      "-1",
      "tomorrow",
      "2030-01-31Z",
    ],
  },
  IPAddress: {
    good: [
      "203.0.113.7",
      "203.0.113.7/24",
      "0.0.0.0/0",
      "10.0.0.0/32",
      "2001:db8::1",
      "2001:db8::/32",
      "::/0",
      "::ffff:192.0.2.1",
      "FE80::1/128",
    ],
    bad: [
      "",
      "*",
      "203.0.113",
      "203.0.113.256",
      "203.0.113.0/33",
      "203.0.113.0/",
      "203.0.113.0/ 8",
      "203.0.113.0/+8",
      "203.0.113.0/24/24",
      "0xcb.0.113.7",
      "010.0.0.1",
      "3405803783",
      "2001:db8::/129",
      "2001:db8",
      "1::2::3",
      "fe80::1%eth0",
      "203.0.113.7\n",
    ],
  },
  ARN: {
    good: [
      "*",
      "arn:aws:s3:::b",
      "arn:::::x",
      "arn:aws:iam::*:role/*",
      "arn:a:b:c:d:e:f",
      "${aws:SourceArn}",
    ],
    bad: ["", "arn", "arn:aws:s3:::", "arn:aws:s3::b", "ARN:aws:s3:::b", "**", "${x"],
  },
  Binary: {
    good: ["", "QQ==", "QUI=", "QUJD", "QUJDRA=="],
    bad: ["Q", "QQ", "QQ=", "QQ===", "Q===", "====", "QUJD\n", "QU-D", "QQ==QQ=="],
  },
};

describe("values by type", () => {
  for (const [type, { good, bad }] of Object.entries(values) as [
    ConditionType,
    (typeof values)[ConditionType],
  ][]) {
    test.each(good)(`${type} takes %j`, (text) => expect(isValueOf(type, text)).toBe(true));
    test.each(bad)(`${type} refuses %j`, (text) => expect(isValueOf(type, text)).toBe(false));
  }
});

test("long texts are refused as well", () => {
  expect(isValueOf("Date", "9".repeat(400))).toBe(false);
  expect(isValueOf("IPAddress", ":".repeat(100_000))).toBe(false);
});

test("addresses with octets that look octal are refused: readers differ on what they mean", () => {
  expect(isIpOrCidr("192.168.010.1")).toBe(false);
});

test("a boolean is a word, not a variable", () => {
  expect([isBoolean("True"), isBoolean("${x}")]).toEqual([true, false]);
});

test("a variable needs its closing brace", () => {
  expect([holdsVariable("a${b}c"), holdsVariable("a}${b"), holdsVariable("$ {b}")]).toEqual([
    true,
    false,
    false,
  ]);
});
