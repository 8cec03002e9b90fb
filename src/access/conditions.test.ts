import { describe, expect, test } from "vitest";
import { tokenText } from "../../test/support/token-text.ts";
import { embeddedServices } from "../services/embedded.ts";
import { readTest } from "./conditions.ts";
import { includes, readInstant, readNumber } from "./intervals.ts";
import { QuestionKeys } from "./keys.ts";
import { Variables } from "./read-pattern.ts";

const services = embeddedServices();
await services.load(new Set(["s3", "sts", "kms", "dynamodb"]));

interface Written {
  readonly operator: string;
  readonly key: string;
  readonly values: readonly string[];
}

const conditionOf = ({ operator, key, values }: Written) => ({
  operator,
  key,
  keyLower: key.toLowerCase(),
  values: [...values],
});

function read(operator: string, key: string, values: readonly string[], hasVariables = true) {
  const condition = conditionOf({ operator, key, values });
  const keys = new QuestionKeys([condition], services);
  const found = keys.get(condition.keyLower);
  return readTest(condition, found, found.isMultivalued, hasVariables, new Variables());
}

/** What a test of texts says, in one line. */
function shown(...args: Parameters<typeof read>): string {
  const found = read(...args);
  if (found.kind === "opaque") return `opaque: ${found.construct}`;
  if (found.kind !== "texts") return found.kind;
  const { quantifier, negated, absentOk, patterns } = found;
  const texts = patterns.map(({ tokens }) => tokenText(tokens)).join(" | ");
  return `${quantifier}${negated ? " not" : ""} ${texts}${absentOk ? ", or absent" : ""}`;
}

describe("a test of texts", () => {
  test.each([
    ["StringEquals", "s3:prefix", ["a*", "B?"], "one a* | B?"],
    ["StringLike", "s3:prefix", ["a*", "B?"], "one a* | B?"],
    ["StringNotEquals", "s3:prefix", ["a"], "one not a, or absent"],
    ["StringNotLikeIfExists", "s3:prefix", ["a"], "one not a, or absent"],
    ["StringEqualsIfExists", "s3:prefix", ["a"], "one a, or absent"],
    ["StringEqualsIgnoreCase", "s3:prefix", ["Ab*"], "one <a><b>*"],
    ["StringNotEqualsIgnoreCase", "s3:prefix", ["Ab"], "one not <a><b>, or absent"],
    ["stringequals", "s3:prefix", ["a"], "one a"],
    ["Bool", "aws:SecureTransport", ["True"], "one <t><r><u><e>"],
    ["ForAnyValue:StringEquals", "aws:TagKeys", ["a"], "some a"],
    ["ForAllValues:StringEquals", "aws:TagKeys", ["a"], "every a, or absent"],
    ["ForAnyValue:StringNotEquals", "aws:TagKeys", ["a"], "some not a"],
    ["ForAllValues:StringNotLike", "aws:TagKeys", ["a"], "every not a, or absent"],
    ["ForAnyValue:StringEqualsIfExists", "aws:TagKeys", ["a"], "some a, or absent"],
    ["StringEquals", "aws:TagKeys", ["a"], "plain a"],
    ["StringNotEquals", "aws:TagKeys", ["a"], "plain not a, or absent"],
    ["ForAnyValue:StringEquals", "s3:prefix", ["a"], "one a"],
    ["StringLike", "s3:prefix", ["${aws:username}*"], "one {0}*"],
    [
      "Bool",
      "aws:SecureTransport",
      ["${aws:username}"],
      "one ${<a><w><s>:<u><s><e><r><n><a><m><e>}",
    ],
    ["ArnLike", "aws:SourceArn", ["arn:*:s3:::a*"], "one arn:*[:]:s3:::a*"],
    ["ArnEquals", "aws:SourceArn", ["arn:*:s3:::a*"], "one arn:*[:]:s3:::a*"],
    ["ArnNotLike", "aws:SourceArn", ["*"], "one not *, or absent"],
    ["ArnLike", "aws:SourceArn", ["arn:aws:s3"], "opaque: arn_pattern"],
    ["ArnLike", "aws:SourceArn", ["${aws:username}"], "opaque: arn_pattern"],
    ["ArnLike", "aws:SourceArn", ["${TopicArn}"], "one {0}"],
    ["ArnLike", "aws:SourceArn", ["a${TopicArn}"], "opaque: arn_pattern"],
    ["StringEquals", "s3:prefix", ["a".repeat(5_000)], "opaque: budget"],
  ] as const)("%s %s %j: %s", (operator, key, values, expected) => {
    expect(shown(operator, key, values)).toBe(expected);
  });

  test("has wildcards with Like and ARN operators only", () => {
    const kinds = (operator: string) => {
      const found = read(operator, "s3:prefix", ["a*"]);
      return found.kind === "texts" && found.patterns[0]?.text;
    };
    expect([kinds("StringEquals"), kinds("StringLike")]).toEqual(["a*", null]);
    expect([kinds("StringEqualsIgnoreCase"), kinds("StringNotLike")]).toEqual([null, null]);
  });

  test("has no variables in a document of the version 2008-10-17", () => {
    expect(shown("StringEquals", "s3:prefix", ["${aws:username}"], false)).toBe(
      "one ${aws:username}",
    );
  });

  test("of bytes compares what they encode", () => {
    const key = "dynamodb:none";
    const texts = (value: string) => shown("BinaryEquals", key, [value]);
    expect(texts("QQ==")).toBe("one QQ==");
    expect(texts("QQ")).toBe("one QQ==");
    expect(texts("QUI")).toBe("one QUI=");
    expect(texts("QUI=")).toBe("one QUI=");
    expect(texts("QUJD")).toBe("one QUJD");
    expect(texts("QR==")).toBe("one QQ==");
    expect(texts("")).toBe("one ");
    for (const value of ["Q", "QUI==", "QU*D", "Q=", "=QQ=", "QUJDQ"]) {
      expect(texts(value), value).toBe("opaque: invalid_value");
    }
  });
});

describe("a test of ranges", () => {
  const takes = (operator: string, value: string, tried: string, key = "s3:max-keys") => {
    const found = read(operator, key, [value]);
    if (found.kind !== "ranges") return found.kind;
    const number = (key === "s3:max-keys" ? readNumber : readInstant)(tried);
    return includes(found.ranges, number ?? 0n);
  };

  test.each([
    ["NumericEquals", [false, true, false]],
    ["NumericNotEquals", [true, false, true]],
    ["NumericLessThan", [true, false, false]],
    ["NumericLessThanEquals", [true, true, false]],
    ["NumericGreaterThan", [false, false, true]],
    ["NumericGreaterThanEquals", [false, true, true]],
  ] as const)("%s 10 takes 9, 10 and 11: %j", (operator, expected) => {
    expect(["9", "10", "11"].map((tried) => takes(operator, "10", tried))).toEqual(expected);
  });

  test.each([
    ["DateEquals", [false, true, false]],
    ["DateNotEquals", [true, false, true]],
    ["DateLessThan", [true, false, false]],
    ["DateLessThanEquals", [true, true, false]],
    ["DateGreaterThan", [false, false, true]],
    ["DateGreaterThanEquals", [false, true, true]],
  ] as const)(
    "%s 2030 takes the second before, 2030 and the one after: %j",
    (operator, expected) => {
      const tried = ["2029-12-31T23:59:59Z", "2030-01-01T00:00:00Z", "2030-01-01T00:00:01Z"];
      const of = (instant: string) => takes(operator, "2030-01-01", instant, "aws:CurrentTime");
      expect(tried.map(of)).toEqual(expected);
    },
  );

  test("of several values takes what one of them takes, or none where it is negated", () => {
    const found = read("NumericEquals", "s3:max-keys", ["1", "2"]);
    const none = read("NumericNotEqualsIfExists", "s3:max-keys", ["1", "2"]);
    const tried = ["0", "1", "2", "3"].map((text) => readNumber(text) ?? 0n);
    if (found.kind !== "ranges" || none.kind !== "ranges") throw new Error("not ranges");
    expect(tried.map((one) => includes(found.ranges, one))).toEqual([false, true, true, false]);
    expect(tried.map((one) => includes(none.ranges, one))).toEqual([true, false, false, true]);
    expect([found.absentOk, none.absentOk]).toEqual([false, true]);
  });

  test("of the seconds since 1970 takes numbers and dates", () => {
    const key = "aws:EpochTime";
    expect(read("NumericLessThan", key, ["10"]).kind).toBe("ranges");
    expect(read("DateLessThan", key, ["2030-01-01"]).kind).toBe("ranges");
    expect(read("NumericLessThan", "aws:CurrentTime", ["10"])).toEqual({
      kind: "opaque",
      construct: "mixed_operators",
    });
    // Four digits are a number of seconds for a numeric operator, and a year for one of dates.
    const until = (operator: string) => {
      const found = read(operator, key, ["2030"]);
      return found.kind === "ranges" && includes(found.ranges, readInstant("1971-01-01") ?? 0n);
    };
    expect([until("NumericLessThan"), until("DateLessThan")]).toEqual([false, true]);
  });

  test("of addresses takes those of the network", () => {
    const found = read("IpAddress", "aws:SourceIp", ["192.0.2.0/24"]);
    const others = read("NotIpAddress", "aws:SourceIp", ["192.0.2.0/24"]);
    if (found.kind !== "ranges" || others.kind !== "ranges") throw new Error("not ranges");
    expect(found.ranges).toHaveLength(1);
    expect(others.ranges).toHaveLength(2);
  });
});

test("a test of presence has the values that it names", () => {
  const of = (...values: string[]) => read("Null", "aws:TokenIssueTime", values);
  const kind = "presence";
  expect(of("true")).toEqual({ kind, whenAbsent: true, whenPresent: false });
  expect(of("False")).toEqual({ kind, whenAbsent: false, whenPresent: true });
  expect(of("TRUE", "false")).toEqual({ kind, whenAbsent: true, whenPresent: true });
  expect(of("yes")).toEqual({ kind, whenAbsent: false, whenPresent: false });
});

test.each([
  ["StringEqual", "s3:prefix", ["a"], "unknown_operator"],
  ["NullIfExists", "s3:prefix", ["true"], "unknown_operator"],
  ["ForAnyValue:Null", "s3:prefix", ["true"], "unknown_operator"],
  ["NumericEquals", "s3:prefix", ["1"], "mixed_operators"],
  ["StringEquals", "s3:max-keys", ["1"], "mixed_operators"],
  ["StringEquals", "aws:SourceIp", ["192.0.2.1"], "mixed_operators"],
  ["NumericEquals", "s3:max-keys", ["ten"], "invalid_value"],
  ["NumericEquals", "s3:max-keys", ["1", "ten"], "invalid_value"],
  ["NumericEquals", "s3:max-keys", ["${aws:PrincipalTag/n}"], "invalid_value"],
  ["NumericEquals", "s3:max-keys", ["${Limit}"], "placeholder"],
  ["NumericEquals", "s3:max-keys", ["${AWS::Limit}"], "placeholder"],
  ["NumericEquals", "s3:max-keys", ["{{limit}}"], "placeholder"],
  ["DateLessThan", "aws:CurrentTime", ["soon"], "invalid_value"],
  ["IpAddress", "aws:SourceIp", ["10.0.0.0/33"], "invalid_value"],
  ["IpAddress", "aws:SourceIp", ["{{network}}"], "placeholder"],
] as const)("%s %s %j cannot be read: %s", (operator, key, values, construct) => {
  expect(read(operator, key, values)).toEqual({ kind: "opaque", construct });
});
