import { describe, expect, test } from "vitest";
import { tokenText } from "../../test/support/token-text.ts";
import { maxTokens, patternOf } from "./patterns.ts";
import {
  arnPattern,
  barred,
  fieldPattern,
  pathOf,
  type Reading,
  readTokens,
  resourcePattern,
  splitFields,
  substitute,
  Variables,
} from "./read-pattern.ts";
import { noColon } from "./tokens.ts";

const all: Reading = { wildcards: true, variables: true };
const anyLetterCase: Reading = { ...all, ignoreCase: true };
const plain: Reading = { wildcards: false, variables: false };

function read(text: string, reading = all, variables = new Variables()) {
  return readTokens(text, reading, variables) ?? [];
}

describe("a text of a policy is read as tokens", () => {
  test.each([
    ["", all, ""],
    ["s3:Get*", all, "s3:Get*"],
    ["a?b*", plain, "a?b*"],
    ["a**b***", all, "a*b*"],
    ["a?*?*", all, "a?*?*"],
    ["Ab-1:Z", anyLetterCase, "<a><b>-1:<z>"],
    ["É{}$", anyLetterCase, "É{}$"],
    ["[`@", anyLetterCase, "[`@"],
    ["${aws:username}/x", all, "{0}/x"],
    ["${aws:username}", anyLetterCase, "{0i}"],
    ["${aws:username}${aws:userid}${AWS:UserName}", all, "{0}{1}{0}"],
    ["${aws:username, 'none'}${aws:username}${aws:username,'some'}", all, "{0}{1}{2}"],
    ["${ aws:username }${aws:username}", all, "{0}{0}"],
    ["${stage}${stage}{{stage}}${Stage}", all, "{0}{0}{1}{2}"],
    ["${AWS::Region}", all, "{0}"],
    ["${stage}{{stage}}", anyLetterCase, "{0i}{1i}"],
    ["$a{b}${c", all, "$a{b}${c"],
    ["{{a}", all, "{{a}"],
  ] as const)("%j", (text, reading, expected) => {
    expect(tokenText(read(text, reading))).toBe(expected);
  });

  test("wildcards are wildcards, and in `${}` characters", () => {
    const [star, mark, dollar] = read("${*}${?}${$}");
    expect([star, mark, dollar]).toEqual([42, 63, 36]);
    expect(read("*?", plain)).toEqual([42, 63]);
    expect(tokenText(read("${*}", plain))).toBe("${*}");
  });

  test("without policy variables, placeholders of templates are variables all the same", () => {
    const reading = { wildcards: true, variables: false };
    expect(tokenText(read("${aws:username}-${Stage}-{{env}}", reading))).toBe(
      "${aws:username}-{0}-{1}",
    );
  });

  test("a variable has its name in small letters, and a placeholder its text", () => {
    const variables = new Variables();
    read("${AWS:UserName}${aws:PrincipalTag/Team, 'x y'}${Stage}{{ env }}", all, variables);
    expect(variables.list).toEqual([
      { kind: "key", name: "aws:username", fallback: null },
      { kind: "key", name: "aws:principaltag/team", fallback: "x y" },
      { kind: "placeholder", name: "${Stage}", fallback: null },
      { kind: "placeholder", name: "{{ env }}", fallback: null },
    ]);
    expect(variables.of(read("${Stage}", all, variables)[0] ?? 0)).toBe(variables.list[2]);
    expect(variables.of(0x4_0000 + 8 * 40)).toEqual({
      kind: "placeholder",
      name: "",
      fallback: null,
    });
  });

  test("a text longer than any that AWS takes is not read", () => {
    expect(readTokens("a".repeat(maxTokens), all, new Variables())).toHaveLength(maxTokens);
    expect(readTokens("a".repeat(maxTokens + 1), all, new Variables())).toBeNull();
  });
});

test("fields end at the first five colons", () => {
  const fields = (text: string) => splitFields(read(text)).map(tokenText);
  expect(fields("")).toEqual([""]);
  expect(fields("a:b")).toEqual(["a", "b"]);
  expect(fields("arn:aws:s3:::a:b:c")).toEqual(["arn", "aws", "s3", "", "", "a:b:c"]);
  expect(fields("a:${aws:username}:b")).toEqual(["a", "{0}", "b"]);
});

test("wildcards and variables of the first five fields take no colon", () => {
  const text = "a*:?:${aws:username}::*:*?${aws:username}:*";
  expect(tokenText(fieldPattern(splitFields(read(text))).tokens)).toBe(
    "a*[:]:?[:]:{0}[:]::*[:]:*?{0}:*",
  );
  expect(tokenText(barred(read("a*?${aws:username}"), noColon))).toBe("a*[:]?[:]{0}[:]");
});

describe("a resource is read by field where it has the form of an ARN", () => {
  const inFields = "*[:]";
  test.each([
    ["arn:*:s3:::a", true],
    ["arn:*:sqs:eu-west-1:111122223333:a", true],
    ["arn:*:sqs:*:*:a", true],
    ["arn:*:sqs:??-west-1:1?:a", true],
    ["arn:*:iam::aws:policy/a", true],
    ["arn:*:sqs:${aws:RequestedRegion}:${aws:PrincipalAccount}:a", true],
    ["arn:*:sqs:x${aws:RequestedRegion}:y${aws:PrincipalAccount}:a", true],
    ["arn:*:sqs:az09-west-1:0123456789:a", true],
    ["arn:*:sqs:a/b:111122223333:a", false],
    ["arn:*:sqs:a~b:111122223333:a", false],
    ["arn:*:sqs:a.b:111122223333:a", false],
    ["arn:*:sqs:eu-west-1:1/2:a", false],
    ["arn:*:sqs:eu-west-1:12", false],
    ["arn:*:iam::xws:policy/a", false],
    ["arn:*:iam::axs:policy/a", false],
    ["arn:*:sqs:EU:111122223333:a", false],
    ["arn:*:sqs:eu_west:111122223333:a", false],
    ["arn:*:sqs:eu-west-1:12a:a", false],
    ["arn:*:iam::awx:policy/a", false],
    ["arn:*:iam::aw:policy/a", false],
    ["arn:*:iam::awss:policy/a", false],
    ["arn:*:sqs:eu-west-1:a", false],
    ["arm:*:s3:::a", false],
    ["arns:*:s3:::a", false],
    ["a*:*:s3:::a", false],
  ])("%s: %s", (text, expected) => {
    const shown = tokenText(resourcePattern(read(text)).tokens);
    expect(shown.includes(inFields)).toBe(expected);
  });
});

test("the pattern of an ARN operator has six fields, or is `*`", () => {
  const shown = (text: string) => {
    const pattern = arnPattern(read(text));
    return pattern && tokenText(pattern.tokens);
  };
  expect(shown("*")).toBe("*");
  expect(shown("**")).toBe("*");
  expect(shown("a")).toBeNull();
  expect(shown("*a")).toBeNull();
  expect(shown("?")).toBeNull();
  expect(shown("a*:*:*:*:*")).toBeNull();
  expect(shown("a*:*:*:*:*:*")).toBe("a*[:]:*[:]:*[:]:*[:]:*[:]:*");
});

test("the first part of a path has no slash, and anything may follow", () => {
  expect(tokenText(pathOf(read("o-*${aws:PrincipalOrgID}?")).tokens)).toBe("o-*[/]{0}[/]?[/]/*");
});

describe("texts take the place of variables", () => {
  function substituted(text: string, texts: Record<string, string | null | false>, reading = all) {
    const variables = new Variables();
    const pattern = resourcePattern(read(text, reading, variables));
    const found = substitute(pattern, variables, ({ name }) => texts[name] ?? null);
    return found && tokenText(found.tokens);
  }

  test.each([
    ["a${aws:username}b", { "aws:username": "x*Y" }, "ax*Yb"],
    ["${aws:username}${aws:userid}", { "aws:username": "x" }, "x{1}"],
    ["${aws:username, 'y'}", {}, "{1}"],
    ["a", {}, "a"],
    ["arn:aws:s3:::${aws:username}", { "aws:username": "a:b" }, "arn:aws:s3:::a:b"],
    ["arn:aws:sqs::${aws:username}:q", { "aws:username": "1" }, "arn:aws:sqs::1:q"],
    ["arn:aws:sqs::${aws:username}:q", {}, "arn:aws:sqs::{0}[:]:q"],
  ] as const)("%s with %o", (text, texts, expected) => {
    expect(substituted(text, texts)).toBe(expected);
  });

  test("in any letter case where the variable counts so", () => {
    expect(substituted("a${aws:username}", { "aws:username": "Xy*1" }, anyLetterCase)).toBe(
      "<a><x><y>*1",
    );
    expect(substituted("${aws:username}", {}, anyLetterCase)).toBe("{0i}");
  });

  test("a wildcard in a value is a character", () => {
    const variables = new Variables();
    const pattern = patternOf(read("${aws:username}", all, variables));
    expect(substitute(pattern, variables, () => "*?")?.tokens).toEqual([42, 63]);
  });

  test("a pattern without variables stays the same object", () => {
    const pattern = patternOf(read("a*"));
    expect(substitute(pattern, new Variables(), () => false)).toBe(pattern);
  });

  test("no text is left where a value cannot be there", () => {
    const variables = new Variables();
    const pattern = patternOf(read("${aws:username}", all, variables));
    expect(substitute(pattern, variables, () => false)).toBeNull();
    expect(substituted("arn:aws:sqs::${aws:username}:q", { "aws:username": "a:b" })).toBeNull();
  });
});
