import { expect, test } from "vitest";
import { maxTokenLength } from "../../spec/auth.ts";
import { bearerToken } from "./bearer.ts";

const longest = "a".repeat(maxTokenLength);

test.each([
  ["the usual form", "Bearer abc.def-_~+/==", "abc.def-_~+/=="],
  ["a scheme in lower case", "bearer abc", "abc"],
  ["a scheme in mixed case", "bEARER abc", "abc"],
  ["extra blanks around the parts", "  Bearer    abc  ", "abc"],
  ["a token that looks like the scheme", "Bearer Bearer", "Bearer"],
  ["the longest token", `Bearer ${longest}`, longest],
])("accepts %s", (_, authorization, token) => {
  expect(bearerToken(new Headers({ authorization }))).toEqual({ token });
});

test.each([
  ["no header", [], "missing"],
  ["an empty header", [""], "missing"],
  ["another scheme", ["Basic YTpi"], "missing"],
  ["another scheme with several parameters", ['Digest username="a", realm="b"'], "missing"],
  ["a scheme that only starts alike", ["Bearerabc"], "missing"],
  ["DPoP, which is not supported", ["DPoP abc"], "missing"],
  ["the scheme alone", ["Bearer"], "invalid_request"],
  ["the scheme and blanks", ["Bearer    "], "invalid_request"],
  ["two tokens", ["Bearer abc def"], "invalid_request"],
  ["a tab for a blank", ["Bearer\tabc"], "invalid_request"],
  ["a no-break space, which is no blank of HTTP", ["Bearer abc\u00a0"], "invalid_request"],
  ["a no-break space in front", ["\u00a0Bearer abc"], "invalid_request"],
  ["two headers", ["Bearer abc", "Bearer def"], "invalid_request"],
  ["the same header twice", ["Bearer abc", "Bearer abc"], "invalid_request"],
  ["two schemes", ["Basic YTpi", "bearer abc"], "invalid_request"],
  ["a comma in the token", ["Bearer abc,def"], "invalid_request"],
  ["a token of other characters", ["Bearer abc!"], "invalid_token"],
  ["a padding that is not at the end", ["Bearer a=b"], "invalid_token"],
  ["a token past the longest", [`Bearer ${longest}a`], "invalid_token"],
])("refuses %s", (_, values, kind) => {
  const headers = new Headers();
  for (const value of values) headers.append("authorization", value);
  expect(bearerToken(headers)).toMatchObject({ refusal: { kind } });
});

test("a refusal quotes nothing of the header", () => {
  const result = bearerToken(new Headers({ authorization: "Bearer s3cr3t!" }));
  expect(JSON.stringify(result)).not.toContain("s3cr3t");
});
