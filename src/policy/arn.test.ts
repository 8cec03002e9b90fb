import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { embeddedServices } from "../services/embedded.ts";
import {
  hasAccountWord,
  hasPlaceholder,
  hasVariable,
  literalsAround,
  replacePlaceholders,
  replaceVariables,
  splitArn,
  startsWithVariable,
} from "./arn.ts";

function parts(text: string): string[] | null {
  const arn = splitArn(text);
  return arn && Object.values(arn);
}

describe("splitArn", () => {
  test.each([
    ["arn:aws:s3:::bucket/key", ["arn", "aws", "s3", "", "", "bucket/key"]],
    [
      "arn:aws:sns:eu-west-1:123456789012:a:b:c",
      ["arn", "aws", "sns", "eu-west-1", "123456789012", "a:b:c"],
    ],
    ["arn:aws:s3:::${aws:username}", ["arn", "aws", "s3", "", "", "${aws:username}"]],
    [
      "arn:${AWS::Partition}:s3:${a:b}${c:d}:x${e:f}y:b",
      ["arn", "${AWS::Partition}", "s3", "${a:b}${c:d}", "x${e:f}y", "b"],
    ],
    ["arn:aws:s3:${open::bucket", ["arn", "aws", "s3", "${open", "", "bucket"]],
    [":::::", ["", "", "", "", "", ""]],
    // A star at the end runs over the next colons.
    ["arn:aws:waf:eu-west-1:*", ["arn", "aws", "waf", "eu-west-1", "*", "*"]],
    ["arn:aws:waf:*", ["arn", "aws", "waf", "*", "*", "*"]],
    ["arn:${p}:waf:*", ["arn", "${p}", "waf", "*", "*", "*"]],
    ["a${b:c}:d:e:f:g:h", ["a${b:c}", "d", "e", "f", "g", "h"]],
    ["a:b:c:d:e:${f}:g", ["a", "b", "c", "d", "e", "${f}:g"]],
  ])("splits %s into six parts", (text, expected) => {
    expect(parts(text)).toEqual(expected);
  });

  test.each([
    "",
    "*",
    "a:b",
    "a:b:c",
    "a:b:c:d",
    "arn:aws:s3::b",
    "arn:aws:*",
    "arn:aws:waf:eu-*",
    "${a:b:c:d:e:f:g}",
  ])("%j has no six parts", (text) => {
    expect(splitArn(text)).toBeNull();
  });

  test("the parts joined with colons are the text", () => {
    const texts = fc.string({
      unit: fc.constantFrom(":", "a", "$", "{", "}", "${"),
      maxLength: 40,
    });
    fc.assert(
      fc.property(texts, (text) => {
        const found = parts(text);
        if (found) expect(found.join(":")).toBe(text);
        else expect(text.replace(/\$\{[^}]*\}/g, "").split(":").length).toBeLessThan(6);
      }),
      { numRuns: 2000 },
    );
  });
});

test("a variable has a name of letters, digits and _ - . : /", () => {
  expect(hasVariable("a${aws:PrincipalTag/x-y_z.1}")).toBe(true);
  expect(["${}", "${a b}", "$(a)", "{{a}}", "${a"].filter(hasVariable)).toEqual([]);
});

test("a value that starts with a variable may be any ARN", () => {
  expect(startsWithVariable("${bucket.arn}/*")).toBe(true);
  expect(startsWithVariable("arn:${p}:s3:::b")).toBe(false);
  expect(startsWithVariable("${}${a}")).toBe(false);
});

test("every variable is replaced by the same plain text", () => {
  expect(replaceVariables("${a}-${b:c}-{{d}}", "$&")).toBe("$&-$&-{{d}}");
});

test("placeholders are written with a dollar or in double braces", () => {
  expect(hasPlaceholder("{{ account }}")).toBe(true);
  expect(["{account}", "{{}}", "${}", "plain"].filter(hasPlaceholder)).toEqual([]);
  expect(replacePlaceholders("a{{ b }}c${d}", "x")).toBe("axcx");
  expect(literalsAround("a{{ b }}c${d}")).toEqual(["a", "c", ""]);
});

test("words in the account field of the reference's ARN formats are accepted", async () => {
  const services = embeddedServices();
  await services.load(services.prefixes);
  const formats = services.prefixes.flatMap(
    (prefix) => services.get(prefix)?.resourceTypes.flatMap(({ arnFormats }) => arnFormats) ?? [],
  );
  expect(formats.length).toBeGreaterThan(1_000);
  const unknown = formats.filter((format) => {
    const arn = splitArn(format);
    if (!arn || !/^[a-z]/.test(arn.account) || arn.account === "aws") return false;
    return !hasAccountWord(arn);
  });
  expect(unknown).toEqual([]);
  const offering = { service: "mediaconnect", account: "offering" };
  expect(hasAccountWord(offering)).toBe(true);
  expect(hasAccountWord({ ...offering, service: "s3" })).toBe(false);
  expect(hasAccountWord({ service: "iam", account: "partner" })).toBe(true);
});

test("a colon between the braces of a variable separates fields where there are no variables", () => {
  const text = "arn:aws:s3:::${aws:username}";
  expect(splitArn(text, false)?.resource).toBe("${aws:username}");
  const region = "arn:aws:sqs:${aws:x}:1:q";
  expect(splitArn(region)?.region).toBe("${aws:x}");
  expect(splitArn(region, false)).toMatchObject({ region: "${aws", account: "x}" });
});
