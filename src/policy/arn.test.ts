import fc from "fast-check";
import { describe, expect, test } from "vitest";
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
    ["arn:aws:s3:::${aws:username}/*", ["arn", "aws", "s3", "", "", "${aws:username}/*"]],
    ["${b}:d:e:f:g:h", ["${b}", "d", "e", "f", "g", "h"]],
    ["a:${b}:c:${d:x}:f:g:h", ["a", "${b}", "c", "${d:x}", "f", "g:h"]],
    ["a:b}:c:${d:x}:f:g", ["a", "b}", "c", "${d:x}", "f", "g"]],
    ["a:b:${c:${d:x}:e:f:g", ["a", "b", "${c:${d:x}", "e", "f", "g"]],
    // A star at the end stays one field where the others are there.
    ["arn:aws:s3:::*", ["arn", "aws", "s3", "", "", "*"]],
    [
      "arn:aws:sns:eu-west-1:111122223333:*",
      ["arn", "aws", "sns", "eu-west-1", "111122223333", "*"],
    ],
    ["arn:aws:sqs:${aws:x}:*", ["arn", "aws", "sqs", "${aws:x}", "*", "*"]],
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
    "a:b:c:d:${e:f}",
    "a:b:c:${d:e:f}:*x",
    "arn:aws:*:waf",
    ":*",
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
  expect(hasVariable("${0}")).toBe(true);
  expect(["${}", "${a b}", "$(a)", "{{a}}", "${a"].filter(hasVariable)).toEqual([]);
});

test("a value that starts with a variable may be any ARN", () => {
  expect(startsWithVariable("${bucket.arn}/*")).toBe(true);
  expect(startsWithVariable("arn:${p}:s3:::b")).toBe(false);
  expect(startsWithVariable("${}${a}")).toBe(false);
  expect(startsWithVariable("x${a}")).toBe(false);
  expect(startsWithVariable("")).toBe(false);
});

test("every variable is replaced by the same plain text", () => {
  expect(replaceVariables("${}x${a b}", "y")).toBe("yxy");
  expect(replaceVariables("plain {a} $a", "y")).toBe("plain {a} $a");
  expect(replaceVariables("${a${b}}", "y")).toBe("${ay}");
  expect(replaceVariables("${a}-${b:c}-{{d}}", "$&")).toBe("$&-$&-{{d}}");
});

test("placeholders are written with a dollar or in double braces", () => {
  expect(hasPlaceholder("{{ account }}")).toBe(true);
  expect(["{account}", "{{}}", "${}", "plain"].filter(hasPlaceholder)).toEqual([]);
  expect(replacePlaceholders("a{{ b }}c${d}", "x")).toBe("axcx");
  expect(replacePlaceholders("{{b}}${cd}", "$&")).toBe("$&$&");
  expect(hasPlaceholder("a${bc}")).toBe(true);
  expect(literalsAround("a{{ b }}c${d}")).toEqual(["a", "c", ""]);
  expect(literalsAround("plain")).toEqual(["plain"]);
});

test("a word in the account field belongs to its service", () => {
  const offering = { service: "mediaconnect", account: "offering" };
  expect(hasAccountWord(offering)).toBe(true);
  expect(hasAccountWord({ ...offering, service: "s3" })).toBe(false);
  expect(hasAccountWord({ service: "iam", account: "partner" })).toBe(true);
  expect(hasAccountWord({ service: "IAM", account: "partner" })).toBe(true);
  expect(hasAccountWord({ service: "iam", account: "offering" })).toBe(false);
  expect(hasAccountWord({ service: "iam", account: "Partner" })).toBe(false);
  expect(hasAccountWord({ service: "iam", account: "111122223333" })).toBe(false);
});

test("a colon between the braces of a variable separates fields where there are no variables", () => {
  const text = "arn:aws:s3:::${aws:username}";
  expect(splitArn(text, false)?.resource).toBe("${aws:username}");
  const region = "arn:aws:sqs:${aws:x}:1:q";
  expect(splitArn(region)?.region).toBe("${aws:x}");
  expect(splitArn(region, false)).toMatchObject({ region: "${aws", account: "x}" });
});
